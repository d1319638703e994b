// What the columns of a text device are, found out from its first lines and from what its headers say (device
// protocols reference, 9).

import { type LeadCode, matchLead } from '../../../../shared/signal/lead.ts';
import { type DeviceChannel, type DeviceFormat, oneToOne, singleLead } from '../../device-format.ts';
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
  readonly time?: { readonly column: number; readonly step: number };
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

function findTime(
  rows: readonly (readonly number[])[],
  titles: readonly (string | undefined)[],
  columns: number,
): TextLayout['time'] {
  if (columns < 2 || rows.length < 2) return undefined;
  for (let column = 0; column < columns; column++) {
    const values = rows.map((row) => row[column] as number);
    const steps = values.slice(1).map((value, i) => value - (values[i] as number));
    const step = [...steps].sort((a, b) => a - b)[steps.length >> 1] as number;
    const isNamed = Object.hasOwn(TIME_TITLES, (titles[column] ?? '').toLowerCase());
    const isConstant = step > 0 && steps.every((each) => Math.abs(each - step) <= 1e-6 * step);
    if ((isNamed && step > 0) || (isConstant && column === 0)) return { column, step };
  }
  return undefined;
}

/** A step of 1 counts samples and tells no rate. */
function rateOfTime(time: TextLayout['time'], titles: readonly (string | undefined)[]): number | undefined {
  if (time === undefined) return undefined;
  const title = (titles[time.column] ?? '').toLowerCase();
  const scale = TIME_TITLES[title] ?? 0;
  const stepMs = scale > 0 ? time.step * scale : time.step < 0.5 ? time.step * 1000 : time.step;
  if (scale === 0 && time.step === 1) return undefined;
  return 1000 / stepMs;
}

interface Scale {
  readonly codesPerUnit: number;
  readonly isCalibrated: boolean;
  channel(name: string): DeviceChannel;
}

function bitsFor(largest: number): number {
  return [10, 12, 14, 16].find((bits) => largest < 2 ** bits) ?? 24;
}

function scaleOf(words: HeaderWords, rows: readonly (readonly number[])[]): Scale {
  const isWhole = rows.every((row) => row.every((value) => Number.isNaN(value) || Number.isInteger(value)));
  const unit = words.unit ?? (isWhole ? 'adc' : 'mV');
  if (unit !== 'adc') {
    const codesPerUnit = unit === 'mV' ? 1000 / LSB_UV : 1 / LSB_UV;
    const channel = (name: string): DeviceChannel => ({
      name,
      kind: 'ecg',
      lsbUv: LSB_UV,
      zero: 0,
      minimum: -CODE_LIMIT,
      maximum: CODE_LIMIT,
    });
    return { codesPerUnit, isCalibrated: words.unit !== undefined, channel };
  }
  const bits = words.bits ?? bitsFor(Math.max(...rows.flat().filter((value) => !Number.isNaN(value)), 0));
  const isKnown = words.bits !== undefined && words.gain !== undefined && words.referenceV !== undefined;
  const lsbUv = ((words.referenceV ?? ASSUMED.referenceV) * 1e6) / (2 ** bits * (words.gain ?? ASSUMED.gain));
  const channel = (name: string): DeviceChannel => ({
    name,
    kind: 'ecg',
    lsbUv,
    zero: 2 ** (bits - 1),
    minimum: 0,
    maximum: 2 ** bits - 1,
  });
  return { codesPerUnit: 1, isCalibrated: isKnown, channel };
}

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
  const scale = scaleOf(
    words,
    rows.map((row) => row.filter((_, column) => column !== time?.column)),
  );
  const leads = signal.map(({ title }): LeadCode | undefined =>
    title === undefined ? undefined : matchLead(title)?.code,
  );
  const unique = leads.map((lead, i) => (leads.indexOf(lead) === i ? lead : undefined));
  const rateHz = words.rateHz ?? rateOfTime(time, titles);
  const format: DeviceFormat = {
    rateHz: rateHz ?? 0,
    ...(rateHz === undefined && { isRateMeasured: true }),
    channels: signal.map(({ title, column }) => scale.channel(title ?? `column ${column + 1}`)),
    leadSets: unique.some((lead) => lead !== undefined) ? [oneToOne(unique)] : singleLead(0),
    highPassHz: 0.5,
    lowPassHz: 40,
    class: 'monitoring',
    isCalibrated: scale.isCalibrated,
    deviceName: words.name ?? 'Text device',
  };
  return {
    separator,
    columns,
    ...(time !== undefined && { time }),
    codesPerUnit: scale.codesPerUnit,
    format,
  };
}
