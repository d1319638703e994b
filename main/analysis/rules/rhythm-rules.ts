// Rhythm: arrests, runs, the base rhythm, pauses. Analysis reference, section 8; severities: D63.

import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { FindingValues } from '../../../shared/findings/finding-text.ts';
import { highestSeverity, type Severity } from '../../../shared/severity.ts';
import type { BaseRhythm, Pause, VentricularRun } from '../rhythm.ts';
import type { Range } from '../time-base.ts';
import { durationSeconds, type Facts, hasBeats, isChild, isSinus, oneDecimal, secondsOf } from './facts.ts';
import { BEATS, BEATS_OR_ARREST, NOT_PACED } from './needs.ts';
import type { Finding, Grounds, Rule } from './rule.ts';

/** Severity of an adult's sustained rate (D63, first rows). */
export function rateSeverity(bpm: number): Severity {
  if (bpm < 35 || bpm > 180) return 'CRITICAL';
  if (bpm < 40 || bpm > 150) return 'IMPORTANT';
  if (bpm < 45 || bpm > 120) return 'MODERATE';
  return bpm < 50 || bpm > 100 ? 'LOW' : 'NONE';
}

const rangeOf = ({ startSample, endSample }: Pause): Range => [startSample, endSample];
const longestOf = <T extends Pause>(pauses: readonly T[]): T | undefined =>
  pauses.reduce<T | undefined>(
    (best, one) => (one.durationMs > (best?.durationMs ?? 0) ? one : best),
    undefined,
  );

/** What is fast or slow for a child depends on months and years; these limits are not in this version. */
function severityOfRate(facts: Facts): Severity {
  const rate = facts.measurements.heartRateBpm;
  return rate === undefined || isChild(facts) ? 'NONE' : rateSeverity(rate);
}

const rateValues = ({ measurements: { heartRateBpm: rate } }: Facts): FindingValues =>
  rate === undefined ? {} : { rate };

function rhythmGrounds({ measurements, pWaves, beats }: Facts): Grounds {
  const rate = measurements.heartRateBpm;
  return {
    values: {
      beats: beats.length,
      pWaveShare: pWaves.share,
      pWaveCoherence: pWaves.coherence,
      ...(rate !== undefined && { rateBpm: rate }),
    },
  };
}

/** A rule for each kind of base rhythm. */
const ofBase = (
  code: StatementCode,
  isIt: (base: BaseRhythm, facts: Facts) => boolean,
  severity: (facts: Facts) => Severity,
  certainty?: Finding['certainty'],
): Rule => ({
  code,
  topic: 'RHYTHM',
  needs: [BEATS_OR_ARREST],
  find: (facts) =>
    hasBeats(facts) && isIt(facts.base, facts)
      ? {
          severity: severity(facts),
          values: rateValues(facts),
          ...(certainty !== undefined && { certainty }),
          grounds: rhythmGrounds(facts),
        }
      : undefined,
});

const atLeast = (least: Severity, severity: Severity): Severity => highestSeverity([least, severity]);

export const ARREST_RULES: readonly Rule[] = [
  {
    code: 'RHY-VF',
    needs: [],
    find: ({ ventricularFibrillation: ranges, time }) => {
      const seconds = secondsOf(ranges, time.sampleRateHz);
      return ranges.length === 0
        ? undefined
        : {
            severity: 'CRITICAL',
            values: { seconds },
            certainty: 'probable',
            grounds: { ranges, values: { seconds } },
          };
    },
  },
  {
    code: 'RHY-ASYS',
    needs: [],
    find: ({ asystole: ranges, time }) => {
      if (ranges.length === 0) return undefined;
      const longest = ranges.reduce((most, [start, end]) => Math.max(most, end - start), 0);
      const seconds = oneDecimal(longest / time.sampleRateHz);
      return {
        severity: 'CRITICAL',
        values: { seconds },
        certainty: 'probable',
        grounds: { ranges, values: { seconds } },
      };
    },
  },
];

/** Three in a row are a run; one that lasts 30 s or fills the recording is no longer a short one. */
const SUSTAINED_MS = 30_000;
const FILLING_SHARE = 0.7;
const TACHYCARDIA_BPM = 120;

/** The one with most beats. */
const longestRun = ({ runs }: Facts): VentricularRun | undefined =>
  runs.reduce<VentricularRun | undefined>(
    (best, run) => (run.beats > (best?.beats ?? 0) ? run : best),
    undefined,
  );

const isSustained = (run: VentricularRun, facts: Facts): boolean =>
  run.bpm >= TACHYCARDIA_BPM &&
  (run.durationMs >= SUSTAINED_MS || run.durationMs >= 1000 * FILLING_SHARE * durationSeconds(facts));

