// The level of ST minute by minute: on each lead the median over the usual beats of a minute, 60 ms behind the end of
// QRS and against the level right before it. Analysis reference, section 13.

import type { Holter } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { mean, median } from '../../../shared/signal/statistics.ts';
import { levelBefore } from '../measurements/lead-deflections.ts';
import type { LeadFacts, LeadReader, LeadSet } from '../signal/lead-signals.ts';
import type { Range } from '../signal/time-base.ts';

const AFTER_J_MS = 60;
/** A single sample says less than the mean around it. */
const HALF_MS = 4;
const MINUTE_SECONDS = 60;
/** Fewer beats average out too little noise. */
const LEAST_BEATS = 10;

export interface StPlaces {
  /** In samples, from the onset of QRS to R, and from R to its end. */
  readonly onsetBeforeR: number;
  readonly endBehindR: number;
}

/** By the names of the leads; null in a minute with too few usual beats on that lead. */
export type StTrendMv = NonNullable<Holter['stMv']>;

const isMeasured = ({ isStandard, isCalibrated, isScaleKnown }: LeadFacts): boolean =>
  isStandard && isCalibrated && isScaleKnown;

/** The minutes so far. */
export interface MeasuredSt {
  /** By lead and minute, those of the minutes that are over. */
  readonly trend: (number | null)[][];
  /** By lead, of the minute that is being read. */
  levels: number[][];
  minute: number;
}

export class StTrend {
  readonly #sampleRateHz: number;
  readonly #places: StPlaces;
  readonly #leads: readonly { readonly index: number; readonly name: string }[];
  readonly state: MeasuredSt;

  /** @param state of a trend that is gone on with */
  constructor({ leads, sampleRateHz }: LeadReader, places: StPlaces, state?: MeasuredSt) {
    this.#sampleRateHz = sampleRateHz;
    this.#places = places;
    this.#leads = leads.flatMap((lead, index) => (isMeasured(lead) ? [{ index, name: lead.name }] : []));
    const none = (): [] => [];
    this.state = state ?? { trend: this.#leads.map(none), levels: this.#leads.map(none), minute: 0 };
  }

  /** @param usual samples of the usual beats of the recording, in order @param core those of them that are new */
  add(set: LeadSet, usual: readonly number[], core: Range): void {
    for (let i = firstFrom(usual, core[0]); i < usual.length && (usual[i] as number) < core[1]; i++) {
      const sample = usual[i] as number;
      this.#endMinutes(Math.floor(sample / (MINUTE_SECONDS * this.#sampleRateHz)));
      this.#measure(set, sample - set.startSample);
    }
  }

  #measure({ leads }: LeadSet, r: number): void {
    const { onsetBeforeR, endBehindR } = this.#places;
    const onset = Math.round(r - onsetBeforeR);
    const at = Math.round(r + endBehindR + (AFTER_J_MS / 1000) * this.#sampleRateHz);
    const half = Math.max(1, Math.round((HALF_MS / 1000) * this.#sampleRateHz));
    for (const [k, { index }] of this.#leads.entries()) {
      const lead = leads[index];
      if (lead === undefined || onset < 1 || at + half >= lead.mv.length) continue;
      if (lead.invalid[onset] === 1 || lead.invalid[at] === 1) continue;
      const level = levelBefore(lead.mv, onset, this.#sampleRateHz);
      this.state.levels[k]?.push((mean(lead.mv.subarray(at - half, at + half + 1)) ?? level) - level);
    }
  }

  #endMinutes(minute: number): void {
    const { state } = this;
    for (; state.minute < minute; state.minute++) {
      for (const [k, levels] of state.levels.entries())
        state.trend[k]?.push(
          levels.length < LEAST_BEATS ? null : Math.round(100 * (median(levels) as number)) / 100,
        );
      state.levels = this.#leads.map(() => []);
    }
  }

  /** @param sampleCount of the recording */
  finish(sampleCount: number): StTrendMv {
    this.#endMinutes(Math.ceil(sampleCount / (MINUTE_SECONDS * this.#sampleRateHz)));
    return Object.fromEntries(this.#leads.map(({ name }, k) => [name, this.state.trend[k] ?? []]));
  }
}
