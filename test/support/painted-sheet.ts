// A surface that remembers what was drawn on it.

import type { PaintSurface } from '../../renderer/trace/sweep-painter.ts';

export class PaintedSheet implements PaintSurface {
  readonly #width: number;
  /** What is drawn beside it is not seen; else it is a fault. */
  readonly #isClipped: boolean;
  fillStyle: unknown;
  font = '';
  texts: string[] = [];
  textPlaces: number[] = [];
  marks: (readonly [number, number])[] = [];
  /** Per column of pixels the least and greatest y that a line reached. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  points: (readonly [number, number])[] = [];
  strokes = 0;
  cleared = 0;
  #x = 0;
  #y = 0;

  constructor(width: number, isClipped = false) {
    this.#width = width;
    this.#isClipped = isClipped;
    this.low = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
    this.high = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
  }

  fillText(text: string, x: number): void {
    this.texts.push(text);
    this.textPlaces.push(x);
  }
  measureText(text: string): { width: number } {
    return { width: 6 * text.length };
  }
  fillRect(x: number, y: number): void {
    this.marks.push([x, y]);
  }
  clearRect(x: number, _y: number, width: number): void {
    this.cleared += width;
    this.low.fill(Number.POSITIVE_INFINITY, x, x + width);
    this.high.fill(Number.NEGATIVE_INFINITY, x, x + width);
  }
  beginPath(): void {}
  moveTo(x: number, y: number): void {
    this.#x = x;
    this.#y = y;
    this.#mark(x, y);
  }
  lineTo(x: number, y: number): void {
    if (Math.floor(x) === Math.floor(this.#x)) this.#mark(x, this.#y);
    this.#mark(x, y);
    this.points.push([x, y]);
    this.#x = x;
    this.#y = y;
  }
  stroke(): void {
    this.strokes++;
  }
  #mark(x: number, y: number): void {
    const column = Math.floor(x);
    const isInside = column >= 0 && column < this.#width;
    if (!isInside && this.#isClipped) return;
    if (!isInside) throw new Error(`drawn outside at ${x}`);
    this.low[column] = Math.min(this.low[column]!, y);
    this.high[column] = Math.max(this.high[column]!, y);
  }
}
