// A pacing spike belongs to the pacemaker and not to the heart: QRS begins behind it, though the network takes it for the
// beginning of QRS, and nothing is measured in it. Analysis reference, section 4.3.

import { mean } from '../../../shared/signal/statistics.ts';
import type { SpikeBeforeR } from '../electrodes/paced-beats.ts';
import type { MedianBeat } from '../measurements/median-beat.ts';
import { type BeatWaves, withQrsFrom } from './beat-waves.ts';
import type { WavePart } from './find-waves.ts';

/**
 * From the beginning of a spike to the first deflection of the chamber, which answers when the pulse has died away. With 8 to
 * 24 ms the onsets of LUDB scatter alike (8.4 to 8.3 ms).
 */
const ANSWER_MS = 16;
/** A pulse may be longer than that, and rings behind its end. */
const BEHIND_END_MS = 4;
/** The beats of the median are aligned no better than this, and filters ring ahead. */
const AHEAD_MS = 6;
const LEVEL_MS = 16;

/** How long before R a spike no longer counts. */
const overBeforeRMs = ({ startMs, endMs }: SpikeBeforeR): number =>
  Math.min(startMs - ANSWER_MS, endMs - BEHIND_END_MS);

/** @param samples of all beats @param isPaced whether a beat has the spike */
export function behindSpikes(
  { range, waves }: WavePart,
  samples: readonly number[],
  isPaced: (beat: number) => boolean,
  spike: SpikeBeforeR,
  sampleRateHz: number,
): WavePart {
  const away = (overBeforeRMs(spike) * sampleRateHz) / 1000;
  return {
    range,
    waves: waves.map(
      (each): BeatWaves =>
        isPaced(each.beat) ? withQrsFrom(each, (samples[each.beat] as number) - away) : each,
    ),
  };
}

/** The median beat to measure in: each lead stays at the level before the spike until the spike is over. */
export function withoutSpike(beat: MedianBeat, spike: SpikeBeforeR): MedianBeat {
  const { fiducial, sampleRateHz } = beat;
  const at = (msBeforeR: number): number =>
    Math.max(0, Math.round(fiducial - (msBeforeR * sampleRateHz) / 1000));
  const from = at(spike.startMs + AHEAD_MS);
  const before = at(spike.startMs + AHEAD_MS + LEVEL_MS);
  const to = at(overBeforeRMs(spike));
  return {
    ...beat,
    leads: beat.leads.map((lead) => lead.slice().fill(mean(lead.subarray(before, from)) ?? 0, from, to)),
  };
}
