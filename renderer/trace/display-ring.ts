// The newest seconds of a running device for the screen: written as samples come, read as they are drawn.
// Never the source of a recording. All of it is made once; nothing is made a sample or a frame.

/**
 * Bit of `marks`: the device sent nothing for this sample. The bits below are leads at a limit of the
 * converter.
 */
export const GAP_MARK = 0x8000_0000;

export class DisplayRing {
  readonly rateHz: number;
  readonly leadCount: number;
  /** A power of two less one: sample n stands at n & mask. */
  readonly mask: number;
  /** Millivolts, one array a lead; NaN where a lead has no value. */
  readonly mv: readonly Float32Array[];
  /** GAP_MARK, or one bit a lead. */
  readonly marks: Uint32Array;
  /** Number behind the newest sample. */
  end = 0;
  /** Number of the first sample that was ever written. */
  begin = 0;
  #isEmpty = true;

  constructor(rateHz: number, leadCount: number, seconds: number) {
    this.rateHz = rateHz;
    this.leadCount = leadCount;
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(2, seconds * rateHz)));
    this.mask = capacity - 1;
    this.mv = Array.from({ length: leadCount }, () => new Float32Array(capacity));
    this.marks = new Uint32Array(capacity);
  }

  get capacity(): number {
    return this.mask + 1;
  }

  /** The oldest sample that is still there. */
  get oldest(): number {
    return Math.max(this.begin, this.end - this.capacity);
  }

  /**
   * Makes room for samples, which the caller then writes to `mv`. Samples between the last one and these are
   * a gap; older ones than the last are a device that restarted.
   */
  reserve(firstSample: number, count: number, marks: number): void {
    if (this.#isEmpty || firstSample < this.end) {
      this.begin = firstSample;
      this.end = firstSample;
      this.#isEmpty = false;
    }
    for (let sample = Math.max(this.end, firstSample - this.capacity); sample < firstSample; sample++)
      this.marks[sample & this.mask] = GAP_MARK;
    for (let i = 0; i < count; i++) this.marks[(firstSample + i) & this.mask] = marks;
    this.end = firstSample + count;
  }

  /** Nothing is there any more. */
  forget(): void {
    this.begin = this.end;
    this.#isEmpty = true;
  }

  write(firstSample: number, leads: readonly Float32Array[], marks = 0): void {
    const count = leads[0]?.length ?? 0;
    this.reserve(firstSample, count, marks);
    for (let lead = 0; lead < this.leadCount; lead++) {
      const from = leads[lead];
      const to = this.mv[lead] as Float32Array;
      if (from !== undefined)
        for (let i = 0; i < count; i++) to[(firstSample + i) & this.mask] = from[i] as number;
    }
  }
}
