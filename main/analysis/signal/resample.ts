// A slower lead on the grid of a faster one, by cubic convolution (Keys, IEEE Trans ASSP 1981;29:1153-1160),
// which passes through every sample that was measured. It adds no bandwidth: what was recorded slowly stays
// as smooth as it was.

/** Where the samples of the result lie among those of the source: sample i at `offset` + i × `step`. */
export interface ResampleGrid {
  readonly step: number;
  readonly offset: number;
  readonly count: number;
}

/** So many samples of the source on both sides have a say. */
export const RESAMPLE_REACH = 2;

export function resampleCubic(source: Float32Array, { step, offset, count }: ResampleGrid): Float32Array {
  const out = new Float32Array(count);
  const last = source.length - 1;
  const at = (i: number): number => source[Math.min(last, Math.max(0, i))] as number;
  for (let i = 0; i < count && last >= 0; i++) {
    const position = offset + i * step;
    const k = Math.floor(position);
    const t = position - k;
    const [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
    out[i] = b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  }
  return out;
}

/**
 * One value for each `step` samples, their mean: what lies above the new rate does not fold into the band
 * below it.
 */
export function thin(source: Float32Array, step: number): Float32Array {
  const out = new Float32Array(Math.floor(source.length / step));
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let k = i * step; k < (i + 1) * step; k++) sum += source[k] as number;
    out[i] = sum / step;
  }
  return out;
}

/**
 * 1 where one of the two samples around a place is 1. @param beyond what stands behind the end of the source
 */
export function resampleMask(
  source: Uint8Array,
  { step, offset, count }: ResampleGrid,
  beyond: 0 | 1,
): Uint8Array {
  const out = new Uint8Array(count).fill(beyond);
  for (let i = 0; i < count; i++) {
    const position = offset + i * step;
    const k = Math.floor(position);
    if (k >= source.length) break;
    out[i] = (source[k] as number) | (k + 1 < source.length && position > k ? (source[k + 1] as number) : 0);
  }
  return out;
}
