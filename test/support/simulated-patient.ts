// The simulated patient as a whole recording: what the leads of a perfect device would show of it.

import { LEAD_WIRING, type NoiseLevel, SimulatedElectrodes } from '../../main/device/simulator/electrodes.ts';
import type { Rhythm } from '../../main/device/simulator/rhythms.ts';
import type { SyntheticEcg } from '../../main/signal/synthetic/synthetic-ecg.ts';
import { ELECTRODES, type Electrode } from '../../shared/signal/electrode.ts';
import { type LeadCode, STANDARD_LEADS } from '../../shared/signal/lead.ts';

export interface SimulatedPatientOptions {
  readonly rhythm: Rhythm;
  readonly seconds?: number;
  readonly rateHz?: number;
  readonly noise?: NoiseLevel;
  readonly leads?: readonly LeadCode[];
  readonly heartRateBpm?: number;
  readonly seed?: number;
  /** Electrodes that hang where the other one should. */
  readonly swapped?: readonly [Electrode, Electrode];
  /** Electrodes without contact from the beginning. */
  readonly off?: readonly Electrode[];
}

export function simulatedPatient(options: SimulatedPatientOptions): SyntheticEcg {
  const {
    rhythm,
    seconds = 10,
    rateHz = 500,
    noise = 'clean',
    leads = STANDARD_LEADS,
    heartRateBpm,
    seed = 5,
    swapped,
    off = [],
  } = options;
  const electrodes = new SimulatedElectrodes({ rhythm, rateHz, noise, mainsHz: 50, seed, heartRateBpm });
  for (const electrode of off) electrodes.setContact(electrode, false);
  const potentials = electrodes.next(Math.round(seconds * rateHz));
  const placed = (electrode: Electrode): Electrode =>
    swapped === undefined || !swapped.includes(electrode)
      ? electrode
      : swapped[0] === electrode
        ? swapped[1]
        : swapped[0];
  const samplesUv = leads.map((lead) => {
    const wiring = LEAD_WIRING[lead.replace('MDC_ECG_LEAD_', '')] ?? [];
    const parts = wiring.map(([electrode, weight]) => ({
      uv: potentials[ELECTRODES.indexOf(placed(electrode))] as Float64Array,
      weight,
    }));
    return Float32Array.from({ length: Math.round(seconds * rateHz) }, (_, i) =>
      parts.reduce((sum, { uv, weight }) => sum + weight * (uv[i] as number), 0),
    );
  });
  const beats = electrodes.heart
    .takeBeats()
    .flatMap(({ sample, label }) => (label === '/' ? [] : [{ sample, label }]));
  return {
    sampleRateHz: rateHz,
    leads,
    samplesUv,
    beats: beats.filter(({ sample }) => sample < seconds * rateHz),
  };
}
