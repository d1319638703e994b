// What is usual for the main measurements of an adult: Kligfield 2007, Rautaharju 2009, Surawicz 2009.

import { ADULT_YEARS, USUAL_QTC_MS } from '../clinical-limits.ts';
import type { PatientFacts } from '../signal/recording.ts';

export type UsualName = 'rate' | 'p' | 'pr' | 'qrs' | 'qtc' | 'axis';

export interface UsualRange {
  readonly from?: number;
  readonly to?: number;
}

/** @param ageYears at the recording; without it, and of children, nothing is called usual */
export function usualRange(
  name: UsualName,
  gender: PatientFacts['gender'],
  ageYears: number | undefined,
): UsualRange {
  if (ageYears === undefined || ageYears < ADULT_YEARS) return {};
  switch (name) {
    case 'rate':
      return { from: 60, to: 100 };
    case 'p':
      return { to: 120 };
    case 'pr':
      return { from: 120, to: 200 };
    case 'qrs':
      return { to: 110 };
    case 'qtc':
      return gender === 'FEMALE' || gender === 'MALE' ? { to: USUAL_QTC_MS[gender] } : {};
    case 'axis':
      return { from: -30, to: 90 };
  }
}

/** On which side of what is usual a value lies; undefined within, or where nothing is called usual. */
export function sideOfUsual(
  value: number | undefined,
  { from, to }: UsualRange,
): 'above' | 'below' | undefined {
  if (value === undefined) return undefined;
  if (to !== undefined && value > to) return 'above';
  return from !== undefined && value < from ? 'below' : undefined;
}
