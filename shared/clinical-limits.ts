// Every clinical limit that statements, usual values and forms go by: what is usual, and from where on it is not. The signs of
// a shape, as of a bundle branch block, stand with the rule that looks for it.
//
// Sources, where nothing else is said: the AHA/ACCF/HRS recommendations for the interpretation of the ECG – III conduction
// (Surawicz 2009, Circulation 119:e235-e240), IV ST, T and QT (Rautaharju 2009, Circulation 119:e241-e250), V chambers
// (Hancock 2009, Circulation 119:e251-e261) –, I technology (Kligfield 2007, Circulation 115:1306-1324), and D63 for severities.

import type { Severity } from './severity.ts';

// Ages

/** From here on, limits of adults apply to rate, PR, QRS, QT and axis; below it, those of `CHILD_LIMITS`. */
export const ADULT_YEARS = 16;
/** Below this age, ST and Q are not judged, and no ECG is called normal. */
export const GROWN_YEARS = 18;
/** Younger hearts have high voltages without hypertrophy. */
export const VOLTAGE_YEARS = 35;

// Rate

export const USUAL_RATE_BPM = { from: 60, to: 100 } as const;

/** How grave an adult's sustained rate is, the gravest first: below the one limit, or above the other (D63, first rows). */
export const GRAVE_RATES: readonly { severity: Severity; belowBpm: number; aboveBpm: number }[] = [
  { severity: 'CRITICAL', belowBpm: 35, aboveBpm: 180 },
  { severity: 'IMPORTANT', belowBpm: 40, aboveBpm: 150 },
  { severity: 'MODERATE', belowBpm: 45, aboveBpm: 120 },
  { severity: 'LOW', belowBpm: 50, aboveBpm: USUAL_RATE_BPM.to },
];

/**
 * The same of a child, in parts of the slowest and the fastest usual rate for the age. No ladder is published, so this one is
 * our own: from the limits for the age outwards, and important at the rates that suggest supraventricular tachycardia, 220/min
 * in the first year and 180/min after it (Topjian 2020, Circulation 142:S469-S523).
 */
export const GRAVE_RATES_OF_CHILD: readonly { severity: Severity; below: number; above: number }[] = [
  { severity: 'CRITICAL', below: 0.7, above: 1.4 },
  { severity: 'IMPORTANT', below: 0.8, above: 1.15 },
  { severity: 'MODERATE', below: 0.9, above: 1.1 },
  { severity: 'LOW', below: 1, above: 1 },
];
/** Critical at every age. */
export const DANGEROUSLY_SLOW_BPM = 35;

/** Sinus rhythm of adults at rest is hardly ever that fast without P waves that can be seen. */
export const SVT_BPM = 150;
/** A fast rhythm is critical above this. */
export const VERY_FAST_BPM = 180;
/** From here on, ventricular beats without end are a tachycardia. */
export const VENTRICULAR_TACHYCARDIA_BPM = 120;
/** Slower, a few beats in a row are no tachycardia. */
export const RUN_BPM = 100;
/** A run of this length is no longer a short one. */
export const SUSTAINED_MS = 30_000;
/** The junction itself is slower. */
export const ACCELERATED_JUNCTION_BPM = 60;
/** Below that, ventricular beats in a row escape rather than take over. */
export const ACCELERATED_VENTRICLE_BPM = 50;

/** From here on, a stretch of atrial fibrillation is one by definition (ESC 2020, Eur Heart J 2021;42:373-498). */
export const FIBRILLATION_SECONDS = 30;

// Pauses

export const PAUSE_MS = 2000;
export const LONG_PAUSE_MS = 2500;
export const VERY_LONG_PAUSE_MS = 4000;

// Ectopic beats

/** Fewer are single ones, however short the recording. */
export const FREQUENT_COUNT = 3;
export const FREQUENT_VENTRICULAR = { perMinute: 6, share: 0.1 } as const;
export const FREQUENT_SUPRAVENTRICULAR = { share: 0.01 } as const;
export const MANY_SUPRAVENTRICULAR_SHARE = 0.1;

// P and PR

