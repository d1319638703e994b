// When the rows of a table were taken: by a column of times, or by what stands above the numbers. What says something that does not fit
// is not read, because a wrong rate makes every interval wrong.

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
/** Steps below are seconds, those from the second on milliseconds; between, nobody can tell, and steps of 1 count. */
const SECONDS_BELOW = 0.05;
const MS_FROM = 2;
const MOST_HEAD_LETTERS = 500;

/** A rate that is not said to be of samples may be that of a heart, a filter or the mains. */
const RATE_LINE =
  /(?:sampl[a-z]{0,8}[\s_-]{0,3}(?:rate|freq[a-z]{0,8})|\bfs|abtastrate|frecuencia de muestreo)\s{0,3}(?:[[(](k?)(?:hz|s\/s|sps)[\])])?\s{0,3}[:=,;\s]\s{0,3}"?(\d{1,9}(?:[.,]\d{1,6})?)\s{0,3}(k(?:hz|s\/s|sps)?\b|ms\b|msec|µs|us\b)?/gi;
/** Whether a comma or point before three digits parts thousands, nobody can tell from it alone. */
const MAYBE_THOUSANDS = /^\d{1,3}[.,]\d{3}$/;
const MOST_THOUSANDS_HZ = 1_000_000;
/** LabChart writes the step, AcqKnowledge the milliseconds of a sample. */
const INTERVAL_LINE =
  /^\s{0,9}interval\s{0,3}=\s{0,9}(\d{1,9}(?:[.,]\d{1,12})?(?:e[+-]?\d{1,2})?)\s{0,3}(ms|s|µs|us)?/i;
const MS_PER_SAMPLE = /^\s{0,9}(\d{1,6}(?:[.,]\d{1,9})?)\s{0,3}(msec|ms|sec|s)\s{0,3}\/\s{0,3}sample/i;
const LABCHART = /^\s{0,9}(interval|channeltitle)\s{0,3}=/i;

/** Times are rounded, and clocks differ a little. */
const SAME_RATE = 0.02;

const isRate = (hz: number): boolean => hz >= LEAST_HZ && hz <= MOST_HZ;

/** The numbers that a text may mean. */
function readingsOf(text: string): number[] {
  const asDecimal = parseDecimal(text) ?? Number.NaN;
  if (!MAYBE_THOUSANDS.test(text)) return [asDecimal];
  const asWhole = Number(text.replace(/[.,]/, ''));
  // Programs write decimals with three places behind a point, and nobody records an ECG at 1 Hz.
  if (asDecimal < LEAST_HZ) return [asWhole];
  return text.includes('.') || asWhole > MOST_THOUSANDS_HZ ? [asDecimal] : [asDecimal, asWhole];
}

const roundedHz = (hz: number): number => Math.round(1e6 * hz) / 1e6;

/** The rates that the lines above the numbers may state: several where they state two, or one that can be read as two. */
function statedRates(head: readonly string[]): number[] {
  const unit = (word: string | undefined): number =>
    word === undefined || /^s/i.test(word) ? 1 : /^m/i.test(word) ? 1e-3 : 1e-6;
  const rates = head.flatMap((whole) => {
    const line = whole.slice(0, MOST_HEAD_LETTERS);
    const step = INTERVAL_LINE.exec(line) ?? MS_PER_SAMPLE.exec(line);
    if (step !== null) return [1 / ((parseDecimal(step[1] ?? '') ?? Number.NaN) * unit(step[2]))];
    return [...line.matchAll(RATE_LINE)].flatMap(([, kiloBefore = '', number = '', behind = '']) => {
      if (/^[mµu]/i.test(behind)) return [1 / ((parseDecimal(number) ?? Number.NaN) * unit(behind))];
      return kiloBefore !== '' || behind !== ''
        ? [1000 * (parseDecimal(number) ?? Number.NaN)]
        : readingsOf(number);
    });
  });
  return [...new Set(rates.filter((hz) => hz >= LEAST_HZ).map(roundedHz))];
}

interface Times {
  /** NaN where a row has none. */
  readonly seconds: Float64Array;
  /** How finely they are written. */
  readonly grainSeconds: number;
  readonly start?: string;
  readonly guessedUnit?: 's' | 'ms';
}

/** A clock goes over midnight once a day. */
function clockTimes(column: readonly string[]): Times | undefined {
  const first = clockSeconds(column[0] ?? '');
  if (first === undefined) return undefined;
  let [days, before] = [0, first.seconds];
  let decimals = 0;
  const seconds = Float64Array.from(column, (field) => {
    const read = clockSeconds(field);
    const at = read?.seconds ?? Number.NaN;
    decimals = Math.max(decimals, read?.decimals ?? 0);
    if (at < before - 43_200) days++;
    if (!Number.isNaN(at)) before = at;
    return 86_400 * days + at;
  });
  const clock = new Date(Math.round(1000 * first.seconds)).toISOString().slice(11, -1);
  return {
    seconds,
    grainSeconds: 10 ** -decimals,
    ...(first.day !== undefined && { start: `${first.day}T${clock}` }),
  };
}

const decimalsOf = (field: string): number => /[.,](\d+)$/.exec(field)?.[1]?.length ?? 0;

