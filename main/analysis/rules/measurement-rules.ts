// Intervals and axes against the limits for adults or for the child's age. Analysis reference, sections 7, 9 and 10;
// severities: D63.

import {
  BAZETT_BPM,
  type ChildLimits,
  EXTREME_AXIS_DEG,
  LONG_PR_MS,
  LONG_PR_WHEN_SLOW,
  LONG_QTC_MS,
  LONG_QTC_OF_CHILD_MS,
  SHORT_QTC_MS,
  USUAL_AXIS_DEG,
  VERY_LONG_PR_MS,
  VERY_LONG_QTC_MS,
  VERY_SHORT_QTC_MS,
  WIDE_QRS_MS,
} from '../../../shared/clinical-limits.ts';
import type { StatementCode } from '../../../shared/findings/codes.ts';
import { type Facts, isChild, limitsOfChild } from './facts.ts';
import {
  ADULT,
  BEATS,
  FRONTAL_AXIS,
  LIMBS_RIGHT,
  LIMITS_BY_AGE,
  leadsSeen,
  measured,
  NARROW_QRS,
  NO_RUN,
  NO_WIDE_ESCAPE,
  NOT_PACED,
  NOT_VENTRICULAR,
  SINUS,
} from './needs.ts';
import { shortPrMs } from './pre-excitation-rule.ts';
import type { Finding, Rule } from './rule.ts';
import { nameOf } from './twelve-leads.ts';

interface CorrectedQt {
  readonly ms: number;
  readonly formula: 'Bazett' | 'Fridericia' | 'wideQrs';
}

/** Bazett over-corrects away from 60–90/min, so the limits are held against Fridericia there (section 7). */
function correctedQt({ measurements }: Facts): CorrectedQt | undefined {
  const rate = measurements.heartRateBpm ?? 75;
  const isUsualRate = rate >= BAZETT_BPM.from && rate <= BAZETT_BPM.to;
  const ms = isUsualRate ? measurements.qtcBazettMs : measurements.qtcFridericiaMs;
  return ms === undefined ? undefined : { ms, formula: isUsualRate ? 'Bazett' : 'Fridericia' };
}

/** Unknown sex gets the women's limit, the longer one (section 11). */
function longQtcMs(facts: Facts): number {
  const { gender, ageYears = 0 } = facts;
  const { child, girl, girlAboveYears } = LONG_QTC_OF_CHILD_MS;
  if (isChild(facts)) return gender === 'FEMALE' && ageYears > girlAboveYears ? girl : child;
  return LONG_QTC_MS[gender === 'MALE' ? 'MALE' : 'FEMALE'];
}

/** So much of QRS is no part of QT (Bogossian, Heart Rhythm 2014;11:2273-2277). */
const QRS_SHARE = 0.485;

/** Wide QRS lengthens QT by itself: without its share, it is held against the usual limits. */
function qtWithoutWideQrs({ measurements }: Facts): CorrectedQt | undefined {
  const { qtMs, qrsMs, qtcWideMs, heartRateBpm: rate = 75 } = measurements;
  if (rate >= BAZETT_BPM.from && rate <= BAZETT_BPM.to)
    return qtcWideMs === undefined ? undefined : { ms: qtcWideMs, formula: 'wideQrs' };
  if (qtMs === undefined || qrsMs === undefined) return undefined;
  return { ms: Math.round((qtMs - QRS_SHARE * qrsMs) / Math.cbrt(60 / rate)), formula: 'wideQrs' };
}

/**
 * A corrected QT at or beyond the limit. From 500 ms on it is told whatever makes it long: QRS of 120 ms is no cliff behind which
 * a dangerous one is silent.
 */
export function longQt(facts: Facts): (CorrectedQt & { readonly limitMs: number }) | undefined {
  const limitMs = longQtcMs(facts);
  const qtc = correctedQt(facts);
  const isWide = (facts.measurements.qrsMs ?? 0) >= WIDE_QRS_MS;
  if (isWide && qtc !== undefined && qtc.ms >= VERY_LONG_QTC_MS) return { ...qtc, limitMs: VERY_LONG_QTC_MS };
  const judged = isWide ? qtWithoutWideQrs(facts) : qtc;
  return judged === undefined || judged.ms < limitMs ? undefined : { ...judged, limitMs };
}

