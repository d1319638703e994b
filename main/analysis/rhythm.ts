// The base rhythm, stretches of other rhythms, and pauses. Sinus rhythm is said only where it is proven; what
// cannot be told is "not determined". Codes are WFDB's where it has one. Analysis reference, section 8.

import type { Beat, Measurements, RhythmSegment } from '../../shared/analysis-result.ts';
import { mean, median } from '../../shared/signal/statistics.ts';
import { IRREGULAR, irregularity } from './beat-timing.ts';
import { MIN_COHERENCE, type PEvidence } from './p-evidence.ts';
import type { PTrain } from './p-train.ts';
import {
  appendRange,
  knownSamples,
  lengthOf,
  outside,
  type Range,
  samplesWithin,
  spansGap,
  type TimeBase,
  touches,
} from './time-base.ts';

/** One beat, or one in ten, may be without the P wave of the others: noise hides some. */
const MAX_MISSING_P_SHARE = 0.1;
/** From here on the signal between the beats repeats itself as in flutter, unless P waves are proven one by one. */
export const MAX_REPETITION = 0.5;
/** From here on they are not believed. */
export const SURE_REPETITION = 0.85;
/** More intervals with a second P wave are those of a block. */
const MAX_OTHER_P_SHARE = 0.5;
const NO_P_SHARE = 0.4;
/**
 * Of the beats whose waves were marked: with fewer P marks at one distance the atria fibrillate, whatever else repeats
 * itself before QRS; with more they do not.
 */
const NO_MARKED_P_SHARE = 0.25;
const ALL_MARKED_P_SHARE = 0.9;
const MIN_BEATS = 8;
const PAUSE_MS = 2000;
const FIBRILLATION_WINDOW = 12;
const WINDOW_STEP = 3;
const WIDE_QRS_MS = 120;
export const TACHYCARDIA_BPM = 120;
/**
 * An interval this much longer than usual, with no ectopic beat before it, is a dropped beat or a pause, not
 * sinus rhythm.
 */
const MAX_SINUS_RR = 1.5;
const MAX_PATTERN_BEATS = 5;
const PATTERN_CORRELATION = 0.6;
const MIN_RUN = 3;
/** Slower, ventricular beats in a row are no tachycardia. */
export const RUN_BPM = 100;

export type BaseRhythm = 'N' | 'SBR' | 'ST' | 'AFIB' | 'AFL' | 'VT' | 'P' | 'UNK';

const scatterOf = (beats: readonly Beat[]): number =>
  irregularity(
    beats.map((beat) => beat.sample),
    (beat) => beats[beat]?.label !== 'V',
  );

/**
 * Whether the intervals come again in the same order, as in bigeminy, trigeminy or Wenckebach's periods: that
 * is not fibrillation.
 */
function isRepeating(beats: readonly Beat[]): boolean {
  const intervals = beats.slice(1).map((beat, i) => beat.sample - (beats[i] as Beat).sample);
  const middle = mean(intervals) ?? 0;
  const away = intervals.map((interval) => interval - middle);
  const correlationAt = (lag: number): number => {
    let [products, now, earlier] = [0, 0, 0];
    for (let i = lag; i < away.length; i++) {
      const [a, b] = [away[i] as number, away[i - lag] as number];
      products += a * b;
      now += a * a;
      earlier += b * b;
    }
    return now > 0 && earlier > 0 ? products / Math.sqrt(now * earlier) : 0;
  };
  for (let lag = 2; lag <= MAX_PATTERN_BEATS && lag <= away.length / 2; lag++)
    if (correlationAt(lag) >= PATTERN_CORRELATION) return true;
  return false;
}

/** [from, to) of beats that follow each other, with signal and beats of the heart all the way. */
function seriesOf(beats: readonly Beat[], time: TimeBase, arrests: readonly Range[]): [number, number][] {
  const series: [number, number][] = [];
  let from = 0;
  for (let i = 1; i <= beats.length; i++) {
    const [before, now] = [beats[i - 1], beats[i]];
    const goesOn =
      before !== undefined &&
      now !== undefined &&
      !spansGap(time, before.sample, now.sample) &&
      !touches(arrests, before.sample, now.sample);
    if (goesOn) continue;
    series.push([from, i]);
    from = i;
  }
  return series;
}

