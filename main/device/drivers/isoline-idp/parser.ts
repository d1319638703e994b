// Packets of the Isoline device protocol: runs between zeros, COBS, CRC-16 (device protocols reference, 11).
// The index of the first sample makes every loss exact.

import { ALL_ELECTRODES } from '../../../../shared/signal/electrode.ts';
import type { DeviceFormat } from '../../device-format.ts';
import { int16Le, int24Le, uint16Le, uint32Le } from '../../packets/integers.ts';
import { PacketParser } from '../../packets/packet-parser.ts';
import { decodeCobs } from './cobs.ts';
import { crc16 } from './crc16.ts';
import { readHello } from './hello.ts';
import { DATA_FLAGS, EVENT_CODE, MAX_SAMPLE_BYTES, MAX_SAMPLES, MAX_WIRE_BYTES, PACKET } from './protocol.ts';

const DATA_HEAD_BYTES = 20;
const INDEX_MODULO = 2 ** 32;
/** An index that is so far behind has restarted. */
const BEHIND = 2 ** 31;
const NO_BATTERY = 255;

export class IdpParser extends PacketParser {
  readonly #body = new Uint8Array(MAX_WIRE_BYTES);
  /** Bytes of a run that is too long: all up to the next zero go. */
  #isOverlong = false;
  #rejected = 0;
  #next = -1;
  #isBroken = true;
  /** Channels that the device said it sends: unknown before it did. */
  #helloMask: number | undefined;
  #helloKey = '';
  #electrodesOff = 0;
  #battery = NO_BATTERY;

  constructor() {
    super(0);
  }

  /** The index of the last sample stays: it runs on while the device has power. */
  protected override reset(): void {
    super.reset();
    this.#isBroken = true;
    this.#isOverlong = false;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    let at = 0;
    for (;;) {
      if (bytes[at] === 0) {
        this.#isOverlong = false;
        at++;
        continue;
      }
      const found = bytes.indexOf(0, at);
      const end = found < 0 ? bytes.length : found;
      if (this.#isOverlong) this.#drop(end - at);
      else if (found < 0 && !isEnd && end - at <= MAX_WIRE_BYTES) return at;
      else if (found < 0 || end - at > MAX_WIRE_BYTES) {
        this.#isOverlong = found < 0 && !isEnd;
        this.#drop(end - at);
      } else if (!this.#takeRun(bytes, at, end)) this.#drop(end - at);
      if (found < 0) return bytes.length;
      at = end;
    }
  }

  #drop(count: number): void {
    this.#rejected += count;
    this.reject(count);
  }

  #takeRun(bytes: Uint8Array, from: number, to: number): boolean {
    const body = this.#body;
    const length = decodeCobs(bytes, from, to, body);
    if (length < 3 || crc16(body, length) !== 0) return false;
    return this.#takeBody(body, length - 2);
  }

  #takeBody(body: Uint8Array, length: number): boolean {
    switch (body[0]) {
      case PACKET.data:
        return this.#takeData(body, length);
      case PACKET.hello: {
        const hello = readHello(body, length);
        if (hello === undefined) return false;
        this.packets++;
        if (hello.fault !== undefined) this.out.fault(hello.fault);
        else this.#takeHello(hello.format, hello.mask);
        return true;
      }
      case PACKET.event:
        if (length >= 10) this.#takeEvent(body);
        return true;
      case PACKET.log:
        this.out.text(new TextDecoder().decode(body.subarray(1, length)));
        return true;
      default:
        // Answers, and what a later version may send.
        return true;
    }
  }

  #takeHello(format: DeviceFormat, mask: number): void {
    const key = `${mask} ${format.rateHz} ${format.channels[0]?.lsbUv}`;
    // Samples of another meaning wait to be taken: it is asked for again when what follows is refused.
    if (this.out.count > 0 && key !== this.#helloKey) {
      this.#helloMask = 0;
      return;
    }
    this.#helloKey = key;
    this.#helloMask = mask;
    this.out.format = format;
  }

  #takeEvent(body: Uint8Array): void {
    const offset = this.out.count;
    if (body[1] === EVENT_CODE.button) this.out.event({ kind: 'button', offset });
    else if (body[1] === EVENT_CODE.pace) this.out.event({ kind: 'pace', offset });
  }

  #takeData(body: Uint8Array, length: number): boolean {
    const mask = uint16Le(body, 12);
    const samples = body[14] as number;
    const width = body[15] as number;
    const channels = bitCount(mask);
    const bytes = samples * channels * width;
    const isWhole =
      length === DATA_HEAD_BYTES + bytes &&
      samples >= 1 &&
      samples <= MAX_SAMPLES &&
      channels >= 1 &&
      (width === 2 || width === 3) &&
      bytes <= MAX_SAMPLE_BYTES;
    // Other channels than it said are channels of no known meaning.
    if (!isWhole || (this.#helloMask !== undefined && mask !== this.#helloMask)) return false;
    if (this.out.columns.length !== channels) {
      // Samples of another form wait to be taken: what does not fit them is not mixed in.
      if (this.out.count > 0) return false;
      this.out.setChannels(channels);
    }
    const first = uint32Le(body, 4);
    if (!this.#place(first, samples)) return true;
    this.#noteFacts(body);
    this.#decode(body, samples, channels, width);
    this.accept(1);
    return true;
  }

  /** @returns false for a packet that was there already. */
  #place(first: number, samples: number): boolean {
    const ahead = this.#next < 0 ? 0 : (first - this.#next + INDEX_MODULO) % INDEX_MODULO;
    if (ahead === INDEX_MODULO - samples && !this.#isBroken && this.#rejected === 0) return false;
    const isRestart = ahead >= BEHIND;
    if (isRestart) this.out.text('The device restarted its counter.');
    if (this.#isBroken || ahead > 0 || this.#rejected > 0)
      this.break(isRestart ? 0 : ahead, this.#rejected, isRestart);
    this.#next = (first + samples) % INDEX_MODULO;
    this.#rejected = 0;
    this.#isBroken = false;
    return true;
  }

  #noteFacts(body: Uint8Array): void {
    const { out } = this;
    const offset = out.count;
    const flags = body[1] as number;
    const electrodes = (flags & DATA_FLAGS.leadOffValid) === 0 ? 0 : uint16Le(body, 16) & ALL_ELECTRODES;
    if (electrodes !== this.#electrodesOff) out.event({ kind: 'leadOff', offset, electrodes });
    this.#electrodesOff = electrodes;
    if ((flags & DATA_FLAGS.overrun) !== 0) out.event({ kind: 'overrun', offset });
    if ((flags & DATA_FLAGS.button) !== 0) out.event({ kind: 'button', offset });
    if ((flags & DATA_FLAGS.pace) !== 0) out.event({ kind: 'pace', offset });
    const battery = body[19] as number;
    if (battery !== this.#battery && battery !== NO_BATTERY)
      out.event({ kind: 'battery', offset, percent: Math.min(100, battery) });
    this.#battery = battery;
  }

  #decode(body: Uint8Array, samples: number, channels: number, width: number): void {
    const { out } = this;
    out.reserve(samples);
    const { columns, count } = out;
    const step = channels * width;
    for (let channel = 0; channel < channels; channel++) {
      const column = columns[channel] as Int32Array;
      let at = DATA_HEAD_BYTES + channel * width;
      if (width === 3)
        for (let i = count; i < count + samples; i++, at += step) column[i] = int24Le(body, at);
      else for (let i = count; i < count + samples; i++, at += step) column[i] = int16Le(body, at);
    }
    out.count += samples;
  }
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
