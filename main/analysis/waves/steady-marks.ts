// Holds the marks of each beat against those of the beats around it. The network marks every beat by itself, and noise
// moves its edges more than the heart does. Beats of one shape have their waves at nearly the same places, so a mark is
// moved part of the way to its neighbours' median (QTDB: P onset 11.6 -> 10.9 ms, QRS end 7.3 -> 7.1, T end 15.7 -> 14.8).

import { median } from '../../../shared/signal/statistics.ts';
import type { WaveKind } from './lead-waves.ts';

const NEIGHBOURS = 15;
const LEAST_NEIGHBOURS = 3;
/** How far a mark is moved toward the median. */
const SHARE: Readonly<Record<WaveKind, number>> = { P: 0.6, QRS: 0.4, T: 0.7 };
/** A mark farther away is taken for real, as where PR jumps, and left as it is. */
const MOST_SECONDS: Readonly<Record<WaveKind, number>> = { P: 0.05, QRS: 0.03, T: 0.08 };
const KINDS: readonly WaveKind[] = ['P', 'QRS', 'T'];

/** A beat with its marks in seconds: for each lead in turn, onset and end of P, QRS and T. */
export interface MarkedBeat {
  readonly r: number;
  /** The same number for beats of one shape; beats without one are left alone. */
  readonly shape: number | undefined;
  readonly leadMarks: Float64Array;
}

/** Moves the marks, in place. @param beats in their order */
export function steadyMarks(beats: readonly MarkedBeat[]): void {
  const groups = Map.groupBy(
    beats.filter(({ shape }) => shape !== undefined),
    ({ shape }) => shape,
  );
  for (const group of groups.values()) {
    const count = group[0]?.leadMarks.length ?? 0;
    for (let mark = 0; mark < count; mark++) {
      const kind = KINDS[(mark >> 1) % KINDS.length] as WaveKind;
      const places = group.map(({ r, leadMarks }) => (leadMarks[mark] as number) - r);
      for (const [i, { r, leadMarks }] of group.entries()) {
        const around = places
          .slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS + 1)
          .filter((place) => !Number.isNaN(place));
        if (around.length < LEAST_NEIGHBOURS) continue;
        const away = (median(around) as number) - (places[i] as number);
        if (Math.abs(away) <= MOST_SECONDS[kind])
          leadMarks[mark] = r + (places[i] as number) + SHARE[kind] * away;
      }
    }
  }
}
