// Rhythms that are not sinus rhythm, made from the waves of the synthetic heart: what is known to be there by
// construction. Analysis reference, section 16.

import {
  type BeatShape,
  conductedBeat,
  leadVector,
  NORMAL_BEAT,
  type Vector,
  type Wave,
} from '../../main/signal/synthetic/heart-vector.ts';
import { gaussian, seededRandom } from '../../main/signal/synthetic/random.ts';
import type { SyntheticBeat, SyntheticEcg } from '../../main/signal/synthetic/synthetic-ecg.ts';
import { type LeadCode, STANDARD_LEADS } from '../../shared/signal/lead.ts';

const SAMPLE_RATE_HZ = 500;

/** Waves that begin so long after the start of the recording. */
interface Placed {
  readonly atSeconds: number;
  readonly waves: readonly Wave[];
  readonly isBeat: boolean;
  /** The class of a beat; N where left out. */
  readonly label?: SyntheticBeat['label'];
}

export interface MadeOptions {
  readonly leads?: readonly LeadCode[];
  readonly seconds?: number;
  readonly noiseUv?: number;
  readonly seed?: number;
  readonly beat?: Partial<BeatShape>;
}

const QRST = (beat: Partial<BeatShape> = {}): Wave[] => {
  const { prMs: _, ...shape } = { ...NORMAL_BEAT, ...beat };
  return conductedBeat(shape);
};
const P_ALONE = (beat: Partial<BeatShape> = {}): Wave[] =>
  conductedBeat({ ...NORMAL_BEAT, ...beat })
    .filter(({ name }) => name === 'P')
    .map((wave) => ({ ...wave, startMs: 0 }));

function add(dipole: readonly Float64Array[], { atSeconds, waves }: Placed): void {
  for (const { startMs, durationMs, peakMv } of waves) {
    const start = (atSeconds + startMs / 1000) * SAMPLE_RATE_HZ;
    const length = (durationMs / 1000) * SAMPLE_RATE_HZ;
    const end = Math.min((dipole[0] as Float64Array).length, start + length);
    for (let i = Math.max(0, Math.ceil(start)); i < end; i++)
      for (const [axis, values] of dipole.entries())
        values[i] =
          (values[i] as number) +
          0.5 * (1 - Math.cos((2 * Math.PI * (i - start)) / length)) * (peakMv[axis] as number);
  }
}

/** Teeth that fall slowly and rise fast, below and in front. */
function addFlutter(dipole: readonly Float64Array[], wavesPerMinute: number, heightMv: number): void {
  const direction: Vector = [-0.1, -0.9, 0.4];
  for (let i = 0; i < (dipole[0] as Float64Array).length; i++) {
    const phase = ((i / SAMPLE_RATE_HZ) * wavesPerMinute) / 60;
    const at = phase - Math.floor(phase);
    const tooth = at < 0.7 ? at / 0.7 : (1 - at) / 0.3;
    for (const [axis, values] of dipole.entries())
      values[i] = (values[i] as number) + heightMv * (tooth - 0.5) * (direction[axis] as number);
  }
}

function toEcg(
  placed: readonly Placed[],
  options: MadeOptions,
  flutter?: { perMinute: number; mv: number },
): SyntheticEcg {
  const { leads = STANDARD_LEADS, seconds = 10, noiseUv = 8, seed = 1 } = options;
  const count = Math.round(seconds * SAMPLE_RATE_HZ);
  const dipole = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (const one of placed) add(dipole, one);
  if (flutter !== undefined) addFlutter(dipole, flutter.perMinute, flutter.mv);
  const random = seededRandom(seed);
  const samplesUv = leads.map((lead) => {
    const vector = leadVector(lead) ?? [1, 0, 0];
    return Float32Array.from({ length: count }, (_, i) => {
      const uv = dipole.reduce(
        (sum, values, axis) => sum + (vector[axis] as number) * (values[i] as number),
        0,
      );
      return 1000 * uv + noiseUv * gaussian(random);
    });
  });
  const beats = placed.flatMap(({ isBeat, atSeconds, label = 'N' }) =>
    isBeat ? [{ sample: Math.round((atSeconds + 0.045) * SAMPLE_RATE_HZ), label }] : [],
  );
  return { sampleRateHz: SAMPLE_RATE_HZ, leads, samplesUv, beats };
}

