// P waves that the network passes over: it has seen few long PR intervals and few P waves before wide QRS, and scores
// these a little below "no wave". Its scores say where such a P is all the same, once those of many beats are averaged.
// Whether the signal has one there is for `../atria/hidden-p.ts` to prove. Analysis reference, sections 6.2 (P) and 8.4.

import { median, quantile } from '../../../shared/signal/statistics.ts';
import type { LeadReader } from '../signal/lead-signals.ts';
import { atNetworkRate, type BeatWaves, LEAST_SHARE, markOf, OUTER_QUARTILE, withP } from './beat-waves.ts';
import type { WavePart } from './find-waves.ts';
import { eachRun } from './lead-waves.ts';
import { NETWORK_RATE_HZ, SCORE_OF, SCORES, type WaveScores } from './wave-network.ts';

/** How long before QRS P is looked for; no longer than since the end of T. */
const LONGEST_PR_SECONDS = 0.45;
/** Where the end of T is not known, an earlier wave can be T itself. */
const LONGEST_PR_WITHOUT_T_SECONDS = 0.28;
/** T of the lead where it ends last goes on a little when P begins elsewhere. */
const T_OVERLAP_SECONDS = 0.02;
/** The stretch that is averaged also shows where P begins. */
const MARGIN_SECONDS = 0.05;
const WIDTH = Math.round((LONGEST_PR_SECONDS + MARGIN_SECONDS) * NETWORK_RATE_HZ);

/**
 * P is favoured step by step until enough leads show it. What needs more is no P: flutter waves took 3 and more where
 * their own rule knew them, 5.5 where it did not, and P waves up to 3 (`npm run test:accuracy`, twelve leads).
 */
const MOST_FAVOUR = 3;
const FAVOUR_STEP = 0.5;
const LEAST_SECONDS = 0.032;
/**
 * What the leads have to show. Where a block turns P and QRS away from most of them, P may be plain on three leads
 * alone: there it counts where it hardly needs to be favoured, and only once it was not found on more.
 */
interface Demand {
  readonly mostFavour: number;
  readonly leastShare: number;
  readonly leastLeads: number;
}
const ON_MANY_LEADS: Demand = { mostFavour: MOST_FAVOUR, leastShare: LEAST_SHARE.P, leastLeads: 1 };
const ON_FEW_LEADS: Demand = { mostFavour: 1, leastShare: 0.25, leastLeads: 3 };

/** Over all leads. */
const SHORTEST_SECONDS = 0.05;
const LONGEST_SECONDS = 0.18;
/** On a lead, its middle is no farther from that of the others. */
const NEAR_SECONDS = 0.04;

const toSamples = (seconds: number): number => seconds * NETWORK_RATE_HZ;

/** Samples of the stretch before QRS, between two of them as well. */
type Span = readonly [onset: number, end: number];

/** How far P is ahead of all else in the stretch before QRS, on the mean of the beats; undefined where there are none. */
class MeanAdvantage {
  readonly #sums = new Float64Array(WIDTH * SCORES);
  #beats = 0;

