// Atrial fibrillation in a strip of up to two minutes, often of one lead: is the whole series of intervals irregular?
// The windows of twelve beats that serve for longer recordings are misled by a few early beats or a noisy stretch.
//
// Limits were chosen on 139 one-lead strips of CinC 2017, where F1 for fibrillation was 86 %; on 8,244 others it was 72 %. On one or two
// leads, what was learned of strips goes before it (`decisions/strip-rhythm.ts`). Its entropy was -0.6 or more there, and down to -1
// in CPSC 2021; that of sinus rhythm with early beats was mostly -1.5 or less.

import type { Beat } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { mean, standardDeviation } from '../../../shared/signal/statistics.ts';
import type { PEvidence } from '../atria/p-evidence.ts';
import type { PTrain } from '../atria/p-train.ts';
import { joinRanges, type Range, type TimeBase } from '../signal/time-base.ts';
import { findAtrialFibrillation, seriesOf } from './atrial-fibrillation.ts';
import { coefficientOfSampleEntropy } from './sample-entropy.ts';

/** With fewer beats, entropy alone does not decide. */
const STRIP_BEATS = 24;
/** An episode lasts 30 s by definition (ESC 2020, Eur Heart J 2021;42:373-498). */
const WINDOW_SECONDS = 30;
const STEP_SECONDS = 10;
/** Among one-lead strips under 24 beats, 7 of 192 with fibrillation have less, and 6 of 22 that only look like it. */
const LEAST_ENTROPY = -1.2;
const FEW_LEADS = 2;
/** Without any P, a fast heart may be a little less so: one of the 15 is at 190/min. */
const LEAST_ENTROPY_WITHOUT_P = -1.4;
const NO_P = 0.02;
/**
 * Standard deviation of the intervals against their mean: entropy looks at their order, and calls a breathing heart of
 * 7 % irregular. Of the 15 with fibrillation, the steadiest that has no other mark against it has 11 %.
 */
const LEAST_VARIATION = 0.1;
/** Share of the marked beats with P at the usual distance. */
const MOST_P = 0.5;
/** If fewer beats have the usual shape, the beats and their intervals are noise. */
const LEAST_USUAL = 0.2;

const intervalsMs = (beats: readonly Beat[], sampleRateHz: number): number[] =>
  beats.slice(1).map(({ sample }, i) => (1000 * (sample - (beats[i] as Beat).sample)) / sampleRateHz);

/** @param pShare of the beats */
function isIrregular(rrMs: readonly number[], pShare: number, leads: number): boolean {
  const usual = mean(rrMs) ?? 0;
  const isSteady = leads <= FEW_LEADS && (standardDeviation(rrMs) ?? 0) < LEAST_VARIATION * usual;
  const entropy = coefficientOfSampleEntropy(rrMs) ?? Number.NEGATIVE_INFINITY;
  return !isSteady && entropy >= (pShare <= NO_P ? LEAST_ENTROPY_WITHOUT_P : LEAST_ENTROPY);
}

const areAlike = (beats: readonly Beat[]): boolean =>
  beats.filter(({ reason }) => reason === 'usual').length >= LEAST_USUAL * beats.length;

/** Whether the beats [from, to) come from a heart, are as irregular as chance, and lack P. */
function isFibrillating({ beats, pTrain, time, leads }: StripInput, from: number, to: number): boolean {
  const own = beats.slice(from, to);
  const marked = [...pTrain.perBeat.subarray(from, to)].filter((mark) => mark >= 0);
  const pShare = mean(marked) ?? 0;
  return (
    own.length >= Math.min(STRIP_BEATS, beats.length) &&
    areAlike(own) &&
    pShare <= MOST_P &&
    isIrregular(intervalsMs(own, time.sampleRateHz), pShare, leads)
  );
}

export interface StripInput {
  readonly beats: readonly Beat[];
  readonly evidence: Pick<PEvidence, 'perBeat'>;
  readonly pTrain: Pick<PTrain, 'perBeat'>;
  readonly time: TimeBase;
  /** Stretches without beats, across which nothing is irregular. */
  readonly arrests: readonly Range[];
  readonly leads: number;
}

/**
 * For a recording of two minutes at most: half minutes that are as irregular as chance, and shorter episodes that are
 * that irregular and also look like fibrillation in windows of twelve beats.
 */
export function fibrillationOfStrip(input: StripInput): Range[] {
  const { beats, evidence, pTrain, time, arrests, leads } = input;
  const byWindows = findAtrialFibrillation(beats, evidence, pTrain.perBeat, time, arrests);
  if (beats.length < STRIP_BEATS && leads > FEW_LEADS) return byWindows;
  const samples = beats.map(({ sample }) => sample);
  const believed = byWindows.filter(([start, end]) =>
    isFibrillating(input, firstFrom(samples, start), firstFrom(samples, end + 1)),
  );
  return joinRanges([...believed, ...(beats.length < STRIP_BEATS ? [] : halfMinutes(input))]);
}

/** The half minutes that fibrillate. */
function halfMinutes(input: StripInput): Range[] {
  const { beats, time, arrests } = input;
  const { sampleRateHz } = time;
  const samples = beats.map(({ sample }) => sample);
  return seriesOf(beats, time, arrests).flatMap(([first, behind]): Range[] => {
    const last = samples[behind - 1] ?? 0;
    const within: Range[] = [];
    for (let start = samples[first] ?? 0; ; start += STEP_SECONDS * sampleRateHz) {
      // The last window takes in the remainder behind it.
      const isRest = last - start < (WINDOW_SECONDS + STEP_SECONDS) * sampleRateHz;
      const from = firstFrom(samples, start);
      const to = isRest ? behind : firstFrom(samples, start + WINDOW_SECONDS * sampleRateHz);
      if (isFibrillating(input, from, to)) within.push([samples[from] as number, samples[to - 1] as number]);
      if (isRest) return within;
    }
  });
}
