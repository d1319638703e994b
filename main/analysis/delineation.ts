// Onsets and offsets of P, QRS and T on the median beat, from functions of all leads together. Rules and
// constants: analysis reference, section 6.2. All positions are samples of the median beat; an offset is the
// first sample after the wave.

import { filterZeroPhase, lowPass } from '../../shared/signal/butterworth.ts';
import { mean, median, quantile, standardDeviation } from '../../shared/signal/statistics.ts';
import type { MedianBeat } from './median-beat.ts';

export interface Marks {
  readonly qrsOnset?: number;
  readonly qrsOffset?: number;
  readonly pOnset?: number;
  readonly pOffset?: number;
  readonly tPeak?: number;
  readonly tEnd?: number;
  /** The leads agree about where T ends, and nothing else begins before it does. */
  readonly isTTrusted: boolean;
  /** A person marked it. */
  readonly isPStated?: boolean;
}

export const NO_MARKS: Marks = { isTTrusted: false };

const SLOPE_FLOOR = 0.04;
const P_EDGE = 0.2;
const P_NOISE = 1.3;
const MIN_P_MV = 0.03;
const MIN_P_MV_ONE_LEAD = 0.05;
const MIN_T_MV = 0.08;
/** Between the quartiles of the leads' T ends. */
const MAX_T_SPREAD_MS = 60;

/** √ of the summed squared slopes of all leads, in mV per ms. */
function spatialVelocity(leads: readonly Float64Array[], sampleRateHz: number): Float64Array {
  const n = leads[0]?.length ?? 0;
  const velocity = new Float64Array(n);
  for (let i = 1; i < n - 1; i++) {
    let sum = 0;
    for (const lead of leads)
      sum += ((((lead[i + 1] as number) - (lead[i - 1] as number)) / 2) * (sampleRateHz / 1000)) ** 2;
    velocity[i] = Math.sqrt(sum);
  }
  const smooth = Float64Array.from(
    velocity,
    (_, i) => mean(velocity.subarray(Math.max(0, i - 1), i + 2)) ?? 0,
  );
  return smooth;
}

/**
 * The leads low-passed between two positions only, zero outside: a filter that saw the QRS would smear its
 * foot into P and T.
 */
function smoothed(
  beat: MedianBeat,
  cutoffHz: number,
  start = 0,
  end = beat.leads[0]?.length ?? 0,
): Float64Array[] {
  const padSamples = Math.round(0.1 * beat.sampleRateHz);
  return beat.leads.map((lead) => {
    const out = new Float64Array(lead.length);
    out.set(
      filterZeroPhase(lead.subarray(start, end), [lowPass(cutoffHz, beat.sampleRateHz)], padSamples),
      start,
    );
    return out;
  });
}

/** Position, walking from `from` by `step`, behind which `values` stays under `limit` for `quietSamples`. */
function whereQuiet(
  values: Float64Array,
  from: number,
  step: 1 | -1,
  limit: number,
  quietSamples: number,
  maxSamples: number,
): number | undefined {
  let quiet = 0;
  for (
    let i = from;
    Math.abs(i - from) <= maxSamples + quietSamples && i >= 0 && i < values.length;
    i += step
  ) {
    quiet = (values[i] as number) < limit ? quiet + 1 : 0;
    if (quiet === quietSamples) return i - step * (quietSamples - 1);
  }
  return undefined;
}

