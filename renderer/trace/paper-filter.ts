// Filters of a recorded page on a screen. They are views, as those of the live picture: what is stored, analysed and printed
// never passes through them. A recording is there as a whole, so that they shift nothing: forwards, then backwards.

import { type Biquad, filterZeroPhase, highPass, lowPass, notch } from '../../shared/signal/butterworth.ts';

interface FilterDesign {
  readonly highPassHz?: number;
  readonly lowPassHz?: number;
  readonly mainsHz?: number;
  /** Shapes are as they were recorded, but for hum. */
  readonly isDiagnostic: boolean;
}

export const PAPER_FILTERS = {
  none: { isDiagnostic: true },
  mains50: { mainsHz: 50, isDiagnostic: true },
  mains60: { mainsHz: 60, isDiagnostic: true },
  muscle40: { lowPassHz: 40, isDiagnostic: false },
  muscle25: { lowPassHz: 25, isDiagnostic: false },
  monitor: { highPassHz: 0.5, lowPassHz: 40, isDiagnostic: false },
} as const satisfies Readonly<Record<string, FilterDesign>>;
export type PaperFilter = keyof typeof PAPER_FILTERS;
export const PAPER_FILTER_NAMES = Object.keys(PAPER_FILTERS) as PaperFilter[];

/** So much before and behind a page keeps its ends from showing in it. */
export const FILTER_MARGIN_SECONDS = 2;
/** What passes at less than this share of the rate is not filtered: there is nothing above. */
const HIGHEST_SHARE = 0.45;
/** The quality factor of the notch: at 30 and 50 Hz it rings for 0.2 s, in both directions. */
const NOTCH_Q = 30;

function sectionsOf(design: FilterDesign, rateHz: number): Biquad[] {
  const { highPassHz, lowPassHz, mainsHz } = design;
  const isWithin = (hz: number | undefined): hz is number => hz !== undefined && hz < HIGHEST_SHARE * rateHz;
  return [
    ...(isWithin(highPassHz) ? [highPass(highPassHz, rateHz)] : []),
    ...(isWithin(lowPassHz) ? [lowPass(lowPassHz, rateHz)] : []),
    ...(isWithin(mainsHz) ? [notch(mainsHz, rateHz, NOTCH_Q)] : []),
  ];
}

/**
 * @param mv millivolts; NaN where a sample is missing, which stays so: what lies on both sides of it is filtered by itself
 * @returns a new array of the same length; the same array where there is nothing to filter
 */
export function filterForPaper(mv: Float32Array, name: PaperFilter, rateHz: number): Float32Array {
  const sections = sectionsOf(PAPER_FILTERS[name], rateHz);
  if (sections.length === 0) return mv;
  const filtered = new Float32Array(mv.length).fill(Number.NaN);
  for (let start = 0; start < mv.length; ) {
    if (Number.isNaN(mv[start])) {
      start++;
      continue;
    }
    let end = start;
    while (end < mv.length && !Number.isNaN(mv[end])) end++;
    filtered.set(filterZeroPhase(mv.subarray(start, end), sections, rateHz), start);
    start = end;
  }
  return filtered;
}
