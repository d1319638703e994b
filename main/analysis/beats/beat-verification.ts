// Second look at what the detector found, when all of it is known: an extra beat inside an interval that its
// neighbours keep whole, and unlike them, is none; a candidate of the usual shape where a beat is due is one.
// Analysis reference, 4.2, steps 5 and 6.

import { firstFrom } from '../../../shared/signal/first-from.ts';
import { median } from '../../../shared/signal/statistics.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';
import { dot } from '../signal/sample-rows.ts';
import { type BeatShapes, cutShapes, type Stretch, shapeCorrelation, typicalSizes } from './beat-shape.ts';
import { type Pace, paceOf, SCATTERED } from './beat-timing.ts';
import type { DetectedBeat } from './detected-beat.ts';

const BAND = { lowHz: 3, highHz: 35, beforeMs: 80, afterMs: 80 };
const STRETCH: Stretch = { fromMs: -80, toMs: 80 };
const MOST_SHIFT = 3;
const NEIGHBOURS = 12;
const BEST_OF = 4;
const RR_NEIGHBOURS = 35;
const GOOD_LIKENESS = 0.8;
const ROUNDS = 8;
/** Stronger than any suspicion by size and place. */
const SURELY_NONE = 3;

interface Judged {
  readonly beat: DetectedBeat;
  readonly row: Float32Array;
  /** The energy of the row. */
  readonly energy: number;
}

/** Mean of the four best correlations with the neighbours. */
function likenessAt(shapes: BeatShapes, beats: readonly Judged[], i: number, row: Float32Array): number {
  const found: number[] = [];
  for (let k = Math.max(0, i - NEIGHBOURS); k <= Math.min(beats.length - 1, i + NEIGHBOURS); k++)
    if ((beats[k] as Judged).row !== row)
      found.push(shapeCorrelation(shapes, row, (beats[k] as Judged).row, STRETCH, MOST_SHIFT));
  found.sort((a, b) => b - a);
  const used = found.slice(0, BEST_OF);
  return used.length === 0 ? 0 : used.reduce((sum, value) => sum + value, 0) / used.length;
}

const heightAround = (beats: readonly Judged[], i: number): number =>
  median(beats.slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS + 1).map(({ beat }) => beat.height)) ?? 1;

/** The pace around a beat: of the beats of the usual shape, where there are some. */
function paceAround(samples: readonly number[], good: readonly boolean[], i: number): Pace {
  const from = Math.max(0, i - RR_NEIGHBOURS) + 1;
  const to = Math.min(samples.length - 1, i + RR_NEIGHBOURS) + 1;
  const ofGood = paceOf(samples, (beat) => good[beat] === true, from, to);
  return ofGood.usual === undefined ? paceOf(samples, () => true, from, to) : ofGood;
}

/** How noisy it is at a place, against half a minute around. */
function noiseFactor(fused: Float32Array, sample: number, fs: number): number {
  const of = (seconds: number, step: number): number => {
    const values: number[] = [];
    const to = Math.min(fused.length - 1, sample + seconds * fs);
    for (let k = Math.max(0, Math.round(sample - seconds * fs)); k <= to; k += step)
      values.push(fused[k] as number);
    return median(values) ?? 0;
  };
  return of(0.625, 4) / Math.max(1e-6, of(15, 16));
}

interface Evidence {
  /** Intervals before and behind, in usual ones. */
  readonly before: number;
  readonly behind: number;
  /** Height against that of the neighbours. */
  readonly amplitude: number;
  readonly like: number;
  readonly noise: () => number;
  readonly scatter: number;
}

