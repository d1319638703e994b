// A pacing spike belongs to the pacemaker and not to the heart: QRS begins behind it, though the network takes it for the
// beginning of QRS, and the level before QRS is that before the spike. Analysis reference, section 4.3.

import { mean } from '../../../shared/signal/statistics.ts';
import type { MedianBeat } from '../median-beat.ts';
import { type BeatWaves, withQrsFrom } from './beat-waves.ts';

/** From the spike to the first deflection of the chamber, which answers when the pulse has died away. */
const SPIKE_SECONDS = 0.016;
/** Beats of the median lie so far apart, and filters ring ahead. */
const AHEAD_SECONDS = 0.006;
const LEVEL_SECONDS = 0.016;

/** @param spikeOf sample of the spike before a beat; undefined where there is none */
export function behindSpikes(
  waves: readonly BeatWaves[],
  spikeOf: (beat: number) => number | undefined,
  sampleRateHz: number,
): BeatWaves[] {
  return waves.map((each) => {
    const spike = spikeOf(each.beat);
    return spike === undefined ? each : withQrsFrom(each, spike + SPIKE_SECONDS * sampleRateHz);
  });
}

/** The median beat to measure in: each lead stays at its level until the spike is over. */
export function withoutSpike(beat: MedianBeat, spikeBeforeR: number): MedianBeat {
  const spike = beat.fiducial - spikeBeforeR;
  const from = Math.max(0, Math.round(spike - AHEAD_SECONDS * beat.sampleRateHz));
  const to = Math.round(spike + SPIKE_SECONDS * beat.sampleRateHz);
  const before = Math.max(0, from - Math.round(LEVEL_SECONDS * beat.sampleRateHz));
  return {
    ...beat,
    leads: beat.leads.map((lead) => lead.slice().fill(mean(lead.subarray(before, from)) ?? 0, from, to)),
  };
}
