// Packets of the OpenBCI Cyton: A0, counter, eight int24, six bytes of other things, C0 to CF (device
// protocols reference, 2). With a Daisy board on top, packets with an even counter hold channels 9 to 16 and
// those with an odd one channels 1 to 8.

import { FixedPackets } from '../../packets/fixed-packets.ts';
import { int24Be } from '../../packets/integers.ts';

const PACKET_BYTES = 33;
const HEAD = 0xa0;
const CHANNELS = 8;
const USUAL_TAIL = 0xc0;
const MODULO = 256;

/**
 * The dongle of an older firmware wraps packets that the board has wrapped already: the counter of the board
 * then never shows.
 */
const WRAPPED_COUNTER = 0x41;
const LOOKED_AT = 16;
const WRAPPED_OF_THEM = 12;
const WRAPPED_FAULT =
  'The dongle has an old firmware, whose packets cannot be read: update it by the instructions of its maker.';

class CytonPackets extends FixedPackets {
  /** Last byte of the packet before. */
  #tail = USUAL_TAIL;

  constructor(channels: number) {
    super({
      packetBytes: PACKET_BYTES,
      samplesPerPacket: 1,
      channels,
      counterModulo: MODULO,
      structure: 'weak',
      confirm: 2,
      nearSteps: 5,
      head: [HEAD],
      isHeadAwaited: true,
    });
  }

  protected override isValid(bytes: Uint8Array, at: number): boolean {
    return bytes[at] === HEAD && ((bytes[at + PACKET_BYTES - 1] as number) & 0xf0) === 0xc0;
  }

  protected override isTrusted(bytes: Uint8Array, at: number): boolean {
    return bytes[at + PACKET_BYTES - 1] === this.#tail;
  }

  protected override counterOf(bytes: Uint8Array, at: number): number {
    return bytes[at + 1] as number;
  }

  protected override decode(bytes: Uint8Array, at: number, index: number): void {
    decodeInto(this.out.columns, 0, bytes, at, index);
    this.#tail = bytes[at + PACKET_BYTES - 1] as number;
  }
}

function decodeInto(
  columns: readonly Int32Array[],
  first: number,
  bytes: Uint8Array,
  at: number,
  index: number,
): void {
  for (let channel = 0; channel < CHANNELS; channel++)
    (columns[first + channel] as Int32Array)[index] = int24Be(bytes, at + 2 + 3 * channel);
}

export class CytonParser extends CytonPackets {
  #blocks = 0;
  #wrapped = 0;

  constructor() {
    super(CHANNELS);
  }

  /** Says once that what arrives is the doubly wrapped form, which must not be recorded. */
  override push(bytes: Uint8Array): void {
    if (this.packets === 0 && this.#blocks < LOOKED_AT) this.#lookForWrapped(bytes);
    super.push(bytes);
  }

  #lookForWrapped(bytes: Uint8Array): void {
    for (
      let at = bytes.indexOf(HEAD);
      at >= 0 && this.#blocks < LOOKED_AT;
      at = bytes.indexOf(HEAD, at + 1)
    ) {
      this.#blocks++;
      if (bytes[at + 1] === WRAPPED_COUNTER) this.#wrapped++;
      if (this.#wrapped === WRAPPED_OF_THEM) this.out.fault(WRAPPED_FAULT);
    }
  }
}

/** One sample is two packets: an even one and the odd one that counts on. A half alone is dropped. */
export class CytonDaisyParser extends CytonPackets {
  readonly #half = new Int32Array(CHANNELS);
  readonly #halfColumns = Array.from({ length: CHANNELS }, () => new Int32Array(1));
  #halfCounter = -1;
  #lastPair = -1;
  #isBroken = true;
  #rejectedBefore = 0;

  constructor() {
    super(2 * CHANNELS);
  }

  protected override reset(): void {
    super.reset();
    this.#halfCounter = -1;
    this.#lastPair = -1;
    this.#isBroken = true;
  }

  protected override readRun(bytes: Uint8Array, from: number, stop: number, counter: number): number {
    let [at, expected, count] = [from, counter, 0];
    this.out.reserve(Math.ceil((stop - from) / (2 * PACKET_BYTES)) + 1);
    for (
      ;
      at + PACKET_BYTES <= stop && this.isValid(bytes, at) && this.isFollowed(bytes, at + PACKET_BYTES);
      at += PACKET_BYTES
    ) {
      if (this.counterOf(bytes, at) !== expected) break;
      this.#take(bytes, at, expected);
      expected = (expected + 1) % MODULO;
      count++;
    }
    return count;
  }

  /** Called for packets that do not simply follow; what it writes is a half, so the count is set back. */
  protected override decode(bytes: Uint8Array, at: number): void {
    this.#take(bytes, at, this.counterOf(bytes, at));
    this.out.count--;
  }

  protected override onJump(_lostPackets: number, rejectedBytes: number): void {
    this.#isBroken = true;
    this.#rejectedBefore += rejectedBytes;
  }

  #take(bytes: Uint8Array, at: number, counter: number): void {
    const isDaisy = counter % 2 === 0;
    if (isDaisy) {
      decodeInto(this.#halfColumns, 0, bytes, at, 0);
      for (let channel = 0; channel < CHANNELS; channel++)
        this.#half[channel] = this.#halfColumns[channel]?.[0] as number;
      this.#halfCounter = counter;
      return;
    }
    if (this.#halfCounter !== counter - 1) return;
    this.#halfCounter = -1;
    const pair = counter >> 1;
    // The same pair again: radio links do that.
    if (this.#isBroken && pair === this.#lastPair) return;
    if (this.#isBroken)
      this.break(
        this.#lastPair < 0 ? 0 : (pair - this.#lastPair - 1 + MODULO) % (MODULO / 2),
        this.#rejectedBefore,
      );
    this.#isBroken = false;
    this.#rejectedBefore = 0;
    this.#lastPair = pair;
    const index = this.out.count++;
    decodeInto(this.out.columns, 0, bytes, at, index);
    for (let channel = 0; channel < CHANNELS; channel++)
      (this.out.columns[CHANNELS + channel] as Int32Array)[index] = this.#half[channel] as number;
  }
}
