// Clinical limits that more than one place goes by: rules, usual values on paper and screens, and what is asked of an entry.

/** From here on, limits of adults apply to rate, PR, QRS, QT and axis; below it, those of `main/analysis/rules/child-limits.ts`. */
export const ADULT_YEARS = 16;
/** Below this age, ST and Q are not judged, and no ECG is called normal. */
export const GROWN_YEARS = 18;

/** From here on, QRS is wide in adults (Surawicz 2009). */
export const WIDE_QRS_MS = 120;

/** Up to here, QTc is usual in adults (Rautaharju 2009). */
export const USUAL_QTC_MS = { FEMALE: 460, MALE: 450 } as const;
/** From here on it is said to be long (D63). */
export const LONG_QTC_MS = { FEMALE: 470, MALE: 450 } as const;
/** From here on it is dangerous. */
export const VERY_LONG_QTC_MS = 500;
