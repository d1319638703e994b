// Samples with those that were lost between them, so that each stands at its time.

import { INVALID_SAMPLE } from '../../shared/signal/recording.ts';

/** @param lostBefore how many are missing before each sample; none where it is shorter */
export function withLost(samples: Int32Array, lostBefore: readonly number[]): Int32Array {
  const missing = lostBefore.reduce((sum, count) => sum + count, 0);
  if (missing === 0) return samples;
  const whole = new Int32Array(samples.length + missing).fill(INVALID_SAMPLE);
  let at = 0;
  for (const [i, sample] of samples.entries()) {
    at += lostBefore[i] ?? 0;
    whole[at++] = sample;
  }
  return whole;
}
