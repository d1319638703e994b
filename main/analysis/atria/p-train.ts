// The P waves that are marked before the beats, held against the signal: whether they are one wave, at one distance
// from QRS, and the only ones. Marks alone prove nothing: the network expects P before QRS, and gives half a PR interval
// to regular beats without any; of flutter and of a 2:1 block it marks the wave before QRS and not the others.
// Analysis reference, sections 6.2 (P) and 8.1.

import type { Beat } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { mean, median } from '../../../shared/signal/statistics.ts';
import type { LeadReader } from '../signal/lead-signals.ts';
import { dot, type GainLimits, meanEnergy, medianRow } from '../signal/sample-rows.ts';
import type { Range } from '../signal/time-base.ts';
import { type BeatWaves, markOf, withoutP } from '../waves/beat-waves.ts';
import type { WavePart } from '../waves/find-waves.ts';
import { isHighEnough } from '../waves/median-marks.ts';
import { PSignal, USUAL_GAIN } from './p-signal.ts';
import { LEAST_LEADS } from './second-p.ts';

export interface PTrain {
  /** Conducted beats that were looked at; early ones from the atria only where they may be fibrillation. */
  readonly beats: number;
  /** Share of them that have a P mark. */
  readonly share: number;
  /** Share of those marks that begin at the usual distance from QRS. */
  readonly steadyShare: number;
  /** Share of those whose onset or middle is at it: noise moves the onset more than the whole wave. */
  readonly nearShare: number;
  /** Energy of the median P wave divided by the mean energy of the single ones, each where it is marked. */
  readonly coherence: number;
  /** It stands out of the line. */
  readonly isSeen: boolean;
  /** Share of the intervals between beats in which the same wave is found once more. */
  readonly otherShare: number;
  /** One a beat: 1 where it has a P mark at the usual distance, 0 where it has none there, -1 where it was not looked at. */
  readonly perBeat: Int8Array;
}

/** One in ten beats may be without P, and one in ten P waves elsewhere: noise hides some. */
export const LEAST_SHARE = 0.9;
const LEAST_BEATS = 5;
/** With so many beats, a single one without P proves nothing against the others. */
const BEATS_FOR_ONE_WITHOUT = 7;
const LEAST_COHERENCE = 0.5;
/** P waves of which one may be missing or elsewhere, and whose onsets may scatter, have to be more alike. */
const COHERENCE_OF_UNSTEADY = 0.65;
/** Noise hides P here and there, and early beats come in pairs; where P stays away for longer, the rhythm is another one. */
export const MOST_WITHOUT_IN_A_ROW = 2;
const MOST_EARLY_SHARE = 0.25;
/** So many leads must show P where noise hides it in the others. */
const LEAST_CLEAR_LEADS = 3;
/** T and U pass for a P here and there. */
const FEW_OTHERS = 0.15;

/** Whether the same P stands before nearly all beats, at one distance. */
function isBeforeMost({ beats, share, steadyShare, nearShare, coherence }: PTrain): boolean {
  if (share >= LEAST_SHARE && steadyShare >= LEAST_SHARE) return coherence >= LEAST_COHERENCE;
  const isOneWithout = beats >= BEATS_FOR_ONE_WITHOUT && Math.round(beats * (1 - share * nearShare)) <= 1;
  return (
    ((share >= LEAST_SHARE && nearShare >= LEAST_SHARE) || isOneWithout) && coherence >= COHERENCE_OF_UNSTEADY
  );
}

/** Whether it proves P waves that are followed by QRS, one by one. */
export const isProven = (train: PTrain): boolean =>
  train.beats >= LEAST_BEATS && isBeforeMost(train) && train.isSeen && train.otherShare <= FEW_OTHERS;

const NOTHING = { share: 0, steadyShare: 0, nearShare: 0, coherence: 0, isSeen: false, otherShare: 0 };