/**
 * Stretches with irregular intervals between beats that are not ventricular and have no constant P wave
 * before them (analysis reference, 8.2, on windows of 12 beats; the whole where there are fewer than two
 * windows).
 * @param arrests stretches without beats, across which nothing is irregular
 */
export function findAtrialFibrillation(
  beats: readonly Beat[],
  evidence: Pick<PEvidence, 'perBeat'>,
  pMarks: PTrain['perBeat'],
  time: TimeBase,
  arrests: readonly Range[],
): Range[] {
  const found: [number, number][] = [];
  const isShort = beats.length < 2 * FIBRILLATION_WINDOW;
  for (const [first, end] of seriesOf(beats, time, arrests)) {
    const count = end - first;
    const width = isShort ? count : FIBRILLATION_WINDOW;
    for (let start = first; start + width <= end; start += WINDOW_STEP) {
      const window = beats.slice(start, start + width);
      const known = (values: ArrayLike<number>): number[] =>
        Array.from({ length: width }, (_, i) => values[start + i] as number).filter((value) => value >= 0);
      if (!isFibrillating(window, known(evidence.perBeat), known(pMarks), isShort)) continue;
      appendRange(found, [(window[0] as Beat).sample, (window.at(-1) as Beat).sample]);
      if (width === count) break;
    }
  }
  return found;
}

/**
 * @param sameWaves one for each beat that was held against the others, 1 with the same P wave
 * @param pMarks one for each beat whose waves were marked, 1 with a P at the usual distance
 * @param isWhole the window is the whole of a short recording: a few intervals repeat themselves by chance
 */
function isFibrillating(
  window: readonly Beat[],
  sameWaves: readonly number[],
  pMarks: readonly number[],
  isWhole: boolean,
): boolean {
  const least = MIN_BEATS / 2;
  if (window.filter((beat) => beat.label === 'N' || beat.label === 'S').length < MIN_BEATS) return false;
  if (scatterOf(window) <= IRREGULAR) return false;
  const marked = pMarks.length >= least ? mean(pMarks) : undefined;
  if (marked !== undefined && marked >= ALL_MARKED_P_SHARE) return false;
  if (isWhole && marked !== undefined && marked <= NO_MARKED_P_SHARE) return true;
  return sameWaves.length >= least && (mean(sameWaves) ?? 0) < NO_P_SHARE && !isRepeating(window);
}

export interface VentricularRun extends Pause {
  readonly beats: number;
  readonly bpm: number;
}

/**
 * @param samples of its beats, two at least. The rate is that of the middle interval: a beat that was not found
 * must not make a tachycardia slower.
 */
function runOf(samples: readonly number[], sampleRateHz: number): VentricularRun {
  const [startSample, endSample] = [samples[0] as number, samples.at(-1) as number];
  const usual = median(samples.slice(1).map((sample, i) => sample - (samples[i] as number))) as number;
  return {
    startSample,
    endSample,
    durationMs: (1000 * (endSample - startSample)) / sampleRateHz,
    beats: samples.length,
    bpm: Math.round((60 * sampleRateHz) / usual),
  };
}

const FILLING_SHARE = 0.7;

/** Whether a run is the rhythm of what is known of the recording rather than an episode in it. */
export const fillsRecording = ({ durationMs }: VentricularRun, time: TimeBase): boolean =>
  durationMs >= (1000 * FILLING_SHARE * knownSamples(time)) / time.sampleRateHz;

/** What a person drew as ventricular tachycardia, from its first beat to its last. */
export function drawnRuns(
  ranges: readonly Range[],
  beats: readonly Beat[],
  time: TimeBase,
): VentricularRun[] {
  return ranges.flatMap((range) => {
    const within = samplesWithin(
      beats.map(({ sample }) => sample),
      range,
      0,
    );
    return within.length < 2 ? [] : [runOf(within, time.sampleRateHz)];
  });
}

/**
 * Three ventricular beats or more in a row, faster than 100 a minute.
 * @param partsOf what is left of a run where a person drew something else
 */
