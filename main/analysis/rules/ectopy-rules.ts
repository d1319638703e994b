// Premature beats: how many, and in which patterns. Analysis reference, section 8; severities: D63.

import {
  FREQUENT_COUNT,
  FREQUENT_SUPRAVENTRICULAR,
  FREQUENT_VENTRICULAR,
  MANY_SUPRAVENTRICULAR_SHARE,
} from '../../../shared/clinical-limits.ts';
import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { EctopyPatterns } from '../rhythm/ectopy-patterns.ts';
import type { Range } from '../signal/time-base.ts';
import { durationSeconds, type Facts, oneDecimal, secondsOf } from './facts.ts';
import { longQt } from './measurement-rules.ts';
import { BEATS, measured, NOT_PACED } from './needs.ts';
import type { Grounds, Rule } from './rule.ts';

/** Around R, where the QRS of an ectopic beat lies. */
const QRS_SECONDS = 0.08;

interface Ectopy {
  readonly count: number;
  readonly share: number;
  readonly perMinute: number;
  readonly ranges: readonly Range[];
}

function ectopyOf(facts: Facts, label: 'V' | 'S'): Ectopy {
  const { beats, time } = facts;
  const found = beats.filter((beat) => beat.label === label);
  const reach = Math.round(QRS_SECONDS * time.sampleRateHz);
  return {
    count: found.length,
    share: found.length / Math.max(1, beats.length),
    perMinute: found.length / (durationSeconds(facts) / 60),
    ranges: found.map(({ sample }) => [
      Math.max(0, sample - reach),
      Math.min(time.sampleCount, sample + reach),
    ]),
  };
}

/** One or two premature beats are not frequent, however short the recording. */
const isOften = ({ count, share, perMinute }: Ectopy): boolean =>
  count >= FREQUENT_COUNT &&
  (perMinute >= FREQUENT_VENTRICULAR.perMinute || share >= FREQUENT_VENTRICULAR.share);
const areMany = ({ count, share }: Ectopy): boolean =>
  count >= FREQUENT_COUNT && share >= FREQUENT_SUPRAVENTRICULAR.share;

function ectopicRule(
  code: StatementCode,
  label: 'V' | 'S',
  isIt: (ectopy: Ectopy) => boolean,
  severity: (ectopy: Ectopy) => Severity,
  limits: Grounds['limits'],
): Rule {
  return {
    code,
    topic: 'ECTOPY',
    needs: [BEATS, NOT_PACED],
    // Where all intervals differ, none is early.
    ...(label === 'S' && { suppressedBy: ['RHY-AFIB'] as const }),
    find: (facts) => {
      const ectopy = ectopyOf(facts, label);
      const { count, share, perMinute, ranges } = ectopy;
      if (count === 0 || !isIt(ectopy)) return undefined;
      const values = { count, share: Math.round(1000 * share) / 1000, perMinute: oneDecimal(perMinute) };
      return {
        severity: severity(ectopy),
        values: { count },
        grounds: { ranges, values, ...(limits !== undefined && { limits }) },
      };
    },
  };
}

const COUNT_RULES: readonly Rule[] = [
  ectopicRule('ECT-PVCFREQ', 'V', isOften, () => 'MODERATE', FREQUENT_VENTRICULAR),
  ectopicRule(
    'ECT-PVC',
    'V',
    (ectopy) => !isOften(ectopy),
    () => 'LOW',
    FREQUENT_VENTRICULAR,
  ),
  ectopicRule(
    'ECT-PACFREQ',
    'S',
    areMany,
    ({ share }) => (share >= MANY_SUPRAVENTRICULAR_SHARE ? 'MODERATE' : 'LOW'),
    FREQUENT_SUPRAVENTRICULAR,
  ),
  ectopicRule(
    'ECT-PAC',
    'S',
    (ectopy) => !areMany(ectopy),
    () => 'LOW',
    FREQUENT_SUPRAVENTRICULAR,
  ),
];

/** Makes a rule about ventricular beats that follow each other, or take turns with others. */
const patternRule = (
  code: StatementCode,
  severity: Severity,
  rangesOf: (patterns: EctopyPatterns) => readonly Range[],
  more: Pick<Rule, 'suppressedBy'> = {},
): Rule => ({
  code,
  topic: 'ECTOPY',
  needs: [BEATS, NOT_PACED],
  ...more,
  find: ({ patterns, time }) => {
    const ranges = rangesOf(patterns);
    if (ranges.length === 0) return undefined;
    const values = { count: ranges.length, seconds: secondsOf(ranges, time.sampleRateHz) };
    return { severity, values, grounds: { ranges, values } };
  },
});

/** Two shapes have two origins. */
const MULTIFORM: Rule = {
  code: 'ECT-MULTI',
  topic: 'ECTOPY',
  needs: [BEATS, NOT_PACED],
  find: (facts) => {
    const { shapes } = facts.patterns;
    if (shapes < 2) return undefined;
    const { ranges } = ectopyOf(facts, 'V');
    return {
      severity: 'MODERATE',
      values: { shapes },
      grounds: { ranges, values: { shapes }, limits: { shapes: 1 } },
    };
  },
};

/**
 * An R that comes sooner behind another than T usually ends. The end of that very T is not measured, so it is
 * possible, not proven. What it may set off is worse where QT is long.
 */
const R_ON_T: Rule = {
  code: 'ECT-RONT',
  needs: [BEATS, NOT_PACED, measured('qtMs')],
  find: (facts) => {
    const {
      patterns,
      time,
      measurements: { qtMs = 0 },
    } = facts;
    const msOf = ([start, end]: Range): number => (1000 * (end - 1 - start)) / time.sampleRateHz;
    const ranges = patterns.coupled.filter((range) => msOf(range) < qtMs);
    if (ranges.length === 0) return undefined;
    const couplingMs = Math.round(Math.min(...ranges.map(msOf)));
    return {
      severity: longQt(facts) === undefined ? 'MODERATE' : 'IMPORTANT',
      values: { count: ranges.length, ms: couplingMs },
      certainty: 'possible',
      grounds: { ranges, values: { couplingMs, qtMs }, limits: { couplingMs: qtMs } },
    };
  },
};

export const ECTOPY_RULES: readonly Rule[] = [
  ...COUNT_RULES,
  patternRule('ECT-COUPLET', 'MODERATE', ({ couplets }) => couplets),
  patternRule('ECT-BIGEM', 'MODERATE', ({ bigeminy }) => bigeminy),
  patternRule('ECT-TRIGEM', 'MODERATE', ({ trigeminy }) => trigeminy),
  // Where all intervals differ, none is the usual one.
  patternRule('ECT-INTERP', 'LOW', ({ interpolated }) => interpolated, { suppressedBy: ['RHY-AFIB'] }),
  MULTIFORM,
  R_ON_T,
];