/** @param knownUnit where the name does not say one, and something else does */
function countedTimes(column: readonly string[], name: string, knownUnit?: number): Times | undefined {
  const values = Float64Array.from(column, (field) => parseDecimal(field) ?? Number.NaN);
  const grain = 10 ** -Math.max(0, ...column.slice(0, 1000).map(decimalsOf));
  const inUnit = (unit: number) => ({
    seconds: values.map((value) => value * unit),
    grainSeconds: grain * unit,
  });
  const stated = UNITS.find(([word]) => word.test(name.trim()))?.[1] ?? knownUnit;
  if (stated !== undefined) return inUnit(stated);
  const step = median(values.subarray(1).map((value, i) => value - (values[i] as number))) ?? 0;
  if (step > 0 && step < SECONDS_BELOW) return { ...inUnit(1), guessedUnit: 's' };
  return step >= MS_FROM ? { ...inUnit(1e-3), guessedUnit: 'ms' } : undefined;
}

const nearWhole = (hz: number): number =>
  Math.abs(hz / Math.round(hz) - 1) < 0.002 ? Math.round(hz) : Math.round(1000 * hz) / 1000;

/** The straight line through the times: what they are rounded to moves it hardly. */
function lineOf(seconds: Float64Array): { readonly step: number; readonly offset: number } {
  const middle = (seconds.length - 1) / 2;
  const first = seconds[0] as number;
  let [sum, products, squares] = [0, 0, 0];
  for (const [i, value] of seconds.entries()) {
    sum += value - first;
    products += (i - middle) * (value - first);
    squares += (i - middle) ** 2;
  }
  const step = products / squares;
  return { step, offset: first + sum / seconds.length - middle * step };
}

/** Most steps are the same: those that are not are gaps. */
const EQUAL_SHARE = 0.95;

/**
 * The step of times that stand on one grid, within how finely they are written: steps of 1, 1, 1, 2 ms are 800 samples a second.
 */
function gridStep({ seconds, grainSeconds }: Times, steps: Float64Array, usual: number): number | undefined {
  const equal = steps.filter((each) => Math.abs(each - usual) < 0.1 * usual).length;
  if (equal > EQUAL_SHARE * steps.length) return undefined;
  const { step, offset } = lineOf(seconds);
  const most = 0.75 * grainSeconds;
  return seconds.every((value, i) => Math.abs(value - offset - i * step) <= most) ? step : undefined;
}

/** The rate of rows at these times; undefined where they do not go on evenly. */
function evenly(times: Times, column: number): TableTime | undefined {
  const { seconds, grainSeconds: _grain, ...told } = times;
  const span = (seconds.at(-1) as number) - (seconds[0] as number);
  const steps = seconds.subarray(1).map((value, i) => value - (seconds[i] as number));
  const step = median(steps) ?? 0;
  const grid = gridStep(times, steps, step);
  if (grid !== undefined) return isRate(1 / grid) ? { hz: nearWhole(1 / grid), column, ...told } : undefined;
  if (!(step > 0) || steps.some((each) => !(each >= 0))) return undefined;
  const missing = [...steps].map((each) => (each > GAP_STEPS * step ? Math.round(each / step) - 1 : 0));
  const lost = missing.reduce((sum, count) => sum + count, 0);
  if (lost > MOST_MISSING * seconds.length) return undefined;
  const hz = nearWhole((seconds.length - 1 + lost) / span);
  return isRate(hz)
    ? { hz, column, ...(lost > 0 && { missingBefore: [0, ...missing] }), ...told }
    : undefined;
}

/** Where the times stand: a clock, a column that is named so, or the first one of a program that always writes them there. */
function columnOfTimes({
  head,
  names,
  rows,
}: Table): { readonly place: number; readonly isClock: boolean } | undefined {
  const first = rows.find((row) => row.length > 0) ?? [];
  const clock = first.findIndex((field) => clockSeconds(field) !== undefined);
  if (clock >= 0) return { place: clock, isClock: true };
  const named = names.findIndex((name) => TIME_NAME.test(name));
  if (named >= 0) return { place: named, isClock: false };
  return head.some((line) => LABCHART.test(line)) ? { place: 0, isClock: false } : undefined;
}

/** A stated rate and times that say the same: the stated one, with the gaps that the times show. */
function agreed(even: TableTime, stated: readonly number[]): TableTime | undefined {
  if (stated.length === 0) return even;
  const same = stated.find((hz) => Math.abs(even.hz / hz - 1) <= SAME_RATE);
  return same === undefined ? undefined : { ...even, hz: same };
}

/** @returns undefined where the table does not say how many rows a second it has, or says two things of it */
export function tableTime(table: Table): TableTime | undefined {
  const { head, names } = table;
  const rates = statedRates(head);
  const [only] = rates;
  const stated = rates.length === 1 && only !== undefined && isRate(only) ? only : undefined;
  const found = columnOfTimes(table);
  const rows = table.rows.filter((row) => row.length > 0);
  const columnAt = (place: number): string[] => rows.map((row) => row[place] ?? '');
  if (found === undefined) {
    if (rates.length === 0) return undefined;
    // Some programs write the times first, and do not name them.
    const first = evenly(countedTimes(columnAt(0), '', 1) as Times, 0);
    return (first && agreed(first, rates)) ?? (stated === undefined ? undefined : { hz: stated });
  }
  const { place, isClock } = found;
  const isLabChart = head.some((line) => LABCHART.test(line));
  const times = isClock
    ? clockTimes(columnAt(place))
    : countedTimes(columnAt(place), names[place] ?? '', isLabChart ? 1 : undefined);
  // A counter of samples tells no rate, and where it jumps something is missing.
  const counted = times ?? (stated === undefined ? undefined : countedTimes(columnAt(place), '', 1 / stated));
  const even = counted === undefined ? undefined : evenly(counted, place);
  return even === undefined ? undefined : agreed(even, rates);
}