  /** @param onsets of QRS, in samples of the lead */
  add(network: WaveScores, lead: Float32Array, onsets: readonly number[]): void {
    eachRun(network, lead, ({ scores, start, from, to }) => {
      for (const onset of onsets) {
        const at = Math.round(onset) - start;
        if (at - WIDTH < from || at > to) continue;
        const first = SCORES * (at - WIDTH);
        for (let i = 0; i < this.#sums.length; i++)
          this.#sums[i] = (this.#sums[i] as number) + (scores[first + i] as number);
        this.#beats++;
      }
    });
  }

  get curve(): Float64Array | undefined {
    const beats = this.#beats;
    if (beats === 0) return undefined;
    return Float64Array.from({ length: WIDTH }, (_, i) => {
      const sum = (kind: number): number => this.#sums[SCORES * i + kind] as number;
      return (sum(SCORE_OF.P) - Math.max(sum(SCORE_OF.none), sum(SCORE_OF.QRS), sum(SCORE_OF.T))) / beats;
    });
  }
}

/** The longest stretch in which P is ahead once it is favoured by so much, and that both begins and ends. */
function longestAhead(curve: Float64Array, favour: number, from: number): Span | undefined {
  const ahead = (i: number): number => (curve[i] as number) + favour;
  const crossing = (i: number): number => i - 1 + ahead(i - 1) / (ahead(i - 1) - ahead(i));
  let [best, start]: [Span | undefined, number | undefined] = [undefined, undefined];
  for (let i = Math.max(1, from); i < WIDTH; i++) {
    if (ahead(i - 1) <= 0 && ahead(i) > 0) start = i;
    if (ahead(i - 1) <= 0 || ahead(i) > 0 || start === undefined) continue;
    if (best === undefined || i - start > best[1] - best[0])
      best = [crossing(start) + 0.5, crossing(i) - 0.5];
    start = undefined;
  }
  return best !== undefined && best[1] - best[0] >= toSamples(LEAST_SECONDS) ? best : undefined;
}

const middleOf = ([onset, end]: Span): number => (onset + end) / 2;

/** The span of each lead, undefined where it shows none; undefined altogether where too few leads do. */
function spansOf(
  curves: readonly Float64Array[],
  favour: number,
  from: number,
  { leastShare, leastLeads }: Demand,
): (Span | undefined)[] | undefined {
  const spans = curves.map((curve) => longestAhead(curve, favour, from));
  const middle = median(spans.flatMap((span) => (span === undefined ? [] : middleOf(span))));
  if (middle === undefined) return undefined;
  const near = spans.map((span) =>
    span !== undefined && Math.abs(middleOf(span) - middle) <= toSamples(NEAR_SECONDS) ? span : undefined,
  );
  const shown = near.filter((span) => span !== undefined);
  return shown.length >= Math.max(leastLeads, leastShare * curves.length) ? near : undefined;
}

/** Where P lies, in samples before QRS of the network's rate. */
interface HiddenP {
  readonly all: Span;
  readonly leads: readonly (Span | undefined)[];
}

/** Where enough leads first show P, once it is favoured. */
function firstShown(
  curves: readonly Float64Array[],
  from: number,
  demand: Demand,
): (Span | undefined)[] | undefined {
  for (let favour = 0; favour <= demand.mostFavour; favour += FAVOUR_STEP) {
    const leads = spansOf(curves, favour, from, demand);
    if (leads !== undefined) return leads;
  }
  return undefined;
}

/** @returns undefined where no leads show P, or what they show is not as wide as P */
function locate(curves: readonly Float64Array[], from: number): HiddenP | undefined {
  const leads = firstShown(curves, from, ON_MANY_LEADS) ?? firstShown(curves, from, ON_FEW_LEADS);
  if (leads === undefined) return undefined;
  const shown = leads.filter((span) => span !== undefined);
  const onset = quantile(
    shown.map(([first]) => first),
    OUTER_QUARTILE,
  ) as number;
  const end = quantile(
    shown.map(([, last]) => last),
    1 - OUTER_QUARTILE,
  ) as number;
  const isUsual = end - onset >= toSamples(SHORTEST_SECONDS) && end - onset <= toSamples(LONGEST_SECONDS);
  return isUsual ? { all: [onset, end], leads } : undefined;
}

/** In seconds before QRS: from where on P can be told from T. */
function searchSeconds(waves: readonly BeatWaves[], sampleRateHz: number, rrMs: number): number {
  const untilTEnd = median(
    waves.map((one) => markOf(one, 'tEnd') - markOf(one, 'qrsOnset')).filter((value) => !Number.isNaN(value)),
  );
  return untilTEnd === undefined
    ? LONGEST_PR_WITHOUT_T_SECONDS
    : Math.min(LONGEST_PR_SECONDS, rrMs / 1000 - untilTEnd / sampleRateHz + T_OVERLAP_SECONDS);
}

export interface RevealInput {
  readonly network: WaveScores;
  readonly reader: LeadReader;
  /** Parts whose beats mostly have no P mark. */
  readonly parts: readonly WavePart[];
  readonly rrMs: number;
  /** Whether a beat has the usual shape: those say where P lies. */
  readonly isUsual: (beat: number) => boolean;
  /** Whether P belongs before a beat. */
  readonly isConducted: (beat: number) => boolean;
}

/** By lead, over the usual beats of all parts. */
function meanCurves({ network, reader, parts, isUsual }: RevealInput): Float64Array[] {
  const means = reader.leads.map(() => new MeanAdvantage());
  for (const { range, waves } of parts) {
    const { coarse } = reader.window(...range);
    const shift = range[0] + (coarse.step - 1) / 2;
    const onsets = waves
      .filter(({ beat }) => isUsual(beat))
      .map((one) => toSamples((markOf(one, 'qrsOnset') - shift) / reader.sampleRateHz))
      .filter((onset) => !Number.isNaN(onset));
    for (const [lead, { mv }] of coarse.leads.entries())
      means[lead]?.add(network, atNetworkRate(mv, coarse.sampleRateHz), onsets);
  }
  const curves = means.map(({ curve }) => curve);
  return curves.every((curve) => curve !== undefined) ? curves : [];
}

/**
 * Gives each conducted beat a P wave at one distance from QRS.
 *
 * @returns undefined where the network's scores show none
 */
export function revealP(
  input: RevealInput,
): { readonly parts: WavePart[]; readonly prMs: number } | undefined {
  const { reader, parts, rrMs, isUsual, isConducted } = input;
  const fs = reader.sampleRateHz;
  const usual = parts.flatMap(({ waves }) => waves.filter(({ beat }) => isUsual(beat)));
  const p = locate(meanCurves(input), WIDTH - Math.round(toSamples(searchSeconds(usual, fs, rrMs))));
  if (p === undefined) return undefined;
  const beforeQrs = ([onset, end]: Span): Span => [
    ((WIDTH - onset) / NETWORK_RATE_HZ) * fs,
    ((WIDTH - end) / NETWORK_RATE_HZ) * fs,
  ];
  const [all, leads] = [beforeQrs(p.all), p.leads.map((span) => span && beforeQrs(span))];
  return {
    prMs: (1000 * all[0]) / fs,
    parts: parts.map(({ range, waves }) => ({
      range,
      waves: waves.map((one) => (isConducted(one.beat) ? withP(one, all, leads) : one)),
    })),
  };
}