/** The longest usual PR, and the longest that is not yet a block. */
function prLimits(facts: Facts): { usualMs: number; longMs: number } {
  const ofChild = limitsOfChild(facts)?.longestPrMs;
  if (ofChild !== undefined) return { usualMs: ofChild, longMs: ofChild };
  const { ms, upToBpm } = LONG_PR_WHEN_SLOW;
  const { heartRateBpm = upToBpm } = facts.measurements;
  return { usualMs: LONG_PR_MS, longMs: heartRateBpm <= upToBpm ? ms : LONG_PR_MS };
}

/** Beyond what is first-degree block. */
export const isPrLong = (facts: Facts): boolean => (facts.measurements.prMs ?? 0) > prLimits(facts).longMs;

const wideQrsMs = (facts: Facts): number => limitsOfChild(facts)?.wideQrsMs ?? WIDE_QRS_MS;

const CHEST_SEEN = leadsSeen((['V1', 'V5', 'V6'] as const).map(nameOf));
const QT_NEEDS = [BEATS, LIMITS_BY_AGE, NOT_PACED, SINUS, measured('qtcBazettMs'), measured('qrsMs')];

/** Says which limits apply to a child's ECG. */
const childRule = (code: StatementCode, isIt: (limits: ChildLimits | undefined) => boolean): Rule => ({
  code,
  needs: [BEATS],
  find: (facts) =>
    isChild(facts) && isIt(limitsOfChild(facts))
      ? { severity: 'NONE', grounds: { values: { ageYears: facts.ageYears as number } } }
      : undefined,
});

export const INTERVAL_RULES: readonly Rule[] = [
  childRule('INT-CHILD', (limits) => limits === undefined),
  childRule('INT-CHILDLIM', (limits) => limits !== undefined),
  {
    code: 'AVB-1',
    topic: 'PR',
    needs: [BEATS, LIMITS_BY_AGE, NOT_PACED, SINUS, measured('prMs')],
    find: (facts) => {
      const { prMs = 0 } = facts.measurements;
      const limits = { prMs: prLimits(facts).longMs };
      return prMs <= limits.prMs
        ? undefined
        : {
            severity: prMs > VERY_LONG_PR_MS ? 'MODERATE' : 'LOW',
            values: { ms: prMs },
            grounds: { values: { prMs }, limits },
          };
    },
  },
  {
    code: 'INT-PRLONG',
    topic: 'PR',
    needs: [BEATS, LIMITS_BY_AGE, NOT_PACED, SINUS, measured('prMs')],
    suppressedBy: ['AVB-1'],
    find: (facts) => {
      const { prMs = 0 } = facts.measurements;
      const limits = { prMs: prLimits(facts).usualMs };
      return prMs <= limits.prMs
        ? undefined
        : { severity: 'LOW', values: { ms: prMs }, grounds: { values: { prMs }, limits } };
    },
  },
  {
    code: 'INT-PR',
    topic: 'PR',
    needs: [BEATS, LIMITS_BY_AGE, NOT_PACED, SINUS, measured('prMs')],
    suppressedBy: ['CON-WPW'],
    find: (facts) => {
      const { prMs = 0 } = facts.measurements;
      const limits = { prMs: shortPrMs(facts) };
      return prMs >= limits.prMs
        ? undefined
        : { severity: 'LOW', values: { ms: prMs }, grounds: { values: { prMs }, limits } };
    },
  },
  {
    // Where the leads were looked at that show a bundle branch block, and do not.
    code: 'CON-IVCD',
    topic: 'CONDUCTION',
    needs: [BEATS, ADULT, NOT_PACED, NO_RUN, NO_WIDE_ESCAPE, NOT_VENTRICULAR, measured('qrsMs'), CHEST_SEEN],
    suppressedBy: ['CON-RBBB', 'CON-LBBB', 'CON-WPW', 'CON-IRBBB'],
    find: ({ measurements: { qrsMs = 0 } }) =>
      qrsMs < WIDE_QRS_MS
        ? undefined
        : {
            severity: 'LOW',
            values: { ms: qrsMs },
            certainty: 'probable',
            grounds: { values: { qrsMs }, limits: { qrsMs: WIDE_QRS_MS } },
          },
  },
  {
    code: 'INT-QRS',
    topic: 'QRS',
    needs: [BEATS, LIMITS_BY_AGE, NOT_PACED, measured('qrsMs')],
    suppressedBy: ['CON-RBBB', 'CON-LBBB', 'CON-WPW', 'CON-IVCD'],
    find: (facts) => {
      const { qrsMs = 0 } = facts.measurements;
      const limits = { qrsMs: wideQrsMs(facts) };
      return qrsMs < limits.qrsMs
        ? undefined
        : { severity: 'LOW', values: { ms: qrsMs }, grounds: { values: { qrsMs }, limits } };
    },
  },
  {
    code: 'REP-LQT',
    topic: 'QT',
    needs: QT_NEEDS,
    find: (facts) => {
      const long = longQt(facts);
      if (long === undefined) return undefined;
      const { ms, formula, limitMs } = long;
      return {
        severity: ms >= VERY_LONG_QTC_MS ? 'IMPORTANT' : 'MODERATE',
        values: { ms, formula },
        grounds: { values: { qtcMs: ms }, limits: { qtcMs: limitMs } },
      };
    },
  },
  {
    code: 'REP-SQT',
    topic: 'QT',
    needs: [...QT_NEEDS, NARROW_QRS],
    find: (facts) => {
      const qtc = correctedQt(facts);
      return qtc === undefined || qtc.ms >= SHORT_QTC_MS
        ? undefined
        : {
            severity: qtc.ms < VERY_SHORT_QTC_MS ? 'CRITICAL' : 'LOW',
            values: { ms: qtc.ms, formula: qtc.formula },
            certainty: 'possible',
            grounds: { values: { qtcMs: qtc.ms }, limits: { qtcMs: SHORT_QTC_MS } },
          };
    },
  },
];

