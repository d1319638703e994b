// Two-second blocks over a recording: quality and the detector's levels are judged per block and read off in
// between.

import { median } from '../../shared/signal/statistics.ts';

export const BLOCK_SECONDS = 2;

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

/** Value of a per-block quantity at a sample, linear between block centres. */
export function atSample(values: Float64Array, grid: BlockGrid, sample: number): number {
  const position = Math.min(grid.count - 1, Math.max(0, sample / grid.blockSamples - 0.5));
  const below = Math.floor(position);
  const low = values[below] as number;
  const high = values[Math.min(below + 1, grid.count - 1)] as number;
  return low + (high - low) * (position - below);
}