export function findVentricularRuns(
  beats: readonly Beat[],
  time: TimeBase,
  partsOf: (run: readonly Range[]) => readonly Range[],
): VentricularRun[] {
  const runs: VentricularRun[] = [];
  let first = 0;
  for (let i = 0; i <= beats.length; i++) {
    const isSame =
      i < beats.length &&
      beats[i]?.label === 'V' &&
      (i === first || !spansGap(time, beats[i - 1]?.sample ?? 0, beats[i]?.sample ?? 0));
    if (isSame) continue;
    const samples = beats.slice(first, i).map(({ sample }) => sample);
    const whole: Range = [samples[0] ?? 0, (samples.at(-1) ?? 0) + 1];
    for (const part of samples.length >= MIN_RUN ? partsOf([whole]) : []) {
      const within = samplesWithin(samples, part, 0);
      const run = within.length >= MIN_RUN ? runOf(within, time.sampleRateHz) : undefined;
      if (run !== undefined && run.bpm >= RUN_BPM) runs.push(run);
    }
    first = beats[i]?.label === 'V' ? i : i + 1;
  }
  return runs;
}

export interface RhythmInput {
  readonly time: TimeBase;
  readonly beats: readonly Beat[];
  readonly measurements: Measurements;
  readonly evidence: PEvidence;
  readonly pTrain: PTrain;
  readonly isPTrainProven: boolean;
  readonly qrsMsBySlopes: number | undefined;
  /** How far the signal between the beats repeats itself as flutter does. */
  readonly repetition: number;
  /** Waves of a flutter a minute, where the signal between the beats repeats itself over and over. */
  readonly flutterPerMinute: number | undefined;
  readonly isPaced: boolean;
  readonly fibrillation: readonly Range[];
  readonly runs: readonly VentricularRun[];
  /** Ventricular fibrillation or asystole somewhere. */
  readonly isArrested: boolean;
  /** Noise hides the beats of more than half of the recording: the rhythm of the rest is not its rhythm. */
  readonly isMostlyUnread: boolean;
}

/** Whether a beat stays away somewhere: not behind an ectopic one, where a pause belongs. */
function isBeatDropped(beats: readonly Beat[], time: TimeBase): boolean {
  const intervals = beats.slice(1).map((beat, i) => beat.sample - (beats[i] as Beat).sample);
  const usual = median(intervals) ?? 0;
  return intervals.some((interval, i) => {
    const [before, behind] = [beats[i] as Beat, beats[i + 1] as Beat];
    return (
      before.label === 'N' && interval > MAX_SINUS_RR * usual && !spansGap(time, before.sample, behind.sample)
    );
  });
}

/** By P waves that are held against each other where they are expected, as long as nothing runs on between the beats. */
function isSameBeforeEachBeat({ evidence, repetition }: RhythmInput): boolean {
  const seen = evidence.perBeat.filter((value) => !Number.isNaN(value));
  const missing = seen.filter((value) => value === 0).length;
  return (
    seen.length >= 3 &&
    missing <= Math.max(1, MAX_MISSING_P_SHARE * seen.length) &&
    evidence.coherence >= MIN_COHERENCE &&
    repetition < MAX_REPETITION
  );
}

function isSinusProven(input: RhythmInput): boolean {
  const { beats, time, measurements, pTrain } = input;
  const axis = measurements.pAxisDeg;
  return (
    beats.length >= 3 &&
    (isSameBeforeEachBeat(input) || input.isPTrainProven) &&
    pTrain.otherShare <= MAX_OTHER_P_SHARE &&
    !isBeatDropped(beats, time) &&
    measurements.prMs !== undefined &&
    (axis === undefined || (axis >= -30 && axis <= 100))
  );
}

/** Few of its beats have a P mark at one distance. */
const hasFewP = ({ perBeat }: PTrain, most: number, least: number): boolean => {
  const known = perBeat.filter((value) => value >= 0);
  return known.length >= least && (mean(known) ?? 1) <= most;
};

