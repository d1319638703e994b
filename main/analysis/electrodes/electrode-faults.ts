// What disturbs at the electrodes, found by the same detectors that watch the running signal: hum of the mains, and
// spikes of a pacemaker, whose beats are no conducted ones.

import { firstFrom } from '../../../shared/signal/first-from.ts';
import { type Hum, type HumSums, MainsHum } from '../../../shared/signal/live/mains-hum.ts';
import { PaceDetector, type PaceMemory } from '../../signal/live/pace-detector.ts';
import type { LeadReader, LeadSet } from '../signal/lead-signals.ts';

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
  /** How long before the usual beats spikes stand, where all beats together show them. */
  readonly spikeBeforeRMs?: number | undefined;
  /** Median of what disturbs, where it does so at least half of the time. */
  readonly hum: Hum | undefined;
}

/** Share of the beats with a spike right before them or at their beginning. Both lists are in order. */
function pacedShare(sampleRateHz: number, beatSamples: readonly number[], spikes: readonly number[]): number {
  const reach = (ATRIAL_SPIKE_MS / 1000) * sampleRateHz;
  const slack = (SPIKE_SLACK_MS / 1000) * sampleRateHz;
  let paced = 0;
  let next = 0;
  for (const sample of beatSamples) {
    while (next < spikes.length && (spikes[next] as number) < sample - reach) next++;
    if (next < spikes.length && (spikes[next] as number) <= sample + slack) paced++;
  }
  return beatSamples.length === 0 ? 0 : paced / beatSamples.length;
}

/** Within half a second on both sides of a spike: three a beat at 240/min. More are noise. */
const MOST_AROUND = 12;

/** Without bursts, from their first spike to their last. @param spikes in order */
function withoutBursts(spikes: readonly number[], sampleRateHz: number): number[] {
  const reach = sampleRateHz / 2;
  const dense = spikes.filter(
    (spike) => firstFrom(spikes, spike + reach + 1) - firstFrom(spikes, spike - reach) > MOST_AROUND,
  );
  return spikes.filter(
    (spike) => (dense[firstFrom(dense, spike - reach)] ?? Number.POSITIVE_INFINITY) > spike + reach,
  );
}

/** What was found so far. */
export interface WatchedElectrodes {
  readonly pace: PaceMemory;
  readonly hum: HumSums;
  readonly spikes: number[];
  readonly hums: Hum[];
  seconds: number;
}

/** Follows all samples, section after section; leads that are not calibrated have no say. */
export class ElectrodeWatch {
  readonly #sampleRateHz: number;
  readonly #beatSamples: readonly number[];
  readonly #pace: PaceDetector;
  readonly #hum: MainsHum;
  readonly state: WatchedElectrodes;

  /** @param beatSamples of the whole recording, in order @param state of a watch that is gone on with */
  constructor(
    { sampleRateHz, leads }: LeadReader,
    beatSamples: readonly number[],
    state?: WatchedElectrodes,
  ) {
    this.#sampleRateHz = sampleRateHz;
    this.#beatSamples = beatSamples;
    this.#pace = new PaceDetector(sampleRateHz, state?.pace);
    this.#hum = new MainsHum(sampleRateHz, leads.length, state?.hum);
    this.state = state ?? {
      pace: this.#pace.state,
      hum: this.#hum.state,
      spikes: [],
      hums: [],
      seconds: 0,
    };
  }

  /** @param from first sample of the window that was not seen yet @param to the one behind the last */
  add({ leads, startSample }: LeadSet, from: number, to: number): void {
    const mv = new Float64Array(leads.length);
    const signals = leads.map((lead) => (lead.isCalibrated ? lead.mv : undefined));
    const second = Math.round(this.#sampleRateHz);
    const { state } = this;
    for (let i = from; i < to; i++) {
      const at = i + startSample;
      for (let lead = 0; lead < signals.length; lead++) mv[lead] = signals[lead]?.[i] ?? 0;
      if (this.#pace.next(mv)) state.spikes.push(at);
      this.#hum.next(mv);
      if ((at + 1) % second !== 0) continue;
      state.seconds++;
      if (this.#hum.disturbing !== undefined) state.hums.push(this.#hum.disturbing);
    }
  }

  get faults(): ElectrodeFaults {
    const { seconds } = this.state;
    const hums = [...this.state.hums].sort((a, b) => a.uv - b.uv);
    const spikes = withoutBursts(this.state.spikes, this.#sampleRateHz);
    const isStanding = seconds > 0 && hums.length >= HUM_SHARE * Math.max(1, seconds - 3);
    return {
      spikes,
      isPaced: pacedShare(this.#sampleRateHz, this.#beatSamples, spikes) > PACED_SHARE,
      hum: isStanding ? hums[hums.length >> 1] : undefined,
    };
  }
}
