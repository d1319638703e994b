// Pieces of signal without a heart in them: what electrodes, cables and muscles make on their own. Every
// piece follows from its number, so that a failing one can be made again.

import { gaussian, type Random, seededRandom } from '../../main/signal/synthetic/random.ts';
import type { SyntheticEcg } from '../../main/signal/synthetic/synthetic-ecg.ts';
import { type LeadCode, STANDARD_LEADS } from '../../shared/signal/lead.ts';

export const NOISE_KINDS = ['white', 'random walk', 'muscle', 'mains', 'steps', 'flat'] as const;
export type NoiseKind = (typeof NOISE_KINDS)[number];

const LEAD_SETS: readonly (readonly LeadCode[])[] = [
  STANDARD_LEADS,
  ['MDC_ECG_LEAD_II'],
  ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II'],
  ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'],
];
const RATES_HZ = [125, 250, 360, 500, 1000] as const;

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
/** Between two values, evenly on a logarithmic scale. */
const between = (random: Random, low: number, high: number): number => low * (high / low) ** random();

type Source = (i: number) => number;

/** Bursts of 0.3 to 3 s of band-limited noise over a quiet floor, as a muscle that tenses makes them. */
function muscle(random: Random, rateHz: number): Source {
  let [last, gain, until] = [0, 0, 0];
  return (i) => {
    if (i >= until) {
      gain = gain > 0.5 ? 0.1 : 1;
      until = i + Math.round(rateHz * between(random, 0.3, 3));
    }
    const white = gaussian(random);
    const value = white - last;
    last = white;
    return gain * value;
  };
}

/** A level that jumps, as a loose electrode does. */
function steps(random: Random, rateHz: number): Source {
  const meanSeconds = between(random, 0.3, 2);
  let [level, next] = [0, 0];
  return (i) => {
    if (i >= next) {
      level = 2 * gaussian(random);
      next = i - Math.round(rateHz * meanSeconds * Math.log(1 - random()));
    }
    return level + 0.02 * gaussian(random);
  };
}

function sourceOf(kind: NoiseKind, random: Random, rateHz: number): Source {
  switch (kind) {
    case 'white':
      return () => gaussian(random);
    case 'random walk': {
      let level = 0;
      return () => {
        level = 0.9995 * level + gaussian(random) / Math.sqrt(rateHz);
        return 4 * level;
      };
    }
    case 'muscle':
      return muscle(random, rateHz);
    case 'mains': {
      const hz = pick(random, [50, 60]);
      const phase = 6.283 * random();
      return (i) => Math.sin((2 * Math.PI * hz * i) / rateHz + phase) + 0.01 * gaussian(random);
    }
    case 'steps':
      return steps(random, rateHz);
    case 'flat':
      return () => 0;
  }
}

export interface NoisePiece {
  readonly kind: NoiseKind;
  readonly description: string;
  readonly amplitudeUv: number;
  /** 1 where all leads show the same noise, as they do when one limb electrode is loose. */
  readonly commonShare: number;
  readonly ecg: SyntheticEcg;
}

/** @param seconds how long it is, where its own length is not wanted */
export function noisePiece(index: number, seconds?: number): NoisePiece {
  const random = seededRandom(1000 + index);
  const kind = NOISE_KINDS[index % NOISE_KINDS.length] as NoiseKind;
  const leads = pick(random, LEAD_SETS);
  const sampleRateHz = pick(random, RATES_HZ);
  const ownSeconds = pick(random, [8, 10, 20, 60]);
  const durationSeconds = seconds ?? ownSeconds;
  const amplitudeUv = between(random, 5, 3000);
  /** What all leads share, as they do when one limb electrode is loose. */
  const commonShare = pick(random, [0, 0.5, 1]);
  const common = sourceOf(kind, random, sampleRateHz);
  const own = leads.map(() => sourceOf(kind, random, sampleRateHz));
  const gains = leads.map(() => gaussian(random));
  const count = sampleRateHz * durationSeconds;
  const samplesUv = leads.map(() => new Float32Array(count));
  for (let i = 0; i < count; i++) {
    const shared = common(i);
    for (const [lead, samples] of samplesUv.entries())
      samples[i] =
        amplitudeUv *
        (commonShare * (gains[lead] as number) * shared + (1 - commonShare) * (own[lead] as Source)(i));
  }
  const description = `${kind}, ${leads.length} leads, ${sampleRateHz} Hz, ${durationSeconds} s, ${amplitudeUv.toFixed(0)} µV, ${commonShare} shared`;
  return { kind, description, amplitudeUv, commonShare, ecg: { sampleRateHz, leads, samplesUv, beats: [] } };
}