/** Strength of the suspicion that a beat is none; 0 where there is no reason. */
function suspicion({ before, behind, amplitude, like, noise, scatter }: Evidence): number {
  const score = Math.max(like, 0) + 0.5 * Math.min(amplitude, 1.6);
  const sum = before + behind;
  const least = Math.min(before, behind);
  // Early and followed by a compensatory pause, it is a premature beat, however small.
  const isCompensated = before < 0.85 && Math.abs(sum - 2) < 0.2;
  if (amplitude < 0.3 && like < 0.7 && !isCompensated) return 2 - score;
  // Where every interval differs from the next, two short ones prove nothing.
  if (scatter > SCATTERED) return least < 0.35 && like < 0.5 ? 2 - score : 0;
  if (sum >= 1.2 && !(least < 0.5 && sum < 1.6)) return 0;
  const isNoisy = noise() > 1.8;
  // Tall, or tall enough in a quiet place, it is an interpolated beat rather than none.
  const isTall = amplitude > 1.3 || (amplitude > 0.85 && !isNoisy);
  if (sum < 1.15 && score < (isTall ? 0.8 : 1.2)) return 2 - score;
  if (sum < 1.2 && score < (isNoisy && !isTall ? 1.0 : 0.9)) return 2 - score;
  if (least < 0.5 && sum < 1.6 && score < (isNoisy ? 0.85 : 0.7)) return 2 - score;
  return 0;
}

const INTERPOLATED_HEIGHT = 0.5;
const INTERPOLATED_SIZE = 0.9;

/** Whether the beat behind the first one of a gap is as large as others in a still place: then it is one, though early. */
function isInterpolated(gap: Gap): boolean {
  const { shapes, beats, i } = gap;
  const judged = beats[i + 1] as Judged;
  return (
    shapes.leadCount >= LEADS_FOR_WIDE &&
    judged.beat.height >= INTERPOLATED_HEIGHT &&
    sizeAgainst(beats, i + 1, judged) >= INTERPOLATED_SIZE &&
    isQuietAround({ ...gap, beats: beats.toSpliced(i + 1, 1) }, judged)
  );
}

/** A P wave is lower than this part of a QRS, and stands this near, in usual intervals, to where those before and behind make it due. */
const P_HEIGHT = 0.5;
const P_DUE = 0.08;
const P_LIKENESS = 0.8;
/** In usual intervals from it; noise may hide some. */
const P_PLACES = [-2, -1, 1, 2] as const;
const LEAST_PLACES = 2;

/** All that stands out of the line, beats or not, in order. */
interface Candidates {
  readonly judged: readonly Judged[];
  readonly samples: readonly number[];
}

interface Neighbourhood {
  readonly shapes: BeatShapes;
  readonly beats: readonly Judged[];
  readonly all: Candidates;
}

/**
 * A low beat is a P wave if something that looks the same, and is no beat, stands at two of the places one or two usual intervals before
 * and behind it: this P has no beat of its own, as in a block. Its place alone would make it a premature beat with a compensatory pause.
 */
function isBlockedP(
  { shapes, beats, all }: Neighbourhood,
  i: number,
  { beat, row }: Judged,
  usual: number,
): boolean {
  if (beat.height >= P_HEIGHT * heightAround(beats, i)) return false;
  const around = new Set(
    beats.slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS + 1).map((one) => one.beat.sample),
  );
  const isThere = (due: number): boolean => {
    const near = all.judged.slice(
      firstFrom(all.samples, due - P_DUE * usual),
      firstFrom(all.samples, due + P_DUE * usual),
    );
    return near.some(
      (other) =>
        !around.has(other.beat.sample) &&
        shapeCorrelation(shapes, row, other.row, STRETCH, MOST_SHIFT) >= P_LIKENESS,
    );
  };
  return P_PLACES.filter((intervals) => isThere(beat.sample + intervals * usual)).length >= LEAST_PLACES;
}

interface Kept {
  readonly beats: readonly Judged[];
  /** One a beat: it is like its neighbours. */
  readonly good: readonly boolean[];
}

