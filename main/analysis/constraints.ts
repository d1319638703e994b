// What a person has corrected or marked in a recording. The analysis takes it as given and recomputes the rest.

import { type Beat, type BeatLabel, FIRST_REST_FAMILY } from '../../shared/analysis-result.ts';
import type { Constraints, StatedBeat, StatedShape } from '../../shared/review/constraints.ts';
import type { DrawnCode, JudgedCode, MarkName } from '../../shared/review/corrections.ts';
import { firstFrom } from '../../shared/signal/first-from.ts';
import { type BaseRhythm, sinusRhythm } from './rhythm/base-rhythm.ts';
import { joinRanges, outside, type Range } from './signal/time-base.ts';
import type { Marks } from './waves/median-marks.ts';

/** A beat that is found as near as this is the one that a person speaks of: no second one can follow so soon. */
const SAME_BEAT_SECONDS = 0.15;

const isNear = (a: number, b: number, sampleRateHz: number): boolean =>
  Math.abs(a - b) <= SAME_BEAT_SECONDS * sampleRateHz;

/** @param found beats of [start, end), in order @returns those that are left and those that a person stated */
export function constrainBeats(
  found: readonly number[],
  { beats = [], noBeats = [] }: Constraints,
  [start, end]: Range,
  sampleRateHz: number,
): number[] {
  // Two that a person stated so near to each other are one.
  const stated: number[] = [];
  for (const { sample } of beats)
    if (!isNear(stated.at(-1) ?? Number.NEGATIVE_INFINITY, sample, sampleRateHz)) stated.push(sample);
  const isNearby = (sample: number): boolean => sample >= start - sampleRateHz && sample < end + sampleRateHz;
  const denied = [...stated, ...noBeats].filter(isNearby);
  return [
    ...found.filter((sample) => !denied.some((place) => isNear(place, sample, sampleRateHz))),
    ...stated.filter((sample) => sample >= start && sample < end),
  ].sort((a, b) => a - b);
}

/** Sets the classes that a person stated. @param samples of all beats, in order @param alike all beats of the shape of one */
export function constrainLabels(
  samples: readonly number[],
  { beats = [], shapes = [] }: Constraints,
  sampleRateHz: number,
  alike: (beat: number) => readonly number[],
  set: (beat: number, label: BeatLabel) => void,
): void {
  for (const { sample, label } of shapes) {
    const beat = beatNear(samples, sample, sampleRateHz);
    if (beat !== undefined) for (const member of alike(beat)) set(member, label);
  }
  for (const { sample, label } of beats) {
    const beat = firstFrom(samples, sample);
    if (label !== undefined && samples[beat] === sample) set(beat, label);
  }
}

/** The index of the beat that is meant by a place. */
function beatNear(samples: readonly number[], sample: number, sampleRateHz: number): number | undefined {
  const beat = firstFrom(samples, sample - SAME_BEAT_SECONDS * sampleRateHz);
  return beat < samples.length && isNear(samples[beat] as number, sample, sampleRateHz) ? beat : undefined;
}

/**
 * What a person said of families, said of each of their beats: they are those that the person saw, whatever is found now. A beat
 * that has a class of its own keeps it; of what comes once or twice, nobody means all, but those of one shape.
 * @param seen the beats of the result in which they were seen @param isApproved it was said before that result, which has it
 */
export function withFamiliesNamed(
  constraints: Constraints,
  seen: readonly Beat[],
  sampleRateHz: number,
  isApproved: (shape: StatedShape) => boolean = () => false,
): Constraints {
  const { beats = [], noBeats = [] } = constraints;
  const shapes = (constraints.shapes ?? []).filter((shape) => !isApproved(shape));
  if (!(constraints.shapes ?? []).some(({ isFamily }) => isFamily)) return constraints;
  const samples = seen.map(({ sample }) => sample);
  const isDenied = (sample: number): boolean => noBeats.some((place) => isNear(place, sample, sampleRateHz));
  // What was approved of families stands in what was seen, beat by beat.
  const labels = new Map<number, StatedBeat>(
    shapes.length === (constraints.shapes ?? []).length
      ? []
      : seen
          .filter(({ reason, sample }) => reason === 'person' && !isDenied(sample))
          .map(({ sample, label }) => [sample, { sample, label }]),
  );
  const kept: StatedShape[] = [];
  for (const { isFamily = false, ...shape } of shapes) {
    const beat = isFamily ? beatNear(samples, shape.sample, sampleRateHz) : undefined;
    const family = beat === undefined ? undefined : seen[beat]?.family;
    if (family === undefined || family >= FIRST_REST_FAMILY) kept.push(shape);
    else
      for (const each of seen)
        if (each.family === family && !isDenied(each.sample))
          labels.set(each.sample, { sample: each.sample, label: shape.label });
  }
  for (const stated of beats)
    if (stated.label !== undefined || !labels.has(stated.sample)) labels.set(stated.sample, stated);
  const { shapes: _shapes, beats: _beats, ...rest } = constraints;
  return {
    ...rest,
    beats: [...labels.values()].sort((a, b) => a.sample - b.sample),
    ...(kept.length > 0 && { shapes: kept }),
  };
}

