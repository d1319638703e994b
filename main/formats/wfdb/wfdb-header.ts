// The text header of a WFDB record. Grammar: formats reference, section 2.1 (WFDB Applications Guide,
// header(5)).

import { civilDateMs, monthOfLetters } from '../../../shared/civil-time.ts';
import type { PatientFacts, StartTime, Warning } from '../../../shared/signal/recording.ts';
import { normaliseUnit } from '../../../shared/signal/unit.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import type { ByteSource } from '../byte-source.ts';
import { yearsOf } from '../patient-fields.ts';
import { parseDecimal } from '../text-field.ts';

/** Without a stated rate, times are counted in frames. */
const FRAMES = 1;
const DEFAULT_GAIN = 200;
const MAX_SIGNALS = 1024;
/** More would not fit into a frame of any recorder; a larger number is a damaged header. */
const MAX_SAMPLES_PER_FRAME = 4096;
export const MAX_HEADER_BYTES = 1 << 20;

export interface WfdbSignalHeader {
  readonly fileName: string;
  readonly format: number;
  readonly samplesPerFrame: number;
  readonly skewFrames: number;
  readonly offsetBytes: number;
  readonly gain: number;
  readonly isGainStated: boolean;
  readonly baseline: number;
  readonly unit: string;
  readonly initialValue: number;
  /** 16-bit sum of all samples; absent where the header has none. */
  readonly checksum: number | undefined;
  readonly description: string;
}

/** A piece of a multi-segment record; `~` stands for a stretch without signal. */
export interface WfdbSegment {
  readonly name: string;
  readonly frameCount: number;
}

export interface WfdbHeader {
  readonly recordName: string;
  /** Only multi-segment records have them, and these have no signals of their own. */
  readonly segments: readonly WfdbSegment[] | undefined;
  /** 1 where the header does not say. */
  readonly frameRateHz: number;
  /** header(5) lets it be left out and means 250 Hz; whoever leaves it out means that seldom, and a wrong rate makes every interval wrong. */
  readonly isRateStated: boolean;
  /** 0 where the header doesn't say. */
  readonly frameCount: number;
  readonly startTime: StartTime | undefined;
  readonly signals: readonly WfdbSignalHeader[];
  readonly comments: readonly string[];
  readonly warnings: readonly Warning[];
}

export const readHeaderText = (source: ByteSource): string =>
  new TextDecoder().decode(source.read(0, MAX_HEADER_BYTES));

export type WfdbHeaderResult =
  | { readonly ok: true; readonly header: WfdbHeader }
  | { readonly ok: false; readonly message: string };

/**
 * The Challenge sets write the name of the signal file in place of the record's: `E00015.mat 12 500 5000`.
 */
const RECORD_LINE =
  /^((?:[\w.-]+\/)*?\w[\w-]*(?:\.mat)?)(?:\/(\d+))?[ \t]+(\d+)(?:[ \t]+([\d.eE+-]+)(?:\/[\d.eE+-]+(?:\([\d.eE+-]+\))?)?(?:[ \t]+(\d+)(?:[ \t]+(\S.*?))?)?)?[ \t]*$/;
const START = /^([\d:. ]*\d)(?:[ \t]+(\d{1,2}\/\d{1,2}\/\d{1,4}))?$/;
/** Date before time, as the Challenge sets have it: `15-May-2020 12:33:59` or `2014-05-08 05:05:15`. */
const START_DATE_FIRST =
  /^(?:(\d{1,2})-([A-Za-z]{3})-(\d{4})|(\d{4})-(\d{1,2})-(\d{1,2}))[ \t]+(\d{1,2}:\d{2}:\d{2}(?:\.\d+)?)$/;
const SEGMENT_LINE = /^\s*([\w-]+|~)\s+(\d{1,12})\b/;
const SIGNAL_FORMAT = /^(\d+)(?:x(-?\d+))?(?::(-?\d+))?(?:\+(\d+))?$/;
/** A gain that is no number is read as one that is not known. */
const GAIN = /^([+-]?(?:[\d.]+(?:[eE][+-]?\d+)?|nan|inf(?:inity)?))(?:\(([+-]?\d+)\))?(?:\/(\S+))?$/;

