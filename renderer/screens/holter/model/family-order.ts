// Families in the order in which somebody looks at them, their relatives, and the beats of one with the least alike first.

import { NO_LIKENESS } from '../../../../shared/analysis-result.ts';
import { type Correction, MOST_BEATS_NAMED } from '../../../../shared/review/corrections.ts';
import { alikeOf, type Day, joinPictures, type Picture } from './day.ts';
import type { DayReading, ReadFamily } from './read-day.ts';

/** What comes once or twice stands last; the others by how many are unsure, then by size. */
export const unsureFirst = (families: readonly ReadFamily[]): ReadFamily[] =>
  families.toSorted(
    (a, b) => Number(a.isRest) - Number(b.isRest) || b.unsure - a.unsure || b.beats.length - a.beats.length,
  );

/** From the pictures of the families that it is made of; undefined where a part of one was divided off. */
export function pictureOf({ pictures }: Day, { id, whole }: ReadFamily): Picture | undefined {
  if (whole !== undefined) return joinPictures(whole.flatMap((family) => pictures.get(family) ?? []));
  return pictures.get(id);
}

export interface Relative {
  readonly family: ReadFamily;
  /** 0 to 1. */
  readonly alike: number;
}

/** Families that are most like one, the most alike first. */
export function relativesOf(
  { day, families }: DayReading,
  family: ReadFamily,
  picture: Picture | undefined,
): Relative[] {
  if (picture === undefined) return [];
  return families
    .filter((other) => other.id !== family.id && !other.isRest)
    .flatMap((other) => {
      const theirs = pictureOf(day, other);
      return theirs === undefined ? [] : [{ family: other, alike: alikeOf(picture, theirs) }];
    })
    .filter(({ alike }) => alike > 0)
    .sort((a, b) => b.alike - a.alike);
}

const LIKENESSES = NO_LIKENESS + 1;

/** @returns indices of so many of its beats at most, the least alike first */
export function leastAlike({ day }: DayReading, { beats }: ReadFamily, most: number): number[] {
  const byLikeness: number[][] = Array.from({ length: LIKENESSES }, () => []);
  for (const beat of beats) {
    const own = byLikeness[day.likeness[beat] as number] as number[];
    if (own.length < most) own.push(beat);
  }
  const found: number[] = [];
  for (const own of byLikeness) {
    if (found.length >= most) break;
    found.push(...own.slice(0, most - found.length));
  }
  return found;
}

/** A beat of each family that the analysis found: a correction names places, never numbers. */
function anchorsOf({ day }: DayReading, whole: readonly number[]): number[] {
  return whole.flatMap((family) => {
    const beat = day.familyOf.indexOf(family);
    return beat < 0 ? [] : [day.beats.samples[beat] as number];
  });
}

/** @returns undefined where they are more than one step can name */
export function labelOfFamilies(
  reading: DayReading,
  families: readonly ReadFamily[],
  label: Extract<Correction, { kind: 'families' }>['label'],
): Correction | undefined {
  if (families.every(({ whole, isRest }) => whole !== undefined && !isRest)) {
    const samples = families.flatMap(({ whole }) => anchorsOf(reading, whole as readonly number[]));
    return { kind: 'families', samples, label };
  }
  const beats = families.flatMap(({ beats }) => [...beats]);
  if (beats.length > MOST_BEATS_NAMED) return undefined;
  const { samples } = reading.beats;
  return { kind: 'beats', samples: beats.map((beat) => samples[beat] as number), label };
}

export const mergeOf = (
  { beats: { samples } }: DayReading,
  into: ReadFamily,
  other: ReadFamily,
): Correction => ({
  kind: 'familiesMerged',
  samples: [into, other].map(({ beats }) => samples[beats[0] as number] as number),
});