function removeExtra(
  shapes: BeatShapes,
  all: Candidates,
  start: readonly Judged[],
  fused: Float32Array,
  fs: number,
): Kept {
  let beats = [...start];
  let like = beats.map(({ row }, i) => likenessAt(shapes, beats, i, row));
  const areGood = (): boolean[] => like.map((value) => value > GOOD_LIKENESS);
  for (let round = 0; round < ROUNDS; round++) {
    const good = areGood();
    const samples = beats.map(({ beat }) => beat.sample);
    const doubt = beats.map(({ beat }, i) => {
      const { usual = 0, scatter } = paceAround(samples, good, i);
      if (i === 0 || i === beats.length - 1 || usual <= 0) return 0;
      if (isBlockedP({ shapes, beats, all }, i, beats[i] as Judged, usual)) return SURELY_NONE;
      const strength = suspicion({
        before: (beat.sample - (beats[i - 1] as Judged).beat.sample) / usual,
        behind: ((beats[i + 1] as Judged).beat.sample - beat.sample) / usual,
        amplitude: beat.height / heightAround(beats, i),
        like: like[i] as number,
        noise: () => noiseFactor(fused, beat.sample, fs),
        scatter,
      });
      // Most beats are above suspicion, so that few places have to be looked at.
      return strength > 0 && isInterpolated({ shapes, beats, all, i: i - 1, between: [], fused, fs })
        ? 0
        : strength;
    });
    const isKept = doubt.map(
      (own, i) => own === 0 || own < (doubt[i - 1] ?? 0) || own <= (doubt[i + 1] ?? 0),
    );
    if (!isKept.includes(false)) return { beats, good };
    // A likeness stays valid where no neighbour was removed.
    const known = like.map((own, i) =>
      isKept.slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS + 1).includes(false) ? undefined : own,
    );
    beats = beats.filter((_, i) => isKept[i]);
    like = known
      .filter((_, i) => isKept[i])
      .map((own, i) => own ?? likenessAt(shapes, beats, i, (beats[i] as Judged).row));
  }
  return { beats, good: areGood() };
}

const LONG = 1.5;
const MIN_HEIGHT = 0.08;
const MIN_LIKENESS = 0.7;
const CLEARANCE_SECONDS = 0.36;
const CLEARANCE = 0.6;
/**
 * A wide beat is low in the detector's band, but between 3 and 35 Hz it is larger than its neighbours. On one or two
 * leads, so is a burst of noise.
 */
const WIDE_SIZE = 1.2;
const LEADS_FOR_WIDE = 3;
const WIDE_CLEARANCE_SECONDS = 0.25;
const MOST_LARGE = 1 / 3;
/** What is quiet, as a share of the height of a typical beat. */
const QUIET = 0.1;

/** The size of a shape relative to the beats around it. */
function sizeAgainst(beats: readonly Judged[], i: number, { energy }: Judged): number {
  const around = beats.slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS + 1);
  const usual = median(around.map((one) => one.energy)) ?? 0;
  return usual > 0 ? Math.sqrt(energy / usual) : 0;
}

interface Gap {
  readonly shapes: BeatShapes;
  readonly beats: readonly Judged[];
  /** Index of the beat before it. */
  readonly i: number;
  readonly all: Candidates;
  /** What the detector left out between this beat and the next. */
  readonly between: readonly Judged[];
  readonly fused: Float32Array;
  readonly fs: number;
}

const isClear = ({ beats, i }: Gap, { beat }: Judged, clearance: number): boolean =>
  beat.sample - (beats[i] as Judged).beat.sample >= clearance &&
  (beats[i + 1] as Judged).beat.sample - beat.sample >= clearance;

/** A beat of the usual shape, where one is due. */
function usualBeatIn(gap: Gap, usual: number): Judged | undefined {
  const clearance = Math.max(CLEARANCE_SECONDS * gap.fs, CLEARANCE * usual);
  let best: Judged | undefined;
  let bestLike = MIN_LIKENESS;
  for (const candidate of gap.between) {
    if (candidate.beat.height < MIN_HEIGHT || !isClear(gap, candidate, clearance)) continue;
    if (isBlockedP(gap, gap.i, candidate, usual)) continue;
    const like = likenessAt(gap.shapes, gap.beats, gap.i, candidate.row);
    if (like > bestLike) [best, bestLike] = [candidate, like];
  }
  return best;
}

/** On both sides of a beat: QRS and the beginning of T. */
const BEAT_SECONDS = 0.14;

/** Whether the signal is still before and after a beat. */
function isQuietAround({ fused, fs, beats, i }: Gap, { beat }: Judged): boolean {
  const own = [(beats[i] as Judged).beat.sample, beat.sample, (beats[i + 1] as Judged).beat.sample];
  const values: number[] = [];
  for (let k = own[0] as number; k <= (own[2] as number); k++)
    if (own.every((sample) => Math.abs(k - sample) > BEAT_SECONDS * fs)) values.push(fused[k] as number);
  return (median(values) ?? 1) < QUIET;
}

