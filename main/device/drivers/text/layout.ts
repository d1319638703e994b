// What the columns of a text device are, found out from its first lines and from what its headers say (device
// protocols reference, 9).

import { type LeadCode, matchLead } from '../../../../shared/signal/lead.ts';
import { median } from '../../../../shared/signal/statistics.ts';
import { readLabel } from '../../../signal/channels/channel-kind.ts';
import { type DeviceChannel, type DeviceFormat, oneToOne } from '../../device-format.ts';
import { channelLeads } from '../channel-leads.ts';
import { readField, SEPARATORS, type Separator, splitLine } from './numbers.ts';

const MAX_COLUMNS = 16;

/** Words of a header such as `# name rate=250 unit=mV`. */
export interface HeaderWords {
  readonly name?: string;
  readonly rateHz?: number;
  readonly unit?: 'mV' | 'uV' | 'adc';
  readonly gain?: number;
  readonly referenceV?: number;
  readonly bits?: number;
}

export interface TextLayout {
  readonly separator: Separator;
  readonly columns: number;
  /** Column that holds the time or a counter, and its step from line to line. */
  readonly time?: {
    readonly column: number;
    readonly step: number;
    /** Its steps differ: the rate is then measured over a longer time. */
    readonly isJittering?: true;
  };
  /** Codes of one unit of what is printed. */
  readonly codesPerUnit: number;
  readonly format: DeviceFormat;
}

const UNITS: Readonly<Record<string, NonNullable<HeaderWords['unit']>>> = {
  mv: 'mV',
  uv: 'uV',
  µv: 'uV',
  adc: 'adc',
};
const TIME_TITLES: Readonly<Record<string, number>> = {
  t: 0,
  time: 0,
  ms: 1,
  millis: 1,
  t_ms: 1,
  us: 0.001,
  t_us: 0.001,
  micros: 0.001,
};
/** Volts printed are kept to a tenth of a microvolt. */
const LSB_UV = 0.1;
const CODE_LIMIT = 2 ** 31 - 1;
const ASSUMED = { gain: 1100, referenceV: 5 };
const RATES = [100, 125, 128, 200, 250, 256, 1000 / 3, 360, 400, 500, 512, 1000];
const RATE_TOLERANCE = 0.02;

/** Sketches are written for rates like these; what is measured is one of them unless it is far off. */
export function usualRate(measuredHz: number): number {
  const near = RATES.find((rate) => Math.abs(measuredHz / rate - 1) <= RATE_TOLERANCE);
  return near ?? measuredHz;
}

export function readHeaderWords(line: string, before: HeaderWords): HeaderWords {
  const words = [...line.matchAll(/([a-z]+)\s*=\s*([^\s,;]+)/gi)].map(
    ([, key = '', value = '']) => [key.toLowerCase(), value] as const,
  );
  const positive = (text: string): number | undefined =>
    Number(text) > 0 && Number.isFinite(Number(text)) ? Number(text) : undefined;
  const found: { -readonly [K in keyof HeaderWords]: HeaderWords[K] | undefined } = {};
  for (const [key, value] of words) {
    if (key === 'rate' || key === 'fs') found.rateHz = positive(value);
    if (key === 'unit') found.unit = UNITS[value.toLowerCase()];
    if (key === 'gain') found.gain = positive(value);
    if (key === 'vref') found.referenceV = positive(value);
    if (key === 'bits') found.bits = positive(value);
  }
  const name = /^#\s*([^=]+?)(?:\s+\w+\s*=.*)?$/.exec(line)?.[1];
  if (words.length > 0 && name !== undefined) found.name = name;
  const given = Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== undefined),
  ) as HeaderWords;
  return { ...before, ...given };
}

/** The first separator that gives the same number of fields, above one, in all lines. */
function findSeparator(lines: readonly string[]): {
  readonly separator: Separator;
  readonly columns: number;
} {
  for (const separator of SEPARATORS) {
    const counts = new Set(lines.map((line) => splitLine(line, separator).length));
    const [columns = 0] = counts;
    if (counts.size === 1 && columns > 1 && columns <= MAX_COLUMNS) return { separator, columns };
  }
  return { separator: '', columns: 1 };
}

