// Two-second blocks over a recording: quality and the detector's levels are judged per block and read off in
// between.

import { median } from '../../../shared/signal/statistics.ts';

const BLOCK_SECONDS = 2;

export interface BlockGrid {
  readonly blockSamples: number;
  readonly count: number;
}

/** A last block shorter than half a block belongs to the one before it. */
export function blockGrid(sampleCount: number, sampleRateHz: number): BlockGrid {
  const blockSamples = Math.max(1, Math.round(BLOCK_SECONDS * sampleRateHz));
  return { blockSamples, count: Math.max(1, Math.round(sampleCount / blockSamples)) };
}

export function blockRange(grid: BlockGrid, block: number, sampleCount: number): [number, number] {
  const end = block === grid.count - 1 ? sampleCount : Math.min(sampleCount, (block + 1) * grid.blockSamples);
  return [block * grid.blockSamples, end];
}

/** Median of each block with its `reach` neighbours on both sides. */
export function runningMedian(values: Float64Array, reach: number): Float64Array {
  return values.map((_, i) => median(values.subarray(Math.max(0, i - reach), i + reach + 1)) ?? 0);
}

/** Where samples lie between the centres of two blocks. */
export interface BlockPlaces {
  /** One a sample: the block whose centre lies before it; the first block where none does. */
  readonly below: Uint32Array;
  /** One a sample: how far it is on the way to the next one, 0 to 1. */
  readonly way: Float64Array;
}

export function placesOf({ blockSamples, count }: BlockGrid, sampleCount: number): BlockPlaces {
  const below = new Uint32Array(sampleCount);
  const way = new Float64Array(sampleCount);
  for (let i = 0; i < sampleCount; i++) {
    const position = Math.min(count - 1, Math.max(0, i / blockSamples - 0.5));
    below[i] = Math.floor(position);
    way[i] = position - Math.floor(position);
  }
  return { below, way };
}

/** Value of a per-block quantity at a sample, linear between block centres. */
export function atSample(values: Float64Array, { below, way }: BlockPlaces, sample: number): number {
  const block = below[sample] as number;
  const low = values[block] as number;
  const high = values[Math.min(block + 1, values.length - 1)] as number;
  return low + (high - low) * (way[sample] as number);
}
