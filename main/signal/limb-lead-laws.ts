// Whether the limb leads of a recording obey Einthoven's and Goldberger's laws: six leads from three electrodes
// are two signals, so each of the others says whether the scales fit together.

import { LIMB_DERIVATIONS } from '../../shared/signal/derived-leads.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import { type Channel, INVALID_SAMPLE, millivoltScale, rateHz } from '../../shared/signal/recording.ts';

const WINDOW_SECONDS = 10;
/**
 * Where in a recording it is looked. Electrodes are often still being put on at its beginning; what is far behind is
 * slow to reach in files that are unpacked from the start.
 */
const WINDOWS_AT_SECONDS = [0, 60, 300] as const;

/**
 * More than this share of a lead is not explained by I and II: leads are scaled or named wrongly. In the
 * development half it is 0.0000014 at most where scales are right (432 records of PTB-XL and CinC 2020), and 0.014
 * to 1.2 where each lead was scaled to its own range (100 of LUDB; 0.000004 at most in their stored steps).
 */
export const CONTRADICTION = 0.01;
/** What rounding to whole steps leaves. */
export const AGREEMENT = 0.001;

interface LimbLead {
  readonly channel: Channel;
  readonly scale: number;
}

/** The covariance of two signals of one length, about their means. */
function covariance(x: Float64Array, y: Float64Array): number {
  let sumX = 0;
  let sumY = 0;
  let products = 0;
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i] as number, y[i] as number];
    sumX += a;
    sumY += b;
    products += a * b;
  }
  return products / x.length - (sumX / x.length) * (sumY / x.length);
}

interface Fit {
  /** What weights of I and II leave of the variance of a lead. */
  left(a: number, b: number): number;
  /** The weights that leave least; undefined where I and II are one signal. */
  readonly best: readonly [number, number] | undefined;
  /** The largest variance of the three. */
  readonly size: number;
}

function fitOf(found: Float64Array, one: Float64Array, two: Float64Array): Fit {
  const [xx, yy, xy] = [covariance(one, one), covariance(two, two), covariance(one, two)];
  const [xz, yz, zz] = [covariance(one, found), covariance(two, found), covariance(found, found)];
  const determinant = xx * yy - xy * xy;
  return {
    left: (a, b) => zz + a * a * xx + b * b * yy + 2 * a * b * xy - 2 * a * xz - 2 * b * yz,
    best:
      determinant > 1e-9 * xx * yy
        ? [(xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant]
        : undefined,
    size: Math.max(xx, yy, zz),
  };
}

type Weights = readonly [number, number];

/**
 * The share of a lead that its law leaves, beyond twice what no weights of I and II could take away: that is the
 * noise of each lead alone.
 */
function misfitOf({ left, best, size }: Fit, [a, b]: Weights): number {
  const least = best === undefined ? 0 : left(...best);
  return size > 0 ? Math.max(0, left(a, b) - 2 * Math.max(0, least)) / size : 0;
}

/** The share of a lead that no weights of I and II explain; 1 where those that do so best have not the law's signs. */
function misfitOfAnyScale({ left, best }: Fit, [a, b]: Weights): number {
  const whole = left(0, 0);
  return best === undefined || whole <= 0 || best[0] * a <= 0 || best[1] * b <= 0
    ? 1
    : Math.max(0, left(...best)) / whole;
}

type Misfit = (fit: Fit, weights: Weights) => number;

interface Window {
  readonly start: number;
  readonly count: number;
}

/** The stretches of ten seconds in which limb leads are held against each other; fewer in a short recording. */
export function limbWindows(sampleCount: number, sampleRateHz: number): Window[] {
  const count = Math.min(sampleCount, Math.round(WINDOW_SECONDS * sampleRateHz));
  const starts = WINDOWS_AT_SECONDS.map((at) => Math.min(Math.round(at * sampleRateHz), sampleCount - count));
  return [...new Set(starts)].map((start) => ({ start, count }));
}

/** Means of so many samples keep the waves of a heart, and little of the noise that each lead has for itself. */
const MEANS_HZ = 50;

/** Undefined where samples are missing. */
function readMeans({ channel, scale }: LimbLead, { start, count }: Window): Float64Array | undefined {
  const raw = new Int32Array(count);
  channel.read(start, raw);
  if (raw.includes(INVALID_SAMPLE)) return undefined;
  const step = Math.max(1, Math.round(rateHz(channel.rate) / MEANS_HZ));
  const means = new Float64Array(Math.floor(count / step));
  for (let i = 0; i < means.length * step; i++) {
    const at = Math.floor(i / step);
    means[at] = (means[at] as number) + ((raw[i] as number) * scale) / step;
  }
  return means;
}

function misfitAt(
  leads: ReadonlyMap<LeadCode, LimbLead>,
  window: Window,
  misfit: Misfit,
): number | undefined {
  const read = (code: LeadCode): Float64Array | undefined => {
    const lead = leads.get(code);
    return lead === undefined ? undefined : readMeans(lead, window);
  };
  const one = read('MDC_ECG_LEAD_I');
  const two = read('MDC_ECG_LEAD_II');
  if (one === undefined || two === undefined) return undefined;
  const misfits = LIMB_DERIVATIONS.flatMap(({ lead, weights: [a, b], divisor }) => {
    const found = read(lead);
    return found === undefined ? [] : [misfit(fitOf(found, one, two), [a / divisor, b / divisor])];
  });
  return misfits.length === 0 ? undefined : Math.max(...misfits);
}

function leastMisfit(
  channels: readonly Channel[],
  scaleOf: (channel: Channel) => number,
  misfit: Misfit,
): number | undefined {
  const leads = new Map<LeadCode, LimbLead>();
  for (const channel of channels) {
    const { lead } = channel;
    if (lead === undefined || lead.isModified || lead.isPolarityUnclear || leads.has(lead.code)) continue;
    leads.set(lead.code, { channel, scale: scaleOf(channel) });
  }
  const one = leads.get('MDC_ECG_LEAD_I')?.channel;
  if (one === undefined) return undefined;
  for (const [code, { channel }] of leads) if (rateHz(channel.rate) !== rateHz(one.rate)) leads.delete(code);
  const sampleCount = Math.min(...[...leads.values()].map(({ channel }) => channel.sampleCount));
  const misfits = limbWindows(sampleCount, rateHz(one.rate)).flatMap(
    (window) => misfitAt(leads, window, misfit) ?? [],
  );
  return misfits.length === 0 ? undefined : Math.min(...misfits);
}

const ownScale = (channel: Channel): number => millivoltScale(channel).scale;

/**
 * The largest share of a limb lead's variance that leads I and II do not explain, in the stretch of ten seconds
 * where they explain most.
 * @param scaleOf of a channel's samples, towards the lead as it is named
 * @returns undefined where I, II and another limb lead are not there at one rate, or say nothing
 */
export const limbLeadMisfit = (
  channels: readonly Channel[],
  scaleOf: (channel: Channel) => number = ownScale,
): number | undefined => leastMisfit(channels, scaleOf, misfitOf);

/**
 * Whether limb leads that contradict each other are what they are called all the same, each in a scale of its own:
 * then their shapes say what they always do, and sums of them nothing.
 */
export const areLimbLeadsScaled = (channels: readonly Channel[]): boolean =>
  (leastMisfit(channels, ownScale, misfitOfAnyScale) ?? 1) <= CONTRADICTION;