const runGrounds = (run: VentricularRun, runs: readonly VentricularRun[]): Grounds => ({
  ranges: runs.map(rangeOf),
  values: {
    rateBpm: run.bpm,
    beats: run.beats,
    seconds: oneDecimal(run.durationMs / 1000),
    runs: runs.length,
  },
  limits: { rateBpm: TACHYCARDIA_BPM, seconds: SUSTAINED_MS / 1000 },
});

export const RUN_RULES: readonly Rule[] = [
  {
    code: 'RHY-VT',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    find: (facts) => {
      if (!hasBeats(facts)) return undefined;
      if (facts.base === 'VT')
        return {
          severity: 'CRITICAL',
          values: rateValues(facts),
          certainty: 'probable',
          grounds: rhythmGrounds(facts),
        };
      const run = longestRun(facts);
      return run === undefined || !isSustained(run, facts)
        ? undefined
        : {
            severity: 'CRITICAL',
            values: { rate: run.bpm },
            certainty: 'probable',
            grounds: runGrounds(run, facts.runs),
          };
    },
  },
  {
    code: 'RHY-NSVT',
    topic: 'ECTOPY',
    needs: [BEATS],
    suppressedBy: ['RHY-VT'],
    find: (facts) => {
      const run = longestRun(facts);
      const { runs } = facts;
      return run === undefined
        ? undefined
        : {
            severity: 'IMPORTANT',
            values: { count: run.beats, rate: run.bpm, ...(runs.length > 1 && { runs: runs.length }) },
            certainty: 'probable',
            grounds: runGrounds(run, runs),
          };
    },
  },
];

export const BASE_RULES: readonly Rule[] = [
  // What a rate means for a child is not judged: its rhythm is sinus rhythm, whatever the rate.
  ofBase(
    'RHY-SINUS',
    (base, facts) => base === 'N' || (isSinus(facts) && isChild(facts)),
    () => 'NONE',
  ),
  ofBase('RHY-SBRADY', (base, facts) => base === 'SBR' && !isChild(facts), severityOfRate),
  ofBase('RHY-STACHY', (base, facts) => base === 'ST' && !isChild(facts), severityOfRate),
  ofBase(
    'RHY-AFIB',
    (base) => base === 'AFIB',
    (facts) => (severityOfRate(facts) === 'CRITICAL' ? 'CRITICAL' : 'IMPORTANT'),
    'probable',
  ),
  ofBase(
    'RHY-PACED',
    (base) => base === 'P',
    (facts) => atLeast('LOW', severityOfRate(facts)),
    'probable',
  ),
  ofBase(
    'RHY-UNDET',
    (base) => base === 'UNK',
    () => 'LOW',
  ),
  {
    code: 'RHY-AFIBPART',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    suppressedBy: ['RHY-AFIB'],
    find: ({ base, atrialFibrillation: ranges, time, pWaves }) => {
      const seconds = secondsOf(ranges, time.sampleRateHz);
      return base === 'AFIB' || ranges.length === 0
        ? undefined
        : {
            severity: 'MODERATE',
            values: { seconds },
            certainty: 'possible',
            grounds: { ranges, values: { seconds, pWaveShare: pWaves.share } },
          };
    },
  },
  {
    // The rate itself still counts: a very slow or fast heart is no less urgent because its rhythm has no name.
    code: 'INT-HR',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    find: (facts) => {
      const rate = facts.measurements.heartRateBpm;
      const severity = severityOfRate(facts);
      return facts.base !== 'UNK' || rate === undefined || severity === 'NONE'
        ? undefined
        : { severity, values: { rate }, grounds: rhythmGrounds(facts) };
    },
  },
];

const LONG_PAUSE_MS = 2500;
const VERY_LONG_PAUSE_MS = 4000;

export const PAUSE_RULES: readonly Rule[] = [
  {
    code: 'RHY-PAUSE',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    find: (facts) => {
      const { pauses } = facts;
      const longest = longestOf(pauses);
      if (longest === undefined || !hasBeats(facts)) return undefined;
      const { durationMs } = longest;
      const seconds = oneDecimal(durationMs / 1000);
      return {
        severity:
          durationMs >= VERY_LONG_PAUSE_MS ? 'CRITICAL' : durationMs >= LONG_PAUSE_MS ? 'IMPORTANT' : 'LOW',
        values: { seconds, ...(pauses.length > 1 && { count: pauses.length }) },
        grounds: {
          ranges: pauses.map(rangeOf),
          values: { longestMs: Math.round(durationMs), count: pauses.length },
          limits: { longestMs: LONG_PAUSE_MS },
        },
      };
    },
  },
];

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
