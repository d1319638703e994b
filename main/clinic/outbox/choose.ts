// Whose turn it is. Lanes, so that a recording of a day blocks nothing: uploads, streams, deliveries to hospitals, and what is
// only asked (reference, 4.5; D133).

import type { Call, CallKind } from './call.ts';
import type { Item } from './item.ts';

export const LANES = ['upload', 'stream', 'delivery', 'ask'] as const;
export type Lane = (typeof LANES)[number];

const LANE_OF: Readonly<Record<CallKind, Lane>> = {
  createUpload: 'upload',
  chunk: 'upload',
  createTask: 'upload',
  findDraft: 'stream',
  createDraft: 'stream',
  start: 'stream',
  frame: 'stream',
  finish: 'stream',
  params: 'stream',
  object: 'delivery',
  confirm: 'ask',
  status: 'ask',
  report: 'ask',
};
export const laneOf = ({ kind }: Call): Lane => LANE_OF[kind];

/**
 * Calls of each lane that may be under way at once. Several small uploads hide the way there and back from each other; hospitals
 * get one thing after the other.
 */
export const PLACES: Readonly<Record<Lane, number>> = { upload: 4, stream: 4, delivery: 1, ask: 2 };
/** One upload this large goes at a time: two would share the line, and both be late. */
export const LARGE_BYTES = 4 << 20;
/** While anything can be sent, a centre is asked for reports no more often. */
export const ASK_PAUSE_MS = 50;
/** Every so many turns the oldest goes, whatever else is more urgent: nothing waits for ever. */
export const OLDEST_EVERY = 5;

export const isOlder = (a: Item, b: Item): boolean =>
  a.createdMs < b.createdMs || (a.createdMs === b.createdMs && a.id < b.id);

/** @param turn how many of this lane went before @returns the one that goes now, of those that could */
export function choose(ready: readonly Item[], turn: number): Item | undefined {
  const isOldest = turn % OLDEST_EVERY === OLDEST_EVERY - 1;
  let best: Item | undefined;
  for (const item of ready) {
    const isBetter =
      best === undefined ||
      (!isOldest && item.isCritical !== best.isCritical ? item.isCritical : isOlder(item, best));
    if (isBetter) best = item;
  }
  return best;
}