/** On both sides of P. */
const MARGIN_SECONDS = 0.02;
/** As a beat's own PR may be from the usual one. */
const STEADY_SECONDS = 0.025;
/** T without an end is over so long behind QRS. */
const T_SECONDS = 0.28;
const ALIKE = 0.85;
/** T itself looks a little like P. */
const ALIKE_ON_T = 0.9;
/** A low T that looks like P is smaller or larger. On fewer leads than `second-p.ts` needs, half to twice its height counts. */
const GAIN_ON_T: GainLimits = { least: 0.65, most: 1.7 };
const HALFWAY_STEPS = [-2, -1, 0, 1, 2] as const;
/** On two leads, the end of T or a U wave is more often like P than on twelve. */
const FEW_LEADS = 2;
const ALIKE_ON_FEW = 0.95;
/** More P waves make the median no better. */
const MOST_ROWS = 60;

interface Marked {
  readonly part: number;
  readonly beat: number;
  readonly middle: number;
  readonly pOnset: number;
  /** From the onset and from the middle of P to that of QRS. */
  readonly pr: number;
  readonly middleToQrs: number;
}

/** Beats before which P belongs, with their marks. */
function markedBeats(
  parts: readonly WavePart[],
  beats: readonly Beat[],
): { looked: number[]; marked: Marked[]; width: number } {
  const marked: Marked[] = [];
  const widths: number[] = [];
  const looked: number[] = [];
  for (const [part, { waves }] of parts.entries())
    for (const one of waves) {
      const { label } = beats[one.beat] as Beat;
      if (label !== 'N' && label !== 'S') continue;
      looked.push(one.beat);
      const [pOnset, pEnd, qrsOnset] = [markOf(one, 'pOnset'), markOf(one, 'pEnd'), markOf(one, 'qrsOnset')];
      if (Number.isNaN(pOnset) || Number.isNaN(pEnd) || Number.isNaN(qrsOnset)) continue;
      widths.push(pEnd - pOnset);
      const middle = (pOnset + pEnd) / 2;
      marked.push({
        part,
        beat: one.beat,
        middle,
        pOnset,
        pr: qrsOnset - pOnset,
        middleToQrs: qrsOnset - middle,
      });
    }
  return { looked, marked, width: median(widths) ?? 0 };
}

/** The waves at the median distance from QRS, within 25 ms. */
function atUsualDistance(
  marked: readonly Marked[],
  distance: (one: Marked) => number,
  sampleRateHz: number,
): Set<Marked> {
  const usual = median(marked.map(distance)) ?? 0;
  return new Set(marked.filter((one) => Math.abs(distance(one) - usual) <= STEADY_SECONDS * sampleRateHz));
}

/** At most so many as make the median better. */
function evenly(marked: readonly Marked[]): Marked[] {
  const stride = Math.max(1, marked.length / MOST_ROWS);
  return Array.from(
    { length: Math.min(MOST_ROWS, marked.length) },
    (_, k) => marked[Math.floor(k * stride)] as Marked,
  );
}

/** Where T of a beat is over. */
function endOfT(waves: BeatWaves, sample: number, sampleRateHz: number): number {
  const [tEnd, qrsEnd] = [markOf(waves, 'tEnd'), markOf(waves, 'qrsEnd')];
  if (!Number.isNaN(tEnd)) return tEnd;
  return (Number.isNaN(qrsEnd) ? sample : qrsEnd) + T_SECONDS * sampleRateHz;
}

interface Between {
  /** Where T is over. */
  readonly tEnd: number;
  /** The P wave of this beat, and of the next one. */
  readonly p: Marked;
  readonly nextP: Marked;
}

/** Whether it stands once more between two beats: behind T, or on it halfway between both P waves. */
function hasAnother(signal: PSignal, pWave: Float32Array, { tEnd, p, nextP }: Between): boolean {
  const step = signal.stepSamples;
  const alike = signal.leadCount <= FEW_LEADS ? ALIKE_ON_FEW : ALIKE;
  for (let middle = tEnd + signal.halfSamples; middle <= nextP.pOnset - signal.halfSamples; middle += step)
    if (signal.likenessAt(middle, pWave) >= alike) return true;
  const gain = signal.leadCount < LEAST_LEADS ? USUAL_GAIN : GAIN_ON_T;
  const halfway = (p.middle + nextP.middle) / 2;
  return HALFWAY_STEPS.some(
    (steps) => signal.likenessAt(halfway + steps * step, pWave, gain) >= Math.max(alike, ALIKE_ON_T),
  );
}

