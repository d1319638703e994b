// Rhythm: arrests, the base rhythm, pauses. Analysis reference, section 8; severities: D63.

import {
  ACCELERATED_JUNCTION_BPM,
  type ChildLimits,
  DANGEROUSLY_SLOW_BPM,
  FIBRILLATION_SECONDS,
  GRAVE_RATES,
  GRAVE_RATES_OF_CHILD,
  LONG_PAUSE_MS,
  VERY_LONG_PAUSE_MS,
} from '../../../shared/clinical-limits.ts';
import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { FindingValues } from '../../../shared/findings/finding-text.ts';
import { highestSeverity, type Severity } from '../../../shared/severity.ts';
import type { BaseRhythm } from '../rhythm/base-rhythm.ts';
import { type Pause, rangeOf } from '../rhythm/pauses.ts';
import { lengthOf, touches } from '../signal/time-base.ts';
import { AV_BLOCK_CODES } from './av-block-rules.ts';
import { type Facts, hasBeats, isChild, isSinus, limitsOfChild, oneDecimal, secondsOf } from './facts.ts';
import { BEATS_OR_ARREST, LIMBS_RIGHT } from './needs.ts';
import type { Grounds, Rule } from './rule.ts';
import { hundredths } from './twelve-leads.ts';

/** Severity of an adult's sustained rate (D63, first rows). */
export const rateSeverity = (bpm: number): Severity =>
  GRAVE_RATES.find(({ belowBpm, aboveBpm }) => bpm < belowBpm || bpm > aboveBpm)?.severity ?? 'NONE';

const longestOf = <T extends Pause>(pauses: readonly T[]): T | undefined =>
  pauses.reduce<T | undefined>(
    (best, one) => (one.durationMs > (best?.durationMs ?? 0) ? one : best),
    undefined,
  );

/** How grave a child's rate is. */
function childRateSeverity(bpm: number, { slowestBpm, fastestBpm }: ChildLimits): Severity {
  if (bpm < DANGEROUSLY_SLOW_BPM) return 'CRITICAL';
  const found = GRAVE_RATES_OF_CHILD.find(
    ({ below, above }) => bpm < below * slowestBpm || bpm > above * fastestBpm,
  );
  return found?.severity ?? 'NONE';
}

export function severityOfRate(facts: Facts): Severity {
  const rate = facts.measurements.heartRateBpm;
  if (rate === undefined) return 'NONE';
  if (!isChild(facts)) return rateSeverity(rate);
  const limits = limitsOfChild(facts);
  return limits === undefined ? 'NONE' : childRateSeverity(rate, limits);
}

/** Sinus rhythm by rate: against the limits for the age where the patient is a child and they are known. */
function sinusKind(facts: Facts): 'slow' | 'usual' | 'fast' | undefined {
  if (!isSinus(facts)) return undefined;
  if (!isChild(facts)) return facts.base === 'SBR' ? 'slow' : facts.base === 'ST' ? 'fast' : 'usual';
  const [limits, rate] = [limitsOfChild(facts), facts.measurements.heartRateBpm];
  if (limits === undefined || rate === undefined) return 'usual';
  return rate < limits.slowestBpm ? 'slow' : rate > limits.fastestBpm ? 'fast' : 'usual';
}

export const rateValues = ({ measurements: { heartRateBpm: rate } }: Facts): FindingValues =>
  rate === undefined ? {} : { rate };

