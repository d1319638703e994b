// Packets of one fixed length: which of the places where one could begin is one. The rules (a) to (d) of the
// device protocols reference, 1.2, and two more, because packets without a checksum can lend each other
// bytes:
//
//   - A packet that lost bytes can end with bytes of the next one and look whole. So where the bytes behind a packet are not the head of
//     another, a packet that begins inside it and is in step wins.
//   - A counter that jumps is believed unless the packets behind it go on from the old count: then it was the counter that was damaged.

import { beginsWith } from './begins-with.ts';
import { PacketParser } from './packet-parser.ts';

export interface FixedLayout {
  readonly packetBytes: number;
  readonly samplesPerPacket: number;
  readonly channels: number;
  /** Absent where packets carry no counter. */
  readonly counterModulo?: number;
  /** `strong`: 24 fixed bits or more; a packet is believed alone. */
  readonly structure: 'strong' | 'weak';
  /** Packets in a row that make the beginning of a weak protocol. */
  readonly confirm: number;
  /** Behind damage a weak packet is believed if its counter is at most so many ahead. */
  readonly nearSteps: number;
  /** The bytes that every packet begins with; none where it can begin with anything. */
  readonly head: readonly number[];
  /** Whether a packet is only believed when the head of the next one follows it. */
  readonly isHeadAwaited: boolean;
}

/** Whole packets that are looked at before a decision about damage. */
const SIGHT_PACKETS = 3;

export abstract class FixedPackets extends PacketParser {
  protected readonly layout: FixedLayout;
  #isLocked = false;
  /** Counter of the last packet. */
  #last = 0;
  /** Bytes thrown away since the last packet. */
  #rejected = 0;
  /** Bytes of the last packet of the piece before: a repeat is known by them. */
  #lastPacket: Uint8Array | undefined;
  /** What must stand behind a packet. */
  readonly #awaited: readonly number[];

  constructor(layout: FixedLayout) {
    super(layout.channels);
    this.layout = layout;
    this.#awaited = layout.isHeadAwaited ? layout.head : [];
  }

  /** By structure alone: head, tail, range of bits, checksum. `at` + packetBytes lies inside. */
  protected abstract isValid(bytes: Uint8Array, at: number): boolean;
  protected abstract counterOf(bytes: Uint8Array, at: number): number;
  /** Writes the samples of one packet from place `index` of the columns on. */
  protected abstract decode(bytes: Uint8Array, at: number, index: number): void;
  /**
   * Whether a packet that is not followed by another can still be believed: what may be anything is as it was
   * in the one before.
   */
  protected isTrusted(_bytes: Uint8Array, _at: number): boolean {
    return true;
  }
  /** Whether another packet can begin here; bytes beyond the end are no objection. */
  protected isFollowed(bytes: Uint8Array, end: number): boolean {
    return beginsWith(bytes, end, this.#awaited);
  }

  /** The next place from `from` on where a packet can begin. */
  #nextCandidate(bytes: Uint8Array, from: number): number {
    const [first] = this.layout.head;
    if (first === undefined) return from;
    const found = bytes.indexOf(first, from);
    return found < 0 ? bytes.length : found;
  }

  protected override reset(): void {
    super.reset();
    this.#isLocked = false;
    this.#rejected = 0;
    this.#lastPacket = undefined;
  }

