// The numbers of a long recording, with when they were.

import type { AnalysisResult } from '../../shared/analysis-result.ts';
import type { StatementCode } from '../../shared/findings/codes.ts';
import { DECIMAL_SIGNS } from '../../shared/language.ts';
import { fibrillationOf, unknownOf, unreadRanges } from '../../shared/long/known-time.ts';
import { durationText } from './duration-text.ts';
import type { Drawing } from './report-input.ts';
import { clockAt } from './report-text.ts';
import { rrSeconds } from './rr-intervals.ts';

export interface SummaryRow {
  readonly label: string;
  readonly value: string;
  /** When it was, which share of the whole it is, or that it was not assessed. */
  readonly at: string;
}

const RUN_BEATS = 8;

interface Extreme {
  readonly bpm: number;
  readonly seconds: number;
}

/** Whether a rule could be applied: one that could not says nothing by finding nothing. */
const isAssessed = ({ assessments }: AnalysisResult, code: StatementCode): boolean =>
  assessments.some((each) => each.code === code && each.outcome !== 'notAssessed');

/** The highest and the lowest rate of eight intervals, and the longest interval. */
function extremes(result: AnalysisResult): {
  highest?: Extreme;
  lowest?: Extreme;
  longest?: { readonly ms: number; readonly seconds: number };
} {
  const { beats, recording } = result;
  const seconds = beats.map(({ sample }) => sample / recording.sampleRateHz);
  const intervals = rrSeconds(result);
  let [highest, lowest]: [Extreme | undefined, Extreme | undefined] = [undefined, undefined];
  let longest: { ms: number; seconds: number } | undefined;
  let run = 0;
  for (const [i, rr] of intervals.entries()) {
    run = Number.isNaN(rr) ? 0 : run + 1;
    if (run === 0) continue;
    if (longest === undefined || 1000 * rr > longest.ms)
      longest = { ms: 1000 * rr, seconds: seconds[i - 1] as number };
    if (run < RUN_BEATS) continue;
    const from = seconds[i - RUN_BEATS] as number;
    const bpm = (60 * RUN_BEATS) / ((seconds[i] as number) - from);
    if (highest === undefined || bpm > highest.bpm) highest = { bpm, seconds: from };
    if (lowest === undefined || bpm < lowest.bpm) lowest = { bpm, seconds: from };
  }
  return {
    ...(highest !== undefined && { highest }),
    ...(lowest !== undefined && { lowest }),
    ...(longest !== undefined && { longest }),
  };
}

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '\u2009');

export function longSummary({ words, language, input }: Drawing): SummaryRow[] {
  const { result } = input;
  const { summary } = words;
  const { sampleRateHz, samples, gaps, startTime } = result.recording;
  const at = (seconds: number): string => clockAt(startTime, seconds, input.timeZone, true);
  const countOf = (label: string): number => result.beats.filter((beat) => beat.label === label).length;
  const percent = (part: number, whole: number): string => {
    if (whole === 0) return '';
    const share = (100 * part) / whole;
    return `${share.toFixed(share > 0 && share < 10 ? 1 : 0).replace('.', DECIMAL_SIGNS[language])} %`;
  };
  // What is not all is never said to be all.
  const wholePercent = (part: number, whole: number): string =>
    whole === 0 ? '' : `${Math.floor((100 * part) / whole)} %`;
  const read =
    samples -
    unknownOf(gaps, unreadRanges(result), sampleRateHz).reduce((sum, [start, end]) => sum + end - start, 0);
  const { highest, lowest, longest } = extremes(result);
  const pauses = result.rhythms.filter(({ code }) => code === 'PAUSE').length;
  const fibrillation = fibrillationOf(result).reduce((sum, [start, end]) => sum + end - start, 0);
  const sdnnMs = result.holter?.hrv?.sdnnMs;
  const isPacingUnknown = result.notAssessed.some(({ code }) => code === 'PACING');
  type Cell = readonly [value: string, at?: string];
  const row = (label: string, [value, when = '']: Cell = ['', words.notAssessed]): SummaryRow => ({
    label,
    value,
    at: when,
  });
  const none = (code: StatementCode): Cell | undefined =>
    isAssessed(result, code) ? [words.none] : undefined;
  // Paced beats come regularly whatever the atria do.
  const isPaced = result.statements.some(({ code }) => code === 'RHY-PACED');
  const counted = (count: number, code: StatementCode): Cell | undefined =>
    count > 0 || isAssessed(result, code) ? [grouped(count), percent(count, result.beats.length)] : undefined;
  const rate = (bpm: number | undefined, seconds?: number): Cell | undefined =>
    bpm === undefined ? undefined : [`${Math.round(bpm)} /min`, seconds === undefined ? '' : at(seconds)];
  return [
    row(summary.recorded, [durationText(samples / sampleRateHz, language)]),
    row(summary.read, isAssessed(result, 'RHY-PAUSE') ? [wholePercent(read, samples)] : undefined),
    row(summary.beats, [grouped(result.beats.length)]),
    row(summary.ventricular, counted(countOf('V'), 'ECT-PVC')),
    row(summary.supraventricular, counted(countOf('S'), 'ECT-PAC')),
    row(summary.meanRate, rate(result.measurements.heartRateBpm)),
    row(summary.highest, rate(highest?.bpm, highest?.seconds)),
    row(summary.lowest, rate(lowest?.bpm, lowest?.seconds)),
    row(
      summary.longest,
      longest === undefined ? undefined : [`${Math.round(longest.ms)} ms`, at(longest.seconds)],
    ),
    row(summary.pauses, pauses > 0 ? [String(pauses)] : none('RHY-PAUSE')),
    row(
      summary.fibrillation,
      fibrillation > 0
        ? [durationText(fibrillation / sampleRateHz, language), percent(fibrillation, read)]
        : isPaced
          ? undefined
          : none('RHY-AFIB'),
    ),
    ...(result.holter === undefined
      ? []
      : [
          row(summary.sdnn, sdnnMs === undefined ? undefined : [`${Math.round(sdnnMs)} ms`]),
          row(summary.pacing, isPaced ? [summary.paced] : isPacingUnknown ? undefined : none('RHY-PACED')),
        ]),
  ];
}
