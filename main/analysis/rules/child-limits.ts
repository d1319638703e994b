// Limits for children, by age: 2nd and 98th percentiles from Davignon 1979 (Pediatr Cardiol 1:123-131) and Rijnbeek
// 2001 (Eur Heart J 22:702-711), as in section 10 of the analysis reference. Adult limits apply from 16 years on.

import { ADULT_YEARS } from '../../../shared/clinical-limits.ts';

export interface ChildLimits {
  readonly slowestBpm: number;
  readonly fastestBpm: number;
  readonly longestPrMs: number;
  /** From here on, a bundle branch is blocked. */
  readonly wideQrsMs: number;
  /** A newborn's axis points to the right, past 180 degrees. */
  readonly axisDeg: readonly [from: number, to: number];
}

const DAY = 1 / 365.25;
const MONTH = 1 / 12;
const INFANT_QRS_MS = 90;
const CHILD_QRS_MS = 100;

/** Rates, longest PR and axis below each age. */
const BY_AGE: readonly (readonly [
  belowYears: number,
  slowestBpm: number,
  fastestBpm: number,
  longestPrMs: number,
  axisFromDeg: number,
  axisToDeg: number,
])[] = [
  [DAY, 93, 154, 160, 60, 190],
  [7 * DAY, 90, 166, 140, 65, 195],
  [30 * DAY, 107, 182, 140, 65, 160],
  [3 * MONTH, 121, 179, 130, 30, 115],
  [6 * MONTH, 106, 186, 150, 5, 105],
  [1, 109, 169, 160, 5, 100],
  [3, 89, 151, 150, 5, 100],
  [5, 73, 137, 160, 5, 105],
  [8, 65, 133, 160, 10, 140],
  [12, 62, 130, 170, 5, 115],
  [ADULT_YEARS, 60, 120, 180, 10, 130],
];

/**
 * @param ageYears with its fraction
 * @returns undefined for adults, before birth, and for an age stated as 0: in the first year, months count
 */
export function childLimits(ageYears: number | undefined): ChildLimits | undefined {
  if (ageYears === undefined || ageYears <= 0) return undefined;
  const found = BY_AGE.find(([belowYears]) => ageYears < belowYears);
  if (found === undefined) return undefined;
  const [, slowestBpm, fastestBpm, longestPrMs, from, to] = found;
  const wideQrsMs = ageYears < 4 ? INFANT_QRS_MS : CHILD_QRS_MS;
  return { slowestBpm, fastestBpm, longestPrMs, wideQrsMs, axisDeg: [from, to] };
}
