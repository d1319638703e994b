// Runs of samples that are missing, for formats that have no code for them and tell them beside the samples.

import { INVALID_SAMPLE } from '../../shared/signal/recording.ts';
import { firstIndex } from './binary-search.ts';

/** Samples [start, end). */
export interface SampleRun {
  readonly start: number;
  readonly end: number;
}

/**
 * No recording with a signal has more; what states more is refused by writers, rather than filling the
 * memory.
 */
export const MAX_RUNS = 1_000_000;

export class MissingRuns {
  readonly #runs: readonly SampleRun[];

  /** Runs may come in any order, and may overlap. */
  constructor(runs: readonly SampleRun[]) {
    const merged: { start: number; end: number }[] = [];
    for (const { start, end } of [...runs].sort((a, b) => a.start - b.start)) {
      const last = merged.at(-1);
      if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
      else if (end > start) merged.push({ start, end });
    }
    this.#runs = merged;
  }

  /** Marks what is missing in samples that begin at `startSample`. */
  mark(startSample: number, samples: Int32Array): void {
    const endSample = startSample + samples.length;
    const first = firstIndex(this.#runs.length, (i) => (this.#runs[i] as SampleRun).end > startSample);
    for (let i = first; i < this.#runs.length; i++) {
      const { start, end } = this.#runs[i] as SampleRun;
      if (start >= endSample) return;
      samples.fill(
        INVALID_SAMPLE,
        Math.max(0, start - startSample),
        Math.min(samples.length, end - startSample),
      );
    }
  }
}
