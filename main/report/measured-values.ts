// The measurements as a report shows them: value, what is usual, and why there is none.

import type { AnalysisResult, Measurements } from '../../shared/analysis-result.ts';
import {
  sideOfUsual,
  type UsualName,
  type UsualRange,
  usualRange,
} from '../../shared/findings/usual-values.ts';
import { isLeadCode } from '../../shared/signal/lead.ts';
import type { DashReason, Measured, ReportWords } from './report-words.ts';

export interface MeasuredRow {
  readonly name: Measured;
  /** Absent where it could not be measured. */
  readonly value?: string;
  readonly unit?: string;
  /** What is usual for an adult, or why there is no value. */
  readonly note: string;
  /** Outside of what is usual: above or below it. */
  readonly isOutside?: 'above' | 'below';
}

function rangeText({ from, to }: UsualRange, words: ReportWords): string {
  if (from === undefined) return to === undefined ? '' : words.upTo(to);
  return to === undefined ? '' : `${from}–${to}`.replace('-', '−');
}

const has = ({ statements }: Pick<AnalysisResult, 'statements'>, ...codes: string[]): boolean =>
  statements.some(({ code }) => codes.includes(code));

/** Why there is no P, or nothing that is measured from it. */
function whyNoP(result: AnalysisResult): DashReason {
  if (result.beats.length === 0) return 'noBeats';
  if (has(result, 'RHY-AFIB', 'RHY-AFIBEPI', 'RHY-AFIBPART')) return 'fibrillation';
  if (has(result, 'RHY-AFL')) return 'flutter';
  if (has(result, 'RHY-PACED')) return 'paced';
  return has(result, 'RHY-UNDET', 'RHY-TACHY', 'RHY-AFL21') ? 'undetermined' : 'noP';
}

function whyNot(name: Measured, result: AnalysisResult): DashReason {
  if (result.beats.length === 0) return 'noBeats';
  const { measurements: m } = result;
  const leads = new Set(result.recording.leads.filter(isLeadCode));
  switch (name) {
    case 'p':
    case 'pr':
      return whyNoP(result);
    case 'qrs':
      return 'noQrsEnd';
    case 'qt':
    case 'qtcF':
    case 'qtcB':
      return m.qrsMs === undefined ? 'noQrsEnd' : 'noTEnd';
    case 'axes':
      return leads.has('MDC_ECG_LEAD_I') && leads.has('MDC_ECG_LEAD_AVF') ? 'notMeasured' : 'noFrontalLeads';
    default:
      return has(result, 'RHY-UNDET', 'RHY-TACHY', 'RHY-AFL21', 'RHY-VF', 'RHY-ASYS')
        ? 'undetermined'
        : 'notMeasured';
  }
}

const degrees = (value: number | undefined): string =>
  value === undefined ? '–' : `${String(value).replace('-', '−')}°`;

const USUAL: { readonly [M in Measured]?: UsualName } = {
  rate: 'rate',
  p: 'p',
  pr: 'pr',
  qrs: 'qrs',
  qtcF: 'qtc',
  qtcB: 'qtc',
  axes: 'axis',
};

function textOf(name: Measured, m: Measurements): { value: string; unit: string } | undefined {
  const inMs = (ms: number | undefined) => (ms === undefined ? undefined : { value: String(ms), unit: 'ms' });
  switch (name) {
    case 'rate':
      return m.heartRateBpm === undefined ? undefined : { value: String(m.heartRateBpm), unit: '/min' };
    case 'rr':
      return m.rrMinMs === undefined || m.rrMaxMs === undefined
        ? inMs(m.rrMs)
        : { value: `${m.rrMinMs}–${m.rrMaxMs}`, unit: 'ms' };
    case 'p':
      return inMs(m.pMs);
    case 'pr':
      return inMs(m.prMs);
    case 'qrs':
      return inMs(m.qrsMs);
    case 'qt':
      return inMs(m.qtMs);
    case 'qtcF':
      return inMs(m.qtcFridericiaMs);
    case 'qtcB':
      return inMs(m.qtcBazettMs);
    case 'axes':
      return m.pAxisDeg === undefined && m.qrsAxisDeg === undefined && m.tAxisDeg === undefined
        ? undefined
        : { value: [m.pAxisDeg, m.qrsAxisDeg, m.tAxisDeg].map(degrees).join(' / '), unit: '' };
  }
}

const NUMBERS: { readonly [M in Measured]?: keyof Measurements } = {
  rate: 'heartRateBpm',
  p: 'pMs',
  pr: 'prMs',
  qrs: 'qrsMs',
  qtcF: 'qtcFridericiaMs',
  qtcB: 'qtcBazettMs',
  axes: 'qrsAxisDeg',
};

/** @param ageYears at the recording; without it, nothing is called usual */
export function measuredRow(
  name: Measured,
  result: AnalysisResult,
  ageYears: number | undefined,
  words: ReportWords,
): MeasuredRow {
  const { measurements } = result;
  const shown = textOf(name, measurements);
  if (shown === undefined) return { name, note: words.dash[whyNot(name, result)] };
  const usualName = USUAL[name];
  const usual = usualName === undefined ? {} : usualRange(usualName, result.patient.gender, ageYears);
  const key = NUMBERS[name];
  const isOutside =
    key === undefined ? undefined : sideOfUsual(measurements[key] as number | undefined, usual);
  return {
    name,
    ...shown,
    note:
      name === 'axes' && usual.from !== undefined ? `${rangeText(usual, words)}°` : rangeText(usual, words),
    ...(isOutside !== undefined && { isOutside }),
  };
}
