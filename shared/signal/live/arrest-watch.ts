// Whether the running signal looks as if the heart had stopped pumping: waves of ventricular fibrillation, or
// hardly anything at all while the electrodes are connected. Looked at once a second over the last five.

import { highPass, lowPass } from '../butterworth.ts';
import { RunningFilter } from '../running-filter.ts';
import {
  areVentricularWaves,
  MIN_WAVE_WINDOWS,
  WAVE_BAND_HZ,
  WAVE_RATE_HZ,
  WAVE_WINDOW_SECONDS,
} from '../ventricular-waves.ts';

/** Peak to peak over the window, 1 to 20 Hz. */
const STILL_MV = 0.1;
/** A line without any change is an input without electrodes. */
const DEAD_MV = 0.002;

export const ARRESTS = ['ventricularFibrillation', 'asystole'] as const;
export type Arrest = (typeof ARRESTS)[number];

export class ArrestWatch {
  readonly #step: number;
  readonly #workingHz: number;
  readonly #highPasses: readonly RunningFilter[];
  readonly #lowPasses: readonly RunningFilter[];
  /** The last seconds of each lead, oldest first from `#place`. */
  readonly #past: readonly Float64Array[];
  #place = 0;
  #filled = 0;
  #count = 0;
  #waves = 0;
  #isStill = false;
  #isSettled = false;

  constructor(rateHz: number, leads: number) {
    this.#step = Math.max(1, Math.round(rateHz / WAVE_RATE_HZ));
    this.#workingHz = rateHz / this.#step;
    this.#highPasses = Array.from(
      { length: leads },
      () => new RunningFilter(highPass(WAVE_BAND_HZ.low, rateHz)),
    );
    this.#lowPasses = Array.from(
      { length: leads },
      () => new RunningFilter(lowPass(WAVE_BAND_HZ.high, rateHz)),
    );
    const length = Math.round(WAVE_WINDOW_SECONDS * this.#workingHz);
    this.#past = Array.from({ length: leads }, () => new Float64Array(length));
  }

  restart(): void {
    this.#isSettled = false;
    this.#place = 0;
    this.#filled = 0;
    this.#waves = 0;
    this.#isStill = false;
  }

  /** @param isCounted 1 for leads that carry a signal now */
  next(mv: Float64Array, isCounted: Uint8Array): void {
    const keep = this.#count % this.#step === 0;
    for (let lead = 0; lead < this.#past.length; lead++) {
      const x = mv[lead] as number;
      const high = this.#highPasses[lead] as RunningFilter;
      const low = this.#lowPasses[lead] as RunningFilter;
      if (!this.#isSettled) {
        high.settle(x);
        low.settle(0);
      }
      const y = low.next(high.next(x));
      if (keep) (this.#past[lead] as Float64Array)[this.#place] = y;
    }
    this.#isSettled = true;
    this.#count++;
    if (!keep) return;
    const { length } = this.#past[0] ?? new Float64Array(1);
    this.#place = (this.#place + 1) % length;
    this.#filled++;
    if (this.#filled >= length && this.#filled % Math.round(this.#workingHz) === 0) this.#judge(isCounted);
  }

  #judge(isCounted: Uint8Array): void {
    const windows = this.#past.flatMap((past, lead) => {
      if (isCounted[lead] !== 1) return [];
      const window = new Float64Array(past.length);
      window.set(past.subarray(this.#place));
      window.set(past.subarray(0, this.#place), past.length - this.#place);
      return [window];
    });
    this.#waves = areVentricularWaves(windows, this.#workingHz) ? this.#waves + 1 : 0;
    const ranges = windows.map((window) => {
      let [low, high] = [Infinity, -Infinity];
      for (let i = 0; i < window.length; i++) {
        low = Math.min(low, window[i] as number);
        high = Math.max(high, window[i] as number);
      }
      return high - low;
    });
    const connected = ranges.filter((range) => range > DEAD_MV);
    this.#isStill =
      connected.length > 0 && connected.filter((range) => range < STILL_MV).length >= connected.length / 2;
  }

  get arrest(): Arrest | undefined {
    if (this.#waves >= MIN_WAVE_WINDOWS) return 'ventricularFibrillation';
    return this.#isStill ? 'asystole' : undefined;
  }
}
