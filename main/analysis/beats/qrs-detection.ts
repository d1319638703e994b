// QRS detection on all leads together: analysis reference, section 4.2, steps 1 to 4 (fused envelope,
// adaptive threshold with T-wave rule and search-back). Single beats are verified behind `forwardPass` (steps 5
// and 6: beat-verification.ts) and get their fiducials there after (step 7: fiducials.ts).

import { median } from '../../../shared/signal/statistics.ts';
import { atSample, blockGrid, blockRange, placesOf, runningMedian } from '../signal/blocks.ts';
import { bandOf } from '../signal/lead-bands.ts';
import { leadsForShapes, ofLeads } from '../signal/lead-choice.ts';
import { type CoarseSet, pickLeads } from '../signal/lead-signals.ts';
import { HF_CUTOFF_HZ, type WindowQuality } from '../signal/quality.ts';
import { verifyBeats } from './beat-verification.ts';
import type { DetectedBeat } from './detected-beat.ts';
import { REFRACTORY_SECONDS } from './fiducials.ts';

const ENVELOPE_SECONDS = 0.1;
const NEIGHBOUR_BLOCKS = 2;

const T_WAVE_SECONDS = 0.36;
/** Before the peak of a QRS. */
const P_WAVE_SECONDS = 0.3;
const CANDIDATE_REACH_SECONDS = 0.1;
const MIN_CANDIDATE = 0.06;
const SEARCH_BACK_FACTOR = 1.6;
const RR_MEMORY = 8;

/** √ of the moving mean of squares, centred. */
function envelope(signal: Float64Array, width: number): Float64Array {
  const n = signal.length;
  const half = Math.floor(width / 2);
  const out = new Float64Array(n);
  let sum = 0;
  for (let i = -half; i < n; i++) {
    const enter = i + half;
    const leave = i - half - 1;
    if (enter < n) sum += (signal[enter] as number) ** 2;
    if (leave >= 0) sum -= (signal[leave] as number) ** 2;
    if (i >= 0) out[i] = Math.sqrt(Math.max(0, sum) / (2 * half + 1));
  }
  return out;
}

/** The highest value of an envelope, which is never below 0. */
function highest(values: Float64Array, from: number, to: number): number {
  let most = 0;
  for (let i = from; i < to; i++) if ((values[i] as number) > most) most = values[i] as number;
  return most;
}

interface FusedLeads {
  readonly fused: Float32Array;
  /** One a lead, one value a block: how much the lead says there. */
  readonly blockWeights: readonly Float64Array[];
}

/**
 * Steps 1 and 2: the sum of all leads' envelopes, each in units of its own typical beat and weighted by its
 * quality.
 */
function fuseLeads(set: CoarseSet, quality: WindowQuality): FusedLeads {
  const { sampleRateHz: fs, sampleCount } = set;
  const grid = blockGrid(sampleCount, fs);
  const places = placesOf(grid, sampleCount);
  const sum = new Float32Array(sampleCount);
  const weights = new Float32Array(sampleCount);
  const blockWeights = set.leads.map((lead, index) => {
    const e = envelope(bandOf(lead.mv, { lowHz: 8, highHz: 25 }, fs), Math.round(ENVELOPE_SECONDS * fs));
    const hf =
      fs < 100
        ? undefined
        : envelope(bandOf(lead.mv, { lowHz: HF_CUTOFF_HZ }, fs), Math.round(ENVELOPE_SECONDS * fs));
    const peaks = new Float64Array(grid.count);
    const middles = new Float64Array(grid.count);
    const noises = new Float64Array(grid.count);
    for (let block = 0; block < grid.count; block++) {
      const [start, end] = blockRange(grid, block, sampleCount);
      peaks[block] = highest(e, start, end);
      middles[block] = median(e.subarray(start, end)) ?? 0;
      noises[block] = hf === undefined ? 0 : (median(hf.subarray(start, end)) ?? 0);
    }
    const reach = sampleCount < 10 * fs ? grid.count : NEIGHBOUR_BLOCKS;
    const level = runningMedian(peaks, reach);
    const middle = runningMedian(middles, reach);
    const noise = runningMedian(noises, reach);
    const weightOfBlock = level.map((lv, block) => {
      if (lv <= 0 || (quality.flags[index]?.[block]?.length ?? 0) > 0) return 0;
      const contrast = Math.min(1, Math.max(0.02, (lv / Math.max(middle[block] as number, 1e-9) - 2) / 6));
      return contrast ** 2 / (1 + ((noise[block] as number) / (0.15 * lv)) ** 2);
    });
    for (let i = 0; i < sampleCount; i++) {
      const lv = atSample(level, places, i);
      const weight = atSample(weightOfBlock, places, i);
      if (lv <= 0 || weight <= 0) continue;
      sum[i] = (sum[i] as number) + (weight * (e[i] as number)) / lv;
      weights[i] = (weights[i] as number) + weight;
    }
    return weightOfBlock;
  });
  for (let i = 0; i < sampleCount; i++)
    sum[i] = (weights[i] as number) > 0 ? (sum[i] as number) / (weights[i] as number) : 0;
  return { fused: sum, blockWeights };
}

