// A signal without its QRS complexes and T waves, so that a P wave that lies on one can be seen (analysis reference,
// section 8.4).

import { median } from '../../../shared/signal/statistics.ts';
import { type CoarseSet, toCoarse } from '../signal/lead-signals.ts';

/** From shortly before R to the end of T. */
const FROM_SECONDS = -0.06;
const MAX_TO_SECONDS = 0.5;
/** The most that is taken away behind R, as a share of the usual R-R interval: the next P wave lies behind it. */
const MAX_TO_SHARE = 0.7;
/** What is taken away fades out, so that it leaves no step. */
const FADE_SECONDS = 0.1;
/** QRS differs most from beat to beat: a straight line stands for what is left of it. */
const QRS_SECONDS = { before: 0.05, after: 0.06 };
const LEAST_BEATS = 2;

/** The usual QRST of a lead, from its first value on. @param places of R of the beats that it is made of */
function usualQrst(mv: Float32Array, places: readonly number[], from: number, to: number, fade: number) {
  const segments = places
    .filter((r) => r + from >= 0 && r + to <= mv.length)
    .map((r) => mv.subarray(r + from, r + to).map((value) => value - (mv[r + from] as number)));
  if (segments.length < LEAST_BEATS) return undefined;
  return Float32Array.from(
    { length: to - from },
    (_, i) =>
      (median(segments.map((segment) => segment[i] as number)) ?? 0) *
      Math.min(1, (to - from - 1 - i) / fade),
  );
}

function drawLine(mv: Float32Array, from: number, to: number): void {
  const [first, last] = [Math.max(0, from), Math.min(mv.length - 1, to)];
  const [start, end] = [mv[first] as number, mv[last] as number];
  for (let i = first; i <= last; i++)
    mv[i] = start + ((end - start) * (i - first)) / Math.max(1, last - first);
}

/**
 * @param samples of all beats, in samples of the window that `set` comes from
 * @param dominant indices of those of the usual shape, which it is taken from
 */
export function withoutQrst(
  set: CoarseSet,
  samples: readonly number[],
  dominant: readonly number[],
): CoarseSet {
  const fs = set.sampleRateHz;
  const places = samples.map((sample) => Math.round(toCoarse(sample, set)));
  const usualRr = median(places.slice(1).map((place, i) => place - (places[i] as number))) ?? fs;
  const from = Math.round(FROM_SECONDS * fs);
  const to = Math.round(Math.min(MAX_TO_SECONDS * fs, MAX_TO_SHARE * usualRr));
  const leads = set.leads.map((lead) => {
    const usual = usualQrst(
      lead.mv,
      dominant.map((beat) => places[beat] as number),
      from,
      to,
      FADE_SECONDS * fs,
    );
    const mv = lead.mv.slice();
    for (const r of places) {
      for (const [i, value] of usual?.entries() ?? []) {
        const at = r + from + i;
        if (at >= 0 && at < mv.length) mv[at] = (mv[at] as number) - value;
      }
      drawLine(mv, r - Math.round(QRS_SECONDS.before * fs), r + Math.round(QRS_SECONDS.after * fs));
    }
    return { ...lead, mv };
  });
  return { ...set, leads };
}