/** Of wide beats, P on T repeats itself too, and the network does not mark it. */
function isFlutterProven({
  flutterPerMinute,
  pTrain,
  measurements: { qrsMs },
  isArrested,
}: RhythmInput): boolean {
  return (
    flutterPerMinute !== undefined &&
    !isArrested &&
    qrsMs !== undefined &&
    qrsMs < WIDE_QRS_MS &&
    hasFewP(pTrain, NO_MARKED_P_SHARE, MIN_BEATS)
  );
}

/** By its rate. */
export const sinusRhythm = (rateBpm: number): BaseRhythm =>
  rateBpm > 100 ? 'ST' : rateBpm < 60 ? 'SBR' : 'N';

export function baseRhythm(input: RhythmInput): BaseRhythm {
  const { fibrillation, measurements, time } = input;
  const rate = measurements.heartRateBpm;
  if (input.isMostlyUnread) return 'UNK';
  if (input.isPaced) return 'P';
  if (!input.isArrested && input.runs.some((run) => run.bpm >= TACHYCARDIA_BPM && fillsRecording(run, time)))
    return 'VT';
  if (isFlutterProven(input)) return 'AFL';
  const fibrillating = lengthOf(fibrillation);
  if (!input.isArrested && fibrillating > 0 && fibrillating >= 0.5 * knownSamples(time)) return 'AFIB';
  if (rate === undefined || input.isArrested || fibrillating > 0) return 'UNK';
  // The wider one of two measures, and where neither can be had: wide beats must not pass for narrow ones.
  const widest = Math.max(measurements.qrsMs ?? 0, input.qrsMsBySlopes ?? 0);
  const isWide = widest >= WIDE_QRS_MS;
  const isWidthKnown = measurements.qrsMs !== undefined || (widest > 0 && !isWide);
  if (isSinusProven(input) && (rate < TACHYCARDIA_BPM || isWidthKnown)) return sinusRhythm(rate);
  return isWide && rate >= TACHYCARDIA_BPM && scatterOf(input.beats) <= IRREGULAR ? 'VT' : 'UNK';
}

export interface Pause {
  readonly startSample: number;
  readonly endSample: number;
  readonly durationMs: number;
}

/**
 * R-R above 2 s with signal all the way: a gap in the recording is no pause of the heart, and neither is
 * fibrillation.
 */
export function findPauses(beats: readonly Beat[], time: TimeBase, arrests: readonly Range[]): Pause[] {
  const pauses: Pause[] = [];
  for (let i = 1; i < beats.length; i++) {
    const startSample = (beats[i - 1] as Beat).sample;
    const endSample = (beats[i] as Beat).sample;
    const durationMs = (1000 * (endSample - startSample)) / time.sampleRateHz;
    if (durationMs <= PAUSE_MS || arrests.some(([start, end]) => start < endSample && end > startSample))
      continue;
    if (!spansGap(time, startSample, endSample)) pauses.push({ startSample, endSample, durationMs });
  }
  return pauses;
}

export interface Episodes {
  readonly pauses: readonly Range[];
  readonly fibrillation: readonly Range[];
  readonly ventricularFibrillation: readonly Range[];
  readonly asystole: readonly Range[];
  /** Where noise hides the beats. */
  readonly unread: readonly Range[];
  readonly runs: readonly Range[];
}

/** The base rhythm over all that was read, and over it what is otherwise, in the order of its beginning. */
export function rhythmSegments(base: BaseRhythm, episodes: Episodes, sampleCount: number): RhythmSegment[] {
  const segments = (code: string, ranges: readonly Range[]): RhythmSegment[] =>
    ranges.map(([startSample, endSample]) => ({ startSample, endSample, code }));
  const others = [
    ...(base === 'AFIB' || base === 'AFL' ? [] : segments('AFIB', episodes.fibrillation)),
    ...segments('VT', episodes.runs),
    ...segments('VF', episodes.ventricularFibrillation),
    ...segments('ASYS', episodes.asystole),
    ...segments('PAUSE', episodes.pauses),
    ...segments('UNK', episodes.unread),
  ].sort((a, b) => a.startSample - b.startSample);
  return [...segments(base, outside([0, sampleCount], episodes.unread)), ...others];
}
