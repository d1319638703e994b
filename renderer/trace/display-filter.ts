// Filters of the live picture. They are views: what is stored and analysed never passes through them
// (screens, 2.3). Causal, so that the picture is not late: a base line that follows slowly is taken away
// (first order), then a Butterworth low-pass of the second order and a notch at the mains.

import { type Biquad, lowPass, notch } from '../../shared/signal/butterworth.ts';
import { RunningFilter } from '../../shared/signal/running-filter.ts';

export const DISPLAY_FILTERS = {
  diagnostic: { highPassHz: 0.05, lowPassHz: 150, isDiagnostic: true },
  child: { highPassHz: 0.05, lowPassHz: 250, isDiagnostic: true },
  muscle40: { highPassHz: 0.05, lowPassHz: 40, isDiagnostic: false },
  muscle25: { highPassHz: 0.05, lowPassHz: 25, isDiagnostic: false },
  monitor: { highPassHz: 0.5, lowPassHz: 40, isDiagnostic: false },
} as const;
export type DisplayFilterName = keyof typeof DISPLAY_FILTERS;
export const DISPLAY_FILTER_NAMES = Object.keys(DISPLAY_FILTERS) as DisplayFilterName[];

export interface DisplayFilter {
  readonly name: DisplayFilterName;
  /** 0: no notch. */
  readonly mainsHz: 0 | 50 | 60;
}

export const DIAGNOSTIC: DisplayFilter = { name: 'diagnostic', mainsHz: 0 };

/** Rings for Q / (π f): at 30 and 50 Hz 0.19 s. A sharper one would show behind every QRS. */
const NOTCH_Q = 30;

/** What passes at less than this share of the rate is not filtered by a low-pass: there is nothing above. */
const HIGHEST_SHARE = 0.45;

/**
 * One lead through the filter, sample by sample. Where a signal begins its base line is the mean of what
 * there is of it.
 */
export class DisplayFilterChain {
  readonly #sections: readonly RunningFilter[];
  /** Share of the way to a sample that the base line goes. */
  readonly #pace: number;
  #base = 0;
  /** Samples since the signal began. */
  #count = 0;

  constructor({ name, mainsHz }: DisplayFilter, rateHz: number) {
    const { highPassHz, lowPassHz } = DISPLAY_FILTERS[name];
    this.#pace = 1 - Math.exp((-2 * Math.PI * highPassHz) / rateHz);
    const sections: Biquad[] = [];
    if (lowPassHz < HIGHEST_SHARE * rateHz) sections.push(lowPass(lowPassHz, rateHz));
    if (mainsHz > 0 && mainsHz < HIGHEST_SHARE * rateHz) sections.push(notch(mainsHz, rateHz, NOTCH_Q));
    this.#sections = sections.map((section) => new RunningFilter(section));
  }

  /** The next sample begins a new signal. */
  restart(): void {
    this.#count = 0;
  }

  /** @param mv NaN where there is no value, which comes out as it goes in */
  next(mv: number): number {
    if (Number.isNaN(mv)) {
      this.#count = 0;
      return mv;
    }
    if (this.#count === 0) this.#begin(mv);
    this.#count++;
    this.#base += (mv - this.#base) * Math.max(this.#pace, 1 / this.#count);
    let value = mv - this.#base;
    for (let i = 0; i < this.#sections.length; i++) value = (this.#sections[i] as RunningFilter).next(value);
    return value;
  }

  #begin(mv: number): void {
    this.#base = mv;
    for (let i = 0; i < this.#sections.length; i++) (this.#sections[i] as RunningFilter).settle(0);
  }
}
