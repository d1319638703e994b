// The numbers by which the rhythm of a strip is decided: how its intervals run, whether P stands before the beats, how alike the
// beats are, and how clear the signal is. All of them are measured for other purposes as well.

import type { Beat } from '../../../shared/analysis-result.ts';
import { mean, median, quantile } from '../../../shared/signal/statistics.ts';
import type { PEvidence } from '../atria/p-evidence.ts';
import type { PTrain } from '../atria/p-train.ts';
import { scatterOf } from '../beats/beat-timing.ts';
import type { MedianBeat } from '../measurements/median-beat.ts';
import { coefficientOfSampleEntropy } from '../rhythm/sample-entropy.ts';
import type { QualityReport } from '../signal/quality.ts';
import type { TimeBase } from '../signal/time-base.ts';
import { type BeatWaves, markOf } from '../waves/beat-waves.ts';
import type { Marks } from '../waves/median-marks.ts';

/** In the order in which the model knows them. */
export const STRIP_INPUTS = [
  'beats',
  'rrMedianMs',
  'rrSuccessiveShare',
  'rrScatterShare',
  'rrEntropy',
  'rrTurningShare',
  'rrCorrelation',
  'rrSecondCorrelation',
  'rrShortestShare',
  'rrLongestShare',
  'rrLowerQuartileShare',
  'rrUsualEntropy',
  'rrChangeCorrelation',
  'rrMostInWindowShare',
  'sShare',
  'usualShapeShare',
  'unknownShapeShare',
  'pAnyShare',
  'pMarkShare',
  'pNearShare',
  'pTrainCoherence',
  'pOtherShare',
  'pSameShare',
  'pCoherence',
  'prMedianMs',
  'prScatterMs',
  'pLengthMs',
  'qrsMs',
  'qrsScatterMs',
  'qtShare',
  'repetition',
  'pHeightShare',
  'tHeightShare',
  'restlessShare',
  'usableShare',
] as const;
export type StripInputName = (typeof STRIP_INPUTS)[number];

/** What is known of a strip before its rhythm is. */
export interface StripFacts {
  readonly beats: readonly Beat[];
  /** Indices of the beats of the usual shape. */
  readonly dominant: readonly number[];
  readonly time: TimeBase;
  readonly quality: QualityReport;
  readonly waves: readonly BeatWaves[];
  readonly pTrain: PTrain;
  readonly evidence: PEvidence;
  /** How far the signal between the beats repeats itself as flutter does. */
  readonly repetition: number;
  readonly medianBeat: MedianBeat | undefined;
  readonly marks: Marks;
}

const WINDOW_BEATS = 12;
const WINDOW_STEP = 3;

const unknown = Number.NaN;
const shareOf = <T>(all: readonly T[], isIt: (one: T) => boolean): number =>
  all.length === 0 ? unknown : all.filter(isIt).length / all.length;

/** How alike values are to those so many places before. */
function correlationAt(values: readonly number[], lag: number): number {
  const middle = mean(values) ?? 0;
  let [products, energy] = [0, 0];
  for (const [i, value] of values.entries()) {
    energy += (value - middle) ** 2;
    if (i >= lag) products += (value - middle) * ((values[i - lag] as number) - middle);
  }
  return values.length <= lag + 2 || energy === 0 ? unknown : products / energy;
}

/** Share of the inner intervals that are longer, or shorter, than both of their neighbours. */
function turningShare(values: readonly number[]): number {
  const inner = values.slice(1, -1);
  const turns = inner.filter((value, i) => {
    const [before, behind] = [values[i] as number, values[i + 2] as number];
    return (value > before && value > behind) || (value < before && value < behind);
  });
  return inner.length < 3 ? unknown : turns.length / inner.length;
}

/** How much the intervals scatter in that window of twelve beats in which they do most. */
function mostScatter(beats: readonly Beat[]): number {
  let most = unknown;
  for (let start = 0; start + WINDOW_BEATS <= beats.length; start += WINDOW_STEP) {
    const scattered = scatterOf(beats.slice(start, start + WINDOW_BEATS));
    most = Number.isNaN(most) ? scattered : Math.max(most, scattered);
  }
  return most;
}

