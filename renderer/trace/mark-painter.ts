// What is drawn where no line can be, or where the line cannot be believed: dots at the baseline of a lead
// without contact, a bar at the limit of the converter, hatching and a word where the device sent nothing;
// and, under the line, the spikes of a pacemaker.

import type { ColumnTracer } from './column-tracer.ts';
import { drawPace } from './pace-mark.ts';

export interface MarkSurface {
  fillStyle: unknown;
  font: string;
  fillRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { readonly width: number };
}

export interface MarkLook {
  readonly mark: string;
  readonly pace: string;
  /** `0.8 s missing`; `more than 60 s missing` */
  missing(seconds: number, isMore: boolean): string;
}

/** Columns of pixels of a strip or a tile: what is drawn beside them is never cleared. */
export interface Span {
  readonly left: number;
  readonly width: number;
}

const DOT_MM = 0.5;
const DOT_EVERY_MM = 2;
const HATCH_EVERY_MM = 2.5;
const WORD_MM = 3;

export class MarkPainter {
  readonly #surface: MarkSurface;
  readonly #tracer: ColumnTracer;
  readonly #dotPx: number;
  readonly #dotEvery: number;
  readonly #hatchEvery: number;
  readonly #look: MarkLook;
  readonly #pxPerMm: number;

  constructor(surface: MarkSurface, tracer: ColumnTracer, pxPerMm: number, look: MarkLook) {
    this.#surface = surface;
    this.#tracer = tracer;
    this.#look = look;
    this.#pxPerMm = pxPerMm;
    this.#dotPx = Math.max(1, Math.round(DOT_MM * pxPerMm));
    this.#dotEvery = Math.max(2, Math.round(DOT_EVERY_MM * pxPerMm));
    this.#hatchEvery = Math.max(2, Math.round(HATCH_EVERY_MM * pxPerMm));
  }

  mark(lead: number, baselineY: number, first: number, last: number, x: number): void {
    for (let column = first; column <= last; column++) {
      const kind = this.#tracer.kindOf(lead, column);
      if (kind === 'signal' || kind === 'gap') continue;
      if (kind === 'noValue' && column % this.#dotEvery >= this.#dotPx) continue;
      this.#surface.fillStyle = this.#look.mark;
      const height = kind === 'saturated' ? 4 * this.#dotPx : this.#dotPx;
      this.#surface.fillRect(x + column - first, Math.round(baselineY - height / 2), 1, height);
    }
  }

  /** All leads of a strip at once; where a gap ends stands how long it was. */
  markGap(heightPx: number, first: number, last: number, x: number, span: Span): void {
    let wasGap = this.#tracer.kindOf(0, first - 1) === 'gap';
    for (let column = first; column <= last; column++) {
      const isGap = this.#tracer.kindOf(0, column) === 'gap';
      if (wasGap && !isGap) this.#sayMissing(column, x + column - first, span);
      wasGap = isGap;
      if (!isGap || column % this.#hatchEvery !== 0) continue;
      this.#surface.fillStyle = this.#look.mark;
      for (let y = 0; y < heightPx; y += 3 * this.#dotPx)
        this.#surface.fillRect(x + column - first, y, 1, this.#dotPx);
    }
  }

  #sayMissing(column: number, x: number, { left, width }: Span): void {
    const { samples, isMore } = this.#tracer.gapBefore(column);
    if (samples === 0) return;
    const words = this.#look.missing(samples / this.#tracer.rateHz, isMore);
    this.#surface.fillStyle = this.#look.mark;
    this.#surface.font = `600 ${Math.round(WORD_MM * this.#pxPerMm)}px Inter, sans-serif`;
    const begin = x - samples / this.#tracer.samplesPerColumn + this.#dotPx;
    const furthest = left + width - this.#surface.measureText(words).width;
    this.#surface.fillText(words, Math.max(left, Math.min(begin, furthest)), 1.4 * WORD_MM * this.#pxPerMm);
  }

  /** Never as a part of the signal. */
  markPace(baselineY: number, x: number): void {
    drawPace(this.#surface, { x, baselineY }, this.#pxPerMm, this.#look.pace);
  }
}
