// A recording is worked on section after section, so that memory does not grow with its length. Each section is
// read with some signal on both sides: filters settle there, and a beat is judged among its neighbours.

import { blockGrid } from './blocks.ts';
import type { Range } from './time-base.ts';

/**
 * In two-second blocks. Five minutes hold the 60 beats that a P wave is held against; with half a minute on both
 * sides, 35 beats, a fifth of the work is done twice. Sections of one minute would do it all twice.
 */
const CORE_BLOCKS = 150;
const MARGIN_BLOCKS = 15;
/** A rest shorter than this share of a section belongs to the one before it. */
const LEAST_REST = 0.2;

/** One minute: whether there is a heart in the signal is asked of each where the whole does not say so. */
const PART_BLOCKS = 30;

export interface Section {
  /** [start, end) of what is decided here; sections follow each other without a gap. */
  readonly core: Range;
  /** [start, end) of what is read for it. */
  readonly reach: Range;
}

/** At least one section, which may be empty; where it is the only one, it is read as one piece. */
export function sectionsOf(sampleCount: number, sampleRateHz: number): Section[] {
  const { blockSamples } = blockGrid(sampleCount, sampleRateHz);
  const length = CORE_BLOCKS * blockSamples;
  const margin = MARGIN_BLOCKS * blockSamples;
  const count = Math.max(1, Math.floor(sampleCount / length + 1 - LEAST_REST));
  return Array.from({ length: count }, (_, i) => {
    const start = i * length;
    const end = i === count - 1 ? sampleCount : start + length;
    return {
      core: [start, end],
      reach: [Math.max(0, start - margin), Math.min(sampleCount, end + margin)],
    };
  });
}

/** The minutes of a section; a rest of less than half of one belongs to the one before it. */
export function partsOf({ core: [start, end] }: Section, sampleRateHz: number): Range[] {
  const length = PART_BLOCKS * blockGrid(end - start, sampleRateHz).blockSamples;
  const count = Math.max(1, Math.round((end - start) / length));
  return Array.from({ length: count }, (_, i) => [
    start + i * length,
    i === count - 1 ? end : start + (i + 1) * length,
  ]);
}