/** How high it stands on a lead. */
function heights(pWave: Float32Array, leads: number): number[] {
  const width = pWave.length / leads;
  return Array.from({ length: leads }, (_, lead) =>
    pWave
      .subarray(lead * width, (lead + 1) * width)
      .reduce((most, value) => Math.max(most, Math.abs(value)), 0),
  );
}

/** Share of the intervals between two marked P waves in which the same wave stands once more. */
function shareOfOthers(
  parts: readonly WavePart[],
  signals: readonly PSignal[],
  beats: readonly Beat[],
  marked: readonly Marked[],
  pWave: Float32Array,
  sampleRateHz: number,
): number {
  const byBeat = new Map(marked.map((one) => [one.beat, one]));
  const hasOther = parts.flatMap(({ waves }, part) =>
    waves.flatMap((one) => {
      const [p, nextP] = [byBeat.get(one.beat), byBeat.get(one.beat + 1)];
      if (p === undefined || nextP === undefined) return [];
      const tEnd = endOfT(one, (beats[one.beat] as Beat).sample, sampleRateHz);
      return hasAnother(signals[part] as PSignal, pWave, { tEnd, p, nextP }) ? 1 : 0;
    }),
  );
  return mean(hasOther) ?? 0;
}

/** P waves of some beats on some leads, aligned by their marks. */
interface AlignedP {
  readonly signals: readonly PSignal[];
  readonly rows: readonly Float32Array[];
  readonly pWave: Float32Array;
}

const coherenceOf = (pWave: Float32Array, rows: readonly Float32Array[]): number => {
  const energy = meanEnergy(rows);
  return energy > 0 ? dot(pWave, pWave) / energy : 0;
};

/** @param leads indices of those to use; all where left out @returns undefined where no P lies within a part */
function align(
  reader: LeadReader,
  parts: readonly WavePart[],
  chosen: readonly Marked[],
  halfSeconds: number,
  leads?: readonly number[],
): AlignedP | undefined {
  const signals = parts.map(({ range: [start, end] }) => {
    const { coarse } = reader.window(start, end);
    const own = leads === undefined ? coarse.leads : coarse.leads.filter((_, lead) => leads.includes(lead));
    return new PSignal({ ...coarse, leads: own }, start, halfSeconds);
  });
  const rows = chosen.flatMap((one) => signals[one.part]?.row(one.middle) ?? []);
  return rows.length === 0 ? undefined : { signals, rows, pWave: medianRow(rows) };
}

/**
 * Takes away the P marks of beats whose signal there is not like that of the others.
 * @param least how like: a correlation over all leads
 */
export function onlyLikeP(
  reader: LeadReader,
  parts: readonly WavePart[],
  beats: readonly Beat[],
  least: number,
): WavePart[] {
  const { marked, width } = markedBeats(parts, beats);
  const fs = reader.sampleRateHz;
  const aligned = align(reader, parts, evenly(marked), width / fs / 2 + MARGIN_SECONDS);
  if (aligned === undefined) return [...parts];
  const { signals, pWave } = aligned;
  const unlike = new Set(
    marked
      .filter(({ part, middle }) => (signals[part] as PSignal).likenessAt(middle, pWave) < least)
      .map(({ beat }) => beat),
  );
  return parts.map(({ range, waves }) => ({
    range,
    waves: waves.map((one) => (unlike.has(one.beat) ? withoutP(one) : one)),
  }));
}

/** Leads on which all P waves are the same wave. */
function clearLeads({ rows, pWave }: AlignedP, leads: number): number[] {
  const width = pWave.length / leads;
  const of = (row: Float32Array, lead: number): Float32Array =>
    row.subarray(lead * width, (lead + 1) * width);
  return Array.from({ length: leads }, (_, lead) => lead).filter(
    (lead) =>
      coherenceOf(
        of(pWave, lead),
        rows.map((row) => of(row, lead)),
      ) >= LEAST_COHERENCE,
  );
}

