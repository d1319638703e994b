// How the differences in the frames of a device begin. It shows in the signal: read with the wrong beginning,
// every frame is shifted (A1) or tilted (A2) against the one before it. Central service, section 5.

import { quantile } from '../../../shared/signal/statistics.ts';
import type { DeltaStart } from '../../signal/compressed-delta/decode-slots.ts';

/** By the names that warnings and the memory of devices use. The first one is what is assumed. */
export const DELTA_STARTS = {
  default: { isFirstRaw: false, isFirstDifferencePlain: false },
  raw_first: { isFirstRaw: true, isFirstDifferencePlain: false },
  first_difference_second: { isFirstRaw: false, isFirstDifferencePlain: true },
  raw_first_and_first_difference_second: { isFirstRaw: true, isFirstDifferencePlain: true },
} as const satisfies Record<string, DeltaStart>;

export type DeltaStartName = keyof typeof DELTA_STARTS;

const isDeltaStartName = (name: string | undefined): name is DeltaStartName =>
  name !== undefined && Object.hasOwn(DELTA_STARTS, name);

/** The fewest borders that prove a start, and the most that are looked at. */
const MIN_BORDERS = 20;
export const MAX_BORDERS = 200;
const STEP_QUANTILE = 0.8;
/** Another beginning must fit so much better. */
const ADVANTAGE = 1.25;

/** Two frames, one right behind the other, of one coding; one array a channel. */
export interface Border {
  readonly before: readonly Int32Array[];
  readonly after: readonly Int32Array[];
}

/** Per channel: how far the frames jump at their borders, and how far the signal does anyway. */
function scores(borders: readonly Border[]): number[] {
  const channels = borders[0]?.before.length ?? 0;
  return Array.from({ length: channels }, (_, channel) => {
    const steps = borders.map(({ before, after }) =>
      Math.abs((after[channel]?.[0] ?? 0) - (before[channel]?.at(-1) ?? 0)),
    );
    const moves: number[] = [];
    for (const { after } of borders) {
      const samples = after[channel] ?? new Int32Array(0);
      for (let i = 1; i < samples.length; i++)
        moves.push(Math.abs((samples[i] as number) - (samples[i - 1] as number)));
    }
    return (quantile(steps, STEP_QUANTILE) ?? 0) + (quantile(moves, 0.5) ?? 0);
  });
}

/**
 * @param bordersOf decodes the borders under one of the beginnings.
 * @param known what the device used before; taken where there are too few borders to see.
 */
export function findDeltaStart(
  candidates: readonly DeltaStartName[],
  borderCount: number,
  bordersOf: (start: DeltaStart) => readonly Border[],
  known: string | undefined,
): DeltaStartName {
  if (borderCount < MIN_BORDERS)
    return isDeltaStartName(known) && candidates.includes(known) ? known : 'default';
  const expected = scores(bordersOf(DELTA_STARTS.default));
  let best: { name: DeltaStartName; scores: readonly number[] } = { name: 'default', scores: expected };
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  for (const name of candidates.filter((candidate) => candidate !== 'default')) {
    const found = scores(bordersOf(DELTA_STARTS[name]));
    // A lead that is flat under both says nothing.
    const isBetter =
      found.every((score, lead) => score * ADVANTAGE <= (expected[lead] as number)) && total(found) > 0;
    const isFlat = total(expected) === 0;
    if (isBetter && !isFlat && total(found) < total(best.scores)) best = { name, scores: found };
  }
  return best.name;
}
