// Intervals and axes beside the limits of adults. Analysis reference, sections 7 and 9; severities: D63.

import { type Facts, isChild } from './facts.ts';
import { ADULT, ARMS_RIGHT, BEATS, FRONTAL_AXIS, measured, NARROW_QRS, NOT_PACED, SINUS } from './needs.ts';
import type { Finding, Rule } from './rule.ts';

const LONG_PR_MS = 200;
/**
 * PR grows as the heart slows down: up to 70/min, 210 ms is within the limits of adults (Ashman & Hull, Essentials of
 * Electrocardiography, 1941). Of 34 that were wrongly called first-degree block by 200 ms alone, 20 were such.
 */
const LONG_PR_WHEN_SLOW_MS = 210;
const SLOW_BPM = 70;
const VERY_LONG_PR_MS = 300;
const WIDE_QRS_MS = 120;
const SHORT_PR_MS = 120;
const DELTA_QRS_MS = 110;
const SHORT_QTC_MS = 340;
const VERY_SHORT_QTC_MS = 320;
const VERY_LONG_QTC_MS = 500;

interface CorrectedQt {
  readonly ms: number;
  readonly formula: 'Bazett' | 'Fridericia';
}

/** Bazett over-corrects away from 60–90/min, so the limits are held against Fridericia there (section 7). */
function correctedQt({ measurements }: Facts): CorrectedQt | undefined {
  const rate = measurements.heartRateBpm ?? 75;
  const isUsualRate = rate >= 60 && rate <= 90;
  const ms = isUsualRate ? measurements.qtcBazettMs : measurements.qtcFridericiaMs;
  return ms === undefined ? undefined : { ms, formula: isUsualRate ? 'Bazett' : 'Fridericia' };
}

/**
 * A corrected QT at or beyond the limit; unknown sex is held against that of women, the longer one (section 11).
 */
export function longQt(facts: Facts): (CorrectedQt & { readonly limitMs: number }) | undefined {
  const qtc = correctedQt(facts);
  const limitMs = facts.gender === 'MALE' ? 450 : 470;
  return qtc === undefined || qtc.ms < limitMs ? undefined : { ...qtc, limitMs };
}

const longPrMs = ({ measurements: { heartRateBpm = SLOW_BPM } }: Facts): number =>
  heartRateBpm <= SLOW_BPM ? LONG_PR_WHEN_SLOW_MS : LONG_PR_MS;

const QT_NEEDS = [BEATS, ADULT, NOT_PACED, SINUS, NARROW_QRS, measured('qtcBazettMs')];

export const INTERVAL_RULES: readonly Rule[] = [
  {
    code: 'INT-CHILD',
    needs: [BEATS],
    find: (facts) =>
      isChild(facts)
        ? { severity: 'LOW', grounds: { values: { ageYears: facts.ageYears as number } } }
        : undefined,
  },
  {
    code: 'AVB-1',
    topic: 'PR',
    needs: [BEATS, ADULT, NOT_PACED, SINUS, measured('prMs')],
    find: (facts) => {
      const { prMs = 0 } = facts.measurements;
      const limits = { prMs: longPrMs(facts) };
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
    needs: [BEATS, ADULT, NOT_PACED, SINUS, measured('prMs')],
    suppressedBy: ['AVB-1'],
    find: ({ measurements: { prMs = 0 } }) =>
      prMs <= LONG_PR_MS
        ? undefined
        : {
            severity: 'LOW',
            values: { ms: prMs },
            grounds: { values: { prMs }, limits: { prMs: LONG_PR_MS } },
          },
  },
  {
    // A delta wave makes PR shorter and QRS wider.
    code: 'CON-WPW',
    topic: 'PR',
    needs: [BEATS, ADULT, NOT_PACED, SINUS, measured('prMs'), measured('qrsMs')],
    suppressedBy: ['CON-RBBB', 'CON-LBBB'],
    find: ({ measurements: { prMs = 0, qrsMs = 0 } }) =>
      prMs >= SHORT_PR_MS || qrsMs < DELTA_QRS_MS
        ? undefined
        : {
            severity: 'MODERATE',
            values: { pr: prMs, qrs: qrsMs },
            certainty: 'possible',
            grounds: { values: { prMs, qrsMs }, limits: { prMs: SHORT_PR_MS, qrsMs: DELTA_QRS_MS } },
          },
  },
  {
    code: 'INT-PR',
    topic: 'PR',
    needs: [BEATS, ADULT, NOT_PACED, SINUS, measured('prMs')],
    suppressedBy: ['CON-WPW'],
    find: ({ measurements: { prMs = 0 } }) =>
      prMs >= SHORT_PR_MS
        ? undefined
        : {
            severity: 'LOW',
            values: { ms: prMs },
            grounds: { values: { prMs }, limits: { prMs: SHORT_PR_MS } },
          },
  },
  {
    code: 'INT-QRS',
    topic: 'QRS',
    needs: [BEATS, ADULT, NOT_PACED, measured('qrsMs')],
    suppressedBy: ['CON-RBBB', 'CON-LBBB', 'CON-WPW'],
    find: ({ measurements: { qrsMs = 0 } }) =>
      qrsMs < WIDE_QRS_MS
        ? undefined
        : {
            severity: 'LOW',
            values: { ms: qrsMs },
            grounds: { values: { qrsMs }, limits: { qrsMs: WIDE_QRS_MS } },
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
    needs: QT_NEEDS,
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

const USUAL_AXIS = { fromDeg: -30, toDeg: 90 };
const FRONTAL_LEADS = ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_AVF'];

/** @param fromDeg the least angle @param belowDeg the first one beyond the largest */
const axisRule = (
  code: 'AXIS-EXT' | 'AXIS-LAD' | 'AXIS-RAD',
  severity: Finding['severity'],
  fromDeg: number,
  belowDeg: number,
): Rule => ({
  code,
  topic: 'AXIS',
  needs: [BEATS, ADULT, ARMS_RIGHT, NOT_PACED, FRONTAL_AXIS],
  find: ({ measurements: { qrsAxisDeg = 0 }, leads }) =>
    qrsAxisDeg < fromDeg || qrsAxisDeg >= belowDeg
      ? undefined
      : {
          severity,
          values: { degrees: qrsAxisDeg },
          grounds: {
            leads: leads.filter((lead) => FRONTAL_LEADS.includes(lead)),
            values: { qrsAxisDeg },
            limits: USUAL_AXIS,
          },
        },
});

export const AXIS_RULES: readonly Rule[] = [
  axisRule('AXIS-EXT', 'MODERATE', -180, -90),
  axisRule('AXIS-LAD', 'LOW', -90, USUAL_AXIS.fromDeg),
  axisRule('AXIS-RAD', 'LOW', USUAL_AXIS.toDeg + 1, 181),
];