/** Times at one distance; a heart's own is never the same twice. */
function regular(bpm: number, seconds: number, seed: number, jitterSeconds = 0.005): number[] {
  const random = seededRandom(seed + 100);
  const times: number[] = [];
  for (let at = 0.35; at < seconds + 1; at += 60 / bpm + jitterSeconds * gaussian(random)) times.push(at);
  return times;
}

const beatAt = (atSeconds: number, beat?: Partial<BeatShape>): Placed => ({
  atSeconds,
  waves: QRST(beat),
  isBeat: true,
});
const pAt = (atSeconds: number): Placed => ({ atSeconds, waves: P_ALONE(), isBeat: false });

/** Each P wave but the second one conducted: as many beats as half the P waves. */
export function twoToOneBlock(atrialBpm: number, options: MadeOptions = {}): SyntheticEcg {
  const ps = regular(atrialBpm, options.seconds ?? 10, options.seed ?? 1);
  return toEcg(
    ps.flatMap((at, i) => (i % 2 === 0 ? [pAt(at), beatAt(at + 0.18, options.beat)] : [pAt(at)])),
    options,
  );
}

/**
 * A block that comes and goes: all P waves are conducted, then every second one, in turn.
 *
 * @param stretchSeconds how long each of the two lasts
 */
export function passingTwoToOneBlock(
  atrialBpm: number,
  stretchSeconds: number,
  options: MadeOptions = {},
): SyntheticEcg {
  const ps = regular(atrialBpm, options.seconds ?? 10, options.seed ?? 1);
  return toEcg(
    ps.flatMap((at, i) => {
      const isBlocked = Math.floor(at / stretchSeconds) % 2 === 1;
      return isBlocked && i % 2 === 1 ? [pAt(at)] : [pAt(at), beatAt(at + 0.18, options.beat)];
    }),
    options,
  );
}

/** P waves and beats that have nothing to do with each other. */
export function completeBlock(atrialBpm: number, bpm: number, options: MadeOptions = {}): SyntheticEcg {
  const { seconds = 10, seed = 1 } = options;
  return toEcg(
    [
      ...regular(atrialBpm, seconds, seed).map(pAt),
      ...regular(bpm, seconds, seed + 7).map((at) => beatAt(at, options.beat)),
    ],
    options,
  );
}

/** Sinus rhythm that goes faster and slower with the breath. @param depth by which part of the mean rate, both ways */
export function breathing(
  bpm: number,
  depth: number,
  breathSeconds: number,
  options: MadeOptions = {},
): SyntheticEcg {
  const placed: Placed[] = [];
  const end = (options.seconds ?? 10) + 1;
  const phase = seededRandom(options.seed ?? 1)() * 2 * Math.PI;
  for (let at = 0.35; at < end; ) {
    placed.push(pAt(at - 0.16), beatAt(at, options.beat));
    at += (60 / bpm) * (1 + depth * Math.sin((2 * Math.PI * at) / breathSeconds + phase));
  }
  return toEcg(placed, options);
}

/** Regular beats without any P wave. */
export const junctional = (bpm: number, options: MadeOptions = {}): SyntheticEcg =>
  toEcg(
    regular(bpm, options.seconds ?? 10, options.seed ?? 1).map((at) => beatAt(at, options.beat)),
    options,
  );

