// HL7 annotated ECG (aECG) into a Recording. Formats reference, section 7 (ANSI/HL7 V3 aECG, R1).

import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import {
  type Channel,
  type Gap,
  INVALID_SAMPLE,
  type PatientFacts,
  type SampleRate,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { parseCompactDate, parseCompactStart } from '../start-time.ts';
import { parseDecimal } from '../text-field.ts';
import { UNSPECIFIED_LEAD } from './aecg-codes.ts';
import { find, findAll, findBelow, parseXml, type XmlElement } from './xml-tree.ts';

const MAX_BYTES = 128 * 2 ** 20;
const MAX_DECIMALS = 9;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const ROOT = 'AnnotatedECG';
const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6 };

/** UTF-16 where the mark at the beginning says so, else what the declaration names, else UTF-8. */
function decodeText(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const declared =
    /^[^>]*encoding=["']([\w.-]+)["']/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 200)))?.[1] ??
    'utf-8';
  try {
    return new TextDecoder(declared).decode(bytes);
  } catch {
    // A name that stands for no encoding; the usual one is as good a guess as any, and broken letters show.
    return new TextDecoder().decode(bytes);
  }
}

/** One lead of one series. */
interface Sequence {
  readonly code: string;
  readonly unit: string;
  readonly scale: number;
  readonly offset: number;
  readonly isCalibrated: boolean;
  readonly samples: Int32Array;
}

interface Series {
  readonly startTime: StartTime | undefined;
  readonly rate: SampleRate;
  readonly sequences: readonly Sequence[];
}

const MAX_SAMPLE = 2147483647;

/** Decimals that a number is written with, its exponent counted in. */
function decimalsOf(word: string): number {
  const [digits = '', exponent = '0'] = word.toLowerCase().split('e');
  const point = digits.indexOf('.');
  return Math.max(0, (point < 0 ? 0 : digits.length - point - 1) - Number(exponent));
}

interface Digits {
  readonly samples: Int32Array;
  readonly stepsPerUnit: number;
}

/**
 * Blank-separated numbers. Decimals are kept exactly by counting in smaller steps, as far as the largest
 * number leaves room for them; what is no number is a missing sample.
 */
function parseDigits(text: string, code: string, deviations: Deviations): Digits {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const values = words.map((word) =>
    NUMBER.test(word) && Math.abs(Number(word)) <= MAX_SAMPLE ? Number(word) : Number.NaN,
  );
  const wanted = words.reduce(
    (most, word, i) =>
      /[.eE]/.test(word) && !Number.isNaN(values[i]) ? Math.max(most, decimalsOf(word)) : most,
    0,
  );
  const largest = values.reduce(
    (most, value) => (Number.isNaN(value) ? most : Math.max(most, Math.abs(value))),
    1,
  );
  const decimals = Math.max(0, Math.min(wanted, MAX_DECIMALS, Math.floor(Math.log10(MAX_SAMPLE / largest))));
  if (decimals < wanted) deviations.add('digits_rounded', { sequence: code, stated: wanted, decimals });
  const missing = values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  if (missing > 0) deviations.add('digits_unreadable', { count: missing, sequence: code });
  const stepsPerUnit = 10 ** decimals;
  return {
    samples: Int32Array.from(values, (value) =>
      Number.isNaN(value) ? INVALID_SAMPLE : Math.round(value * stepsPerUnit),
    ),
    stepsPerUnit,
  };
}

function parseSequence(code: string, value: XmlElement, deviations: Deviations): Sequence {
  const { samples, stepsPerUnit } = parseDigits(find(value, 'digits')?.text ?? '', code, deviations);
  const [origin, scale] = [find(value, 'origin')?.attributes, find(value, 'scale')?.attributes];
  const [slope, start] = [parseDecimal(scale?.value ?? ''), parseDecimal(origin?.value ?? '0')];
  const isCalibrated =
    slope !== undefined &&
    slope !== 0 &&
    start !== undefined &&
    (origin?.unit ?? scale?.unit) === scale?.unit;
  if (!isCalibrated) return { code, unit: scale?.unit ?? '', scale: 1, offset: 0, isCalibrated, samples };
  return { code, unit: scale?.unit ?? '', scale: slope / stepsPerUnit, offset: start, isCalibrated, samples };
}

function parseSeries(series: XmlElement, deviations: Deviations): Series | undefined {
  const set = find(series, 'component', 'sequenceSet');
  if (set === undefined) return undefined;
  let rate: SampleRate | undefined;
  const sequences: Sequence[] = [];
  for (const sequence of findAll(set, 'component', 'sequence')) {
    const { code: stated = '', displayName = '' } = find(sequence, 'code')?.attributes ?? {};
    const code = stated === UNSPECIFIED_LEAD && displayName !== '' ? displayName : stated;
    const value = find(sequence, 'value');
    if (value === undefined) continue;
    if (stated.startsWith('TIME_')) {
      const increment = find(value, 'increment')?.attributes;
      const unitSeconds = SECONDS_PER_UNIT[increment?.unit ?? ''];
      const step = parseDecimal(increment?.value ?? '');
      if (unitSeconds !== undefined && step !== undefined && step > 0)
        rate = { samples: 1, seconds: step * unitSeconds };
    } else if (find(value, 'digits') === undefined) deviations.add('sequence_left_out', { sequence: code });
    else sequences.push(parseSequence(code, value, deviations));
  }
  if (rate === undefined || sequences.length === 0) return undefined;
  const startTime = parseCompactStart(find(series, 'effectiveTime', 'low')?.attributes.value ?? '');
  return { startTime, rate: wholeRate(rate), sequences };
}

/** 0.002 s is 500 Hz: the ratio in its plain form, where there is one. */
function wholeRate({ seconds }: SampleRate): SampleRate {
  const hz = Math.round(1 / seconds);
  return hz > 0 && Math.abs(hz * seconds - 1) < 1e-12 ? { samples: hz, seconds: 1 } : { samples: 1, seconds };
}

interface PlacedSeries {
  readonly startSample: number;
  readonly series: Series;
}

/**
 * Later series go where their time says; one that says none, or overlaps, or has other leads, can't be
 * placed.
 */
function placeSeries(all: readonly Series[], deviations: Deviations): PlacedSeries[] {
  const first = all[0] as Series;
  const lengthOf = (series: Series): number =>
    Math.max(...series.sequences.map(({ samples }) => samples.length));
  const placed: PlacedSeries[] = [{ startSample: 0, series: first }];
  let end = lengthOf(first);
  for (const series of all.slice(1)) {
    const sameLeads =
      series.sequences.map(({ code }) => code).join() === first.sequences.map(({ code }) => code).join();
    const sameRate = series.rate.samples === first.rate.samples && series.rate.seconds === first.rate.seconds;
    const sameScale = series.sequences.every(({ scale, offset, unit }, i) => {
      const other = first.sequences[i];
      return scale === other?.scale && offset === other.offset && unit === other.unit;
    });
    const laterMs = (series.startTime?.utcMs ?? Number.NaN) - (first.startTime?.utcMs ?? Number.NaN);
    const startSample = Math.round((laterMs * first.rate.samples) / (1000 * first.rate.seconds));
    if (sameLeads && sameRate && sameScale && startSample >= end && startSample < 2 ** 33) {
      placed.push({ startSample, series });
      end = startSample + lengthOf(series);
    } else deviations.add('series_left_out');
  }
  return placed;
}

function channelOf(index: number, placed: readonly PlacedSeries[], sampleCount: number): Channel {
  const { series } = placed[0] as PlacedSeries;
  const { code, unit, scale, offset, isCalibrated } = series.sequences[index] as Sequence;
  return {
    ...identifyChannel(code, unit),
    scale,
    offset,
    isCalibrated,
    rate: series.rate,
    sampleCount,
    read(startSample, target) {
      target.fill(INVALID_SAMPLE);
      for (const piece of placed) {
        const samples = piece.series.sequences[index]?.samples ?? new Int32Array(0);
        const from = Math.max(startSample, piece.startSample);
        const to = Math.min(startSample + target.length, piece.startSample + samples.length);
        if (from < to)
          target.set(samples.subarray(from - piece.startSample, to - piece.startSample), from - startSample);
      }
    },
  };
}

function patientOf(root: XmlElement): PatientFacts {
  const subject = findBelow(root, 'trialSubject');
  const person = subject === undefined ? undefined : findBelow(subject, 'subjectDemographicPerson');
  if (subject === undefined) return {};
  const id = find(subject, 'id')?.attributes.extension;
  const name = person === undefined ? undefined : find(person, 'name');
  const [given, family] = [
    name && find(name, 'given')?.text.trim(),
    name && find(name, 'family')?.text.trim(),
  ];
  const whole = name?.text.trim();
  const gender = person && find(person, 'administrativeGenderCode')?.attributes.code;
  const birthDate = parseCompactDate((person && find(person, 'birthTime')?.attributes.value) ?? '');
  return {
    ...(id !== undefined && id !== '' && { id }),
    ...(given !== undefined && given !== '' && { firstName: given }),
    ...(family !== undefined && family !== ''
      ? { lastName: family }
      : whole !== undefined && whole !== ''
        ? { lastName: whole }
        : {}),
    ...((gender === 'F' || gender === 'M') && {
      gender: gender === 'F' ? ('FEMALE' as const) : ('MALE' as const),
    }),
    ...(gender === 'UN' && { gender: 'UNDIFFERENTIATED' as const }),
    ...(birthDate !== undefined && { birthDate }),
  };
}

function assemble(root: XmlElement): ReadResult {
  const deviations = new Deviations();
  const all = findAll(root, 'component', 'series')
    .map((series) => parseSeries(series, deviations))
    .filter((series) => series !== undefined);
  const first = all[0];
  if (first === undefined)
    return refused('record_unreadable', 'The aECG file holds no series with leads and a sample rate.');
  const placed = placeSeries(all, deviations);
  const last = placed.at(-1) as PlacedSeries;
  const sampleCount =
    last.startSample + Math.max(...last.series.sequences.map(({ samples }) => samples.length));
  if (sampleCount === 0) return refused('record_unreadable', 'The aECG file holds no samples.');
  const inSeconds = (sample: number): number => (sample * first.rate.seconds) / first.rate.samples;
  const gaps = placed.slice(1).map(({ startSample }, i): Gap => {
    const before = placed[i] as PlacedSeries;
    const end =
      before.startSample + Math.max(...before.series.sequences.map(({ samples }) => samples.length));
    return { startSeconds: inSeconds(end), endSeconds: inSeconds(startSample) };
  });
  const channels = first.sequences.map((_, index) => channelOf(index, placed, sampleCount));
  for (const { label } of channels.filter(({ isCalibrated }) => !isCalibrated))
    deviations.add('scale_unknown', { label });
  const deviceId = findBelow(root, 'manufacturedSeriesDevice');
  const serial = deviceId && find(deviceId, 'id')?.attributes.extension;
  return {
    ok: true,
    recording: {
      format: 'HL7 aECG',
      channels,
      durationSeconds: inSeconds(sampleCount),
      ...(gaps.length > 0 && { gaps }),
      ...(first.startTime !== undefined && { startTime: first.startTime }),
      patient: patientOf(root),
      ...(serial !== undefined && serial !== '' && { deviceId: serial }),
      annotations: [],
      warnings: deviations.list,
    },
  };
}

export const AECG: RecordFormat = {
  name: 'HL7 aECG',

  detect(head) {
    const text = decodeText(head);
    return (
      /^\uFEFF?\s*</.test(text) && text.includes(`${ROOT}`) && /<([\w.-]+:)?AnnotatedECG[\s>]/.test(text)
    );
  },

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES)
      return refused('record_unreadable', `The aECG file is larger than ${MAX_BYTES} bytes.`);
    const root = parseXml(decodeText(source.read(0, source.sizeBytes)).replace(/^\uFEFF/, ''));
    if (typeof root === 'string') return refused('record_unreadable', `The aECG file can't be read. ${root}`);
    return assemble(root);
  },
};
