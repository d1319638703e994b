// What is wrong at the electrodes, found by the same detectors that watch the running signal: exchanged arms
// and hum of the mains; and spikes of a pacemaker, whose beats are no conducted ones.

import { LimbSwapDetector } from '../../shared/signal/live/limb-swap.ts';
import { type Hum, MainsHum } from '../../shared/signal/live/mains-hum.ts';
import { PaceDetector } from '../../shared/signal/live/pace-detector.ts';
import type { LeadSet } from './lead-signals.ts';

/**
 * A spike this long before R belongs to its beat: a ventricular one lies right before it, an atrial one
 * earlier.
 */
const ATRIAL_SPIKE_MS = 350;
/** R of a paced beat may have been put on the spike itself. */
const SPIKE_SLACK_MS = 30;
const PACED_SHARE = 0.5;
const HUM_SHARE = 0.5;

export interface ElectrodeFaults {
  /** Samples of pacing spikes. */
  readonly spikes: readonly number[];
  readonly isPaced: boolean;
  readonly isArmSwapLikely: boolean;
  /** Median of what disturbs, where it does so at least half of the time. */
  readonly hum: Hum | undefined;
}

/** Modified electrode pairs have another polarity than the lead whose name they bear. */
const codesOf = (set: LeadSet): string[] => set.leads.map(({ name, isStandard }) => (isStandard ? name : ''));

/** Share of the beats with a spike right before them or at their beginning. Both lists are in order. */
function pacedShare(set: LeadSet, beatSamples: readonly number[], spikes: readonly number[]): number {
  const reach = (ATRIAL_SPIKE_MS / 1000) * set.sampleRateHz;
  const slack = (SPIKE_SLACK_MS / 1000) * set.sampleRateHz;
  let paced = 0;
  let next = 0;
  for (const sample of beatSamples) {
    while (next < spikes.length && (spikes[next] as number) < sample - reach) next++;
    if (next < spikes.length && (spikes[next] as number) <= sample + slack) paced++;
  }
  return beatSamples.length === 0 ? 0 : paced / beatSamples.length;
}

/** One pass over all samples; leads that are not calibrated have no say. */
export function findElectrodeFaults(set: LeadSet, beatSamples: readonly number[]): ElectrodeFaults {
  const { leads, sampleRateHz, sampleCount } = set;
  const pace = new PaceDetector(sampleRateHz);
  const hum = new MainsHum(sampleRateHz, leads.length);
  const swap = new LimbSwapDetector(sampleRateHz, codesOf(set));
  const mv = new Float64Array(leads.length);
  const spikes: number[] = [];
  const hums: Hum[] = [];
  let [nextBeat, seconds, swapSeconds] = [0, 0, 0];
  const second = Math.round(sampleRateHz);
  const behind = Math.round(0.1 * sampleRateHz);
  for (let i = 0; i < sampleCount; i++) {
    for (let lead = 0; lead < leads.length; lead++)
      mv[lead] = leads[lead]?.isCalibrated ? (leads[lead]?.mv[i] as number) : 0;
    if (pace.next(mv)) spikes.push(i);
    hum.next(mv);
    swap.next(mv, i);
    if (nextBeat < beatSamples.length && i === (beatSamples[nextBeat] as number) + behind)
      swap.beat(beatSamples[nextBeat++] as number);
    if ((i + 1) % second !== 0) continue;
    seconds++;
    if (hum.disturbing !== undefined) hums.push(hum.disturbing);
    if (swap.isLikely) swapSeconds++;
  }
  hums.sort((a, b) => a.uv - b.uv);
  const isStanding = seconds > 0 && hums.length >= HUM_SHARE * Math.max(1, seconds - 3);
  return {
    spikes,
    isPaced: pacedShare(set, beatSamples, spikes) > PACED_SHARE,
    isArmSwapLikely: swap.isLikely || (seconds > 10 && swapSeconds > seconds / 2),
    hum: isStanding ? hums[hums.length >> 1] : undefined,
  };
}
