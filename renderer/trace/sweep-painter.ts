// Traces as a sweep: new columns are drawn where the oldest ones stood, behind a bar that erases; what is on
// the screen is never drawn again.

import { ColumnTracer, type TraceSurface } from './column-tracer.ts';
import type { DisplayRing } from './display-ring.ts';
import type { EcgLayout } from './ecg-layout.ts';
import { type MarkLook, MarkPainter, type MarkSurface } from './mark-painter.ts';

export interface PaintSurface extends TraceSurface, MarkSurface {
  clearRect(x: number, y: number, width: number, height: number): void;
  beginPath(): void;
  stroke(): void;
}

const ERASE_MM = 5;

export class SweepPainter {
  readonly #surface: PaintSurface;
  readonly #layout: EcgLayout;
  readonly #tracer: ColumnTracer;
  readonly #marks: MarkPainter;
  readonly #erasePx: number;
  /** The last column that is drawn. */
  #drawn = Number.NaN;

  constructor(surface: PaintSurface, layout: EcgLayout, ring: DisplayRing, look: MarkLook) {
    const { pxPerMm, speedMmPerS, gainMmPerMv } = layout.scale;
    this.#surface = surface;
    this.#layout = layout;
    this.#tracer = new ColumnTracer(ring, speedMmPerS * pxPerMm, gainMmPerMv * pxPerMm);
    this.#marks = new MarkPainter(surface, this.#tracer, pxPerMm, look);
    this.#erasePx = Math.round(ERASE_MM * pxPerMm);
  }

  /** Where in its strip the last column stands; -1 before anything is drawn. */
  get headX(): number {
    return Number.isNaN(this.#drawn) ? -1 : this.#drawn % this.#layout.columns;
  }

  /** Number behind the last sample that is drawn. */
  get drawnEnd(): number {
    return Math.ceil((this.#drawn + 1) * this.#tracer.samplesPerColumn);
  }

  /**
   * Draws what is new up to `head`, a place in samples that need not be whole.
   * @returns whether there was anything
   */
  paint(head: number): boolean {
    const { columns, strips } = this.#layout;
    const last = this.#tracer.lastColumn(head);
    const oldest = Math.max(last - columns + 1 + this.#erasePx, this.#tracer.oldestColumn);
    const isAnew = Number.isNaN(this.#drawn) || last < this.#drawn || this.#drawn + 1 < oldest;
    const first = isAnew ? oldest : this.#drawn + 1;
    if (first > last || !Number.isFinite(last)) return false;
    this.#drawn = last;
    for (let i = 0; i < strips.length; i++) {
      const { left } = strips[i] as EcgLayout['strips'][number];
      if (isAnew) this.#surface.clearRect(left - 1, 0, columns + 1, this.#layout.heightPx);
      else this.#clear(left, first, last + this.#erasePx);
    }
    this.#draw(first, last);
    return true;
  }

  /** A pacing spike. @returns whether its place is drawn already */
  markPace(sample: number): boolean {
    const column = this.#tracer.columnOf(sample);
    const { columns, strips } = this.#layout;
    if (!(column <= this.#drawn)) return false;
    // What the sweep has passed again shows something else by now.
    if (column <= this.#drawn - columns + this.#erasePx) return true;
    for (const { left, cells } of strips)
      for (const { baselineY } of cells) this.#marks.markPace(baselineY, left + (column % columns));
    return true;
  }

  #clear(left: number, first: number, last: number): void {
    const { columns, heightPx } = this.#layout;
    const from = first % columns;
    const width = Math.min(columns, last - first + 1);
    const atEnd = Math.min(width, columns - from);
    this.#surface.clearRect(left + from, 0, atEnd, heightPx);
    if (width > atEnd) this.#surface.clearRect(left, 0, width - atEnd, heightPx);
  }

  /** In pieces that do not cross the right edge. */
  #draw(first: number, last: number): void {
    const { columns } = this.#layout;
    this.#surface.beginPath();
    for (let from = first; from <= last; ) {
      const x = from % columns;
      const to = Math.min(last, from + columns - 1 - x);
      this.#trace(from, to, x);
      from = to + 1;
    }
    this.#surface.stroke();
  }

  #trace(from: number, to: number, x: number): void {
    const { strips } = this.#layout;
    for (let i = 0; i < strips.length; i++) {
      const { left, cells } = strips[i] as EcgLayout['strips'][number];
      for (let j = 0; j < cells.length; j++) {
        const { lead, baselineY } = cells[j] as EcgLayout['strips'][number]['cells'][number];
        // At the left edge the pen is put down again.
        this.#tracer.trace(this.#surface, lead, baselineY, from, to, left + x, x > 0);
        this.#marks.mark(lead, baselineY, from, to, left + x);
      }
      this.#marks.markGap(this.#layout.heightPx, from, to, left + x, { left, width: this.#layout.columns });
    }
  }
}
