// Ventricular beats in a row: tachycardia that lasts, short runs, and slow ones. Analysis reference, sections 8.5 and 11;
// severities: D63.

import {
  ACCELERATED_VENTRICLE_BPM,
  RUN_BPM,
  SUSTAINED_MS,
  VENTRICULAR_TACHYCARDIA_BPM,
  VERY_FAST_BPM,
} from '../../../shared/clinical-limits.ts';
import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { FindingValues } from '../../../shared/findings/finding-text.ts';
import type { Severity } from '../../../shared/severity.ts';
import { type BeatRun, fillsRecording } from '../rhythm/beat-runs.ts';
import { rangeOf } from '../rhythm/pauses.ts';
import { type Facts, hasBeats, oneDecimal } from './facts.ts';
import { BEATS, BEATS_OR_ARREST, NOT_PACED } from './needs.ts';
import { rateValues, rhythmGrounds } from './rhythm-rules.ts';
import type { Finding, Grounds, Rule } from './rule.ts';

/** The one with most beats. */
const longestRun = (runs: readonly BeatRun[]): BeatRun | undefined =>
  runs.reduce<BeatRun | undefined>((best, run) => (run.beats > (best?.beats ?? 0) ? run : best), undefined);

const isSustained = (run: BeatRun, { time }: Facts): boolean =>
  run.bpm >= VENTRICULAR_TACHYCARDIA_BPM && (run.durationMs >= SUSTAINED_MS || fillsRecording(run, time));

const SUSTAINED: Grounds['limits'] = { rateBpm: VENTRICULAR_TACHYCARDIA_BPM, seconds: SUSTAINED_MS / 1000 };

const runGrounds = (run: BeatRun, runs: readonly BeatRun[], limits = SUSTAINED): Grounds => ({
  ranges: runs.map(rangeOf),
  values: {
    rateBpm: run.bpm,
    beats: run.beats,
    seconds: oneDecimal(run.durationMs / 1000),
    runs: runs.length,
  },
  limits,
});

/** A run, and how many there are. */
const told = (run: BeatRun, runs: readonly BeatRun[], limits = SUSTAINED): Omit<Finding, 'severity'> => ({
  values: { count: run.beats, rate: run.bpm, ...(runs.length > 1 && { runs: runs.length }) },
  certainty: 'probable',
  grounds: runGrounds(run, runs, limits),
});

export const RUN_RULES: readonly Rule[] = [
  {
    code: 'RHY-VT',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST],
    find: (facts) => {
      if (!hasBeats(facts)) return undefined;
      const run = longestRun(facts.runs);
      const of = (values: FindingValues, grounds: Grounds): Finding => ({
        severity: 'CRITICAL',
        values,
        certainty: 'probable',
        grounds,
      });
      if (run !== undefined && isSustained(run, facts))
        return of({ rate: run.bpm }, runGrounds(run, facts.runs));
      return facts.base === 'VT' ? of(rateValues(facts), rhythmGrounds(facts)) : undefined;
    },
  },
  {
    code: 'RHY-NSVT',
    topic: 'ECTOPY',
    needs: [BEATS],
    suppressedBy: ['RHY-VT'],
    find: (facts) => {
      const { runs } = facts;
      const run = longestRun(runs);
      return run && { severity: 'IMPORTANT', ...told(run, runs) };
    },
  },
];

/** Fast early beats from above in a row: a tachycardia that starts and stops (D63). */
const SUPRAVENTRICULAR_RUN: Rule = {
  code: 'RHY-SVTRUN',
  topic: 'ECTOPY',
  needs: [BEATS, NOT_PACED],
  // Where all intervals differ, none is early.
  suppressedBy: ['RHY-AFIB', 'RHY-AFL'],
  find: ({ supraventricularRuns: runs }) => {
    const longestMs = Math.max(0, ...runs.map(({ durationMs }) => durationMs));
    const isVeryFast = runs.some(({ bpm, durationMs }) => bpm > VERY_FAST_BPM && durationMs >= SUSTAINED_MS);
    const severity = isVeryFast ? 'CRITICAL' : longestMs >= SUSTAINED_MS ? 'IMPORTANT' : 'MODERATE';
    const run = longestRun(runs);
    return run && { severity, ...told(run, runs, { rateBpm: RUN_BPM, seconds: SUSTAINED_MS / 1000 }) };
  },
};

/** Three ventricular beats or more that are slower than a tachycardia. */
const slowRun = (code: StatementCode, severity: Severity, isIt: (run: BeatRun) => boolean): Rule => ({
  code,
  topic: 'ECTOPY',
  needs: [BEATS],
  find: (facts) => {
    const runs = facts.slowRuns.filter(isIt);
    const run = longestRun(runs);
    return run && { severity, ...told(run, runs, { rateBpm: RUN_BPM }) };
  },
});

export const SUPRAVENTRICULAR_RULES: readonly Rule[] = [SUPRAVENTRICULAR_RUN];

export const SLOW_RUN_RULES: readonly Rule[] = [
  slowRun('RHY-AIVR', 'MODERATE', ({ bpm }) => bpm > ACCELERATED_VENTRICLE_BPM),
  slowRun('RHY-IVR', 'IMPORTANT', ({ bpm }) => bpm <= ACCELERATED_VENTRICLE_BPM),
];
