// The waves that belong to each beat, on each lead and over all of them.

import type { Beat } from '../../../shared/analysis-result.ts';
import { median, quantile } from '../../../shared/signal/statistics.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';
import { resampleCubic } from '../signal/resample.ts';
import { leadWaves, type WaveKind, type WaveSpan } from './lead-waves.ts';
import { type MarkedBeat, steadyMarks } from './steady-marks.ts';
import { NETWORK_RATE_HZ, type WaveScores } from './wave-network.ts';

/** Names of the marks of a beat, in the order in which they are stored. */
const WAVE_MARKS = ['pOnset', 'pEnd', 'qrsOnset', 'qrsEnd', 'tOnset', 'tEnd'] as const;
export type WaveMark = (typeof WAVE_MARKS)[number];

const COUNT = WAVE_MARKS.length;
const FIRST: Readonly<Record<WaveKind, number>> = { P: 0, QRS: 2, T: 4 };

/** Positions in samples of the recording, between two of them as well; NaN where a wave is not seen. */
export interface BeatWaves {
  /** Index of the beat. */
  readonly beat: number;
  /** Over all leads: one number a mark. */
  readonly marks: Float64Array;
  /** Lead after lead, one number a mark each. */
  readonly leadMarks: Float64Array;
}

export const leadMark = (waves: BeatWaves, lead: number, mark: WaveMark): number =>
  waves.leadMarks[COUNT * lead + WAVE_MARKS.indexOf(mark)] as number;
export const markOf = (waves: BeatWaves, mark: WaveMark): number =>
  waves.marks[WAVE_MARKS.indexOf(mark)] as number;

type Ahead = readonly [onset: number, end: number];

/** With P so many samples before QRS, where it has a QRS. @param leads undefined for those that do not show it */
export function withP(waves: BeatWaves, all: Ahead, leads: readonly (Ahead | undefined)[]): BeatWaves {
  const [marks, leadMarks] = [waves.marks.slice(), waves.leadMarks.slice()];
  const qrsOnset = markOf(waves, 'qrsOnset');
  marks.set([qrsOnset - all[0], qrsOnset - all[1]], FIRST.P);
  for (const [lead, ahead] of leads.entries())
    leadMarks.set(
      ahead === undefined ? [Number.NaN, Number.NaN] : [qrsOnset - ahead[0], qrsOnset - ahead[1]],
      COUNT * lead + FIRST.P,
    );
  return { ...waves, marks, leadMarks };
}

/** With QRS that begins at `earliest`, wherever it was marked earlier. */
export function withQrsFrom(waves: BeatWaves, earliest: number): BeatWaves {
  const [marks, leadMarks] = [waves.marks.slice(), waves.leadMarks.slice()];
  for (const some of [marks, leadMarks])
    for (let i = FIRST.QRS; i < some.length; i += COUNT) some[i] = Math.max(some[i] as number, earliest);
  return { ...waves, marks, leadMarks };
}

export function withoutP(waves: BeatWaves): BeatWaves {
  const nowhere: Ahead = [Number.NaN, Number.NaN];
  const leads = waves.leadMarks.length / COUNT;
  return withP(
    waves,
    nowhere,
    Array.from({ length: leads }, () => undefined),
  );
}

/** Limits of what can belong to one beat, in seconds. */
const QRS_FROM_R = 0.1;
const LONGEST_PR = 0.45;
const LONGEST_ST = 0.4;

/** The waves of one lead, in order, in seconds; marks of the beat at `r` between its neighbours. */
function marksOnLead(
  spans: readonly WaveSpan[],
  r: number,
  before: number,
  after: number,
  to: Float64Array,
): void {
  const length = ({ onset, end }: WaveSpan): number => end - onset;
  const longest = (some: readonly WaveSpan[]): WaveSpan | undefined =>
    some.reduce<WaveSpan | undefined>(
      (best, span) => (best === undefined || length(span) > length(best) ? span : best),
      undefined,
    );
  const of = (kind: WaveKind, isFit: (span: WaveSpan) => boolean): WaveSpan[] =>
    spans.filter((span) => span.kind === kind && isFit(span));
  const qrs = longest(of('QRS', ({ onset, end }) => onset <= r + QRS_FROM_R && end >= r - QRS_FROM_R));
  if (qrs === undefined) return;
  const earliest = Math.max(before, qrs.onset - LONGEST_PR);
  const p = of('P', ({ onset, end }) => onset > earliest && end <= qrs.onset + 0.02).at(-1);
  const t = longest(
    of('T', ({ onset, end }) => onset >= qrs.end - 0.02 && onset <= qrs.end + LONGEST_ST && end < after),
  );
  for (const [span, kind] of [
    [p, 'P'],
    [qrs, 'QRS'],
    [t, 'T'],
  ] as const)
    if (span !== undefined) to.set([span.onset, span.end], FIRST[kind]);
}

