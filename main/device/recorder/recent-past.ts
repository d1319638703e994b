// The last seconds of a device, for recordings that begin before somebody asked for them.

import type { LeadBatch } from '../link/lead-maker.ts';

/** Bits of electrodes without contact behind a batch. */
const electrodesAfter = ({ events }: LeadBatch, before: number): number =>
  events.reduce((mask, event) => (event.kind === 'leadOff' ? event.electrodes : mask), before);

export class RecentPast {
  /** Number of the device's sample that comes next. */
  nextSample = 0;
  /** Bits of electrodes without contact, now. */
  electrodesOff: number;
  readonly #samples: number;
  #batches: LeadBatch[] = [];
  /** The same, before the first of the batches. */
  #electrodesBefore: number;

  /** @param samples how many are kept */
  constructor(samples: number, electrodesOff: number) {
    this.#samples = samples;
    this.electrodesOff = electrodesOff;
    this.#electrodesBefore = electrodesOff;
  }

  add(batch: LeadBatch): void {
    this.nextSample = batch.firstSample + batch.count;
    this.electrodesOff = electrodesAfter(batch, this.electrodesOff);
    this.#batches.push(batch);
    const oldest = this.nextSample - this.#samples;
    while (this.#batches[0] !== undefined && this.#batches[0].firstSample + this.#batches[0].count <= oldest)
      this.#electrodesBefore = electrodesAfter(this.#batches.shift() as LeadBatch, this.#electrodesBefore);
  }

  /** Samples from the first that is kept to the last. */
  get length(): number {
    const [first] = this.#batches;
    return first === undefined ? 0 : Math.min(this.#samples, this.nextSample - first.firstSample);
  }

  forget(): void {
    this.#batches = [];
    this.#electrodesBefore = this.electrodesOff;
  }

  /** All that is kept; undefined where there is nothing. */
  take():
    | { readonly base: number; readonly batches: readonly LeadBatch[]; readonly electrodesOff: number }
    | undefined {
    const [first, ...rest] = this.#batches;
    if (first === undefined) return undefined;
    return {
      base: Math.max(first.firstSample, this.nextSample - this.#samples),
      // A gap in front of all belongs to nothing.
      batches: [{ ...first, gap: undefined }, ...rest],
      electrodesOff: this.#electrodesBefore,
    };
  }
}
