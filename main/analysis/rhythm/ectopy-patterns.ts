// Patterns that ectopic ventricular beats make with the others. Analysis reference, section 8.5.

import type { Beat } from '../../../shared/analysis-result.ts';
import { type Range, spansGap, type TimeBase } from '../signal/time-base.ts';

/** One letter a beat: V, N for whatever is conducted, Q for what has no class; | where samples are missing. */
interface BeatLetters {
  readonly text: string;
  /** The beat of each letter. */
  readonly beats: readonly (Beat | undefined)[];
}

const letterOf = ({ label }: Beat): string => (label === 'V' || label === 'Q' ? label : 'N');

function lettersOf(beats: readonly Beat[], time: TimeBase): BeatLetters {
  const letters: string[] = [];
  const owners: (Beat | undefined)[] = [];
  for (const [i, beat] of beats.entries()) {
    const before = beats[i - 1];
    if (before !== undefined && spansGap(time, before.sample, beat.sample)) {
      letters.push('|');
      owners.push(undefined);
    }
    letters.push(letterOf(beat));
    owners.push(beat);
  }
  return { text: letters.join(''), beats: owners };
}

/** The beats of each place where the letters fit. @param length so many, where a pattern looks ahead */
const matches = ({ text, beats }: BeatLetters, pattern: RegExp, length?: number): (readonly Beat[])[] =>
  [...text.matchAll(pattern)].map(({ index, 0: found }) =>
    beats.slice(index, index + (length ?? found.length)).filter((beat) => beat !== undefined),
  );

const COUPLET = /(?<!V)VV(?!V)/g;
const BIGEMINY = /(?:NV){3,}/g;
const TRIGEMINY = /(?:NNV){3,}/g;
const BETWEEN = /N(?=NVN)/g;
const COUPLED = /NV/g;

/** The interval around an interpolated beat is the usual one; a little longer where the next P is delayed. */
const MOST_INTERPOLATED = 1.25;
const LEAST_MEMBERS = 2;
const LEAST_SHAPE_SHARE = 0.02;

export interface EctopyPatterns {
  /** Two in a row, from the first to the second. */
  readonly couplets: readonly Range[];
  /** Three or more in turn with one other beat. */
  readonly bigeminy: readonly Range[];
  /** Three or more in turn with two other beats. */
  readonly trigeminy: readonly Range[];
  /** Between two beats of the usual distance. */
  readonly interpolated: readonly Range[];
  /** Each behind a conducted beat, from that one's R to its own. */
  readonly coupled: readonly Range[];
  /** Shapes of ventricular beats, each of several beats. */
  readonly shapes: number;
}

const rangeOf = (beats: readonly Beat[]): Range => [
  (beats[0] as Beat).sample,
  (beats.at(-1) as Beat).sample + 1,
];

function isInterpolated([earlier, before, _ectopic, behind]: readonly Beat[]): boolean {
  if (earlier === undefined || before === undefined || behind === undefined) return false;
  return behind.sample - before.sample <= MOST_INTERPOLATED * (before.sample - earlier.sample);
}

function shapesOf(beats: readonly Beat[]): number {
  const ventricular = beats.filter(({ label }) => label === 'V');
  const counts = new Map<number, number>();
  for (const { cluster } of ventricular)
    if (cluster !== undefined) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  const least = Math.max(LEAST_MEMBERS, LEAST_SHAPE_SHARE * ventricular.length);
  return [...counts.values()].filter((count) => count >= least).length;
}

export function ectopyPatterns(beats: readonly Beat[], time: TimeBase): EctopyPatterns {
  const letters = lettersOf(beats, time);
  const ranges = (pattern: RegExp): Range[] => matches(letters, pattern).map(rangeOf);
  return {
    couplets: ranges(COUPLET),
    bigeminy: ranges(BIGEMINY),
    trigeminy: ranges(TRIGEMINY),
    interpolated: matches(letters, BETWEEN, 4)
      .filter(isInterpolated)
      .map((found) => rangeOf(found.slice(1))),
    coupled: ranges(COUPLED),
    shapes: shapesOf(beats),
  };
}