function markQrs(beat: MedianBeat): { onset: number; offset: number } | undefined {
  const fs = beat.sampleRateHz;
  const ms = (value: number): number => Math.round((value / 1000) * fs);
  const v = spatialVelocity(smoothed(beat, 40), fs);
  let peak = beat.fiducial;
  for (let i = beat.fiducial - ms(60); i <= beat.fiducial + ms(60); i++)
    if ((v[i] ?? 0) > (v[peak] as number)) peak = i;
  const highest = v[peak] as number;
  const before = v.subarray(Math.max(0, peak - ms(300)), Math.max(1, peak - ms(50)));
  const quietest = before.filter((value) => value <= (quantile(before, 0.25) ?? 0));
  const noise = (mean(quietest) ?? 0) + 3 * (standardDeviation(quietest) ?? 0);
  const after =
    median(v.subarray(Math.min(v.length - 1, peak + ms(120)), Math.min(v.length, peak + ms(200)))) ?? 0;
  const onset = whereQuiet(v, peak, -1, Math.max(SLOPE_FLOOR * highest, noise), Math.max(1, ms(12)), ms(130));
  const offset = whereQuiet(
    v,
    peak,
    1,
    Math.max(SLOPE_FLOOR * highest, 1.2 * after),
    Math.max(1, ms(16)),
    ms(180),
  );
  return onset === undefined || offset === undefined ? undefined : { onset: onset + 1, offset };
}

/** √ of the summed squares of all leads, each freed of the straight line through its two ends. */
function spatialMagnitude(leads: readonly Float64Array[], start: number, end: number): Float64Array {
  const magnitude = new Float64Array(Math.max(0, end - start));
  for (const lead of leads) {
    const first = lead[start] as number;
    const slope = ((lead[end - 1] as number) - first) / Math.max(1, end - 1 - start);
    for (let i = start; i < end; i++)
      magnitude[i - start] =
        (magnitude[i - start] as number) + ((lead[i] as number) - first - slope * (i - start)) ** 2;
  }
  return magnitude.map(Math.sqrt);
}

const indexOfMax = (values: Float64Array): number =>
  values.reduce((best, value, index) => (value > (values[best] as number) ? index : best), 0);

/**
 * Mean of a few milliseconds at the edge of a stretch: one noisy sample must not tilt the line that P is
 * measured from.
 */
function levelled(lead: Float64Array, start: number, end: number, edge: number): Float64Array {
  const first = mean(lead.subarray(start, start + edge)) ?? 0;
  const last = mean(lead.subarray(end - edge, end)) ?? 0;
  return lead.slice(start, end).map((value, i) => value - first - ((last - first) * i) / (end - start));
}

function markP(
  beat: MedianBeat,
  qrsOnset: number,
  previousTEnd: number,
): { onset: number; offset: number } | undefined {
  const fs = beat.sampleRateHz;
  const ms = (value: number): number => Math.round((value / 1000) * fs);
  const start = Math.max(0, qrsOnset - ms(300), previousTEnd);
  const end = qrsOnset - ms(4);
  if (end - start < ms(90)) return undefined;
  const leads = smoothed(beat, 25, start, end).map((lead) => levelled(lead, start, end, Math.max(1, ms(8))));
  const magnitude = Float64Array.from({ length: end - start }, (_, i) =>
    Math.sqrt(leads.reduce((sum, lead) => sum + (lead[i] as number) ** 2, 0)),
  );
  const peak = indexOfMax(magnitude);
  if (peak < ms(20) || peak > magnitude.length - ms(15)) return undefined;
  const heights = leads.map((lead) => Math.abs(lead[peak] as number));
  const isThere =
    leads.length === 1
      ? (heights[0] as number) >= MIN_P_MV_ONE_LEAD
      : heights.filter((height) => height >= MIN_P_MV).length >= 2;
  if (!isThere) return undefined;
  const v = spatialVelocity(leads, fs);
  // Beyond the steepest flank on each side, else the flat top of the wave would already count as quiet.
  const from = Math.max(0, peak - ms(90));
  const rise = from + indexOfMax(v.slice(from, peak));
  const fall = peak + indexOfMax(v.slice(peak, Math.min(v.length, peak + ms(90))));
  const limit = Math.max(
    P_EDGE * Math.max(v[rise] as number, v[fall] as number),
    P_NOISE * (quantile(v, 0.3) ?? 0),
  );
  const onset = whereQuiet(v, rise, -1, limit, Math.max(1, ms(6)), ms(100));
  const offset = whereQuiet(v, fall, 1, limit, Math.max(1, ms(6)), ms(100)) ?? v.length;
  if (onset === undefined) return undefined;
  const durationMs = (1000 * (offset - onset)) / fs;
  return durationMs >= 40 && durationMs <= 180
    ? { onset: start + onset + 1, offset: start + offset }
    : undefined;
}

