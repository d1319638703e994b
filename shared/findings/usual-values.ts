// What is usual for the main measurements of an adult.

import {
  ADULT_YEARS,
  LONG_P_MS,
  LONG_PR_MS,
  SHORT_PR_MS,
  USUAL_AXIS_DEG,
  USUAL_QRS_MS,
  USUAL_QTC_MS,
  USUAL_RATE_BPM,
} from '../clinical-limits.ts';
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
      return USUAL_RATE_BPM;
    case 'p':
      return { to: LONG_P_MS };
    case 'pr':
      return { from: SHORT_PR_MS, to: LONG_PR_MS };
    case 'qrs':
      return { to: USUAL_QRS_MS };
    case 'qtc':
      return gender === 'FEMALE' || gender === 'MALE' ? { to: USUAL_QTC_MS[gender] } : {};
    case 'axis':
      return USUAL_AXIS_DEG;
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
