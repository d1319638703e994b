// What a person has laid down about a recording; the analysis takes it as given and works out the rest anew.
// Everything is said by place, never by a number that an analysis gave, so that it holds for the next version, too.

import type { BeatLabel } from '../../shared/analysis-result.ts';
import type { Marks } from './delineation.ts';
import type { BaseRhythm } from './rhythm.ts';
import { joinRanges, type Range } from './time-base.ts';

export interface StatedBeat {
  readonly sample: number;
  /** Its class; that of the analysis where left out. */
  readonly label?: BeatLabel;
}

export type EpisodeCode = 'N' | 'AFIB' | 'VT' | 'VF' | 'ASYS' | 'P' | 'UNK';

export interface DrawnEpisode {
  readonly startSample: number;
  readonly endSample: number;
  readonly code: EpisodeCode;
}

export type MarkName = Exclude<keyof Marks, 'isTTrusted' | 'isPStated'>;

export interface Constraints {
  /** There is a beat, and here is its R: confirmed, moved here, or added. In order. */
  readonly beats?: readonly StatedBeat[];
  /** Here is none: removed, or moved away. */
  readonly noBeats?: readonly number[];
  /** All beats with the shape of the one at this place have this class. */
  readonly shapes?: readonly Required<StatedBeat>[];
  /** Marks of the median beat in milliseconds from R; null: there is none. */
  readonly marksMs?: Readonly<Partial<Record<MarkName, number | null>>>;
  /** Rhythms of stretches, in order, none over another; what was found there gives way. */
  readonly episodes?: readonly DrawnEpisode[];
}

export const NO_CONSTRAINTS: Constraints = {};

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
  const stated = beats.map(({ sample }) => sample);
  const denied = [...stated, ...noBeats];
  return [
    ...found.filter((sample) => !denied.some((place) => isNear(place, sample, sampleRateHz))),
    ...stated.filter((sample) => sample >= start && sample < end),
  ].sort((a, b) => a - b);
}

/** Sets the classes that a person stated. @param shapeOf all beats with the shape of one */
export function constrainLabels(
  samples: readonly number[],
  { beats = [], shapes = [] }: Constraints,
  sampleRateHz: number,
  shapeOf: (beat: number) => readonly number[],
  set: (beat: number, label: BeatLabel) => void,
): void {
  for (const { sample, label } of shapes) {
    const beat = samples.findIndex((other) => isNear(other, sample, sampleRateHz));
    if (beat >= 0) for (const member of shapeOf(beat)) set(member, label);
  }
  for (const { sample, label } of beats) {
    const beat = samples.indexOf(sample);
    if (label !== undefined && beat >= 0) set(beat, label);
  }
}

/** A base rhythm goes on beside arrests and runs; drawn over them it does not say that there are none. */
const REPLACES_ALL: ReadonlySet<EpisodeCode> = new Set(['N', 'VT', 'VF', 'ASYS', 'UNK']);

/**
 * The parts of some ranges that lie outside of drawn episodes.
 * @param isReplaced by which kinds of episodes; by default those that leave room for nothing else
 */
export function outsideDrawn(
  found: readonly Range[],
  constraints: Constraints,
  isReplaced: (code: EpisodeCode) => boolean = (code) => REPLACES_ALL.has(code),
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

export const drawnRanges = ({ episodes = [] }: Constraints, code: EpisodeCode): Range[] =>
  episodes
    .filter((episode) => episode.code === code)
    .map(({ startSample, endSample }) => [startSample, endSample]);

/** What was found of a rhythm, and what a person drew of it. Another base rhythm takes the place of a base rhythm. */
export function constrainRanges(
  found: readonly Range[],
  constraints: Constraints,
  code: EpisodeCode,
): Range[] {
  const left =
    code === 'AFIB' ? outsideDrawn(found, constraints, () => true) : outsideDrawn(found, constraints);
  return joinRanges([...left, ...drawnRanges(constraints, code)]);
}

const BASE_OF: Partial<Record<EpisodeCode, BaseRhythm>> = {
  N: 'N',
  AFIB: 'AFIB',
  VT: 'VT',
  P: 'P',
  UNK: 'UNK',
};

/** The rhythm that a person drew over at least half of the recording. A sinus rhythm is named by its rate. */
export function drawnBase(
  { episodes = [] }: Constraints,
  sampleCount: number,
  rateBpm: number | undefined,
): BaseRhythm | undefined {
  const lengths = Map.groupBy(episodes, ({ code }) => code);
  for (const [code, drawn] of lengths) {
    const length = drawn.reduce((sum, { startSample, endSample }) => sum + endSample - startSample, 0);
    const base = BASE_OF[code];
    if (base === undefined || length < sampleCount / 2) continue;
    if (base !== 'N' || rateBpm === undefined) return base;
    return rateBpm > 100 ? 'ST' : rateBpm < 60 ? 'SBR' : 'N';
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
  const entries = Object.entries(marksMs) as [MarkName, number | null][];
  const set = entries.filter((entry): entry is [MarkName, number] => entry[1] !== null);
  const kept = Object.entries(marks).filter(([name]) => marksMs[name as MarkName] !== null);
  return {
    ...(Object.fromEntries(kept) as unknown as Marks),
    ...Object.fromEntries(set.map(([name, ms]) => [name, fiducial + (ms / 1000) * sampleRateHz])),
    ...(typeof marksMs.tEnd === 'number' && { isTTrusted: true }),
    ...(typeof marksMs.pOnset === 'number' && { isPStated: true }),
  };
}