/** At least this share of the leads sees a wave that is there. */
export const LEAST_SHARE: Readonly<Record<WaveKind, number>> = { P: 0.4, QRS: 0.5, T: 0.3 };
/**
 * Over all leads, a wave begins and ends where a quarter of them is still outside of it. With this, 205 normal ECGs of
 * PTB-XL have QRS of 97 ms (81 to 118) and PR 160 (126 to 205), mean and 2nd to 98th percentile, as the adults of
 * Rijnbeek 2014 (J Electrocardiol 47:914-921) do; with the second outermost lead, QRS ends at 126. P duration lasts a
 * little longer than these marks (`median-marks.ts`).
 */
export const OUTER_QUARTILE = 0.25;

const outermost = (places: readonly number[], isOnset: boolean): number =>
  quantile(places, isOnset ? OUTER_QUARTILE : 1 - OUTER_QUARTILE) ?? Number.NaN;

/** The places of one mark on the leads that have it. */
const placesOf = (leadMarks: Float64Array, leads: number, mark: number): number[] =>
  Array.from({ length: leads }, (_, lead) => leadMarks[COUNT * lead + mark] as number).filter(
    (place) => !Number.isNaN(place),
  );

/** Two or three leads do not outvote another. */
const LEADS_THAT_AGREE = 4;
/** A lead shows a wave at most this much before or after most others do, in seconds. */
const MOST_APART: Readonly<Record<WaveKind, number>> = { P: 0.04, QRS: 0.025, T: 0.05 };

/** Moves marks that lie too far from the median of the leads to the nearest place that is near enough. */
function bringTogether(leadMarks: Float64Array, leads: number): void {
  if (leads < LEADS_THAT_AGREE) return;
  for (const [kind, first] of Object.entries(FIRST) as [WaveKind, number][])
    for (const mark of [first, first + 1]) {
      const middle = median(placesOf(leadMarks, leads, mark)) ?? Number.NaN;
      const [low, high] = [middle - MOST_APART[kind], middle + MOST_APART[kind]];
      for (let i = mark; i < leadMarks.length; i += COUNT)
        leadMarks[i] = Math.min(high, Math.max(low, leadMarks[i] as number));
    }
}

/** How many leads show QRS in most beats; the others have no signal, and no say. */
const leadsWithSignal = (found: readonly LookedAt[], leads: number): number =>
  Array.from({ length: leads }, (_, lead) =>
    found.filter(({ leadMarks }) => !Number.isNaN(leadMarks[COUNT * lead + FIRST.QRS])),
  ).filter(({ length }) => length >= MOST_BEATS * found.length).length;

/** @param withSignal so many of the leads have a say */
function marksOverLeads(leadMarks: Float64Array, leads: number, withSignal: number): Float64Array {
  const marks = new Float64Array(COUNT).fill(Number.NaN);
  for (const [kind, first] of Object.entries(FIRST) as [WaveKind, number][]) {
    const column = (mark: number): number[] => placesOf(leadMarks, leads, mark);
    const onsets = column(first);
    if (onsets.length === 0 || onsets.length < LEAST_SHARE[kind] * withSignal) continue;
    marks[first] = outermost(onsets, true);
    marks[first + 1] = outermost(column(first + 1), false);
  }
  return marks;
}

/** @param mv of a lead at `rateHz` */
export const atNetworkRate = (mv: Float32Array, rateHz: number): Float32Array =>
  rateHz === NETWORK_RATE_HZ
    ? mv
    : resampleCubic(mv, {
        step: rateHz / NETWORK_RATE_HZ,
        offset: 0,
        count: Math.floor((mv.length * NETWORK_RATE_HZ) / rateHz),
      });

/** In seconds of the signal looked at. */
interface LookedAt extends MarkedBeat {
  readonly beat: number;
  readonly before: number;
  readonly after: number;
  marks: Float64Array;
}

const middleOf = (onset: number, end: number): number => (onset + end) / 2;
/** A faint P lies no farther from where the others lie, in seconds. */
const FAINT_P_NEAR = 0.04;
/** So many of the beats show P on the whole before it is looked for in the others. */
const MOST_BEATS = 0.5;