/**
 * Whether a text is a header: a record line behind comments and blank lines, and a line of a signal or
 * segment behind it. A record without signals must state at least its rate, since any two words would do
 * otherwise.
 */
export function isWfdbHeader(text: string): boolean {
  const [first = '', second = ''] = text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const record = RECORD_LINE.exec(first.replace(/^\uFEFF/, ''));
  if (record === null) return false;
  if (record[2] !== undefined) return SEGMENT_LINE.test(second);
  return Number(record[3]) === 0
    ? record[4] !== undefined
    : SIGNAL_FORMAT.test(second.trim().split(/[ \t]+/)[1] ?? '');
}

function startAt(year: number, month: number, day: number, time: string): StartTime | undefined {
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part.trim()), 0);
  const dayMs = civilDateMs(year, month, day);
  if (dayMs === undefined || !Number.isFinite(seconds) || seconds >= 86_400) return undefined;
  return { utcMs: dayMs + Math.round(1000 * seconds), isZoneKnown: false };
}

function parseStart(text: string): StartTime | undefined {
  const [, time, date] = START.exec(text) ?? [];
  if (time === undefined || date === undefined) return undefined;
  const [day, month, year] = date.split('/').map(Number);
  return startAt(year as number, month as number, day as number, time);
}

function parseStartDateFirst(text: string): StartTime | undefined {
  const [, day, monthName, year, isoYear, isoMonth, isoDay, time] = START_DATE_FIRST.exec(text) ?? [];
  if (time === undefined) return undefined;
  if (monthName === undefined) return startAt(Number(isoYear), Number(isoMonth), Number(isoDay), time);
  return startAt(Number(year), monthOfLetters(monthName), Number(day), time);
}

/** Both spellings are read; the one that is not WFDB's is said. */
function readStart(text: string, warnings: Warning[]): StartTime | undefined {
  const startTime = parseStart(text);
  if (startTime !== undefined || text === '') return startTime;
  const dateFirst = parseStartDateFirst(text);
  if (dateFirst !== undefined) warnings.push(warning('start_time_spelling'));
  // A time without a date is usual, and no start.
  else if (text.includes('/') || !START.test(text)) warnings.push(warning('start_time_invalid.impossible'));
  return dateFirst;
}