/**
 * T end of one lead: where the tangent at the steepest descent behind the peak meets the level after the
 * wave.
 */
function tangentEnd(lead: Float64Array, peak: number, end: number, fs: number): number | undefined {
  const baseline = median(lead.subarray(Math.max(peak, end - Math.round(0.04 * fs)), end)) ?? 0;
  const height = (lead[peak] as number) - baseline;
  if (Math.abs(height) < MIN_T_MV) return undefined;
  const sign = Math.sign(height);
  let steepest = -1;
  let slope = 0;
  for (let i = peak + 1; i < end - 1; i++) {
    const here = (sign * ((lead[i + 1] as number) - (lead[i - 1] as number))) / 2;
    if (here < slope) {
      slope = here;
      steepest = i;
    }
    if (steepest > 0 && sign * ((lead[i] as number) - baseline) < 0.1 * Math.abs(height)) break;
  }
  if (steepest < 0) return undefined;
  return steepest + (sign * ((lead[steepest] as number) - baseline)) / -slope;
}

function markT(
  beat: MedianBeat,
  qrsOffset: number,
): { peak: number; end: number; spread: number } | undefined {
  const fs = beat.sampleRateHz;
  const ms = (value: number): number => Math.round((value / 1000) * fs);
  const n = beat.leads[0]?.length ?? 0;
  const start = qrsOffset + ms(60);
  // The next P begins 240 ms before the next QRS at the earliest; at low rates T still ends within 0.7 of the
  // interval.
  const end = Math.min(
    n,
    beat.fiducial + ms(Math.max(0.45 * beat.rrMs, Math.min(0.75 * beat.rrMs, beat.rrMs - 220))),
  );
  if (end - start < ms(100)) return undefined;
  const peak = start + indexOfMax(spatialMagnitude(smoothed(beat, 10, qrsOffset), start, end));
  const leads = smoothed(beat, 15, qrsOffset);
  const ends = leads.map((lead) => {
    // Each lead's own peak lies near the spatial one.
    let own = peak;
    const level = lead[end - 1] as number;
    for (let i = Math.max(start, peak - ms(60)); i <= Math.min(end - 1, peak + ms(60)); i++)
      if (Math.abs((lead[i] as number) - level) > Math.abs((lead[own] as number) - level)) own = i;
    return tangentEnd(lead, own, end, fs);
  });
  const found = ends.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (found.length < Math.min(2, beat.leads.length)) return undefined;
  const later = found.slice(Math.floor(found.length / 2));
  const tEnd = median(later);
  const spread = (quantile(found, 0.75) ?? 0) - (quantile(found, 0.25) ?? 0);
  return tEnd === undefined || tEnd >= n ? undefined : { peak, end: tEnd, spread };
}

export function delineate(beat: MedianBeat): Marks {
  const qrs = markQrs(beat);
  if (qrs === undefined) return NO_MARKS;
  const t = markT(beat, qrs.offset);
  const rr = (beat.rrMs / 1000) * beat.sampleRateHz;
  const p = markP(beat, qrs.onset, t === undefined ? 0 : Math.max(0, Math.round(t.end - rr)));
  return {
    qrsOnset: qrs.onset,
    qrsOffset: qrs.offset,
    ...(p !== undefined && { pOnset: p.onset, pOffset: p.offset }),
    ...(t !== undefined && { tPeak: t.peak, tEnd: t.end }),
    isTTrusted:
      t !== undefined &&
      t.spread <= (MAX_T_SPREAD_MS / 1000) * beat.sampleRateHz &&
      (p === undefined || t.end < p.onset + rr),
  };
}
