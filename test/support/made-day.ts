// A day of a made heart: sinus rhythm that is slower at night, ectopic beats, two episodes of atrial fibrillation, three pauses and
// some noise, with the truth about all of it.

import {
  conductedBeat,
  leadVector,
  NORMAL_BEAT,
  ventricularBeat,
  type Wave,
} from '../../main/signal/synthetic/heart-vector.ts';
import { gaussian, type Random, seededRandom } from '../../main/signal/synthetic/random.ts';
import { type LeadCode, leadName, matchLead } from '../../shared/signal/lead.ts';
import { type Channel, INVALID_SAMPLE, type Recording } from '../../shared/signal/recording.ts';

type Span = readonly [startSecond: number, endSecond: number];

export interface DayOptions {
  readonly hours?: number;
  readonly rateHz?: number;
  readonly leads?: readonly LeadCode[];
  readonly meanBpm?: number;
  readonly ventricular?: number;
  readonly supraventricular?: number;
  readonly seed?: number;
  readonly lastName?: string;
}

export interface DayTruth {
  readonly beats: readonly { readonly second: number; readonly label: 'N' | 'S' | 'V' }[];
  readonly fibrillation: readonly Span[];
  readonly pauses: readonly Span[];
  readonly noise: readonly Span[];
}

export interface MadeDay {
  readonly recording: Recording;
  readonly truth: DayTruth;
}

const THREE_LEADS: readonly LeadCode[] = ['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1', 'MDC_ECG_LEAD_V5'];
/** One ectopic beat at most in each. */
const SLOT_SECONDS = 5;
const PAUSES_SECONDS = [3.2, 2.8, 3.8];
/** Where in the recording, and for how long, in parts of an hour for each hour that it lasts. */
const FIBRILLATION: readonly (readonly [at: number, long: number])[] = [
  [0.31, 0.02],
  [0.64, 0.009],
];
const PAUSES_AT = [0.22, 0.51, 0.81];
const NOISE_AT = [0.08, 0.17, 0.29, 0.43, 0.58, 0.72, 0.88];
const START_MS = Date.UTC(2026, 10, 20, 9, 12);

const EARLY_P = conductedBeat({ ...NORMAL_BEAT, prMs: 120 }).map(
  (wave): Wave => (wave.name === 'P' ? { ...wave, peakMv: [0.02, -0.13, 0.05] } : wave),
);
const SHAPES = {
  N: conductedBeat(NORMAL_BEAT),
  S: EARLY_P,
  V: ventricularBeat(),
  W: ventricularBeat().map(
    (wave): Wave => ({
      ...wave,
      peakMv: [-0.8 * wave.peakMv[1], 0.7 * wave.peakMv[0] + 0.4, -wave.peakMv[2]],
    }),
  ),
  /** In fibrillation. */
  A: conductedBeat({ ...NORMAL_BEAT, prMs: undefined }),
} as const;
type ShapeName = keyof typeof SHAPES;

interface Placed {
  readonly second: number;
  readonly shape: ShapeName;
}

const inSpan = (spans: readonly Span[], second: number): boolean =>
  spans.some(([start, end]) => second >= start && second < end);

/** So many places in a day, a minute from its ends and from each other's neighbourhood. */
function randomPlaces(
  count: number,
  seconds: number,
  random: Random,
  isFree: (second: number) => boolean,
): number[] {
  const slots = new Set<number>();
  for (let tries = 0; slots.size < count && tries < 100 * count; tries++) {
    const slot = Math.floor(random() * (seconds / SLOT_SECONDS));
    const second = SLOT_SECONDS * slot;
    if (second > 60 && second < seconds - 60 && isFree(second)) slots.add(slot);
  }
  return [...slots].map((slot) => SLOT_SECONDS * slot).sort((a, b) => a - b);
}

function placeBeats(
  seconds: number,
  options: Required<Pick<DayOptions, 'meanBpm' | 'ventricular' | 'supraventricular'>>,
  random: Random,
) {
  const fibrillation = FIBRILLATION.map(([at, long]): Span => [at * seconds, (at + long) * seconds]);
  const noise = NOISE_AT.map((at, i): Span => [at * seconds, at * seconds + 20 + 5 * i]);
  const pausesAt = PAUSES_AT.map((at) => at * seconds);
  const isFree = (second: number): boolean =>
    !inSpan(
      fibrillation.map(([a, b]): Span => [a - 20, b + 20]),
      second,
    ) &&
    !inSpan(
      noise.map(([a, b]): Span => [a - 20, b + 20]),
      second,
    ) &&
    pausesAt.every((at) => Math.abs(at - second) > 20);
  const places = randomPlaces(options.ventricular + options.supraventricular, seconds, random, isFree);
  const isV = new Set([...places.keys()].sort(() => random() - 0.5).slice(0, options.ventricular));
  const placed: Placed[] = [];
  const pauses: Span[] = [];
  let [nextPlace, nextPause] = [0, 0];
  for (let at = 0.5; at < seconds - 1; ) {
    const day = at / seconds;
    const usual =
      60 /
      (options.meanBpm + 12 * Math.sin(2 * Math.PI * (day + 0.05)) + 3 * Math.sin((2 * Math.PI * at) / 600));
    if (inSpan(fibrillation, at)) {
      placed.push({ second: at, shape: 'A' });
      at += Math.max(0.34, 0.58 + 0.17 * gaussian(random));
      continue;
    }
    placed.push({ second: at, shape: 'N' });
    const rr = usual * (1 + 0.03 * Math.sin((2 * Math.PI * at) / 4) + 0.01 * gaussian(random));
    if (nextPause < pausesAt.length && at >= (pausesAt[nextPause] as number)) {
      const long = PAUSES_SECONDS[nextPause] as number;
      pauses.push([at, at + long]);
      nextPause++;
      at += long;
      continue;
    }
    if (nextPlace < places.length && at >= (places[nextPlace] as number)) {
      const isVentricular = isV.has(nextPlace);
      const early = (isVentricular ? 0.62 : 0.66) * rr;
      placed.push({ second: at + early, shape: isVentricular ? (nextPlace % 10 === 0 ? 'W' : 'V') : 'S' });
      nextPlace++;
      // A full pause behind a ventricular beat, none behind one from above.
      at += isVentricular ? 2 * rr : early + 1.08 * rr;
      continue;
    }
    at += rr;
  }
  return { placed, fibrillation, pauses, noise };
}

