// Traces as a sweep: new columns are drawn where the oldest ones stood, behind a bar that erases; what is on the screen is never drawn
// again. Per column of device pixels the first, least, greatest and last value make the line, so that no peak of a single sample is lost
// (M4: Jugel et al., VLDB 2014). Columns are counted from sample 0 on: a column holds the same samples whenever it is drawn.

import { SAMPLE_STATE } from '../../shared/bridge/sample-message.ts';
import type { DisplayRing } from '../../shared/signal/display-ring.ts';

/** What is drawn on: a canvas, in device pixels. */
export interface TraceSurface {
  clearRect(x: number, y: number, width: number, height: number): void;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  stroke(): void;
}

/** Where one lead is drawn. All cells are equally wide. */
export interface SweepCell {
  readonly lead: number;
  readonly left: number;
  readonly top: number;
  readonly height: number;
  /** Of 0 mV. */
  readonly baselineY: number;
}

export interface SweepScale {
  readonly pxPerMv: number;
  readonly pxPerSecond: number;
  readonly erasePx: number;
}

export interface SweepLayout {
  readonly cells: readonly SweepCell[];
  readonly widthPx: number;
  readonly scale: SweepScale;
}

/** With fewer samples a column than this each one is drawn where it is. */
const FEW_SAMPLES = 2;

export class SweepPainter {
  readonly #surface: TraceSurface;
  readonly #ring: DisplayRing;
  #layout: SweepLayout | undefined;
  /** Samples of a column. */
  #samplesPerColumn = 1;
  /** The last column that is drawn. */
  #drawn = Number.NaN;

  constructor(surface: TraceSurface, ring: DisplayRing) {
    this.#surface = surface;
    this.#ring = ring;
  }

  /** Everything is drawn anew with the next frame. */
  setLayout(layout: SweepLayout): void {
    this.#layout = layout;
    this.#samplesPerColumn = this.#ring.rateHz / layout.scale.pxPerSecond;
    this.#drawn = Number.NaN;
  }

  /** Draws what is new up to `head`, a place in samples that need not be whole. */
  paint(head: number): void {
    const layout = this.#layout;
    if (layout === undefined) return;
    const last = Math.floor(Math.min(head, this.#ring.end) / this.#samplesPerColumn) - 1;
    const oldest = Math.max(last - layout.widthPx + 1 + layout.scale.erasePx, Math.ceil(this.#ring.oldest / this.#samplesPerColumn));
    const isAnew = Number.isNaN(this.#drawn) || last < this.#drawn || this.#drawn + 1 < oldest;
    if (!isAnew && last === this.#drawn) return;
    const first = isAnew ? oldest : this.#drawn + 1;
    if (first > last) return;
    this.#drawn = last;
    const surface = this.#surface;
    for (const cell of layout.cells) {
      if (isAnew) surface.clearRect(cell.left, cell.top, layout.widthPx, cell.height);
      else this.#clear(cell, layout, first, last + layout.scale.erasePx);
    }
    surface.beginPath();
    for (let i = 0; i < layout.cells.length; i++) this.#trace(layout.cells[i] as SweepCell, layout, first, last);
    surface.stroke();
  }

  #clear({ left, top, height }: SweepCell, { widthPx }: SweepLayout, first: number, last: number): void {
    const from = first % widthPx;
    const width = Math.min(widthPx, last - first + 1);
    const atEnd = Math.min(width, widthPx - from);
    this.#surface.clearRect(left + from, top, atEnd, height);
    if (width > atEnd) this.#surface.clearRect(left, top, width - atEnd, height);
  }

  /** One lead from column to column; the line begins at the last sample before, so that it is one line over all frames. */
  #trace(cell: SweepCell, layout: SweepLayout, first: number, last: number): void {
    const { widthPx } = layout;
    let isDown = false;
    for (let column = first; column <= last; column++) {
      const x = cell.left + (column % widthPx);
      const from = Math.ceil(column * this.#samplesPerColumn);
      const to = Math.ceil((column + 1) * this.#samplesPerColumn);
      // At the left edge, and where a frame begins, the pen is put down anew.
      if (column % widthPx === 0) isDown = false;
      if (!isDown) isDown = this.#join(cell, layout, column, from);
      isDown =
        this.#samplesPerColumn < FEW_SAMPLES
          ? this.#points(cell, layout, x - column, from, to, isDown)
          : this.#extremes(cell, layout, x, from, to, isDown);
    }
  }

  #isDrawable(sample: number): boolean {
    const { begin, end, capacity, states, mask } = this.#ring;
    return sample >= begin && sample >= end - capacity && ((states[sample & mask] as number) & SAMPLE_STATE.invalid) === 0;
  }

  #y(cell: SweepCell, layout: SweepLayout, sample: number): number {
    const mv = (this.#ring.mv[cell.lead] as Float32Array)[sample & this.#ring.mask] as number;
    return cell.baselineY - mv * layout.scale.pxPerMv;
  }

  /** From the sample before, as far as it is on this side of the left edge. */
  #join(cell: SweepCell, layout: SweepLayout, column: number, from: number): boolean {
    if (column % layout.widthPx === 0 || !this.#isDrawable(from - 1)) return false;
    const isFew = this.#samplesPerColumn < FEW_SAMPLES;
    const offset = isFew ? column - (from - 1) / this.#samplesPerColumn : 1;
    this.#surface.moveTo(cell.left + (column % layout.widthPx) - offset, this.#y(cell, layout, from - 1));
    return true;
  }

  #points(cell: SweepCell, layout: SweepLayout, shift: number, from: number, to: number, wasDown: boolean): boolean {
    let isDown = wasDown;
    for (let sample = from; sample < to; sample++) {
      if (!this.#isDrawable(sample)) {
        isDown = false;
        continue;
      }
      const x = sample / this.#samplesPerColumn + shift;
      const y = this.#y(cell, layout, sample);
      if (isDown) this.#surface.lineTo(x, y);
      else this.#surface.moveTo(x, y);
      isDown = true;
    }
    return isDown;
  }

  #extremes(cell: SweepCell, layout: SweepLayout, x: number, from: number, to: number, wasDown: boolean): boolean {
    let first = -1;
    let [least, greatest, last] = [0, 0, 0];
    const mv = this.#ring.mv[cell.lead] as Float32Array;
    const { mask } = this.#ring;
    for (let sample = from; sample < to; sample++) {
      if (!this.#isDrawable(sample)) continue;
      const value = mv[sample & mask] as number;
      if (first < 0) first = least = greatest = sample;
      if (value < (mv[least & mask] as number)) least = sample;
      if (value > (mv[greatest & mask] as number)) greatest = sample;
      last = sample;
    }
    if (first < 0) return false;
    const surface = this.#surface;
    if (wasDown) surface.lineTo(x, this.#y(cell, layout, first));
    else surface.moveTo(x, this.#y(cell, layout, first));
    surface.lineTo(x, this.#y(cell, layout, Math.min(least, greatest)));
    surface.lineTo(x, this.#y(cell, layout, Math.max(least, greatest)));
    surface.lineTo(x, this.#y(cell, layout, last));
    return this.#isDrawable(to - 1);
  }
}
