// The synthetic ECG source: demo, simulator and accuracy tests draw from it. It returns the signal and the
// truth about it.

import type { LeadCode } from '../../../shared/signal/lead.ts';
import {
  type BeatShape,
  conductedBeat,
  leadVector,
  NORMAL_BEAT,
  ventricularBeat,
  type Wave,
} from './heart-vector.ts';
import { gaussian, type Random, seededRandom } from './random.ts';

export type SyntheticRhythm = 'sinus' | 'afib' | 'pvc';

export interface SyntheticOptions {
  readonly leads: readonly LeadCode[];
  readonly sampleRateHz: number;
  readonly durationSeconds: number;
  readonly rhythm?: SyntheticRhythm;
  readonly heartRateBpm?: number;
  readonly beat?: Partial<BeatShape>;
  /** Standard deviation of white noise. */
  readonly noiseUv?: number;
  /** Peak of a slow breathing wave of 0.25 Hz. */
  readonly wanderUv?: number;
  readonly mains?: { readonly frequencyHz: number; readonly peakUv: number };
  readonly seed?: number;
}

export interface SyntheticBeat {
  /** Peak of the main QRS vector. */
  readonly sample: number;
  readonly label: 'N' | 'S' | 'V';
}

export interface SyntheticEcg {
  readonly sampleRateHz: number;
  readonly leads: readonly LeadCode[];
  /** One array a lead, in microvolts. */
  readonly samplesUv: readonly Float32Array[];
  readonly beats: readonly SyntheticBeat[];
}

const PVC_EVERY = 6;

interface PlannedBeat {
  /** Onset of the QRS complex. */
  readonly onsetSeconds: number;
  readonly waves: readonly Wave[];
  readonly label: 'N' | 'V';
}

function planBeats(options: SyntheticOptions, random: Random): PlannedBeat[] {
  const rhythm = options.rhythm ?? 'sinus';
  const shape: BeatShape = { ...NORMAL_BEAT, ...options.beat };
  const { prMs: _without, ...withoutP } = shape;
  const normal = conductedBeat(rhythm === 'afib' ? withoutP : shape);
  const rrSeconds = 60 / (options.heartRateBpm ?? 72);
  const beats: PlannedBeat[] = [];
  let onset = 0.4;
  for (let index = 0; onset < options.durationSeconds; index++) {
    const isEctopic = rhythm === 'pvc' && index % PVC_EVERY === PVC_EVERY - 1;
    if (isEctopic) {
      // 35 % too early, followed by the full compensatory pause: the sinus beat after it keeps its place.
      beats.push({ onsetSeconds: onset - 0.35 * rrSeconds, waves: ventricularBeat(), label: 'V' });
      onset += rrSeconds;
      continue;
    }
    beats.push({ onsetSeconds: onset, waves: normal, label: 'N' });
    onset +=
      rhythm === 'afib' ? rrSeconds * Math.min(1.7, Math.max(0.55, 1 + 0.22 * gaussian(random))) : rrSeconds;
  }
  return beats;
}

/** Adds a raised-cosine pulse to the three components of the dipole. */
function addWave(
  dipole: readonly Float64Array[],
  wave: Wave,
  beatOnsetSeconds: number,
  sampleRateHz: number,
): void {
  const start = (beatOnsetSeconds + wave.startMs / 1000) * sampleRateHz;
  const length = (wave.durationMs / 1000) * sampleRateHz;
  const n = (dipole[0] as Float64Array).length;
  for (let i = Math.max(0, Math.ceil(start)); i < Math.min(n, start + length); i++) {
    const height = 0.5 * (1 - Math.cos((2 * Math.PI * (i - start)) / length));
    for (let axis = 0; axis < 3; axis++)
      (dipole[axis] as Float64Array)[i] =
        (dipole[axis]?.[i] as number) + height * (wave.peakMv[axis] as number);
  }
}

/** Fibrillatory waves of 6 Hz in front and below, slowly changing in size. */
function addFibrillation(dipole: readonly Float64Array[], sampleRateHz: number): void {
  const [, y, z] = dipole as readonly [Float64Array, Float64Array, Float64Array];
  for (let i = 0; i < y.length; i++) {
    const t = i / sampleRateHz;
    const wave =
      0.05 *
      (1 + 0.4 * Math.sin(2 * Math.PI * 0.3 * t)) *
      Math.sin(2 * Math.PI * (6 * t + 0.15 * Math.sin(2 * Math.PI * 0.7 * t)));
    y[i] = (y[i] as number) + 0.5 * wave;
    z[i] = (z[i] as number) + wave;
  }
}

function peakSample({ onsetSeconds, waves }: PlannedBeat, sampleRateHz: number): number {
  const main = waves.find((wave) => wave.name === 'R' || wave.name === 'V') as Wave;
  return Math.round((onsetSeconds + (main.startMs + main.durationMs / 2) / 1000) * sampleRateHz);
}

export function synthesiseEcg(options: SyntheticOptions): SyntheticEcg {
  const { leads, sampleRateHz, durationSeconds } = options;
  const random = seededRandom(options.seed ?? 1);
  const sampleCount = Math.round(durationSeconds * sampleRateHz);
  const dipole = [
    new Float64Array(sampleCount),
    new Float64Array(sampleCount),
    new Float64Array(sampleCount),
  ];
  const beats = planBeats(options, random);
  for (const beat of beats)
    for (const wave of beat.waves) addWave(dipole, wave, beat.onsetSeconds, sampleRateHz);
  if (options.rhythm === 'afib') addFibrillation(dipole, sampleRateHz);

  const [x, y, z] = dipole as [Float64Array, Float64Array, Float64Array];
  const samplesUv = leads.map((lead, index) => {
    const [vx, vy, vz] = leadVector(lead) ?? [1, 0, 0];
    const samples = new Float32Array(sampleCount);
    for (let i = 0; i < sampleCount; i++) {
      const t = i / sampleRateHz;
      let uv = 1000 * (vx * (x[i] as number) + vy * (y[i] as number) + vz * (z[i] as number));
      if (options.noiseUv !== undefined) uv += options.noiseUv * gaussian(random);
      if (options.wanderUv !== undefined) uv += options.wanderUv * Math.sin(2 * Math.PI * 0.25 * t + index);
      if (options.mains !== undefined)
        uv += options.mains.peakUv * Math.sin(2 * Math.PI * options.mains.frequencyHz * t + index);
      samples[i] = uv;
    }
    return samples;
  });
  const known = beats.map((beat) => ({ sample: peakSample(beat, sampleRateHz), label: beat.label }));
  return { sampleRateHz, leads, samplesUv, beats: known.filter((beat) => beat.sample < sampleCount) };
}
