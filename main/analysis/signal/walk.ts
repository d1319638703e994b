// A walk over the sections of a recording, from the first to the last, that can be broken off and gone on with: what it has
// gathered is laid aside from time to time. A day takes minutes on a slow computer, and nobody should wait for them twice.

import type { Section } from './sections.ts';

export const WALKS = ['scan', 'beats', 'shapes', 'watch', 'pictures'] as const;
export type WalkName = (typeof WALKS)[number];

/** What a walk had gathered when it was laid aside: plain values and typed arrays. */
export interface LaidAside {
  /** So many sections were done. */
  readonly sections: number;
  readonly state: unknown;
}

/** Where what was gathered is laid aside. It belongs to one recording, analysed in one way by one version. */
export interface Waypoints {
  of(walk: WalkName): LaidAside | undefined;
  /** What `state` holds is written at once: it changes as soon as the walk goes on. */
  layAside(walk: WalkName, place: LaidAside): void;
}

/** Gathers from one section after the other. `state` is all that it knows of them. */
export interface Gatherer<S> {
  readonly state: S;
  add(section: Section): void;
}

/** A walk lays its state aside this many times, so a break costs at most one such part of it. */
const LEGS = 24;

interface WalkOptions<S, G extends Gatherer<S>> {
  readonly name: WalkName;
  readonly sections: readonly Section[];
  readonly waypoints: Waypoints | undefined;
  /** Hears of each section that is done. */
  readonly onSection?: (section: Section) => void;
  /** @param state what an earlier walk had gathered; undefined at the beginning */
  readonly begin: (state: S | undefined) => G;
}

export function walk<S, G extends Gatherer<S>>(options: WalkOptions<S, G>): G {
  const { name, sections, waypoints, onSection, begin } = options;
  const laidAside = waypoints?.of(name);
  const done = laidAside?.sections ?? 0;
  // Only this function lays states aside, and waypoints belong to one version of the program.
  const gatherer = begin(laidAside?.state as S | undefined);
  const leg = Math.max(1, Math.ceil(sections.length / LEGS));
  for (const [index, section] of sections.entries()) {
    if (index < done) continue;
    gatherer.add(section);
    onSection?.(section);
    const next = index + 1;
    if (next % leg === 0 || next === sections.length)
      waypoints?.layAside(name, { sections: next, state: gatherer.state });
  }
  return gatherer;
}
