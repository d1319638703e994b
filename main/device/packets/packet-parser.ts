// Bytes to samples, the frame of every parser: whatever pieces the bytes come in, the result is the same; no
// input makes it throw; what is kept between two pieces is bounded.

import { PacketOutput } from './packet-output.ts';

const NOTHING = new Uint8Array(0);
/** A larger piece is taken in parts, so that what comes out of one call stays small. */
const MAX_PIECE_BYTES = 65_536;

export abstract class PacketParser {
  readonly out: PacketOutput;
  /** In all; bytes of packets that are read and hold no ECG are not among them. */
  rejectedBytes = 0;
  packets = 0;
  /** Packets since the last break: what detection believes. */
  packetsInRow = 0;
  #carry: Uint8Array = NOTHING;

  constructor(channels: number) {
    this.out = new PacketOutput(channels);
  }

  /** Takes the next bytes of the device; samples, breaks and events are added to `out`. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES)
      this.#take(bytes.subarray(at, at + MAX_PIECE_BYTES), false);
  }

  /** The device was sending before anybody listened. */
  joinMidway(): void {}

  /** What was read looks like what this parser is for, among those that read the same packets. */
  get isLikely(): boolean {
    return true;
  }

  /** Nothing will follow: decides about what was kept for that. */
  flush(): void {
    this.#take(NOTHING, true);
    this.reset();
  }

  #take(piece: Uint8Array, isEnd: boolean): void {
    let bytes = piece;
    if (this.#carry.length > 0) {
      bytes = new Uint8Array(this.#carry.length + piece.length);
      bytes.set(this.#carry);
      bytes.set(piece, this.#carry.length);
    }
    const used = this.consume(bytes, isEnd);
    // A copy: the piece is a part of somebody's pool.
    this.#carry = used >= bytes.length ? NOTHING : bytes.slice(used);
  }

  /**
   * Reads packets from the beginning of `bytes`.
   * @param isEnd nothing will follow.
   * @returns how many bytes are done with. What is left stays shorter than a few packets.
   */
  protected abstract consume(bytes: Uint8Array, isEnd: boolean): number;

  /** The device is another one, or restarted: nothing of before counts. */
  protected reset(): void {
    this.#carry = NOTHING;
    this.packetsInRow = 0;
  }

  protected accept(packets: number): void {
    this.packets += packets;
    this.packetsInRow += packets;
  }

  protected reject(bytes: number): void {
    this.rejectedBytes += bytes;
  }

  /** What comes next does not follow what came before. */
  protected break(lost: number, rejectedBytes: number, isRestart = false): void {
    this.packetsInRow = 0;
    this.out.breaks.push({ offset: this.out.count, lost, rejectedBytes, ...(isRestart && { isRestart }) });
  }
}
