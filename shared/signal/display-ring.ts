// The newest seconds of a running device for the screen: written as samples come, read as they are drawn. Never the source of a
// recording. All of it is made once; nothing is made a sample or a frame.

import { SAMPLE_STATE, type SamplePiece } from '../bridge/sample-message.ts';

export class DisplayRing {
  readonly rateHz: number;
  readonly leadCount: number;
  /** A power of two: sample n stands at n & mask. */
  readonly mask: number;
  /** Millivolts, one array a lead. */
  readonly mv: readonly Float32Array[];
  /** SAMPLE_STATE of each sample. */
  readonly states: Uint8Array;
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
    this.states = new Uint8Array(capacity);
  }

  get capacity(): number {
    return this.mask + 1;
  }

  /** The oldest sample that is still there. */
  get oldest(): number {
    return Math.max(this.begin, this.end - this.capacity);
  }

  /** Samples between the last one and these are a gap; older ones than the last are a device that began anew. */
  write({ firstSample, states, leads }: Pick<SamplePiece, 'firstSample' | 'states' | 'leads'>): void {
    const count = leads[0]?.length ?? 0;
    if (this.#isEmpty || firstSample < this.end) {
      this.begin = firstSample;
      this.end = firstSample;
      this.#isEmpty = false;
    }
    for (let sample = Math.max(this.end, firstSample - this.capacity); sample < firstSample; sample++)
      this.states[sample & this.mask] = SAMPLE_STATE.invalid;
    for (let i = 0; i < count; i++) this.states[(firstSample + i) & this.mask] = states[i] as number;
    for (let lead = 0; lead < this.leadCount; lead++) {
      const from = leads[lead];
      const to = this.mv[lead] as Float32Array;
      if (from === undefined) continue;
      for (let i = 0; i < count; i++) to[(firstSample + i) & this.mask] = from[i] as number;
    }
    this.end = firstSample + count;
  }
}