/** One shape on one lead, from 0.3 s before the onset of QRS. */
function templateOf(waves: readonly Wave[], lead: LeadCode, rateHz: number): Float32Array {
  const vector = leadVector(lead) ?? [1, 0, 0];
  const template = new Float32Array(Math.round(0.9 * rateHz));
  for (const { startMs, durationMs, peakMv } of waves)
    for (let i = 0; i < template.length; i++) {
      const at = (1000 * i) / rateHz - 300 - startMs;
      if (at < 0 || at > durationMs) continue;
      const height = vector.reduce((sum, share, axis) => sum + share * (peakMv[axis] as number), 0);
      template[i] = (template[i] as number) + 500 * height * (1 - Math.cos((2 * Math.PI * at) / durationMs));
    }
  return template;
}

function paint(
  lead: LeadCode,
  { placed, fibrillation, noise }: ReturnType<typeof placeBeats>,
  rateHz: number,
  seconds: number,
  random: Random,
): Int16Array {
  const uv = new Int16Array(Math.round(seconds * rateHz));
  const hiss = Float32Array.from({ length: 1 << 16 }, () => gaussian(random));
  let shift = 0;
  for (let i = 0; i < uv.length; i++) {
    if (i % 5000 === 0) shift = Math.floor(random() * hiss.length);
    uv[i] = 6 * (hiss[(i + shift) & 0xffff] as number);
  }
  const addTo = (i: number, value: number): void => {
    uv[i] = Math.max(-32000, Math.min(32000, (uv[i] as number) + Math.round(value)));
  };
  for (const [start, end] of noise)
    for (let i = Math.round(start * rateHz); i < end * rateHz; i++)
      addTo(i, 700 * (hiss[(7 * i) & 0xffff] as number) + 900 * Math.sin(i / (0.4 * rateHz)));
  for (const [start, end] of fibrillation)
    for (let i = Math.round(start * rateHz); i < end * rateHz; i++)
      addTo(i, 55 * Math.sin((2 * Math.PI * 6.3 * i) / rateHz + Math.sin(i / rateHz)));
  const templates = Object.fromEntries(
    Object.entries(SHAPES).map(([name, waves]) => [name, templateOf(waves, lead, rateHz)]),
  ) as Record<ShapeName, Float32Array>;
  for (const { second, shape } of placed) {
    const size = 1 + 0.03 * gaussian(random);
    const from = Math.round((second - 0.3) * rateHz);
    for (const [k, value] of templates[shape].entries())
      if (value !== 0 && from + k >= 0 && from + k < uv.length) addTo(from + k, size * value);
  }
  return uv;
}

function channelOf(lead: LeadCode, uv: Int16Array, rateHz: number): Channel {
  return {
    label: leadName(lead),
    lead: matchLead(leadName(lead)) as NonNullable<Channel['lead']>,
    unit: 'uV',
    mvPerUnit: 0.001,
    scale: 1,
    offset: 0,
    isCalibrated: true,
    digitalMinimum: -32768,
    digitalMaximum: 32767,
    rate: { samples: rateHz, seconds: 1 },
    sampleCount: uv.length,
    read(start, target) {
      for (let i = 0; i < target.length; i++) target[i] = uv[start + i] ?? INVALID_SAMPLE;
    },
  };
}

export function madeDay({
  hours = 24,
  rateHz = 125,
  leads = THREE_LEADS,
  meanBpm = 74,
  ventricular = 840,
  supraventricular = 160,
  seed = 11,
  lastName = 'Day',
}: DayOptions = {}): MadeDay {
  const seconds = hours * 3600;
  const random = seededRandom(seed);
  const made = placeBeats(seconds, { meanBpm, ventricular, supraventricular }, random);
  const channels = leads.map((lead) => channelOf(lead, paint(lead, made, rateHz, seconds, random), rateHz));
  return {
    recording: {
      format: 'synthetic',
      channels,
      durationSeconds: seconds,
      patient: { lastName },
      annotations: [],
      warnings: [],
      startTime: { utcMs: START_MS, isZoneKnown: true },
    },
    truth: {
      // Onsets of QRS; R lies 40 ms behind one.
      beats: made.placed.map(({ second, shape }) => ({
        second: second + 0.04,
        label: shape === 'S' ? 'S' : shape === 'V' || shape === 'W' ? 'V' : 'N',
      })),
      fibrillation: made.fibrillation,
      pauses: made.pauses,
      noise: made.noise,
    },
  };
}
