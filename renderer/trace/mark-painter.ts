// What is drawn where no line can be, or where the line can not be believed: dots at the baseline of a lead without contact, a bar at the
// limit of the converter, hatching where the device sent nothing.

import type { ColumnTracer } from './column-tracer.ts';

export interface MarkSurface {
  fillStyle: unknown;
  fillRect(x: number, y: number, width: number, height: number): void;
}

const DOT_MM = 0.5;
const DOT_EVERY_MM = 2;
const HATCH_EVERY_MM = 2.5;

export class MarkPainter {
  readonly #surface: MarkSurface;
  readonly #tracer: ColumnTracer;
  readonly #dotPx: number;
  readonly #dotEvery: number;
  readonly #hatchEvery: number;
  readonly #colour: string;

  constructor(surface: MarkSurface, tracer: ColumnTracer, pxPerMm: number, colour: string) {
    this.#surface = surface;
    this.#tracer = tracer;
    this.#colour = colour;
    this.#dotPx = Math.max(1, Math.round(DOT_MM * pxPerMm));
    this.#dotEvery = Math.max(2, Math.round(DOT_EVERY_MM * pxPerMm));
    this.#hatchEvery = Math.max(2, Math.round(HATCH_EVERY_MM * pxPerMm));
  }

  mark(lead: number, baselineY: number, first: number, last: number, x: number): void {
    for (let column = first; column <= last; column++) {
      const kind = this.#tracer.kindOf(lead, column);
      if (kind === 'signal' || kind === 'gap') continue;
      if (kind === 'noValue' && column % this.#dotEvery >= this.#dotPx) continue;
      this.#surface.fillStyle = this.#colour;
      const height = kind === 'saturated' ? 4 * this.#dotPx : this.#dotPx;
      this.#surface.fillRect(x + column - first, Math.round(baselineY - height / 2), 1, height);
    }
  }

  /** All leads of a strip at once. */
  markGap(heightPx: number, first: number, last: number, x: number): void {
    for (let column = first; column <= last; column++) {
      if (column % this.#hatchEvery !== 0 || this.#tracer.kindOf(0, column) !== 'gap') continue;
      this.#surface.fillStyle = this.#colour;
      for (let y = 0; y < heightPx; y += 3 * this.#dotPx) this.#surface.fillRect(x + column - first, y, 1, this.#dotPx);
    }
  }
}
