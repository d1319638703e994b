// P waves that are marked before the beats, all at one distance: where they are, the atria lead the ventricles.

import type { Beat } from '../../../shared/analysis-result.ts';
import { quantile } from '../../../shared/signal/statistics.ts';
import type { PEvidence } from '../p-evidence.ts';
import { type BeatWaves, markOf } from './beat-waves.ts';

/** One in ten may hide in noise. */
const LEAST_SHARE = 0.9;
const MIN_BEATS = 3;
/** From the first to the last tenth of the P-R intervals; P waves that do not belong to the beats wander. */
const MOST_PR_SCATTER_MS = 40;
/** A second P in as many leads is one. */
const OTHER_P_SHARE = 0.4;
/** Ectopic beats of the atria and artefacts have such ones as well. */
const MOST_OTHER_P = 0.1;

/**
 * The evidence of P waves with what marks add to it: where nearly each conducted beat has a marked P, at one
 * distance, and there are no others between, they are the same ones, also where they are too small to be held
 * against each other.
 * @param waves of all beats; undefined where only some were looked at
 */
export function withMarkedP(
  evidence: PEvidence,
  waves: readonly BeatWaves[] | undefined,
  beats: readonly Beat[],
  sampleRateHz: number,
): PEvidence {
  const conducted = (waves ?? []).filter(({ beat }) => beats[beat]?.label !== 'V');
  const prMs = conducted
    .map((one) => (1000 * (markOf(one, 'qrsOnset') - markOf(one, 'pOnset'))) / sampleRateHz)
    .filter((value) => !Number.isNaN(value));
  if (prMs.length < MIN_BEATS || prMs.length < LEAST_SHARE * conducted.length) return evidence;
  const prScatterMs = (quantile(prMs, 0.9) ?? 0) - (quantile(prMs, 0.1) ?? 0);
  const others = conducted.filter(({ otherPShare }) => otherPShare >= OTHER_P_SHARE).length;
  if (prScatterMs > MOST_PR_SCATTER_MS || others > MOST_OTHER_P * conducted.length) return evidence;
  const perBeat = evidence.perBeat.slice();
  for (const one of conducted) perBeat[one.beat] = Number.isNaN(markOf(one, 'pOnset')) ? 0 : 1;
  return { ...evidence, perBeat, share: prMs.length / conducted.length, isSame: true, prScatterMs };
}