/** Sinus rhythm with a right bundle branch block: a sharp r, and behind it a late R toward V1. */
export const rightBundleBlock = (bpm: number, options: MadeOptions = {}): SyntheticEcg =>
  toEcg(
    regular(bpm, options.seconds ?? 10, options.seed ?? 1).flatMap((at) => [
      pAt(at - 0.16),
      {
        atSeconds: at,
        waves: [
          { name: 'Q', startMs: 0, durationMs: 30, peakMv: [0.5, 0.87, 0.35] },
          { name: 'R', startMs: 60, durationMs: 100, peakMv: [-1.18, 0.21, 0.9] },
          { name: 'T', startMs: 220, durationMs: 180, peakMv: [0.23, 0.19, 0.1] },
        ],
        isBeat: true,
      },
    ]),
    options,
  );

/** Regular beats with P waves from the lower end of the atria: they run upwards. */
export const ectopicAtrial = (bpm: number, options: MadeOptions = {}): SyntheticEcg =>
  toEcg(
    regular(bpm, options.seconds ?? 10, options.seed ?? 1).flatMap((at) => [
      {
        atSeconds: at - 0.15,
        waves: P_ALONE(options.beat).map(({ peakMv: [x, y, z], ...wave }) => ({
          ...wave,
          peakMv: [x, -y, z] as const,
        })),
        isBeat: false,
      },
      beatAt(at, options.beat),
    ]),
    options,
  );

/** Sinus rhythm in which each beat with one of these numbers comes early, from another place in the atria. @param share by how much */
export function earlyAtrialBeats(
  bpm: number,
  early: readonly number[],
  options: MadeOptions = {},
  share = 0.35,
): SyntheticEcg {
  const placed = regular(bpm, options.seconds ?? 10, options.seed ?? 1).flatMap((at, i): Placed[] => {
    if (!early.includes(i)) return [pAt(at - 0.16), beatAt(at, options.beat)];
    const onset = at - share * (60 / bpm);
    const otherP = P_ALONE().map((p) => ({ ...p, peakMv: [0.02, -0.13, 0.05] as const }));
    return [
      { atSeconds: onset - 0.11, waves: otherP, isBeat: false },
      { ...beatAt(onset, options.beat), label: 'S' },
    ];
  });
  return toEcg(placed, options);
}

/** Sinus rhythm whose T points where P does, is higher, hardly wider, and stands halfway between two of them. */
export function tLikeP(bpm: number, timesP: number, options: MadeOptions = {}): SyntheticEcg {
  const halfway = 60 / bpm / 2 - 0.16;
  return toEcg(
    regular(bpm, options.seconds ?? 10, options.seed ?? 1).flatMap((at) => [
      pAt(at - 0.16),
      { atSeconds: at, waves: QRST(options.beat).filter(({ name }) => name !== 'T'), isBeat: true },
      {
        atSeconds: at + halfway - 0.03,
        waves: P_ALONE().map(({ peakMv: [x, y, z], ...p }) => ({
          ...p,
          durationMs: 160,
          peakMv: [timesP * x, timesP * y, timesP * z] as const,
        })),
        isBeat: false,
      },
    ]),
    options,
  );
}

/** Every other beat is early and wide, and comes from one of three places in turn; it begins with one of these. */
export function multiformBigeminy(options: MadeOptions = {}): SyntheticEcg {
  const placed = regular(33, options.seconds ?? 10, options.seed ?? 1).flatMap((at, i) => {
    const shape = { qrsMs: 130 + 45 * (i % 3), qtMs: 430, qrsAxisDeg: -70 + 120 * (i % 3) };
    const wide: Placed = { ...beatAt(at + 0.5, shape), label: 'V' };
    return i === 0 ? [wide] : [pAt(at - 0.16), beatAt(at, options.beat), wide];
  });
  return toEcg(placed, options);
}

/** One QRS behind a fixed number of flutter waves. */
export function flutter(perMinute: number, ratio: number, options: MadeOptions = {}, mv = 0.2): SyntheticEcg {
  const step = (60 / perMinute) * ratio;
  const placed: Placed[] = [];
  for (let at = 0.3; at < (options.seconds ?? 10) + 1; at += step) placed.push(beatAt(at, options.beat));
  return toEcg(placed, options, { perMinute, mv });
}