export function rhythmGrounds({ measurements, pWaves, beats }: Facts): Grounds {
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

type Learned = 'sinus' | 'fibrillation';

/** Shares of the trees nearer to 1 were not judged: no figure says how often they are wrong. */
const MOST_LIKELY = 0.99;

/** The evidence of a learned rhythm: its likelihood, and the numbers that speak for it most. */
function learnedGrounds(facts: Facts, why: Learned): Grounds {
  const grounds = rhythmGrounds(facts);
  const { learned } = facts;
  if (learned === undefined) return grounds;
  const strongest = learned.strongestFor(why).map(({ input, value }) => [input, thousandths(value)]);
  return {
    ...grounds,
    values: {
      ...grounds.values,
      likelihoodShare: Math.min(MOST_LIKELY, hundredths(learned[why])),
      ...Object.fromEntries(strongest),
    },
  };
}

const thousandths = (value: number): number => Math.round(1000 * value) / 1000;

/** Spikes that stand out of the signal one by one, or all together at one place before the beats. */
function spikeGrounds(facts: Facts): Grounds {
  const { spikes, spikeBeforeRMs } = facts.electrodes;
  const grounds = rhythmGrounds(facts);
  return {
    ...grounds,
    ...(spikes.length > 0 && { ranges: spikes.map((spike) => [spike, spike + 1] as const) }),
    values: {
      ...grounds.values,
      spikes: spikes.length,
      ...(spikeBeforeRMs !== undefined && { spikeBeforeRMs }),
    },
  };
}

/** Rules did not prove its P waves. */
const isProbableSinus = (named: Learned | undefined, { learned }: Facts): boolean =>
  named === 'sinus' && learned !== undefined;

/** A rule for each kind of base rhythm. */
const ofBase = (
  code: StatementCode,
  isIt: (base: BaseRhythm, facts: Facts) => boolean,
  severity: (facts: Facts) => Severity,
  /** The learned class that it may rest on. */
  learned?: Learned,
): Rule => ({
  code,
  topic: 'RHYTHM',
  needs: [BEATS_OR_ARREST],
  find: (facts) =>
    hasBeats(facts) && isIt(facts.base, facts)
      ? {
          severity: severity(facts),
          values: {
            ...rateValues(facts),
            ...(isProbableSinus(learned, facts) && { how: 'probable' as const }),
          },
          ...((learned === 'fibrillation' || isProbableSinus(learned, facts)) && {
            certainty: 'probable' as const,
          }),
          grounds: learned === undefined ? rhythmGrounds(facts) : learnedGrounds(facts, learned),
        }
      : undefined,
});

export const atLeast = (least: Severity, severity: Severity): Severity => highestSeverity([least, severity]);

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

function fibrillationParts({ atrialFibrillation: ranges, time }: Facts) {
  const seconds = secondsOf(ranges, time.sampleRateHz);
  const longest = ranges.reduce((most, range) => Math.max(most, secondsOf([range], time.sampleRateHz)), 0);
  return { values: { count: ranges.length, seconds }, longest };
}

function fibrillationGrounds(facts: Facts): Grounds {
  const { values, longest } = fibrillationParts(facts);
  return {
    ranges: facts.atrialFibrillation,
    values: { ...values, longestSeconds: longest, pWaveShare: facts.pWaves.share },
    limits: { longestSeconds: FIBRILLATION_SECONDS },
  };
}

export const BASE_RULES: readonly Rule[] = [
  ofBase(
    'RHY-SINUS',
    (_, facts) => sinusKind(facts) === 'usual',
    () => 'NONE',
    'sinus',
  ),
  ofBase('RHY-SBRADY', (_, facts) => sinusKind(facts) === 'slow', severityOfRate, 'sinus'),
  ofBase('RHY-STACHY', (_, facts) => sinusKind(facts) === 'fast', severityOfRate, 'sinus'),
  ofBase(
    'RHY-AFIB',
    (base) => base === 'AFIB',
    (facts) => (severityOfRate(facts) === 'CRITICAL' ? 'CRITICAL' : 'IMPORTANT'),
    'fibrillation',
  ),
  {
    code: 'RHY-AFL',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    find: (facts) => {
      const { base, flutterPerMinute: waves } = facts;
      if (base !== 'AFL' || waves === undefined) return undefined;
      const grounds = rhythmGrounds(facts);
      return {
        severity: severityOfRate(facts) === 'CRITICAL' ? 'CRITICAL' : 'IMPORTANT',
        values: { ...rateValues(facts), waves },
        certainty: 'probable',
        grounds: { ...grounds, values: { ...grounds.values, wavesPerMinute: waves } },
      };
    },
  },
  {
    code: 'RHY-PACED',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    find: (facts) =>
      hasBeats(facts) && facts.base === 'P'
        ? {
            severity: atLeast('LOW', severityOfRate(facts)),
            values: rateValues(facts),
            certainty: 'probable',
            grounds: spikeGrounds(facts),
          }
        : undefined,
  },
  {
    // Without a topic: with exchanged electrodes this is not told, but other rhythms are.
    code: 'RHY-EAT',
    needs: [BEATS_OR_ARREST, LIMBS_RIGHT],
    suppressedBy: AV_BLOCK_CODES,
    find: (facts) => {
      const { pAxisDeg } = facts.measurements;
      if (facts.beatOrigin !== 'ectopicAtrial' || pAxisDeg === undefined) return undefined;
      const grounds = rhythmGrounds(facts);
      return {
        severity: 'LOW',
        values: { ...rateValues(facts), degrees: pAxisDeg },
        certainty: 'possible',
        grounds: { ...grounds, values: { ...grounds.values, pAxisDeg } },
      };
    },
  },
  {
    code: 'RHY-JUNC',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    suppressedBy: AV_BLOCK_CODES,
    find: (facts) => {
      if (facts.beatOrigin !== 'junctional') return undefined;
      const { heartRateBpm: rate = 0 } = facts.measurements;
      return {
        severity: 'MODERATE',
        values: { kind: rate >= ACCELERATED_JUNCTION_BPM ? 'acceleratedJunctional' : 'junctional', rate },
        certainty: 'possible',
        grounds: rhythmGrounds(facts),
      };
    },
  },
  {
    // A pacemaker with two poles close together leaves no spike to be seen, and its beats look like an escape.
    code: 'RHY-WIDE',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    suppressedBy: AV_BLOCK_CODES,
    find: (facts) =>
      facts.beatOrigin === 'ventricular'
        ? {
            severity: atLeast('MODERATE', severityOfRate(facts)),
            values: rateValues(facts),
            certainty: 'possible',
            grounds: rhythmGrounds(facts),
          }
        : undefined,
  },
  {
    // Where sinus rhythm is not all there is, it is said how much of it there is.
    code: 'RHY-SINUSPART',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    find: ({ sinus, time }) => {
      const minutesOf = (samples: number): number => Math.round(samples / time.sampleRateHz / 60);
      const [minutes, of] = [minutesOf(lengthOf(sinus)), minutesOf(time.sampleCount)];
      return minutes === 0 || minutes === of
        ? undefined
        : { severity: 'NONE', values: { minutes, of }, grounds: { ranges: sinus, values: { minutes, of } } };
    },
  },
  {
    code: 'RHY-UNDET',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    suppressedBy: [...AV_BLOCK_CODES, 'RHY-SVT', 'RHY-TACHY', 'RHY-AFL21', 'RHY-EAT', 'RHY-JUNC', 'RHY-WIDE'],
    find: (facts) => {
      if (!hasBeats(facts) || facts.base !== 'UNK') return undefined;
      const grounds = rhythmGrounds(facts);
      const { secondP } = facts;
      if (secondP === undefined)
        return {
          severity: 'LOW',
          values: facts.sinus.length > 0 ? { part: 'forTheRest' } : rateValues(facts),
          grounds,
        };
      return {
        severity: 'LOW',
        values: { ...rateValues(facts), why: 'secondP' },
        certainty: 'possible',
        grounds: { ...grounds, values: { ...grounds.values, secondPLikeness: hundredths(secondP) } },
      };
    },
  },
  {
    // A block names only the minutes in which it was found.
    code: 'RHY-UNDETPART',
    needs: [BEATS_OR_ARREST],
    suppressedBy: ['RHY-UNDET'],
    find: ({ avConduction }) => {
      const minutes = Math.round((avConduction?.unnamedSeconds ?? 0) / 60);
      return minutes === 0
        ? undefined
        : { severity: 'LOW', values: { minutes }, grounds: { values: { minutes } } };
    },
  },
  {
    code: 'RHY-AFIBEPI',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    suppressedBy: ['RHY-AFIB', 'RHY-AFL'],
    find: (facts) => {
      const { values, longest } = fibrillationParts(facts);
      return longest < FIBRILLATION_SECONDS
        ? undefined
        : {
            severity: 'IMPORTANT',
            values: values.count === 1 ? { single: longest } : { ...values, longest },
            certainty: 'probable',
            grounds: fibrillationGrounds(facts),
          };
    },
  },
  {
    code: 'RHY-AFIBPART',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    suppressedBy: ['RHY-AFIB', 'RHY-AFL', 'RHY-AFIBEPI'],
    find: (facts) => {
      const { values } = fibrillationParts(facts);
      return facts.base === 'AFIB' || facts.atrialFibrillation.length === 0
        ? undefined
        : {
            severity: 'MODERATE',
            values: { seconds: values.seconds },
            certainty: 'possible',
            grounds: fibrillationGrounds(facts),
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

/** What a pause comes of, where the beats around it tell; a P wave in it that is not conducted is told as AV block. */
function causeOf({ startSample, endSample }: Pause, { beats, atrialFibrillation }: Facts): FindingValues {
  if (touches(atrialFibrillation, startSample, endSample)) return { cause: 'inFibrillation' };
  const before = beats.find(({ sample }) => sample === startSample);
  return before?.label === 'V' ? { cause: 'afterVentricularBeat' } : {};
}

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
        values: { seconds, ...causeOf(longest, facts), ...(pauses.length > 1 && { count: pauses.length }) },
        grounds: {
          ranges: pauses.map(rangeOf),
          values: { longestMs: Math.round(durationMs), count: pauses.length },
          limits: { longestMs: LONG_PAUSE_MS },
        },
      };
    },
  },
];
