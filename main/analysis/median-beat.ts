// The median beat: what the dominant beat looks like on every lead with the noise averaged out. Analysis
// reference, section 6.1.

import { filterZeroPhase, highPass } from '../../shared/signal/butterworth.ts';
import { median } from '../../shared/signal/statistics.ts';
import type { LeadSet } from './lead-signals.ts';

const BEFORE_MS = 350;
const MAX_AFTER_MS = 900;
const RR_TOLERANCE = 0.15;
const BASELINE_HZ = 0.5;
const ALIGN_MS = 20;
/** More members don't make the median better, only slower. */
const MAX_MEMBERS = 200;

export interface MedianBeat {
  readonly sampleRateHz: number;
  /** Position of the R peak in each array. */
  readonly fiducial: number;
  readonly rrMs: number;
  readonly memberCount: number;
  readonly memberSamples: readonly number[];
  /** One array a lead, millivolts, baseline removed. */
  readonly leads: readonly Float64Array[];
}

/** Dominant beats whose own R-R is near the median, spread evenly over the recording where there are many. */
function chooseMembers(
  samples: readonly number[],
  dominant: readonly number[],
  rr: number,
  isUsable: (sample: number) => boolean,
): number[] {
  const regular = dominant.filter((index) => {
    const before = index > 0 ? (samples[index] as number) - (samples[index - 1] as number) : rr;
    return Math.abs(before - rr) <= RR_TOLERANCE * rr && isUsable(samples[index] as number);
  });
  const chosen =
    regular.length >= 3 ? regular : dominant.filter((index) => isUsable(samples[index] as number));
  const stride = Math.max(1, chosen.length / MAX_MEMBERS);
  return Array.from(
    { length: Math.min(chosen.length, MAX_MEMBERS) },
    (_, k) => samples[chosen[Math.floor(k * stride)] as number] as number,
  );
}

/** Moves each member by up to ±20 ms to where it fits the first one best. */
function align(signal: Float64Array, members: readonly number[], fs: number): number[] {
  const reach = Math.round((ALIGN_MS / 1000) * fs);
  const half = Math.round(0.06 * fs);
  const reference = members[0] ?? 0;
  return members.map((member) => {
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let shift = -reach; shift <= reach; shift++) {
      let score = 0;
      for (let k = -half; k <= half; k++)
        score += (signal[reference + k] ?? 0) * (signal[member + shift + k] ?? 0);
      if (score > bestScore) {
        bestScore = score;
        best = shift;
      }
    }
    return member + best;
  });
}

/** @returns undefined where there are no two dominant beats that lie wholly inside the recording. */
export function buildMedianBeat(
  set: LeadSet,
  samples: readonly number[],
  dominant: readonly number[],
  bestLead: number,
): MedianBeat | undefined {
  const fs = set.sampleRateHz;
  const intervals = samples.slice(1).map((sample, index) => sample - (samples[index] as number));
  const rr = median(intervals);
  if (rr === undefined) return undefined;
  const before = Math.round((BEFORE_MS / 1000) * fs);
  const after = Math.round(Math.min((MAX_AFTER_MS / 1000) * fs, Math.max(0.45 * fs, 0.7 * rr)));
  const slack = Math.ceil((ALIGN_MS / 1000) * fs);
  const isUsable = (sample: number): boolean =>
    sample - before - slack >= 0 &&
    sample + after + slack < set.sampleCount &&
    !set.gaps.some(([start, end]) => sample - before < end && sample + after > start);
  const members = chooseMembers(samples, dominant, rr, isUsable);
  if (members.length === 0) return undefined;
  const steady = set.leads.map((lead) => filterZeroPhase(lead.mv, [highPass(BASELINE_HZ, fs)], 2 * fs));
  const aligned = align(steady[bestLead] as Float64Array, members, fs).filter(isUsable);
  const width = before + after + 1;
  const column = new Float64Array(aligned.length);
  const leads = steady.map((signal) => {
    const beat = new Float64Array(width);
    for (let k = 0; k < width; k++) {
      for (const [index, member] of aligned.entries()) column[index] = signal[member - before + k] as number;
      beat[k] = median(column) ?? 0;
    }
    return beat;
  });
  return {
    sampleRateHz: fs,
    fiducial: before,
    rrMs: (1000 * rr) / fs,
    memberCount: aligned.length,
    memberSamples: aligned,
    leads,
  };
}
