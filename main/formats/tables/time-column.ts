// When the rows of a table were taken: by a column of times, or by what stands above the numbers.

import { median } from '../../../shared/signal/statistics.ts';
import { parseDecimal } from '../text-field.ts';
import { clockSeconds, type Table } from './table-text.ts';

export interface TableTime {
  readonly hz: number;
  /** How many samples are missing before each row, where a row is behind its time. */
  readonly missingBefore?: readonly number[];
  /** The column that it was read from. */
  readonly column?: number;
  /** `2024-03-01T10:20:30.4`, where the first row says so. */
  readonly start?: string;
  /** The column has no unit: it was taken for this. */
  readonly guessedUnit?: 's' | 'ms';
}

const TIME_NAME =
  /^(elapsed[\s_]*)?(time|timestamp|zeit|tiempo|temps|tempo|seconds?|secs?|millis(econds)?|t|ms|s)(?![a-z0-9])/i;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/(^|[\s_([])(us|µs|microsec(onds?)?|micros)[)\]]?$/i, 1e-6],
  [/(^|[\s_([])(ms|msec|millis(econds)?)[)\]]?$/i, 1e-3],
  [/(^|[\s_([])(s|sec|secs|seconds?|sekunden|segundos)[)\]]?$/i, 1],
  [/(^|[\s_([])(min|minutes?)[)\]]?$/i, 60],
];
const LEAST_HZ = 10;
const MOST_HZ = 20_000;
/** Times jitter; a row that comes so many steps late is behind a gap. */
const GAP_STEPS = 1.5;
/** Where more is missing than is there, the column is no time. */
const MOST_MISSING = 20;
/** Steps below are seconds, those from the second on milliseconds; between, nobody can tell. */
const SECONDS_BELOW = 0.05;
const MS_FROM = 0.5;

/** A rate that is not said to be of samples may be that of a heart, a filter or the mains. */
const RATE_LINE =
  /(?:sampl\w*[\s_-]*(?:rate|freq\w*)|\bfs|abtastrate|frecuencia\s+de\s+muestreo)\s*(?:\[hz\]|\(hz\))?\s*[:=,;\s]\s*"?(\d+(?:[.,]\d+)?)/i;
/** LabChart writes the step, AcqKnowledge the milliseconds of a sample. */
const INTERVAL_LINE = /^\s*interval\s*=\s*(\d+(?:[.,]\d+)?(?:e[+-]?\d+)?)\s*(ms|s|µs|us)?/i;
const MS_PER_SAMPLE = /^\s*(\d+(?:[.,]\d+)?)\s*(msec|ms|sec|s)\s*\/\s*sample/i;

/** Times are rounded, and clocks differ a little. */
const SAME_RATE = 0.02;

const isRate = (hz: number): boolean => hz >= LEAST_HZ && hz <= MOST_HZ;

/** The rate that the lines above the numbers state. */
function statedHz(head: readonly string[]): number | undefined {
  const unit = (word: string | undefined): number =>
    word === undefined || /^s/i.test(word) ? 1 : /^m/i.test(word) ? 1e-3 : 1e-6;
  for (const line of head) {
    const stated = parseDecimal(RATE_LINE.exec(line)?.[1] ?? '');
    const step = INTERVAL_LINE.exec(line) ?? MS_PER_SAMPLE.exec(line);
    const hz = step === null ? stated : 1 / ((parseDecimal(step[1] ?? '') ?? Number.NaN) * unit(step[2]));
    if (hz !== undefined && isRate(hz)) return Math.round(1e6 * hz) / 1e6;
  }
  return undefined;
}

const unitOf = (name: string): number | undefined => UNITS.find(([word]) => word.test(name.trim()))?.[1];

interface Times {
  readonly seconds: Float64Array;
  readonly start?: string;
  readonly guessedUnit?: 's' | 'ms';
}

