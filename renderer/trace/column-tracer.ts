// One lead, from one column of pixels to another. A column holds the first, least, greatest and last value of
// its samples, so that no peak of a single one is lost (M4: Jugel et al., VLDB 2014); with few samples each
// is drawn where it is. Columns are counted from sample 0 on: a column holds the same samples whenever it is
// drawn.

import { type DisplayRing, GAP_MARK } from './display-ring.ts';

/** What is drawn on: a canvas, in pixels of the display. */
export interface TraceSurface {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** With fewer samples a column than this each one is drawn where it is. */
const FEW_SAMPLES = 2;

/** A gap, in samples of the feed. */
export interface Gap {
  readonly samples: number;
  /** It began before the oldest sample that is kept. */
  readonly isMore: boolean;
}

export class ColumnTracer {
  readonly #ring: DisplayRing;
  readonly samplesPerColumn: number;
  readonly #pxPerMv: number;

  constructor(ring: DisplayRing, pxPerSecond: number, pxPerMv: number) {
    this.#ring = ring;
    this.samplesPerColumn = ring.rateHz / pxPerSecond;
    this.#pxPerMv = pxPerMv;
  }

  get rateHz(): number {
    return this.#ring.rateHz;
  }

  columnOf(sample: number): number {
    return Math.floor(sample / this.samplesPerColumn);
  }

  /** The newest column of which all samples are there. */
  lastColumn(head: number): number {
    return Math.floor(Math.min(head, this.#ring.end) / this.samplesPerColumn) - 1;
  }

  get oldestColumn(): number {
    return Math.ceil(this.#ring.oldest / this.samplesPerColumn);
  }

  /**
   * @param x of the first column
   * @param isJoined whether the line comes from the column before
   */
  trace(
    surface: TraceSurface,
    lead: number,
    baselineY: number,
    first: number,
    last: number,
    x: number,
    isJoined: boolean,
  ): void {
    const mv = this.#ring.mv[lead] as Float32Array;
    const isFew = this.samplesPerColumn < FEW_SAMPLES;
    let isDown = isJoined && this.#join(surface, mv, baselineY, first, x, isFew);
    for (let column = first; column <= last; column++) {
      const from = Math.ceil(column * this.samplesPerColumn);
      const to = Math.ceil((column + 1) * this.samplesPerColumn);
      isDown = isFew
        ? this.#points(surface, mv, baselineY, from, to, x - first, isDown)
        : this.#extremes(surface, mv, baselineY, from, to, x + column - first, isDown);
    }
  }

  #isThere(mv: Float32Array, sample: number): boolean {
    const { begin, end, capacity, marks, mask } = this.#ring;
    if (sample < begin || sample < end - capacity) return false;
    const place = sample & mask;
    return ((marks[place] as number) & GAP_MARK) === 0 && !Number.isNaN(mv[place] as number);
  }

  /** From the sample before. */
  #join(
    surface: TraceSurface,
    mv: Float32Array,
    baselineY: number,
    column: number,
    x: number,
    isFew: boolean,
  ): boolean {
    const before = Math.ceil(column * this.samplesPerColumn) - 1;
    if (!this.#isThere(mv, before)) return false;
    const offset = isFew ? column - before / this.samplesPerColumn : 1;
    surface.moveTo(x - offset, baselineY - (mv[before & this.#ring.mask] as number) * this.#pxPerMv);
    return true;
  }

  #points(
    surface: TraceSurface,
    mv: Float32Array,
    baselineY: number,
    from: number,
    to: number,
    shift: number,
    wasDown: boolean,
  ): boolean {
    let isDown = wasDown;
    for (let sample = from; sample < to; sample++) {
      if (!this.#isThere(mv, sample)) {
        isDown = false;
        continue;
      }
      const x = sample / this.samplesPerColumn + shift;
      const y = baselineY - (mv[sample & this.#ring.mask] as number) * this.#pxPerMv;
      if (isDown) surface.lineTo(x, y);
      else surface.moveTo(x, y);
      isDown = true;
    }
    return isDown;
  }

  #extremes(
    surface: TraceSurface,
    mv: Float32Array,
    baselineY: number,
    from: number,
    to: number,
    x: number,
    wasDown: boolean,
  ): boolean {
    const { mask } = this.#ring;
    let first = -1;
    let [least, greatest, last] = [0, 0, 0];
    for (let sample = from; sample < to; sample++) {
      if (!this.#isThere(mv, sample)) continue;
      const value = mv[sample & mask] as number;
      if (first < 0) first = least = greatest = sample;
      if (value < (mv[least & mask] as number)) least = sample;
      if (value > (mv[greatest & mask] as number)) greatest = sample;
      last = sample;
    }
    if (first < 0) return false;
    const y = (sample: number): number => baselineY - (mv[sample & mask] as number) * this.#pxPerMv;
    if (wasDown) surface.lineTo(x, y(first));
    else surface.moveTo(x, y(first));
    if (least !== greatest) {
      surface.lineTo(x, y(Math.min(least, greatest)));
      surface.lineTo(x, y(Math.max(least, greatest)));
    }
    surface.lineTo(x, y(last));
    return last === to - 1;
  }

  /**
   * What a column is beside a line: nothing was sent, the lead has no value, the converter is at its limit.
   */
  kindOf(lead: number, column: number): 'gap' | 'noValue' | 'saturated' | 'signal' {
    const sample = Math.ceil(column * this.samplesPerColumn);
    const { marks, mask, mv, begin } = this.#ring;
    const mark = marks[sample & mask] as number;
    if (sample < begin || (mark & GAP_MARK) !== 0) return 'gap';
    if (Number.isNaN((mv[lead] as Float32Array)[sample & mask] as number)) return 'noValue';
    return (mark & (1 << lead)) !== 0 ? 'saturated' : 'signal';
  }

  /** The gap that ends right before a column; 0 samples where there is none. */
  gapBefore(column: number): Gap {
    const { marks, mask, oldest } = this.#ring;
    const isGap = (sample: number): boolean => ((marks[sample & mask] as number) & GAP_MARK) !== 0;
    let end = Math.ceil(column * this.samplesPerColumn);
    // It may have ended in the middle of the column before.
    const least = Math.max(oldest, end - Math.ceil(this.samplesPerColumn));
    while (end > least && !isGap(end - 1)) end--;
    let start = end;
    while (start > oldest && isGap(start - 1)) start--;
    return { samples: end - start, isMore: start === oldest && start < end };
  }
}
