// Packets of ProtoCentral boards: 0A FA, length, type, payload, 00 0B (device protocols reference, 3). No
// counter, no checksum, and text of the firmware may stand between them.

import { uint16Le } from '../../packets/integers.ts';
import { PacketParser } from '../../packets/packet-parser.ts';
import { type Board, isKnownPacket } from './boards.ts';

const HEAD = 0x0a;
const HEAD_BYTES = 5;
const FRAME_BYTES = 7;
const FIT_PACKETS = 32;

export class ProtoCentralParser extends PacketParser {
  readonly #board: Board;
  #rejected = 0;
  #electrodesOff = 0;
  #fitting = 0;
  #unfitting = 0;

  constructor(board: Board) {
    super(board.format.channels.length);
    this.#board = board;
  }

  /** Undecided until enough packets were seen. */
  override get isLikely(): boolean {
    return this.#board.fits === undefined || (this.#unfitting === 0 && this.#fitting > 0);
  }

  protected override reset(): void {
    super.reset();
    this.#rejected = 0;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    let at = 0;
    for (;;) {
      const head = bytes[at] === HEAD ? at : bytes.indexOf(HEAD, at);
      if (head < 0) return this.#drop(bytes.length - at, bytes.length);
      if (head > at) at = this.#drop(head - at, head);
      const length = this.#lengthAt(bytes, at);
      if (length === undefined) {
        if (at + HEAD_BYTES > bytes.length && !isEnd && this.#mayBeHead(bytes, at)) return at;
        at = this.#drop(1, at + 1);
        continue;
      }
      const end = at + length + FRAME_BYTES;
      if (end > bytes.length) {
        if (!isEnd) return at;
        at = this.#drop(1, at + 1);
      } else if (bytes[end - 2] !== 0 || bytes[end - 1] !== 0x0b) at = this.#drop(1, at + 1);
      else {
        this.#take(bytes, at, length);
        at = end;
      }
    }
  }

  #drop(count: number, to: number): number {
    this.#rejected += count;
    this.reject(count);
    return to;
  }

  #mayBeHead(bytes: Uint8Array, at: number): boolean {
    return at + 1 >= bytes.length || bytes[at + 1] === 0xfa;
  }

  #lengthAt(bytes: Uint8Array, at: number): number | undefined {
    if (at + HEAD_BYTES > bytes.length || bytes[at + 1] !== 0xfa) return undefined;
    const length = uint16Le(bytes, at + 2);
    return isKnownPacket(length, bytes[at + 4] as number) ? length : undefined;
  }

  #take(bytes: Uint8Array, at: number, length: number): void {
    const board = this.#board;
    if (length !== board.length || bytes[at + 4] !== board.type) return;
    if (this.#rejected > 0 || this.packets === 0) this.break(0, this.#rejected);
    this.#rejected = 0;
    const { out } = this;
    const payload = at + HEAD_BYTES;
    out.reserve(board.samples);
    board.decode(bytes, payload, out.columns, out.count);
    this.#noteContact(bytes, payload);
    out.count += board.samples;
    this.accept(1);
    if (this.packets <= FIT_PACKETS)
      board.fits?.(bytes, payload) === false ? this.#unfitting++ : this.#fitting++;
  }

  #noteContact(bytes: Uint8Array, payload: number): void {
    const { electrodesOff } = this.#board;
    if (electrodesOff === undefined) return;
    const electrodes = electrodesOff(bytes, payload);
    if (electrodes !== this.#electrodesOff)
      this.out.event({ kind: 'leadOff', offset: this.out.count, electrodes });
    this.#electrodesOff = electrodes;
  }
}
