// All P waves of a short recording, conducted or not: what looks like those that are marked before beats, wherever it
// stands. Analysis reference, section 8.4.

import { median } from '../../../shared/signal/statistics.ts';
import { PSignal } from '../atria/p-signal.ts';
import { withoutQrst } from '../atria/qrst-subtraction.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';
import { medianRow } from '../signal/sample-rows.ts';
import { type BeatWaves, markOf } from '../waves/beat-waves.ts';

const MARGIN_SECONDS = 0.03;
const LEAST_WAVES = 2;
/** Any value from 0.65 to 0.75 finds most of 68 made blocks, and none in 1,070 labelled recordings. */
const ALIKE = 0.65;
/** Where two lie nearer to each other, the one that is more alike counts. */
const APART_SECONDS = 0.2;

/**
 * @param set the whole recording
 * @param samples of all beats @param dominant indices of those of the usual shape
 * @param waves of the beats: their P marks are what is looked for
 * @returns middles of P waves, in samples of the recording; none where too few are marked
 */
export function findAtrialBeats(
  set: CoarseSet,
  samples: readonly number[],
  dominant: readonly number[],
  waves: readonly BeatWaves[],
): number[] {
  const marked = waves
    .map((one) => ({ onset: markOf(one, 'pOnset'), end: markOf(one, 'pEnd') }))
    .filter(({ onset, end }) => !Number.isNaN(onset) && !Number.isNaN(end));
  const sampleRateHz = set.sampleRateHz * set.step;
  const width = median(marked.map(({ onset, end }) => end - onset)) ?? 0;
  const signal = new PSignal(
    withoutQrst(set, samples, dominant),
    0,
    width / sampleRateHz / 2 + MARGIN_SECONDS,
  );
  const count = Math.floor((set.sampleCount * set.step) / signal.stepSamples);
  // A mark may be wrong where P is not before QRS: what is found first says better what a P wave looks like.
  const first = placesAlike(
    signal,
    marked.map(({ onset, end }) => (onset + end) / 2),
    count,
    sampleRateHz,
  );
  return placesAlike(signal, first, count, sampleRateHz);
}

/** @param middles of waves that are looked for, as one @param count of steps in the signal */
function placesAlike(
  signal: PSignal,
  middles: readonly number[],
  count: number,
  sampleRateHz: number,
): number[] {
  const rows = middles.flatMap((middle) => signal.row(middle) ?? []);
  if (rows.length < LEAST_WAVES) return [];
  const wave = medianRow(rows);
  const step = signal.stepSamples;
  const likeness = Float32Array.from({ length: count }, (_, i) => signal.likenessAt(i * step, wave));
  const apart = Math.round((APART_SECONDS * sampleRateHz) / step);
  const found: number[] = [];
  for (const [i, value] of likeness.entries()) {
    if (value < ALIKE) continue;
    const around = likeness.subarray(Math.max(0, i - apart), i + apart + 1);
    const isHighest = around.every((other) => other <= value);
    const isFirst = likeness.indexOf(value, Math.max(0, i - apart)) === i;
    if (isHighest && isFirst) found.push(i * step);
  }
  return found;
}