/** Anything as large as a wide beat. */
const largeIn = (gap: Gap): Judged | undefined =>
  gap.between.find(
    (candidate) =>
      candidate.beat.height >= MIN_HEIGHT &&
      isClear(gap, candidate, WIDE_CLEARANCE_SECONDS * gap.fs) &&
      sizeAgainst(gap.beats, gap.i, candidate) >= WIDE_SIZE,
  );

/**
 * Wide beats in still places, even where none is due, by the index of the beat before them. What follows one beat in
 * three or more is T.
 */
function wideBeats(gaps: readonly Gap[]): Map<number, Judged> {
  const large = gaps.map((gap) => (gap.shapes.leadCount < LEADS_FOR_WIDE ? undefined : largeIn(gap)));
  return new Map(
    gaps.flatMap((gap, k): [number, Judged][] => {
      const candidate = large[k];
      if (candidate === undefined || !isQuietAround(gap, candidate)) return [];
      const around = large.slice(Math.max(0, k - NEIGHBOURS), k + NEIGHBOURS + 1);
      const share = around.filter((other) => other !== undefined).length / around.length;
      return share <= MOST_LARGE ? [[gap.i, candidate]] : [];
    }),
  );
}

/** What the detector left out between each beat and the next. */
function gapsBetween(
  shapes: BeatShapes,
  beats: readonly Judged[],
  all: Candidates,
  fused: Float32Array,
  fs: number,
): Gap[] {
  const candidates = all.judged;
  let next = 0;
  return beats.slice(0, -1).map((judged, i) => {
    const behind = (beats[i + 1] as Judged).beat.sample;
    while (next < candidates.length && (candidates[next] as Judged).beat.sample <= judged.beat.sample) next++;
    const between: Judged[] = [];
    for (let k = next; (candidates[k]?.beat.sample ?? Number.POSITIVE_INFINITY) < behind; k++)
      between.push(candidates[k] as Judged);
    return { shapes, beats, all, i, between, fused, fs };
  });
}

function addMissed({ beats, good }: Kept, gaps: readonly Gap[]): Judged[] {
  const samples = beats.map(({ beat }) => beat.sample);
  const wide = wideBeats(gaps);
  return beats.flatMap((judged, i) => {
    const gap = gaps[i];
    if (gap === undefined || gap.between.length === 0) return [judged];
    const { usual = 0 } = paceAround(samples, good, i);
    const isLong = usual > 0 && (samples[i + 1] as number) - judged.beat.sample > LONG * usual;
    const added = (isLong ? usualBeatIn(gap, usual) : undefined) ?? wide.get(i);
    return added === undefined ? [judged] : [judged, added];
  });
}

/**
 * @param candidates all maxima of the fused envelope
 * @param fused 1 at a typical beat
 * @param weights how much each lead says
 * @returns the beats, and the typical size of a QRS in each lead where there are enough of them
 */
export function verifyBeats(
  set: CoarseSet,
  beats: readonly DetectedBeat[],
  candidates: readonly DetectedBeat[],
  fused: Float32Array,
  weights: readonly number[],
): { beats: DetectedBeat[]; sizes: number[] | undefined } {
  if (beats.length < BEST_OF + 1) return { beats: [...beats], sizes: undefined };
  const known = new Map(beats.map((beat) => [beat.sample, beat]));
  const places = [
    ...new Map([...candidates, ...known.values()].map((beat) => [beat.sample, beat])).values(),
  ].sort((a, b) => a.sample - b.sample);
  const shapes = cutShapes(
    set,
    places.map(({ sample }) => sample),
    { ...BAND, weights },
  );
  const judged = places.map((beat, i): Judged => {
    const row = shapes.rows[i] as Float32Array;
    return { beat, row, energy: dot(row, row) };
  });
  const all = { judged, samples: places.map(({ sample }) => sample) };
  const first = removeExtra(
    shapes,
    all,
    judged.filter(({ beat }) => known.has(beat.sample)),
    fused,
    set.sampleRateHz,
  );
  const verified = addMissed(first, gapsBetween(shapes, first.beats, all, fused, set.sampleRateHz));
  return {
    beats: verified.map(({ beat }) => beat),
    sizes: typicalSizes(
      shapes,
      verified.map(({ row }) => row),
    ),
  };
}
