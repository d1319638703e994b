// Premature beats, counted. Analysis reference, section 8; severities: D63.

import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { Range } from '../time-base.ts';
import { durationSeconds, type Facts, oneDecimal } from './facts.ts';
import { BEATS, NOT_PACED } from './needs.ts';
import type { Grounds, Rule } from './rule.ts';

const MIN_FREQUENT = 3;
const VENTRICULAR_PER_MINUTE = 6;
const VENTRICULAR_SHARE = 0.1;
const SUPRAVENTRICULAR_SHARE = 0.01;
const MANY_SUPRAVENTRICULAR_SHARE = 0.1;
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
  count >= MIN_FREQUENT && (perMinute >= VENTRICULAR_PER_MINUTE || share >= VENTRICULAR_SHARE);
const areMany = ({ count, share }: Ectopy): boolean =>
  count >= MIN_FREQUENT && share >= SUPRAVENTRICULAR_SHARE;

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

const VENTRICULAR_LIMITS = { perMinute: VENTRICULAR_PER_MINUTE, share: VENTRICULAR_SHARE };
const SUPRAVENTRICULAR_LIMITS = { share: SUPRAVENTRICULAR_SHARE };

export const ECTOPY_RULES: readonly Rule[] = [
  ectopicRule('ECT-PVCFREQ', 'V', isOften, () => 'MODERATE', VENTRICULAR_LIMITS),
  ectopicRule(
    'ECT-PVC',
    'V',
    (ectopy) => !isOften(ectopy),
    () => 'LOW',
    VENTRICULAR_LIMITS,
  ),
  ectopicRule(
    'ECT-PACFREQ',
    'S',
    areMany,
    ({ share }) => (share >= MANY_SUPRAVENTRICULAR_SHARE ? 'MODERATE' : 'LOW'),
    SUPRAVENTRICULAR_LIMITS,
  ),
  ectopicRule(
    'ECT-PAC',
    'S',
    (ectopy) => !areMany(ectopy),
    () => 'LOW',
    SUPRAVENTRICULAR_LIMITS,
  ),
];
