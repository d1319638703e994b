// Ventricular beats in a row: tachycardia that lasts, short runs, and slow ones. Analysis reference, sections 8.5 and 11;
// severities: D63.

import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { FindingValues } from '../../../shared/findings/finding-text.ts';
import type { Severity } from '../../../shared/severity.ts';
import { TACHYCARDIA_BPM } from '../rhythm/base-rhythm.ts';
import { rangeOf } from '../rhythm/pauses.ts';
import { fillsRecording, RUN_BPM, type VentricularRun } from '../rhythm/ventricular-runs.ts';
import { type Facts, hasBeats, oneDecimal } from './facts.ts';
import { BEATS, BEATS_OR_ARREST } from './needs.ts';
import { rateValues, rhythmGrounds } from './rhythm-rules.ts';
import type { Finding, Grounds, Rule } from './rule.ts';

/** Three in a row are a run; one that lasts 30 s or fills the recording is no longer a short one. */
const SUSTAINED_MS = 30_000;

/** The one with most beats. */
const longestRun = (runs: readonly VentricularRun[]): VentricularRun | undefined =>
  runs.reduce<VentricularRun | undefined>(
    (best, run) => (run.beats > (best?.beats ?? 0) ? run : best),
    undefined,
  );

const isSustained = (run: VentricularRun, { time }: Facts): boolean =>
  run.bpm >= TACHYCARDIA_BPM && (run.durationMs >= SUSTAINED_MS || fillsRecording(run, time));

const SUSTAINED: Grounds['limits'] = { rateBpm: TACHYCARDIA_BPM, seconds: SUSTAINED_MS / 1000 };

const runGrounds = (run: VentricularRun, runs: readonly VentricularRun[], limits = SUSTAINED): Grounds => ({
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
const told = (
  run: VentricularRun,
  runs: readonly VentricularRun[],
  limits = SUSTAINED,
): Omit<Finding, 'severity'> => ({
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

/** Below that, ventricular beats in a row escape rather than take over. */
const ACCELERATED_BPM = 50;

/** Three ventricular beats or more that are slower than a tachycardia. */
const slowRun = (code: StatementCode, severity: Severity, isIt: (run: VentricularRun) => boolean): Rule => ({
  code,
  topic: 'ECTOPY',
  needs: [BEATS],
  find: (facts) => {
    const runs = facts.slowRuns.filter(isIt);
    const run = longestRun(runs);
    return run && { severity, ...told(run, runs, { rateBpm: RUN_BPM }) };
  },
});

export const SLOW_RUN_RULES: readonly Rule[] = [
  slowRun('RHY-AIVR', 'MODERATE', ({ bpm }) => bpm > ACCELERATED_BPM),
  slowRun('RHY-IVR', 'IMPORTANT', ({ bpm }) => bpm <= ACCELERATED_BPM),
];