/** Up to here, P is usual; longer, the left atrium is late. */
export const LONG_P_MS = 120;
/** The axis of P from the sinus node. */
export const SINUS_P_AXIS_DEG = { from: -30, to: 100 } as const;
/** The end of P in V1 that goes down this far for this long is that of a large left atrium. */
export const LATE_P = { mv: -0.1, ms: 40 } as const;
/** From here on, P is that of a large right atrium. */
export const TALL_P_MV = { II: 0.25, V1: 0.15 } as const;

export const SHORT_PR_MS = 120;
export const SHORT_PR_OF_CHILD_MS = 90;
/** Between the end of P and QRS; where a delta wave begins, hardly any is left. */
export const SHORT_PR_SEGMENT_MS = 40;
export const LONG_PR_MS = 200;
/**
 * PR lengthens as the heart slows: up to this rate, a little more is within adult limits (Ashman & Hull, Essentials of
 * Electrocardiography, 1941). It explains 20 of the 34 that a limit of 200 ms alone wrongly called first-degree block.
 */
export const LONG_PR_WHEN_SLOW = { ms: 210, upToBpm: 70 } as const;
export const VERY_LONG_PR_MS = 300;

// QRS

/** Narrower ones are usual; wider ones are delayed, if less than in a block. */
export const USUAL_QRS_MS = 110;
/** From here on, QRS is wide in adults. */
export const WIDE_QRS_MS = 120;
/** Below it, QRS that is wide without the shape of a bundle branch block hides neither ST, nor T, nor Q. */
export const PLAINLY_WIDE_QRS_MS = 130;
/**
 * From here on, the left bundle branch is blocked (Strauss 2011, Am J Cardiol 107:927-934): with 120 ms, a third of what is found
 * in the development half is left ventricular hypertrophy or another delay.
 */
export const LEFT_BLOCK_QRS_MS = { FEMALE: 130, MALE: 140, unknown: 135 } as const;
/** Beyond 120 ms, too, a right block is incomplete where the other signs of a complete one are missing. */
export const INCOMPLETE_RIGHT_BLOCK_QRS_MS = 135;

export const USUAL_AXIS_DEG = { from: -30, to: 90 } as const;
/** Beyond this, the axis is neither to the left nor to the right. */
export const EXTREME_AXIS_DEG = -90;

// QT

/** Bazett over-corrects at other rates, where limits are held against Fridericia (analysis reference, section 7). */
export const BAZETT_BPM = { from: 60, to: 90 } as const;
/** Up to here, QTc is usual in adults. */
export const USUAL_QTC_MS = { FEMALE: 460, MALE: 450 } as const;
/** From here on it is said to be long (D63). */
export const LONG_QTC_MS = { FEMALE: 470, MALE: 450 } as const;
/** For children, and for girls over twelve. */
export const LONG_QTC_OF_CHILD_MS = { child: 450, girl: 460, girlAboveYears: 12 } as const;
/** From here on it is dangerous. */
export const VERY_LONG_QTC_MS = 500;
export const SHORT_QTC_MS = 340;
export const VERY_SHORT_QTC_MS = 320;

// Voltages of QRS

/** Left ventricle: S of V1 with R of V5 or V6 (Sokolow & Lyon 1949), R of aVL with S of V3 (Casale 1985), R of aVL. */
export const LEFT_VENTRICLE_MV = { sokolow: 3.5, cornell: { FEMALE: 2, MALE: 2.8 }, rOfAvl: 1.1 } as const;
/** ST and T against a tall R, over a left ventricle that is strained. */
export const STRAIN_MV = { st: -0.05, t: -0.1 } as const;
/** Right ventricle: R of V1, alone or with S on the left. */
export const RIGHT_VENTRICLE_MV = { r: 0.7, sum: 1.05 } as const;
/** Below these from peak to peak on all leads, the voltage is low. */
export const LOW_VOLTAGE_MV = { limbs: 0.5, chest: 1 } as const;

// Q of an old infarction (Fourth Universal Definition, Thygesen 2018, Circulation 138:e618-e651, Table 3)

