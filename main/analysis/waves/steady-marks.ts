// Marks of one beat held against those of the beats around it. The network marks each beat by itself, and noise moves its edges
// more than the heart does: beats of one shape have their waves at nearly the same places, so a mark is moved part of the
// way to the median of its neighbours' (QTDB: P onset 11.6 -> 11.1 ms, QRS end 7.3 -> 7.1, T end 15.7 -> 15.0).

import { median } from '../../../shared/signal/statistics.ts';
import type { WaveKind } from './lead-waves.ts';

const NEIGHBOURS = 15;
const LEAST_NEIGHBOURS = 3;
/** How much of the way. */
const SHARE: Readonly<Record<WaveKind, number>> = { P: 0.6, QRS: 0.4, T: 0.7 };
/** A mark farther away is another place, not a noisy one: PR that grows beat by beat stays what it is. */
const MOST_SECONDS: Readonly<Record<WaveKind, number>> = { P: 0.04, QRS: 0.03, T: 0.06 };
const KINDS: readonly WaveKind[] = ['P', 'QRS', 'T'];

/** A beat with its marks on all leads, in seconds: lead after lead, onset and end of P, QRS and T each. */
export interface MarkedBeat {
  readonly r: number;
  /** Beats of one shape have one number; those of none are left alone. */
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
