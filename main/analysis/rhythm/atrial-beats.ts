// All P waves of a stretch, conducted or not: what looks like those that are marked before beats, wherever it
// stands. Analysis reference, section 8.4.

import { median } from '../../../shared/signal/statistics.ts';
import { PSignal } from '../atria/p-signal.ts';
import { withoutQrst } from '../atria/qrst-subtraction.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';
import { medianRow } from '../signal/sample-rows.ts';
import type { Range } from '../signal/time-base.ts';

const MARGIN_SECONDS = 0.03;
const LEAST_WAVES = 2;
/** Any value from 0.65 to 0.75 finds most of 68 made blocks, and none in 1,070 labelled recordings. */
const ALIKE = 0.65;
/** Where two lie nearer to each other, the one that is more alike counts. */
const APART_SECONDS = 0.2;

export interface AtrialBeatInput {
  readonly set: CoarseSet;
  /** Where in the recording the set starts. */
  readonly startSample: number;
  /** All beats of the set, counted from its start. */
  readonly samples: readonly number[];
  /** Indices of those of the usual shape. */
  readonly dominant: readonly number[];
  /** Where P waves stand that are known, in samples of the recording: what looks like them is looked for. */
  readonly known: readonly Range[];
}

/** @returns middles of P waves, in samples of the recording; none where too few are known */
export function findAtrialBeats({ set, startSample, samples, dominant, known }: AtrialBeatInput): number[] {
  const sampleRateHz = set.sampleRateHz * set.step;
  const width = median(known.map(([onset, end]) => end - onset)) ?? 0;
  const signal = new PSignal(
    withoutQrst(set, samples, dominant),
    startSample,
    width / sampleRateHz / 2 + MARGIN_SECONDS,
  );
  const count = Math.floor((set.sampleCount * set.step) / signal.stepSamples);
  const places = { signal, startSample, count, sampleRateHz };
  // A mark may be wrong where P is not before QRS: what is found first says better what a P wave looks like.
  const first = placesAlike(
    places,
    known.map(([onset, end]) => (onset + end) / 2),
  );
  return placesAlike(places, first);
}

interface Places {
  readonly signal: PSignal;
  readonly startSample: number;
  /** Steps in the signal. */
  readonly count: number;
  readonly sampleRateHz: number;
}

/** @param middles of waves that are looked for, as one */
function placesAlike(
  { signal, startSample, count, sampleRateHz }: Places,
  middles: readonly number[],
): number[] {
  const rows = middles.flatMap((middle) => signal.row(middle) ?? []);
  if (rows.length < LEAST_WAVES) return [];
  const wave = medianRow(rows);
  const step = signal.stepSamples;
  const likeness = Float32Array.from({ length: count }, (_, i) =>
    signal.likenessAt(startSample + i * step, wave),
  );
  const apart = Math.round((APART_SECONDS * sampleRateHz) / step);
  const found: number[] = [];
  for (const [i, value] of likeness.entries()) {
    if (value < ALIKE) continue;
    const around = likeness.subarray(Math.max(0, i - apart), i + apart + 1);
    const isHighest = around.every((other) => other <= value);
    const isFirst = likeness.indexOf(value, Math.max(0, i - apart)) === i;
    if (isHighest && isFirst) found.push(startSample + i * step);
  }
  return found;
}