function parseSignalLine(line: string): WfdbSignalHeader | string {
  const words = line.trim().split(/[ \t]+/);
  const [statedName = '', formatText = '', gainText] = words;
  // A record is one folder: what stands before the last part is the place that it was written at.
  const fileName = lastPart(statedName);
  const format = SIGNAL_FORMAT.exec(formatText);
  if (format === null) return `the signal line "${line.trim().slice(0, 60)}" has no readable format`;
  const samplesPerFrame = Number(format[2] ?? 1);
  if (samplesPerFrame < 1 || samplesPerFrame > MAX_SAMPLES_PER_FRAME)
    return `the signal line "${line.trim().slice(0, 60)}" states ${samplesPerFrame} samples a frame`;
  // Each optional field is there only if all before it are; a third word that is no gain begins the
  // description.
  const gain = gainText === undefined ? null : GAIN.exec(gainText);
  const numbers: number[] = [];
  let next = gain === null ? 2 : 3;
  while (gain !== null && numbers.length < 5 && next < words.length) {
    if (!/^[+-]?\d+$/.test(words[next] as string)) break;
    const value = Number(words[next]);
    numbers.push(value);
    next++;
  }
  const [, adcZero = 0, initialValue, checksum] = numbers;
  const statedGain = gain === null ? 0 : Number(gain[1]);
  const isGainStated = Number.isFinite(statedGain) && statedGain !== 0;
  const baseline = gain?.[2] === undefined ? adcZero : Number(gain[2]);
  return {
    fileName,
    format: Number(format[1]),
    samplesPerFrame,
    skewFrames: Number(format[3] ?? 0),
    offsetBytes: Number(format[4] ?? 0),
    gain: isGainStated ? statedGain : DEFAULT_GAIN,
    isGainStated,
    baseline,
    unit: gain?.[3] === undefined ? 'mV' : normaliseUnit(gain[3].replaceAll('_', ' ')),
    initialValue: initialValue ?? adcZero,
    checksum,
    description: words.slice(next).join(' '),
  };
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function parseSegments(lines: readonly string[], count: number): WfdbSegment[] | string {
  if (count === 0 || count > lines.length) return `It announces ${count} segments and names ${lines.length}.`;
  const segments: WfdbSegment[] = [];
  for (const line of lines.slice(0, count)) {
    const match = SEGMENT_LINE.exec(line);
    if (match === null) return `The segment line "${line.trim().slice(0, 60)}" cannot be read.`;
    segments.push({ name: match[1] as string, frameCount: Number(match[2]) });
  }
  return segments;
}

const UNIT_OF_AGE = '(?:[ \\t]*(days?|weeks?|wks?|months?|mths?|mos?)\\b)?';

/** Age and sex as the common databases write them into comments (section 2.1, last point). */
export function patientFromComments(comments: readonly string[]): PatientFacts {
  const text = comments.join('\n');
  const age = new RegExp(`(?:^|[\\s<])age>?:?\\s*(\\d{1,3})\\b${UNIT_OF_AGE}`, 'i').exec(text);
  const years = age?.[1] ?? /^\s*(\d{1,3}) [MF] /m.exec(text)?.[1];
  const ageYears = years === undefined ? undefined : yearsOf(Number(years), age?.[2]);
  const sex =
    /(?:^|[\s<])sex>?:?\s*(male|female|m|f)\b/i.exec(text)?.[1] ?? /^\s*\d{1,3} ([MF]) /m.exec(text)?.[1];
  return {
    ...(ageYears !== undefined && { ageYears }),
    ...(sex !== undefined && {
      gender: sex.toLowerCase().startsWith('f') ? ('FEMALE' as const) : ('MALE' as const),
    }),
  };
}

export function parseWfdbHeader(text: string): WfdbHeaderResult {
  const warnings: Warning[] = [];
  const comments: string[] = [];
  const lines: string[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line.startsWith('#')) comments.push(line.slice(1).trim());
    else if (line.trim() !== '') lines.push(line);
  }
  const record = RECORD_LINE.exec(lines[0] ?? '');
  if (record === null) return { ok: false, message: 'Its first line is not a record line.' };
  const [, recordName = '', segments, signalCountText, rateText, frames, start = ''] = record;
  const frameRateHz = rateText === undefined ? FRAMES : parseDecimal(rateText);
  if (frameRateHz === undefined || frameRateHz <= 0)
    return { ok: false, message: `The sample rate "${rateText}" is not a positive number.` };
  const signalCount = Number(signalCountText);
  if (signalCount > MAX_SIGNALS)
    return { ok: false, message: `It announces ${signalCount} signals; at most ${MAX_SIGNALS} are read.` };
  const signals: WfdbSignalHeader[] = [];
  const segmentList = segments === undefined ? undefined : parseSegments(lines.slice(1), Number(segments));
  if (typeof segmentList === 'string') return { ok: false, message: segmentList };
  if (segmentList === undefined) {
    if (signalCount > lines.length - 1)
      return { ok: false, message: `It announces ${signalCount} signals and describes ${lines.length - 1}.` };
    for (const line of lines.slice(1, 1 + signalCount)) {
      const signal = parseSignalLine(line);
      if (typeof signal === 'string') return { ok: false, message: `In it, ${signal}.` };
      signals.push(signal);
    }
  }
  const startTime = readStart(start, warnings);
  const isFileName = recordName.endsWith('.mat');
  if (isFileName) warnings.push(warning('record_name_is_file', { name: recordName }));
  return {
    ok: true,
    header: {
      recordName: lastPart(isFileName ? recordName.slice(0, -'.mat'.length) : recordName),
      segments: segmentList,
      frameRateHz,
      isRateStated: rateText !== undefined,
      frameCount: Number(frames ?? 0),
      startTime,
      signals,
      comments,
      warnings,
    },
  };
}