export interface QLimits {
  readonly ms: number;
  readonly mv: number;
  /** In parts of the R of its lead. */
  readonly share: number;
}

/** In V2 and V3 there is no Q at all; elsewhere a small one is usual. */
export const Q_OF_V2_V3: QLimits = { ms: 20, mv: 0, share: 0 };
/** A share of R tells old inferior infarctions best: of 26 of the development half 62 %, 80 % of what is found. */
export const Q_OF_AVF: QLimits = { ms: 24, mv: 0.08, share: 0.2 };
export const Q_ELSEWHERE: QLimits = { ms: 30, mv: 0.1, share: 0 };

// ST and T

/** From here on, ST is elevated (Fourth Universal Definition, Table 2). Of unknown sex and age: the limit of men from 40 on. */
export const ELEVATED_ST_MV = {
  elsewhere: 0.1,
  ofV2V3: { FEMALE: 0.15, youngMale: 0.25, MALE: 0.2 },
  youngBelowYears: 40,
} as const;
/** Less of a large QRS belongs to that QRS (Armstrong 2012, J Am Coll Cardiol 59:1126-1131). */
export const LARGE_QRS = { mv: 2.5, shareOfSt: 0.25 } as const;
/** From here on, ST is depressed; from there on, deeply. */
export const DEPRESSED_ST_MV = -0.05;
export const DEEP_ST_MV = -0.1;
/** A depression on so many leads, with aVR elevated by this, is all over. */
export const WIDESPREAD = { leads: 6, avrMv: 0.1 } as const;
/** Acute infarction behind wide QRS (Sgarbossa 1996, N Engl J Med 334:481-487; the share of S: Smith 2012, Ann Emerg Med 60:766-776). */
export const SGARBOSSA = { elevatedMv: 0.1, depressedMv: -0.1, shareOfS: 0.25 } as const;
/** From here on, T is inverted. */
export const INVERTED_T_MV = -0.1;
/** From here on it is deep (AHA/ACCF/HRS VI, Circulation 2009;119:e262-e270). */
export const DEEP_T_MV = -0.5;
/** T of a lead with a tall R is at least this part of it. */
export const FLAT_T = { share: 0.1, ofRMv: 0.5 } as const;

// Suspicions, which no labelled recordings were at hand to judge by

/** T of V2 and V3 behind a level ST (de Zwaan 1982, Am Heart J 103:730-736). */
export const WELLENS_MV = { deepT: -0.2, biphasicT: 0.1, levelSt: 0.1 } as const;
/** ST that rises from below the line into a tall T (de Winter 2008, N Engl J Med 359:2071-2073). */
export const DE_WINTER_MV = { from: -0.1, rise: 0.05, tallT: 0.5, avr: 0.05 } as const;
/** ST that begins high and falls into a negative T (Brugada type 1; Wilde 2002, Circulation 106:2514-2519). */
export const BRUGADA_MV = { coved: 0.2, negativeT: -0.1 } as const;
/** T of too much potassium. */
export const PEAKED_T_MV = 1;

// Children

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

/** Below each age; QRS of a small child is narrower still. */
const CHILD_WIDE_QRS_MS: readonly (readonly [belowYears: number, wideQrsMs: number])[] = [
  [4, 90],
  [ADULT_YEARS, 100],
];

/**
 * Rates, longest PR and axis below each age: 2nd and 98th percentiles from Davignon 1979 (Pediatr Cardiol 1:123-131) and
 * Rijnbeek 2001 (Eur Heart J 22:702-711), as in section 10 of the analysis reference.
 */
const CHILD_LIMITS: readonly (readonly [
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
  const below = ([belowYears]: readonly number[]): boolean => ageYears < (belowYears as number);
  const found = CHILD_LIMITS.find(below);
  const wideQrsMs = CHILD_WIDE_QRS_MS.find(below)?.[1];
  if (found === undefined || wideQrsMs === undefined) return undefined;
  const [, slowestBpm, fastestBpm, longestPrMs, from, to] = found;
  return { slowestBpm, fastestBpm, longestPrMs, wideQrsMs, axisDeg: [from, to] };
}
