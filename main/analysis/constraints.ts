// What a person has corrected or marked in a recording. The analysis takes it as given and recomputes the rest.

import type { BeatLabel } from '../../shared/analysis-result.ts';
import type { Constraints } from '../../shared/review/constraints.ts';
import type { DrawnCode, JudgedCode, MarkName } from '../../shared/review/corrections.ts';
import { firstFrom } from '../../shared/signal/first-from.ts';
import { type BaseRhythm, sinusRhythm } from './rhythm/base-rhythm.ts';
import { joinRanges, type Range } from './signal/time-base.ts';
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

/** Sets the classes that a person stated. @param samples of all beats, in order @param alike all beats like one: of its shape, or of its family */
export function constrainLabels(
  samples: readonly number[],
  { beats = [], shapes = [] }: Constraints,
  sampleRateHz: number,
  alike: (beat: number, isFamily: boolean) => readonly number[],
  set: (beat: number, label: BeatLabel) => void,
): void {
  for (const { sample, label, isFamily = false } of shapes) {
    const beat = firstFrom(samples, sample - SAME_BEAT_SECONDS * sampleRateHz);
    if (beat < samples.length && isNear(samples[beat] as number, sample, sampleRateHz))
      for (const member of alike(beat, isFamily)) set(member, label);
  }
  for (const { sample, label } of beats) {
    const beat = firstFrom(samples, sample);
    if (label !== undefined && samples[beat] === sample) set(beat, label);
  }
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
export const rejectedRanges = ({ rejectedEpisodes = [] }: Constraints, code: JudgedCode): Range[] =>
  rejectedEpisodes
    .filter((episode) => episode.code === code)
    .map(({ startSample, endSample }) => [startSample, endSample]);

/** What was found of a rhythm, and what a person drew of it. Another base rhythm takes the place of a base rhythm. */
export function constrainRanges(found: readonly Range[], constraints: Constraints, code: DrawnCode): Range[] {
  const left =
    code === 'AFIB' ? outsideDrawn(found, constraints, () => true) : outsideDrawn(found, constraints);
  return joinRanges([...left, ...drawnRanges(constraints, code)]);
}

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
