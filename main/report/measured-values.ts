// The measurements as a report shows them: value, what is usual, and why there is none.

import type { AnalysisResult, Measurements } from '../../shared/analysis-result.ts';
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

/** Kligfield 2007, Rautaharju 2009, Surawicz 2009: adults. */
const ADULT_YEARS = 18;
const RATE = [60, 100] as const;
const PR = [120, 200] as const;
const MOST_P_MS = 120;
const MOST_QRS_MS = 110;
const AXIS = [-30, 90] as const;
const MOST_QTC_MS = { FEMALE: 460, MALE: 450 } as const;

interface Range {
  readonly from?: number;
  readonly to?: number;
}

function sign(value: number | undefined, { from, to }: Range): MeasuredRow['isOutside'] {
  if (value === undefined) return undefined;
  if (to !== undefined && value > to) return 'above';
  return from !== undefined && value < from ? 'below' : undefined;
}

function rangeText({ from, to }: Range, words: ReportWords): string {
  if (from === undefined) return to === undefined ? '' : words.upTo(to);
  return to === undefined ? '' : `${from}–${to}`.replace('-', '−');
}

const has = ({ statements }: Pick<AnalysisResult, 'statements'>, ...codes: string[]): boolean =>
  statements.some(({ code }) => codes.some((each) => code.startsWith(each)));

/** Why there is no P, or nothing that is measured from it. */
function whyNoP(result: AnalysisResult): DashReason {
  if (result.beats.length === 0) return 'noBeats';
  if (has(result, 'RHY-AFIB')) return 'fibrillation';
  if (has(result, 'RHY-AFL')) return 'flutter';
  if (has(result, 'RHY-PACED')) return 'paced';
  return has(result, 'RHY-UNDET') ? 'undetermined' : 'noP';
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
      return has(result, 'RHY-UNDET', 'RHY-VF', 'RHY-ASYS') ? 'undetermined' : 'notMeasured';
  }
}

const degrees = (value: number | undefined): string =>
  value === undefined ? '–' : `${String(value).replace('-', '−')}°`;

function usualOf(name: Measured, { patient }: AnalysisResult, ageYears: number | undefined): Range {
  if (ageYears === undefined || ageYears < ADULT_YEARS) return {};
  const { gender } = patient;
  switch (name) {
    case 'rate':
      return { from: RATE[0], to: RATE[1] };
    case 'p':
      return { to: MOST_P_MS };
    case 'pr':
      return { from: PR[0], to: PR[1] };
    case 'qrs':
      return { to: MOST_QRS_MS };
    case 'qtcF':
    case 'qtcB':
      return gender === 'FEMALE' || gender === 'MALE' ? { to: MOST_QTC_MS[gender] } : {};
    case 'axes':
      return { from: AXIS[0], to: AXIS[1] };
    default:
      return {};
  }
}

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
  const usual = usualOf(name, result, ageYears);
  const key = NUMBERS[name];
  const isOutside = key === undefined ? undefined : sign(measurements[key] as number | undefined, usual);
  return {
    name,
    ...shown,
    note:
      name === 'axes' && usual.from !== undefined ? `${rangeText(usual, words)}°` : rangeText(usual, words),
    ...(isOutside !== undefined && { isOutside }),
  };
}