/** A clock goes over midnight once a day. */
function clockTimes(column: readonly string[]): Times | undefined {
  const first = clockSeconds(column[0] ?? '');
  if (first === undefined) return undefined;
  let [days, before] = [0, first.seconds];
  const seconds = Float64Array.from(column, (field) => {
    const at = clockSeconds(field)?.seconds ?? Number.NaN;
    if (at < before - 43_200) days++;
    if (!Number.isNaN(at)) before = at;
    return 86_400 * days + at;
  });
  const clock = new Date(Math.round(1000 * first.seconds)).toISOString().slice(11, -1);
  return { seconds, ...(first.day !== undefined && { start: `${first.day}T${clock}` }) };
}

function countedTimes(column: readonly string[], name: string): Times | undefined {
  const values = Float64Array.from(column, (field) => parseDecimal(field) ?? Number.NaN);
  const stated = unitOf(name);
  if (stated !== undefined) return { seconds: values.map((value) => value * stated) };
  const step = median(values.subarray(1).map((value, i) => value - (values[i] as number))) ?? 0;
  if (step > 0 && step < SECONDS_BELOW) return { seconds: values, guessedUnit: 's' };
  return step >= MS_FROM ? { seconds: values.map((value) => value / 1000), guessedUnit: 'ms' } : undefined;
}

/** The rate of rows at these times; undefined where they do not go on evenly. */
function evenly({ seconds, ...told }: Times, column: number): TableTime | undefined {
  const steps = seconds.subarray(1).map((value, i) => value - (seconds[i] as number));
  const step = median(steps) ?? 0;
  if (!(step > 0) || steps.some((each) => !(each >= 0))) return undefined;
  const missing = [...steps].map((each) => (each > GAP_STEPS * step ? Math.round(each / step) - 1 : 0));
  const lost = missing.reduce((sum, count) => sum + count, 0);
  if (lost > MOST_MISSING * seconds.length) return undefined;
  const span = (seconds.at(-1) as number) - (seconds[0] as number);
  const hz = (seconds.length - 1 + lost) / span;
  // Times are rounded: over a recording they give the rate that was meant.
  const whole = Math.abs(hz / Math.round(hz) - 1) < 0.002 ? Math.round(hz) : Math.round(1000 * hz) / 1000;
  return isRate(whole)
    ? { hz: whole, column, ...(lost > 0 && { missingBefore: [0, ...missing] }), ...told }
    : undefined;
}

/** @returns undefined where the table does not say how many rows a second it has */
export function tableTime({ head, names, rows }: Table): TableTime | undefined {
  const columns = rows[0]?.length ?? 0;
  const columnOf = (column: number): string[] => rows.map((fields) => fields[column] ?? '');
  const named = names.findIndex((name) => TIME_NAME.test(name));
  const clock = Array.from({ length: columns }, (_, i) => i).find(
    (i) => clockSeconds(rows[0]?.[i] ?? '') !== undefined,
  );
  const stated = statedHz(head);
  const column = clock ?? (named < 0 ? undefined : named);
  if (column !== undefined) {
    const times =
      clock === undefined
        ? countedTimes(columnOf(column), names[column] ?? '')
        : clockTimes(columnOf(column));
    const even = times === undefined ? undefined : evenly(times, column);
    if (even !== undefined)
      return stated === undefined || Math.abs(even.hz / stated - 1) > SAME_RATE
        ? even
        : { ...even, hz: stated };
  }
  if (stated === undefined) return undefined;
  // Some programs write the times first, and do not name them.
  const first = evenly(
    { seconds: Float64Array.from(columnOf(0), (field) => parseDecimal(field) ?? Number.NaN) },
    0,
  );
  const isTime = column === undefined && first !== undefined && Math.abs(first.hz / stated - 1) <= SAME_RATE;
  const found = isTime ? 0 : column;
  return { hz: stated, ...(found !== undefined && { column: found }) };
}