/** Not AF or pacing: these go on around arrests and runs, and do not say that there are none. */
const REPLACES_ALL: ReadonlySet<DrawnCode> = new Set(['N', 'VT', 'VF', 'ASYS', 'UNK']);

/**
 * The parts of some ranges that lie outside of drawn episodes.
 * @param isReplaced by which kinds of episodes; by default those that leave room for nothing else
 */
export function outsideDrawn(
  found: readonly Range[],
  constraints: Constraints,
  isReplaced: (code: DrawnCode) => boolean = (code) => REPLACES_ALL.has(code),
): Range[] {
  const episodes = (constraints.episodes ?? []).filter(({ code }) => isReplaced(code));
  return found.flatMap(([start, end]) => {
    const left: Range[] = [];
    let from = start;
    for (const { startSample, endSample } of episodes) {
      if (endSample <= from || startSample >= end) continue;
      if (startSample > from) left.push([from, startSample]);
      from = endSample;
    }
    return from < end ? [...left, [from, end] as const] : left;
  });
}

export const drawnRanges = ({ episodes = [] }: Constraints, code: DrawnCode): Range[] =>
  episodes
    .filter((episode) => episode.code === code)
    .map(({ startSample, endSample }) => [startSample, endSample]);

/** Where a person looked at an episode and saw none. */
export const rejectedRanges = (
  { rejectedEpisodes = [] }: Constraints,
  ...codes: readonly (DrawnCode | JudgedCode)[]
): Range[] =>
  joinRanges(
    rejectedEpisodes
      .filter((episode) => codes.includes(episode.code))
      .map(({ startSample, endSample }) => [startSample, endSample]),
  );

/** What was found of a rhythm, and what a person drew of it. Another base rhythm takes the place of a base rhythm. */
export function constrainRanges(found: readonly Range[], constraints: Constraints, code: DrawnCode): Range[] {
  const left =
    code === 'AFIB' ? outsideDrawn(found, constraints, () => true) : outsideDrawn(found, constraints);
  return withoutRejected(joinRanges([...left, ...drawnRanges(constraints, code)]), constraints, code);
}

/** What is left of ranges of a kind where a person looked at them and saw none. */
export const withoutRejected = (
  ranges: readonly Range[],
  constraints: Constraints,
  code: DrawnCode | JudgedCode,
): Range[] => {
  // The last beat belongs to an episode.
  const rejected = rejectedRanges(constraints, code).map(([start, end]): Range => [start, end + 1]);
  return rejected.length === 0 ? [...ranges] : ranges.flatMap((range) => outside(range, rejected));
};

const BASE_OF: Partial<Record<DrawnCode, BaseRhythm>> = {
  N: 'N',
  AFIB: 'AFIB',
  VT: 'VT',
  P: 'P',
  UNK: 'UNK',
};

interface DrawnOver {
  readonly sampleCount: number;
  readonly rateBpm: number | undefined;
  readonly isArrested: boolean;
}

/** The rhythm that a person drew over at least half of the recording. A sinus rhythm is named by its rate. */
export function drawnBase(
  { episodes = [] }: Constraints,
  { sampleCount, rateBpm, isArrested }: DrawnOver,
): BaseRhythm | undefined {
  for (const [code, drawn] of Map.groupBy(episodes, (episode) => episode.code)) {
    const length = drawn.reduce((sum, { startSample, endSample }) => sum + endSample - startSample, 0);
    const base = BASE_OF[code];
    if (base === undefined || length < sampleCount / 2) continue;
    if (base !== 'N') return base;
    // Beside an arrest, sinus rhythm is not the rhythm of the recording.
    if (isArrested) return 'UNK';
    return rateBpm === undefined ? 'N' : sinusRhythm(rateBpm);
  }
  return undefined;
}

/** @param fiducial R in samples of the median beat */
export function constrainMarks(
  marks: Marks,
  { marksMs = {} }: Constraints,
  fiducial: number,
  sampleRateHz: number,
): Marks {
  const stated: { -readonly [K in keyof Marks]: Marks[K] } = { ...marks };
  for (const [name, ms] of Object.entries(marksMs) as [MarkName, number | null][])
    if (ms === null) delete stated[name];
    else stated[name] = fiducial + (ms / 1000) * sampleRateHz;
  if (typeof marksMs.tEnd === 'number') stated.isTTrusted = true;
  if (marksMs.pOffset !== undefined) delete stated.pOffsetOfMost;
  if (typeof marksMs.pOnset === 'number') stated.isPStated = true;
  return stated;
}