  /**
   * Reads packets that follow one another, in step, up to `stop`. Drivers of short packets have a loop of
   * their own.
   * @param counter that the first one must have.
   * @returns how many.
   */
  protected readRun(bytes: Uint8Array, from: number, stop: number, counter: number): number {
    const { packetBytes, samplesPerPacket, counterModulo } = this.layout;
    const { out } = this;
    let [at, expected, count] = [from, counter, 0];
    out.reserve(Math.ceil((stop - from) / packetBytes) * samplesPerPacket);
    while (at + packetBytes <= stop && this.isValid(bytes, at) && this.isFollowed(bytes, at + packetBytes)) {
      if (counterModulo !== undefined) {
        if (this.counterOf(bytes, at) !== expected) break;
        expected = (expected + 1) % counterModulo;
      }
      this.decode(bytes, at, out.count);
      out.count += samplesPerPacket;
      at += packetBytes;
      count++;
    }
    return count;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    const { packetBytes } = this.layout;
    const headBytes = this.#awaited.length;
    const sight = Math.max(SIGHT_PACKETS, this.layout.confirm) * packetBytes + headBytes;
    const stop = isEnd ? bytes.length : bytes.length - headBytes;
    let at = 0;
    for (;;) {
      if (this.#isLocked && this.#rejected === 0) at += this.#readOn(bytes, at, stop) * packetBytes;
      if (!isEnd && bytes.length - at < sight) break;
      if (at + packetBytes > bytes.length) {
        this.#drop(bytes.length - at);
        at = bytes.length;
        break;
      }
      if (this.#isRepeat(bytes, at)) at += packetBytes;
      else if (this.#isAccepted(bytes, at)) {
        this.#join(bytes, at);
        at += packetBytes;
      } else {
        const next = Math.min(bytes.length, this.#nextCandidate(bytes, at + 1));
        this.#drop(next - at);
        at = next;
      }
    }
    return at;
  }

  #drop(count: number): void {
    this.#rejected += count;
    this.reject(count);
  }

  #readOn(bytes: Uint8Array, at: number, stop: number): number {
    const { packetBytes } = this.layout;
    const count = this.readRun(bytes, at, stop, this.#countOn(this.#last, 1));
    if (count > 0) {
      this.#last = this.#countOn(this.#last, count);
      this.accept(count);
      const last = at + (count - 1) * packetBytes;
      this.#lastPacket = bytes.slice(last, last + packetBytes);
    }
    return count;
  }

  #countOn(counter: number, steps: number): number {
    const { counterModulo } = this.layout;
    return counterModulo === undefined
      ? 0
      : (((counter + steps) % counterModulo) + counterModulo) % counterModulo;
  }

  /** The same packet again: radio links do that. */
  #isRepeat(bytes: Uint8Array, at: number): boolean {
    const last = this.#lastPacket;
    if (last === undefined || this.#rejected > 0 || this.layout.counterModulo === undefined) return false;
    return last.every((byte, i) => byte === bytes[at + i]);
  }

  #isAccepted(bytes: Uint8Array, at: number): boolean {
    const { packetBytes, structure, nearSteps } = this.layout;
    if (!this.isValid(bytes, at)) return false;
    const counter = this.counterOf(bytes, at);
    if (
      !this.isFollowed(bytes, at + packetBytes) &&
      !(this.isTrusted(bytes, at) && !this.#isOverlapped(bytes, at, counter))
    )
      return false;
    if (!this.#isLocked) return structure === 'strong' || this.#isConfirmed(bytes, at, counter);
    const step = this.#countOn(counter, -this.#last - 1);
    const places = this.#rejected / packetBytes;
    if (Number.isInteger(places) && step === this.#countOn(places, 0)) return true;
    if (structure === 'weak' && step >= nearSteps) return this.#isConfirmed(bytes, at, counter);
    return !this.#isCounterDamaged(bytes, at, counter);
  }

  /** Rule (d): the packets behind it count on. */
  #isConfirmed(bytes: Uint8Array, at: number, counter: number): boolean {
    const { packetBytes, confirm } = this.layout;
    for (let k = 1; k < confirm; k++) {
      const next = at + k * packetBytes;
      if (next + packetBytes > bytes.length) return true;
      if (!this.isValid(bytes, next) || this.counterOf(bytes, next) !== this.#countOn(counter, k))
        return false;
    }
    return true;
  }

  #isOverlapped(bytes: Uint8Array, at: number, counter: number): boolean {
    const { packetBytes } = this.layout;
    const end = Math.min(at + packetBytes, bytes.length - packetBytes + 1);
    for (
      let other = this.#nextCandidate(bytes, at + 1);
      other < end;
      other = this.#nextCandidate(bytes, other + 1)
    )
      if (this.isValid(bytes, other) && this.counterOf(bytes, other) === this.#countOn(counter, 1))
        return true;
    return false;
  }

  /** One of the next two packets goes on from the last good one as if this one had been in step. */
  #isCounterDamaged(bytes: Uint8Array, at: number, counter: number): boolean {
    const { packetBytes } = this.layout;
    const places = this.#rejected / packetBytes;
    const step = this.#countOn(counter, -this.#last - 1);
    if (step >= Math.floor(places) && step <= Math.ceil(places)) return false;
    const inStep = this.#countOn(this.#last, 1 + Math.round(places));
    for (let k = 1; k < SIGHT_PACKETS; k++) {
      const next = at + k * packetBytes;
      if (next + packetBytes > bytes.length || !this.isValid(bytes, next)) continue;
      const found = this.counterOf(bytes, next);
      if (found === this.#countOn(counter, k)) return false;
      if (found === this.#countOn(inStep, k)) return true;
    }
    return false;
  }

  /** Takes a packet that does not simply follow. */
  #join(bytes: Uint8Array, at: number): void {
    const { packetBytes, samplesPerPacket } = this.layout;
    const counter = this.counterOf(bytes, at);
    const lostPackets = this.#isLocked ? this.#countOn(counter, -this.#last - 1) : 0;
    this.onJump(lostPackets, this.#rejected);
    this.out.reserve(samplesPerPacket);
    this.decode(bytes, at, this.out.count);
    this.out.count += samplesPerPacket;
    this.accept(1);
    this.#isLocked = true;
    this.#last = counter;
    this.#rejected = 0;
    this.#lastPacket = bytes.slice(at, at + packetBytes);
  }

  protected onJump(lostPackets: number, rejectedBytes: number): void {
    this.break(lostPackets * this.layout.samplesPerPacket, rejectedBytes);
  }
}
