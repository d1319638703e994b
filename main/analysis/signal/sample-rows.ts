// Stretches of signal of one length, held against each other.

import { median } from '../../../shared/signal/statistics.ts';

export interface GainLimits {
  readonly least: number;
  readonly most: number;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/**
 * How like a wave a row is, as a correlation; 0 where its gain against the wave is outside of the limits.
 * @param wave with some energy
 */
export function likeness(row: Float32Array, wave: Float32Array, { least, most }: GainLimits): number {
  const [product, own, energy] = [dot(row, wave), dot(row, row), dot(wave, wave)];
  const gain = product / energy;
  return own > 0 && gain >= least && gain <= most ? product / Math.sqrt(own * energy) : 0;
}

/** The median of each place. @param rows one at least, all of one length */
export function medianRow(rows: readonly Float32Array[]): Float32Array {
  const column = new Float64Array(rows.length);
  return (rows[0] as Float32Array).map((_, i) => {
    for (const [index, row] of rows.entries()) column[index] = row[i] as number;
    return median(column) ?? 0;
  });
}

export const meanEnergy = (rows: readonly Float32Array[]): number =>
  rows.reduce((sum, row) => sum + dot(row, row), 0) / rows.length;