/** On all leads, or only on the clear ones where noise in the others hides P. */
function alignOnClearLeads(
  reader: LeadReader,
  parts: readonly WavePart[],
  chosen: readonly Marked[],
  halfSeconds: number,
): AlignedP | undefined {
  const onAll = align(reader, parts, chosen, halfSeconds);
  if (onAll === undefined || coherenceOf(onAll.pWave, onAll.rows) >= LEAST_COHERENCE) return onAll;
  const clear = clearLeads(onAll, reader.leads.length);
  return clear.length < LEAST_CLEAR_LEADS ? onAll : align(reader, parts, chosen, halfSeconds, clear);
}

/** The length of the longest row of items that meet a condition. */
export function longestRow<T>(some: readonly T[], isSo: (one: T) => boolean): number {
  let [inARow, longest] = [0, 0];
  for (const one of some) {
    inARow = isSo(one) ? inARow + 1 : 0;
    longest = Math.max(longest, inARow);
  }
  return longest;
}

/**
 * An early beat from the atria has another P wave, and proves nothing against the others. All beats count where many come
 * early, or more than two in a row lack the usual P: these may be fibrillation.
 *
 * @param looked indices of conducted beats @param perBeat as in {@link PTrain}
 */
export function countedBeats(
  looked: readonly number[],
  perBeat: Int8Array,
  beats: readonly Pick<Beat, 'label'>[],
): ReadonlySet<number> {
  const longest = longestRow(looked, (beat) => perBeat[beat] !== 1);
  const onTime = looked.filter((beat) => beats[beat]?.label === 'N');
  const areFewEarly = onTime.length >= (1 - MOST_EARLY_SHARE) * looked.length;
  return new Set(areFewEarly && longest <= MOST_WITHOUT_IN_A_ROW ? onTime : looked);
}

/** @param parts of the recording whose waves are marked */
export function findPTrain(reader: LeadReader, parts: readonly WavePart[], beats: readonly Beat[]): PTrain {
  const { looked, marked, width } = markedBeats(parts, beats);
  const perBeat = new Int8Array(beats.length).fill(-1);
  for (const beat of looked) perBeat[beat] = 0;
  const fs = reader.sampleRateHz;
  const steady = atUsualDistance(marked, ({ pr }) => pr, fs);
  const centred = atUsualDistance(marked, ({ middleToQrs }) => middleToQrs, fs);
  for (const { beat } of steady) perBeat[beat] = 1;
  const counted = countedBeats(looked, perBeat, beats);
  const own = marked.filter(({ beat }) => counted.has(beat));
  const halfSeconds = width / fs / 2 + MARGIN_SECONDS;
  const aligned = own.length === 0 ? undefined : alignOnClearLeads(reader, parts, evenly(own), halfSeconds);
  if (aligned === undefined) return { ...NOTHING, beats: counted.size, perBeat };
  const { signals, rows, pWave } = aligned;
  return {
    beats: counted.size,
    share: own.length / counted.size,
    steadyShare: own.filter((one) => steady.has(one)).length / own.length,
    nearShare: own.filter((one) => steady.has(one) || centred.has(one)).length / own.length,
    coherence: coherenceOf(pWave, rows),
    isSeen: isHighEnough(heights(pWave, signals[0]?.leadCount ?? 0)),
    otherShare: shareOfOthers(parts, signals, beats, marked, pWave, fs),
    perBeat,
  };
}

/** Share of the beats of a stretch that have a P mark at the usual distance; 0 where none was looked at. */
export function markedShare({ perBeat }: PTrain, samples: readonly number[], [start, end]: Range): number {
  const known = perBeat
    .subarray(firstFrom(samples, start), firstFrom(samples, end))
    .filter((value) => value >= 0);
  return mean(known) ?? 0;
}