/** Where P lies before QRS, where most beats say so; in seconds. */
function usualP(found: readonly LookedAt[]): number | undefined {
  const distances = found
    .map(({ marks }) => (marks[2] as number) - middleOf(marks[0] as number, marks[1] as number))
    .filter((distance) => !Number.isNaN(distance));
  return distances.length >= MOST_BEATS * found.length ? median(distances) : undefined;
}

/** A faint P is one where other leads show it in the same beat, or other beats at the same place. */
function addFaintP(found: readonly LookedAt[], faintP: readonly (readonly WaveSpan[])[]): void {
  const usual = usualP(found);
  for (const [lead, spans] of faintP.entries()) {
    let from = 0;
    for (const { r, marks, leadMarks } of found) {
      const at = COUNT * lead;
      while (from < spans.length && (spans[from] as WaveSpan).end < r - 1) from++;
      const [pOnset, pEnd, qrsOnset] = [marks[0] as number, marks[1] as number, marks[2] as number];
      const expected = Number.isNaN(pOnset) ? qrsOnset - (usual ?? Number.NaN) : middleOf(pOnset, pEnd);
      if (!Number.isNaN(leadMarks[at]) || Number.isNaN(expected)) continue;
      for (let i = from; i < spans.length && (spans[i] as WaveSpan).onset < r; i++) {
        const { onset, end } = spans[i] as WaveSpan;
        if (Math.abs(middleOf(onset, end) - expected) <= FAINT_P_NEAR) leadMarks.set([onset, end], at);
      }
    }
  }
}

const inSeconds = ({ kind, onset, end }: WaveSpan): WaveSpan => ({
  kind,
  onset: onset / NETWORK_RATE_HZ,
  end: end / NETWORK_RATE_HZ,
});

/** Gives each beat its waves on one lead. @param spans in order */
function assign(spans: readonly WaveSpan[], lead: number, found: readonly LookedAt[]): void {
  let from = 0;
  for (const { r, before, after, leadMarks } of found) {
    while (from < spans.length && (spans[from] as WaveSpan).end < Math.max(before, r - 1)) from++;
    let to = from;
    while (to < spans.length && (spans[to] as WaveSpan).onset < Math.min(after, r + 1)) to++;
    const marks = leadMarks.subarray(COUNT * lead, COUNT * (lead + 1));
    marksOnLead(spans.slice(from, to), r, before, after, marks);
  }
}

/**
 * @param set the signal in which beats are looked at
 * @param startSample where it starts in the recording
 * @param all beats of the recording @param beats indices of those to look at, all of them within `set`
 */
export function beatWaves(
  network: WaveScores,
  set: CoarseSet,
  startSample: number,
  all: readonly Pick<Beat, 'sample' | 'cluster'>[],
  beats: readonly number[],
): BeatWaves[] {
  const leads = set.leads.length;
  const rateHz = set.sampleRateHz * set.step;
  /** A coarse sample is the mean of its step. */
  const shift = startSample + (set.step - 1) / 2;
  const seconds = (sample: number): number => (sample - shift) / rateHz;
  const found = beats.map(
    (beat): LookedAt => ({
      beat,
      r: seconds((all[beat] as Beat).sample),
      shape: all[beat]?.cluster,
      before: seconds(all[beat - 1]?.sample ?? Number.NEGATIVE_INFINITY),
      after: seconds(all[beat + 1]?.sample ?? Number.POSITIVE_INFINITY),
      leadMarks: new Float64Array(COUNT * leads).fill(Number.NaN),
      marks: new Float64Array(COUNT).fill(Number.NaN),
    }),
  );
  const faintP = set.leads.map(({ mv }, lead) => {
    const onLead = leadWaves(network, atNetworkRate(mv, set.sampleRateHz));
    assign(onLead.waves.map(inSeconds), lead, found);
    return onLead.faintP.map(inSeconds);
  });
  const withSignal = leadsWithSignal(found, leads);
  const join = (): void => {
    for (const one of found) {
      bringTogether(one.leadMarks, leads);
      one.marks = marksOverLeads(one.leadMarks, leads, withSignal);
    }
  };
  join();
  addFaintP(found, faintP);
  join();
  // Marks over all leads are steady because there are many leads; only those of a single lead need the neighbours.
  steadyMarks(found);
  const inSamples = (marks: Float64Array): Float64Array => marks.map((mark) => shift + mark * rateHz);
  return found.map(({ beat, marks, leadMarks }) => ({
    beat,
    marks: inSamples(marks),
    leadMarks: inSamples(leadMarks),
  }));
}
