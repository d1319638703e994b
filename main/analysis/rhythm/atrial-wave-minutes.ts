// Minutes in which waves run on between the beats as in flutter. A P wave behind a T does so too: where P waves are
// proven one by one, minutes of their section that repeat themselves hardly more are like them.

import { isProven, LEAST_SHARE, markedShare, type PTrain } from '../atria/p-train.ts';
import type { Section } from '../signal/sections.ts';
import type { Range } from '../signal/time-base.ts';

/** From here on the signal between the beats repeats itself as in flutter, unless P waves are proven one by one. */
export const MAX_REPETITION = 0.5;
/** From here on they are not believed. */
export const SURE_REPETITION = 0.85;
/** More than where they are proven. */
const MORE = 0.1;

interface AtrialWaveInput {
  readonly sections: readonly Section[];
  readonly minutes: readonly Range[];
  /** How far the signal repeats itself in each of them. */
  readonly repetitions: readonly number[];
  readonly pTrain: PTrain;
  /** The places of all beats. */
  readonly samples: readonly number[];
}

/** @returns one a minute */
export function minutesWithAtrialWaves(input: AtrialWaveInput): boolean[] {
  const { sections, minutes, repetitions, pTrain, samples } = input;
  const isAnyProven = isProven(pTrain);
  const limits = sections.map(({ core }) => {
    const proven = repetitions.filter((repetition, i) => {
      const minute = minutes[i] as Range;
      const isWithin = minute[0] >= core[0] && minute[0] < core[1];
      return isWithin && repetition < SURE_REPETITION && markedShare(pTrain, samples, minute) >= LEAST_SHARE;
    });
    return isAnyProven
      ? Math.min(SURE_REPETITION, Math.max(MAX_REPETITION, ...proven.map((repetition) => repetition + MORE)))
      : MAX_REPETITION;
  });
  return minutes.map(([start], i) => {
    const section = sections.findLastIndex(({ core }) => core[0] <= start);
    return (repetitions[i] ?? 0) >= (limits[section] ?? MAX_REPETITION);
  });
}