/** Step 3: local maxima of the fused envelope. */
function findCandidates(fused: Float32Array, reach: number): DetectedBeat[] {
  const candidates: DetectedBeat[] = [];
  for (let i = 1; i < fused.length - 1; i++) {
    const height = fused[i] as number;
    if (height <= MIN_CANDIDATE || height < (fused[i - 1] as number) || height <= (fused[i + 1] as number))
      continue;
    const last = candidates.at(-1);
    if (last === undefined || i - last.sample > reach) candidates.push({ sample: i, height });
    else if (height > last.height) candidates[candidates.length - 1] = { sample: i, height };
  }
  return candidates;
}

/** The largest rejected candidate inside a suspiciously long interval, if it is large enough. */
function searchBack(
  candidates: readonly DetectedBeat[],
  from: DetectedBeat,
  to: DetectedBeat,
  threshold: number,
  fs: number,
): DetectedBeat | undefined {
  let best: DetectedBeat | undefined;
  for (const candidate of candidates) {
    const after = (candidate.sample - from.sample) / fs;
    if (after < 0.25 || (to.sample - candidate.sample) / fs < 0.25) continue;
    if (after < T_WAVE_SECONDS && candidate.height < 0.5 * from.height) continue;
    if (candidate.height >= threshold && candidate.height > (best?.height ?? 0)) best = candidate;
  }
  return best;
}

/** Step 4. */
function forwardPass(candidates: readonly DetectedBeat[], fs: number): DetectedBeat[] {
  const beats: DetectedBeat[] = [];
  const intervals: number[] = [];
  let signalLevel = 1;
  let noiseLevel = 0.1;
  let lastIndex = -1;
  for (const [index, candidate] of candidates.entries()) {
    const last = beats.at(-1);
    const threshold = Math.max(0.12, noiseLevel + 0.28 * (signalLevel - noiseLevel));
    const since = last === undefined ? Number.POSITIVE_INFINITY : (candidate.sample - last.sample) / fs;
    const isTWave = last !== undefined && since < T_WAVE_SECONDS && candidate.height < 0.5 * last.height;
    if (candidate.height < threshold || isTWave) {
      noiseLevel = 0.9 * noiseLevel + 0.1 * Math.min(candidate.height, 0.5 * signalLevel);
      continue;
    }
    if (last !== undefined && since <= REFRACTORY_SECONDS) {
      if (candidate.height > last.height) beats[beats.length - 1] = candidate;
      continue;
    }
    if (last !== undefined) {
      const usual = median(intervals.slice(-RR_MEMORY));
      const missed =
        usual !== undefined && since > SEARCH_BACK_FACTOR * usual
          ? searchBack(
              candidates.slice(lastIndex + 1, index),
              last,
              candidate,
              Math.max(0.1, 0.4 * threshold),
              fs,
            )
          : undefined;
      if (missed !== undefined) {
        beats.push(missed);
        intervals.push((missed.sample - last.sample) / fs, (candidate.sample - missed.sample) / fs);
      } else intervals.push(since);
    }
    beats.push(candidate);
    lastIndex = index;
    signalLevel = 0.875 * signalLevel + 0.125 * Math.min(candidate.height, 1.5 * signalLevel);
  }
  return beats;
}

/** A low deflection right before a tall one is its P wave, or the spike that paces the atria. */
function withoutPWaves(beats: readonly DetectedBeat[], fs: number): DetectedBeat[] {
  return beats.filter(({ sample, height }, i) => {
    const next = beats[i + 1];
    const isBeforeTall =
      next !== undefined &&
      (next.sample - sample) / fs < P_WAVE_SECONDS &&
      height < 0.5 * Math.min(1, next.height);
    return !isBeforeTall;
  });
}

export interface Detection {
  /** Verified, at the peaks of the envelope. */
  readonly beats: readonly DetectedBeat[];
  /** The envelope of all leads together, one value a sample: 1 at a typical beat. */
  readonly fused: Float32Array;
  /** One a lead, one value a block of the quality: how much the lead says there. */
  readonly blockWeights: readonly Float64Array[];
  /**
   * One a lead: typical range of a QRS in millivolts; undefined for leads that beats were not compared on.
   * Absent where there are too few beats.
   */
  readonly sizes: readonly (number | undefined)[] | undefined;
}

export const meanWeight = (ofBlocks: Float64Array): number =>
  ofBlocks.reduce((sum, weight) => sum + weight, 0) / Math.max(1, ofBlocks.length);

/** @param quality of the same window @param sections of the recording */
export function detectQrs(set: CoarseSet, quality: WindowQuality, sections: number): Detection {
  const { fused, blockWeights } = fuseLeads(set, quality);
  const candidates = findCandidates(fused, Math.round(CANDIDATE_REACH_SECONDS * set.sampleRateHz));
  const found = withoutPWaves(forwardPass(candidates, set.sampleRateHz), set.sampleRateHz);
  const weights = blockWeights.map(meanWeight);
  const leads = leadsForShapes(weights, sections);
  const { beats, sizes } = verifyBeats(
    pickLeads(set, leads),
    found,
    candidates,
    fused,
    ofLeads(weights, leads),
  );
  return {
    beats,
    fused,
    blockWeights,
    sizes: sizes === undefined ? undefined : weights.map((_, lead) => sizes[leads.indexOf(lead)]),
  };
}