function intervalInputs(
  beats: readonly Beat[],
  sampleRateHz: number,
): Partial<Record<StripInputName, number>> {
  const rr = beats
    .slice(1)
    .map(({ sample }, i) => (1000 * (sample - (beats[i] as Beat).sample)) / sampleRateHz);
  const usual = median(rr);
  if (usual === undefined || usual <= 0) return {};
  const changes = rr.slice(1).map((interval, i) => (interval - (rr[i] as number)) / usual);
  const isUsual = (i: number): boolean => beats[i]?.label === 'N';
  return {
    rrMedianMs: usual,
    rrSuccessiveShare: Math.sqrt(mean(changes.map((change) => change * change)) ?? unknown),
    rrScatterShare: scatterOf(beats),
    rrEntropy: coefficientOfSampleEntropy(rr) ?? unknown,
    rrUsualEntropy: coefficientOfSampleEntropy(rr.filter((_, i) => isUsual(i) && isUsual(i + 1))) ?? unknown,
    rrTurningShare: turningShare(rr),
    rrCorrelation: correlationAt(rr, 1),
    rrSecondCorrelation: correlationAt(rr, 2),
    rrChangeCorrelation: correlationAt(changes, 1),
    rrShortestShare: Math.min(...rr) / usual,
    rrLongestShare: Math.max(...rr) / usual,
    rrLowerQuartileShare: (quantile(rr, 0.25) ?? unknown) / usual,
    rrMostInWindowShare: mostScatter(beats),
  };
}

/** Half the distance between the quartiles. */
const scatter = (values: readonly number[]): number =>
  values.length < 3 ? unknown : ((quantile(values, 0.75) ?? 0) - (quantile(values, 0.25) ?? 0)) / 2;

function waveInputs({
  waves,
  pTrain,
  evidence,
  repetition,
  time: { sampleRateHz },
}: StripFacts): Partial<Record<StripInputName, number>> {
  const msBetween = (from: 'pOnset' | 'qrsOnset', to: 'pEnd' | 'qrsOnset' | 'qrsEnd'): number[] =>
    waves
      .map((each) => (1000 * (markOf(each, to) - markOf(each, from))) / sampleRateHz)
      .filter((ms) => !Number.isNaN(ms));
  const pr = msBetween('pOnset', 'qrsOnset');
  const qrs = msBetween('qrsOnset', 'qrsEnd');
  return {
    pAnyShare: shareOf(waves, (each) => !Number.isNaN(markOf(each, 'pOnset'))),
    ...(pTrain.beats > 0 && {
      pMarkShare: pTrain.share,
      pNearShare: pTrain.nearShare,
      pTrainCoherence: pTrain.coherence,
      pOtherShare: pTrain.otherShare,
    }),
    pSameShare: evidence.share,
    pCoherence: evidence.coherence,
    prMedianMs: median(pr) ?? unknown,
    prScatterMs: scatter(pr),
    pLengthMs: median(msBetween('pOnset', 'pEnd')) ?? unknown,
    qrsMs: median(qrs) ?? unknown,
    qrsScatterMs: scatter(qrs),
    repetition,
  };
}

const heightOf = (values: Float64Array, from: number, to: number): number => {
  const part = values.subarray(Math.max(0, Math.round(from)), Math.max(0, Math.round(to)));
  return part.length === 0 ? unknown : Math.max(...part) - Math.min(...part);
};

/** P and T of the usual beat beside its QRS, on the lead where they stand out most, and what moves between T and P. */
function heightInputs({ medianBeat, marks }: StripFacts): Partial<Record<StripInputName, number>> {
  if (medianBeat === undefined) return {};
  const { fiducial, sampleRateHz, leads, rrMs } = medianBeat;
  const at = (ms: number): number => fiducial + (ms / 1000) * sampleRateHz;
  const shares = (fromMs: number, toMs: number): number =>
    Math.max(...leads.map((lead) => heightOf(lead, at(fromMs), at(toMs)) / heightOf(lead, at(-60), at(80))));
  const { qrsOnset, tEnd } = marks;
  const isQtKnown = qrsOnset !== undefined && tEnd !== undefined;
  return {
    pHeightShare: shares(-240, -70),
    tHeightShare: shares(120, 420),
    restlessShare: shares(-340, -240),
    qtShare: isQtKnown ? (1000 * (tEnd - qrsOnset)) / sampleRateHz / rrMs : unknown,
  };
}

/** @returns one a name in `STRIP_INPUTS`, NaN where it is not known */
export function stripInputs(facts: StripFacts): Float64Array {
  const { beats, dominant, time, quality } = facts;
  const values: Partial<Record<StripInputName, number>> = {
    beats: beats.length,
    ...intervalInputs(beats, time.sampleRateHz),
    sShare: shareOf(beats, ({ label }) => label === 'S'),
    usualShapeShare: beats.length === 0 ? unknown : dominant.length / beats.length,
    unknownShapeShare: shareOf(beats, ({ label }) => label === 'Q'),
    ...waveInputs(facts),
    ...heightInputs(facts),
    usableShare: Math.max(0, ...quality.leads.map(({ usableShare }) => usableShare)),
  };
  return Float64Array.from(STRIP_INPUTS, (name) => values[name] ?? unknown);
}