const FRONTAL_LEADS = ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_AVF'];

type AxisCode = 'AXIS-EXT' | 'AXIS-LAD' | 'AXIS-RAD';

/** On which side the axis is outside its limits. A newborn's limits go past 180 degrees. */
function axisSide(axisDeg: number, facts: Facts): AxisCode | undefined {
  const child = limitsOfChild(facts)?.axisDeg;
  if (child !== undefined) {
    const [from, to] = child;
    const opposite = (from + to) / 2 - 180;
    const degrees = axisDeg < opposite ? axisDeg + 360 : axisDeg;
    return degrees < from ? 'AXIS-LAD' : degrees > to ? 'AXIS-RAD' : undefined;
  }
  if (axisDeg < EXTREME_AXIS_DEG) return 'AXIS-EXT';
  if (axisDeg < USUAL_AXIS_DEG.from) return 'AXIS-LAD';
  return axisDeg > USUAL_AXIS_DEG.to ? 'AXIS-RAD' : undefined;
}

const axisRule = (code: AxisCode, severity: Finding['severity']): Rule => ({
  code,
  topic: 'AXIS',
  needs: [BEATS, LIMITS_BY_AGE, LIMBS_RIGHT, NOT_PACED, FRONTAL_AXIS],
  find: (facts) => {
    const { qrsAxisDeg = 0 } = facts.measurements;
    if (axisSide(qrsAxisDeg, facts) !== code) return undefined;
    const [fromDeg, toDeg] = limitsOfChild(facts)?.axisDeg ?? [USUAL_AXIS_DEG.from, USUAL_AXIS_DEG.to];
    return {
      severity,
      values: { degrees: qrsAxisDeg },
      grounds: {
        leads: facts.leads.filter((lead) => FRONTAL_LEADS.includes(lead)),
        values: { qrsAxisDeg },
        limits: { fromDeg, toDeg },
      },
    };
  },
});

export const AXIS_RULES: readonly Rule[] = [
  axisRule('AXIS-EXT', 'MODERATE'),
  axisRule('AXIS-LAD', 'LOW'),
  axisRule('AXIS-RAD', 'LOW'),
];
