// A result as one row of a table. Names and dates of birth stay out of it: the name of the recording says which it is.

import type { AnalysisResult, Measurements } from '../../../../shared/analysis-result.ts';
import { csvField } from '../../../../shared/csv-field.ts';

const MEASURED = [
  'heartRateBpm',
  'rrMs',
  'rrMinMs',
  'rrMaxMs',
  'pMs',
  'prMs',
  'qrsMs',
  'qtMs',
  'qtcBazettMs',
  'qtcFridericiaMs',
  'pAxisDeg',
  'qrsAxisDeg',
  'tAxisDeg',
] as const satisfies readonly (keyof Measurements)[];
const LABELS = ['N', 'S', 'V', 'F', 'Q'] as const;

const COLUMNS = [
  'recording',
  'format',
  'startTime',
  'seconds',
  'leads',
  'sampleRateHz',
  'severity',
  'rhythm',
  ...MEASURED,
  'beats',
  ...LABELS.map((label) => `beats${label}`),
  'codes',
  'statements',
  'notAssessed',
  'warnings',
  'error',
];

const line = (fields: readonly string[]): string => fields.map(csvField).join(',');
export const ROW_NAMES = line(COLUMNS);

/** The one that lasts longest. */
function mainRhythm(rhythms: AnalysisResult['rhythms']): string {
  const lasting = new Map<string, number>();
  for (const { code, startSample, endSample } of rhythms)
    lasting.set(code, (lasting.get(code) ?? 0) + endSample - startSample);
  return [...lasting].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

/** What is missing is empty, never 0. */
export function resultRow(name: string, result: AnalysisResult): string {
  const { recording, measurements, beats, statements, severity, rhythms, notAssessed, warnings } = result;
  const count = (label: string): string => String(beats.filter((beat) => beat.label === label).length);
  return line([
    name,
    recording.format,
    recording.startTime ?? '',
    String(recording.durationMs / 1000),
    String(recording.leads.length),
    String(recording.sampleRateHz),
    severity ?? '',
    mainRhythm(rhythms),
    ...MEASURED.map((key) => String(measurements[key] ?? '')),
    String(beats.length),
    ...LABELS.map(count),
    statements.map(({ code }) => code).join(' '),
    statements.map(({ text }) => text).join('; '),
    notAssessed.map(({ code, reason }) => `${code}:${reason}`).join(' '),
    warnings.map(({ code }) => code).join(' '),
    '',
  ]);
}

export const failedRow = (name: string, message: string): string =>
  line(COLUMNS.map((column) => (column === 'recording' ? name : column === 'error' ? message : '')));
