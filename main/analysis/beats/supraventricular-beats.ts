// Beats that come early from above the ventricles: clearly before their time, where the intervals are regular
// otherwise, and with another P wave than the beats around; those that follow at the same fast pace; and
// beats at half the usual interval in any rhythm.
// Analysis reference, 5.5.

import type { BeatLabel } from '../../../shared/analysis-result.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { irregularity } from './beat-timing.ts';

const AROUND = 60;
const JUST_BEFORE = 8;
const SCATTER_AROUND = 20;
const MAX_SCATTER = 0.12;
const LEAST_SCATTER = 0.02;
/** So many times the scatter before its time. */
const MIN_SCATTERS = 2;
const EARLY = 0.9;
/** After a beat that is hardly early, the heart does not stay faster, as it does in sinus arrhythmia. */
const NO_FASTER = 0.93;
/** Early enough without another P wave, where the interval behind is no shorter than usual. */
const CLEARLY_EARLY = 0.82;
/** The same whatever follows. */
const VERY_EARLY = 0.7;
/** Hardly early, and with the usual P wave: one that stands out this far, and after which the heart takes longer. */
const STANDS_OUT = { scatters: 3, behind: 1.05 };
/** Half the usual interval is early however irregular the rhythm is. */
const HALF = 0.5;
/** What follows it is no second one. */
const NO_SECOND = 0.9;
/** By how much the P stretch is less like the usual one than those around; a beat that is hardly early needs more. */
const OTHER_P = { clearlyEarly: 0.15, early: 0.2 };
/** 100/min. Around a long tachycardia, its own pace is the usual one; only the beats before show that it came early. */
const TACHYCARDIA_SECONDS = 0.6;
/** A run goes on while its intervals stay below this part of those before it. */
const RUN_PACE = 0.9;

/**
 * The first interval has none before it, and needs more: in normal ECGs sinus arrhythmia makes 0.78 of those behind it
 * at least. Near half of them, the others may be those of a 2:1 block that has just begun.
 */
const FIRST_EARLY = { least: 0.6, most: 0.75 };
/** So many intervals have to say what is usual. */
const LEAST_BEHIND = 5;

interface Context {
  readonly sampleRateHz: number;
  readonly samples: readonly number[];
  readonly labels: readonly BeatLabel[];
  readonly intervals: Float64Array;
  /** Between two beats that are not ventricular. */
  readonly isConducted: (beat: number) => boolean;
  readonly pCorrelation: Float32Array;
}

function medianAround(
  context: Context,
  values: ArrayLike<number>,
  from: number,
  to: number,
): number | undefined {
  const found: number[] = [];
  for (let k = Math.max(1, from); k < Math.min(values.length, to); k++)
    if (context.isConducted(k)) found.push(values[k] as number);
  return median(found);
}

/** @returns the interval that was usual before the beat, where it comes early enough to be one */
function earlyAgainst(context: Context, beat: number): number | undefined {
  const { samples, intervals, labels, pCorrelation, sampleRateHz } = context;
  const interval = intervals[beat] as number;
  // Most beats are not early, so there is no need to work out what is usual around them.
  if (interval >= EARLY * (intervals[beat - 1] as number)) return undefined;
  const around = medianAround(context, intervals, beat - AROUND, beat + AROUND + 1);
  if (around === undefined) return undefined;
  const before = medianAround(context, intervals, beat - JUST_BEFORE, beat) ?? around;
  const scatter = irregularity(
    samples,
    // The beat itself must not count as scatter.
    (k) => labels[k] !== 'V' && k !== beat,
    beat - SCATTER_AROUND,
    Math.min(samples.length, beat + SCATTER_AROUND + 1),
  );
  const ratio = interval / before;
  const p = medianAround(context, pCorrelation, beat - AROUND, beat + AROUND + 1) ?? 1;
  const otherP = p - (pCorrelation[beat] as number);
  const next = (intervals[beat + 1] ?? 0) / before;
  if (ratio < HALF && interval < HALF * around && next >= NO_SECOND) return before;
  const scatters = (1 - ratio) / Math.max(scatter, LEAST_SCATTER);
  const isEarlyEnough =
    ratio < VERY_EARLY ||
    (ratio < CLEARLY_EARLY && (next >= 1 || otherP > OTHER_P.clearlyEarly)) ||
    (ratio < EARLY && otherP > OTHER_P.early && next >= NO_FASTER) ||
    (ratio < EARLY && scatters > STANDS_OUT.scatters && next > STANDS_OUT.behind);
  const isEarly =
    scatter < MAX_SCATTER &&
    isEarlyEnough &&
    (interval < 0.95 * around ||
      (interval < 0.95 * before && interval < TACHYCARDIA_SECONDS * sampleRateHz)) &&
    scatters > MIN_SCATTERS;
  return isEarly ? before : undefined;
}

/** @returns the interval that is usual behind the second beat of all, where that one comes early */
function earlyAtFirst(context: Context): number | undefined {
  const { samples, intervals, labels } = context;
  const end = Math.min(samples.length, 2 + JUST_BEFORE);
  let count = 0;
  for (let beat = 2; beat < end; beat++) if (context.isConducted(beat)) count++;
  if (count < LEAST_BEHIND || labels[0] !== 'N') return undefined;
  const usual = medianAround(context, intervals, 2, end);
  const [first, next] = [intervals[1] as number, intervals[2] as number];
  if (usual === undefined || next < NO_SECOND * usual) return undefined;
  if (first < FIRST_EARLY.least * usual || first >= FIRST_EARLY.most * usual) return undefined;
  return irregularity(samples, (beat) => labels[beat] !== 'V', 2, end) < MAX_SCATTER ? usual : undefined;
}

/**
 * @param pCorrelation one a beat: how like the usual one the stretch before its QRS is
 * @returns indices of beats
 */
export function supraventricularBeats(
  samples: readonly number[],
  labels: readonly BeatLabel[],
  pCorrelation: Float32Array,
  sampleRateHz: number,
): number[] {
  const intervals = Float64Array.from(samples, (sample, i) => sample - (samples[i - 1] ?? sample));
  intervals[0] = intervals[1] ?? 0;
  const context: Context = {
    sampleRateHz,
    samples,
    labels,
    intervals,
    isConducted: (beat) => labels[beat] !== 'V' && labels[beat - 1] !== 'V',
    pCorrelation,
  };
  const found: number[] = [];
  let pace: number | undefined;
  for (let beat = 1; beat < samples.length; beat++) {
    const isCandidate = labels[beat] === 'N' && labels[beat - 1] !== 'V';
    const goesOn = pace !== undefined && (intervals[beat] as number) < RUN_PACE * pace;
    if (isCandidate && !goesOn) pace = beat === 1 ? earlyAtFirst(context) : earlyAgainst(context, beat);
    if (!isCandidate) pace = undefined;
    if (pace !== undefined) found.push(beat);
  }
  return found;
}