/** `millis()`, `Time [ms]` */
const plainTitle = (title: string | undefined): string =>
  (title ?? '')
    .toLowerCase()
    .replace(/\(\)$/, '')
    .replace(/^(time|t)\s*[[(]\s*(ms|us)\s*[\])]$/, 't_$2')
    .trim();

const stepsOf = (values: readonly number[]): number[] =>
  values.slice(1).map((value, i) => value - (values[i] as number));

/** A clock of milliseconds jitters by one of them, and goes on all the same. */
const isEven = (steps: readonly number[], step: number): boolean =>
  step > 1 && steps.every((each) => each >= step / 2 && each <= 1.5 * step);

function findTime(
  rows: readonly (readonly number[])[],
  titles: readonly (string | undefined)[],
  columns: number,
): TextLayout['time'] {
  if (columns < 2 || rows.length < 2) return undefined;
  for (let column = 0; column < columns; column++) {
    const values = rows.map((row) => row[column] as number);
    const steps = stepsOf(values);
    const usual = median(steps) ?? 0;
    // A signal that only rises while it settles is none of time, where it says what it is.
    if (readLabel(titles[column] ?? '') === 'ecg') continue;
    const isNamed = Object.hasOwn(TIME_TITLES, plainTitle(titles[column]));
    const isConstant = usual > 0 && steps.every((each) => Math.abs(each - usual) <= 1e-6 * usual);
    const mean = ((values.at(-1) as number) - (values[0] as number)) / steps.length;
    const step = isEven(steps, mean) ? mean : usual;
    const isFirst = column === 0 && (isConstant || isEven(steps, step));
    if ((isNamed && step > 0) || isFirst)
      return { column, step, ...(!isConstant && { isJittering: true as const }) };
  }
  return undefined;
}

/** A step of 1 counts samples and tells no rate. */
function rateOfTime(time: TextLayout['time'], titles: readonly (string | undefined)[]): number | undefined {
  if (time === undefined || time.isJittering) return undefined;
  const title = plainTitle(titles[time.column]);
  const scale = TIME_TITLES[title] ?? 0;
  const stepMs = scale > 0 ? time.step * scale : time.step < 0.5 ? time.step * 1000 : time.step;
  if (scale === 0 && time.step === 1) return undefined;
  return 1000 / stepMs;
}

function bitsFor(largest: number): number {
  return [10, 12, 14, 16].find((bits) => largest < 2 ** bits) ?? 24;
}

type Unit = NonNullable<HeaderWords['unit']>;

function channelOf(name: string, unit: Unit, words: HeaderWords, values: readonly number[]): DeviceChannel {
  if (unit !== 'adc')
    return { name, kind: 'ecg', lsbUv: LSB_UV, zero: 0, minimum: -CODE_LIMIT, maximum: CODE_LIMIT };
  const bits = words.bits ?? bitsFor(Math.max(...values.filter((value) => !Number.isNaN(value)), 0));
  return {
    name,
    kind: 'ecg',
    lsbUv: ((words.referenceV ?? ASSUMED.referenceV) * 1e6) / (2 ** bits * (words.gain ?? ASSUMED.gain)),
    zero: 2 ** (bits - 1),
    minimum: 0,
    maximum: 2 ** bits - 1,
  };
}

const CODES_PER_UNIT: { readonly [U in Unit]: number } = { mV: 1000 / LSB_UV, uV: 1 / LSB_UV, adc: 1 };

const isScaleKnown = (unit: Unit, words: HeaderWords): boolean =>
  unit === 'adc'
    ? words.bits !== undefined && words.gain !== undefined && words.referenceV !== undefined
    : words.unit !== undefined;

/** Whole numbers are codes of a converter; others are taken for millivolts. */
function unitOf(words: HeaderWords, columns: readonly (readonly number[])[]): Unit {
  const isWhole = columns.every((values) =>
    values.every((value) => Number.isNaN(value) || Number.isInteger(value)),
  );
  return words.unit ?? (isWhole ? 'adc' : 'mV');
}

interface Column {
  readonly title: string | undefined;
  readonly values: readonly number[];
}

