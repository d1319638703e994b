// What BrainFlow sends to a streaming board: each sample as one row of numbers of 64 bits, the least byte first, in UDP
// packets of some rows (BrainFlow, `multicast_streamer` and "Streaming Board"). Packets may be missing, never parts of one.

import { INVALID_SAMPLE } from '../../../../shared/signal/recording.ts';
import { PacketParser } from '../../packets/packet-parser.ts';
import { type BrainFlowBoard, LSB_UV } from './boards.ts';

const NUMBER_BYTES = 8;
const COUNTER_ROW = 0;
/** Between 2001 and 2100: only the row of the time looks like this. */
const TIME_S = { least: 1e9, most: 4.1e9 };
/** So many rows one behind the other are believed: numbers of another board fit now and then. */
const BELIEVED_ROWS = 3;
/** Rows that follow one another came to BrainFlow within this. */
const MOST_APART_S = 60;
/** So many rows without any that fit are no damage. */
const WRONG_BOARD_ROWS = 40;
const CODE_LIMIT = 2 ** 31 - 1;

export class BrainFlowParser extends PacketParser {
  readonly #board: BrainFlowBoard;
  readonly #rowBytes: number;
  readonly #modulo: number | undefined;
  #last: number | undefined;
  #rejected = 0;
  #misfits = 0;
  #isInStep = false;
  #isFaulty = false;

  constructor(board: BrainFlowBoard) {
    super(board.signalRows.length);
    this.#board = board;
    this.#rowBytes = NUMBER_BYTES * board.rows;
    this.#modulo = board.variant.packets.counterModulo;
  }

  protected override reset(): void {
    super.reset();
    this.#last = undefined;
    this.#misfits = 0;
    this.#isInStep = false;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (at + this.#rowBytes <= bytes.length) {
      if (!this.#isInStep && !isEnd && bytes.length - at < BELIEVED_ROWS * this.#rowBytes) break;
      if (this.#isInStep ? this.#isRow(view, at) : this.#isRun(view, at)) {
        this.#isInStep = true;
        this.#takeRow(view, at);
        at += this.#rowBytes;
      } else {
        this.#isInStep = false;
        this.#drop(NUMBER_BYTES);
        at += NUMBER_BYTES;
      }
    }
    if (isEnd) this.#drop(bytes.length - at);
    return isEnd ? bytes.length : at;
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.#rejected += count;
    this.#misfits += count;
    this.reject(count);
    if (this.#misfits < WRONG_BOARD_ROWS * this.#rowBytes) return;
    this.#misfits = 0;
    this.#isFaulty = true;
    this.out.fault('What BrainFlow sends does not come from this board. Choose the board that it streams.');
  }

  #timeOf(view: DataView, at: number): number {
    return view.getFloat64(at + NUMBER_BYTES * this.#board.timeRow, true);
  }

  #isRun(view: DataView, from: number): boolean {
    const rows = Math.min(BELIEVED_ROWS, Math.floor((view.byteLength - from) / this.#rowBytes));
    for (let row = 0; row < rows; row++) {
      const at = from + row * this.#rowBytes;
      if (!this.#isRow(view, at)) return false;
      if (Math.abs(this.#timeOf(view, at) - this.#timeOf(view, from)) > MOST_APART_S) return false;
    }
    return true;
  }

  #isRow(view: DataView, at: number): boolean {
    const time = this.#timeOf(view, at);
    const counter = view.getFloat64(at + NUMBER_BYTES * COUNTER_ROW, true);
    const isCounter =
      Number.isInteger(counter) && counter >= 0 && (this.#modulo === undefined || counter < this.#modulo);
    return time > TIME_S.least && time < TIME_S.most && isCounter;
  }

  #takeRow(view: DataView, at: number): void {
    const counter = view.getFloat64(at + NUMBER_BYTES * COUNTER_ROW, true);
    const lost = this.#lostBefore(counter);
    if (this.#last === undefined || lost > 0 || this.#rejected > 0) this.break(lost, this.#rejected);
    this.#last = counter;
    this.#rejected = 0;
    this.#misfits = 0;
    if (this.#isFaulty) this.out.event({ kind: 'recovered', offset: this.out.count });
    this.#isFaulty = false;
    const { out } = this;
    out.reserve(1);
    for (const [channel, row] of this.#board.signalRows.entries()) {
      const code = view.getFloat64(at + NUMBER_BYTES * row, true) / LSB_UV;
      (out.columns[channel] as Int32Array)[out.count] = Number.isNaN(code)
        ? INVALID_SAMPLE
        : Math.max(-CODE_LIMIT, Math.min(CODE_LIMIT, Math.round(code)));
    }
    out.count++;
    this.accept(1);
  }

  #lostBefore(counter: number): number {
    if (this.#modulo === undefined || this.#last === undefined) return 0;
    return (counter - this.#last - 1 + 2 * this.#modulo) % this.#modulo;
  }
}