/** Letters that sketches count by are no leads of Nehb. */
const leadOf = ({ title }: Column): LeadCode | undefined =>
  title === undefined || /^\s*[ad]\s*$/i.test(title) ? undefined : matchLead(title)?.code;

const LIMIT_TITLE =
  /^(min|max|minimum|maximum|low|high|upper|lower|lo[+-]|threshold|limit|gain|offset|average|avg|mean)\b/i;

/** By its name: an ECG, something else, or nobody knows. */
function kindOf({ title = '' }: Column): 'ecg' | 'other' | 'unknown' {
  if (LIMIT_TITLE.test(title)) return 'other';
  const says = readLabel(title);
  return says === 'ecg'
    ? 'ecg'
    : says === 'unknown' || /^\s*(raw|sig(nal)?|val(ue)?|adc|ch\w*|a\d)\b/i.test(title)
      ? 'unknown'
      : 'other';
}

/** A line that never moves, or only rises, is none of a heart. */
function canBeSignal({ values }: Column): boolean {
  const known = values.filter((value) => !Number.isNaN(value));
  const isConstant = known.every((value) => value === known[0]);
  const isRising = known.length > 2 && stepsOf(known).every((step) => step > 0);
  return !isConstant && !isRising;
}

/** The column that is most likely the ECG: by its name, else the first that moves. */
function likeliest(columns: readonly Column[]): number {
  const tests: readonly ((column: Column) => boolean)[] = [
    (column) => kindOf(column) === 'ecg',
    (column) => kindOf(column) === 'unknown' && canBeSignal(column),
    (column) => kindOf(column) === 'unknown',
  ];
  return Math.max(0, tests.map((test) => columns.findIndex(test)).find((place) => place >= 0) ?? 0);
}

const nameOf = ({ title }: Column, column: number): string => title ?? `column ${column + 1}`;

/**
 * @param lines the first data lines, all of one kind.
 * @param header the line before them, where it is one of words.
 */
export function layOut(lines: readonly string[], header: string | undefined, words: HeaderWords): TextLayout {
  const { separator, columns } = findSeparator(lines);
  const fields = lines.map((line) => splitLine(line, separator).map((text) => readField(text, separator)));
  const headerFields = header === undefined ? [] : splitLine(header, separator);
  const titles = Array.from({ length: columns }, (_, column) =>
    headerFields.length === columns ? headerFields[column] : fields[0]?.[column]?.name,
  );
  const rows = fields.map((row) => row.map(({ value }) => value));
  const time = findTime(rows, titles, columns);
  const signal = titles
    .map((title, column) => ({ title, column }))
    .filter(({ column }) => column !== time?.column);
  const unit = unitOf(
    words,
    signal.map(({ column }) => rows.map((row) => row[column] as number)),
  );
  const shown = signal.map(
    ({ title, column }): Column => ({ title, values: rows.map((row) => row[column] as number) }),
  );
  const leads = shown.map(leadOf);
  const unique = leads.map((lead, i) => (leads.indexOf(lead) === i ? lead : undefined));
  const rateHz = words.rateHz ?? rateOfTime(time, titles);
  const format: DeviceFormat = {
    rateHz: rateHz ?? 0,
    ...(rateHz === undefined && { isRateMeasured: true }),
    channels: shown.map((each, i) =>
      channelOf(nameOf(each, signal[i]?.column ?? i), unit, words, each.values),
    ),
    leadSets: [
      ...(unique.some((lead) => lead !== undefined) ? [oneToOne(unique)] : []),
      ...channelLeads(
        shown.map((each, i) => {
          // Which is likeliest, and whether a column of times is seen, may differ at the next plug-in; the place of a column does not.
          const column = signal[i]?.column ?? i;
          return { name: nameOf(each, column), number: column + 1, place: i };
        }),
        likeliest(shown),
      ),
    ],
    highPassHz: 0.5,
    lowPassHz: 40,
    class: 'monitoring',
    isCalibrated: isScaleKnown(unit, words),
    text: { separator, columns, ...(time !== undefined && { timeColumn: time.column }) },
    deviceName: words.name ?? 'Text device',
  };
  return {
    separator,
    columns,
    ...(time !== undefined && { time }),
    codesPerUnit: CODES_PER_UNIT[unit],
    format,
  };
}
