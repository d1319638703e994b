// HL7 annotated ECG (aECG) into a Recording. Formats reference, section 7 (ANSI/HL7 V3 aECG, R1).

import {
  INVALID_SAMPLE,
  type PatientFacts,
  type SampleRate,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { find, findAll, findBelow, parseXml, type XmlElement } from '../../ground/xml-tree.ts';
import { decimalSamples } from '../decimal-samples.ts';
import { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { type Piece, placePieces } from '../placed-pieces.ts';
import { parseCompactDate, parseCompactStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { parseDecimal } from '../text-field.ts';
import { decodeXml, rootName } from '../xml/xml-text.ts';
import { UNSPECIFIED_LEAD } from './aecg-codes.ts';

const MAX_BYTES = 128 * 2 ** 20;
/** A set that begins later than this has a damaged time. */
const MOST_SECONDS = 35 * 86_400;
const ROOT = 'AnnotatedECG';
const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6 };

/** One lead of one series. */
interface Sequence {
  readonly code: string;
  readonly unit: string;
  readonly scale: number;
  readonly offset: number;
  readonly isCalibrated: boolean;
  readonly samples: Int32Array;
}

/** The leads that were recorded together. */
interface LeadSet {
  readonly startTime: StartTime | undefined;
  /** From the beginning of its series, where no time of the day is known. */
  readonly fromSeconds: number;
  readonly rate: SampleRate;
  readonly sequences: readonly Sequence[];
}

function parseSequence(code: string, value: XmlElement, deviations: Deviations): Sequence {
  const { samples, stepsPerUnit } = decimalSamples(
    (find(value, 'digits')?.text ?? '').split(/\s+/).filter((word) => word !== ''),
    code,
    deviations,
  );
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

interface TimeAxis {
  readonly rate: SampleRate;
  /** By the calendar, where the axis counts by it. */
  readonly headTime: StartTime | undefined;
  /** From the beginning of the series, where it does not. */
  readonly headSeconds: number;
}

function timeAxisOf(code: string, value: XmlElement): TimeAxis | undefined {
  const [increment, head] = [find(value, 'increment')?.attributes, find(value, 'head')?.attributes];
  const unitSeconds = SECONDS_PER_UNIT[increment?.unit ?? ''];
  const step = parseDecimal(increment?.value ?? '');
  if (unitSeconds === undefined || step === undefined || step <= 0) return undefined;
  const isAbsolute = code === 'TIME_ABSOLUTE';
  const seconds = (parseDecimal(head?.value ?? '0') ?? 0) * (SECONDS_PER_UNIT[head?.unit ?? ''] ?? 1);
  return {
    rate: wholeRate({ samples: 1, seconds: step * unitSeconds }),
    headTime: isAbsolute ? parseCompactStart(head?.value ?? '') : undefined,
    headSeconds: isAbsolute ? 0 : seconds,
  };
}

interface ParsedSet {
  readonly axis: TimeAxis;
  readonly sequences: readonly Sequence[];
}

function parseSet(set: XmlElement, deviations: Deviations): ParsedSet | undefined {
  let axis: TimeAxis | undefined;
  const sequences: Sequence[] = [];
  for (const sequence of findAll(set, 'component', 'sequence')) {
    const { code: stated = '', displayName = '' } = find(sequence, 'code')?.attributes ?? {};
    const code = stated === UNSPECIFIED_LEAD && displayName !== '' ? displayName : stated;
    const value = find(sequence, 'value');
    if (value === undefined) continue;
    if (stated.startsWith('TIME_')) axis ??= timeAxisOf(stated, value);
    else if (find(value, 'digits') === undefined) deviations.add('sequence_left_out', { sequence: code });
    else sequences.push(parseSequence(code, value, deviations));
  }
  return axis === undefined || sequences.length === 0 ? undefined : { axis, sequences };
}

const shifted = (start: StartTime | undefined, ms: number): StartTime | undefined =>
  start && { ...start, utcMs: start.utcMs + ms };

/** The series tells when it began, with its zone; its sets tell how far they are from each other. */
function setsOf(series: XmlElement, deviations: Deviations): LeadSet[] {
  const sets = findAll(series, 'component', 'sequenceSet').flatMap((set) => parseSet(set, deviations) ?? []);
  const heads = sets.map(({ axis }) => axis.headTime?.utcMs).filter((ms) => ms !== undefined);
  const earliestMs = heads.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const seriesStart = seriesStartOf(series);
  return sets.map(({ axis: { rate, headTime, headSeconds }, sequences }) => ({
    rate,
    sequences,
    fromSeconds: headSeconds,
    startTime:
      seriesStart === undefined
        ? headTime
        : shifted(seriesStart, headTime === undefined ? 1000 * headSeconds : headTime.utcMs - earliestMs),
  }));
}

const seriesStartOf = (series: XmlElement): StartTime | undefined =>
  parseCompactStart(find(series, 'effectiveTime', 'low')?.attributes.value ?? '');

/** Series of what was recorded; a usual beat stands beside them. */
const RHYTHM = 'RHYTHM';

function leadSetsOf(root: XmlElement, deviations: Deviations): LeadSet[] {
  const all = findAll(root, 'component', 'series');
  const rhythms = all.filter((series) => find(series, 'code')?.attributes.code === RHYTHM);
  const chosen = rhythms.length > 0 ? rhythms : all;
  const others = all.filter((series) => !chosen.includes(series));
  if (others.length > 0) {
    const codes = others.map((series) => find(series, 'code')?.attributes.code ?? '?');
    deviations.add('groups_left_out.named', { labels: codes.join(', ') });
  }
  return chosen.flatMap((series) => setsOf(series, deviations));
}

/** 0.002 s is 500 Hz: the ratio in its plain form, where there is one. */
function wholeRate({ seconds }: SampleRate): SampleRate {
  const hz = Math.round(1 / seconds);
  return hz > 0 && Math.abs(hz * seconds - 1) < 1e-12 ? { samples: hz, seconds: 1 } : { samples: 1, seconds };
}

/** A set goes where its time says; one that says none goes by its distance from the beginning. A time of unknown zone lies nowhere beside one that is known. */
function piecesOf(sets: readonly LeadSet[], deviations: Deviations): Piece[] {
  const timed = sets.flatMap(({ startTime }) => startTime ?? []);
  const isZoneKnown = timed[0]?.isZoneKnown;
  const own = timed.filter((start) => start.isZoneKnown === isZoneKnown);
  const originMs = own.reduce((least, { utcMs }) => Math.min(least, utcMs), Number.POSITIVE_INFINITY);
  const pieces = sets.flatMap(({ startTime, fromSeconds, rate, sequences }): Piece[] => {
    const startSeconds = startTime === undefined ? fromSeconds : (startTime.utcMs - originMs) / 1000;
    const isPlaced = startTime === undefined || startTime.isZoneKnown === isZoneKnown;
    if (!isPlaced || startSeconds > MOST_SECONDS) {
      deviations.add('series_left_out');
      return [];
    }
    return [
      {
        startSeconds,
        channels: sequences.map(({ code, ...stored }) => memoryChannel(code, { ...stored, rate })),
      },
    ];
  });
  // Distances may count from a moment behind the beginning.
  const first = pieces.reduce(
    (least, { startSeconds }) => Math.min(least, startSeconds),
    Number.POSITIVE_INFINITY,
  );
  return pieces.map((piece) => ({ ...piece, startSeconds: piece.startSeconds - first }));
}

const maybe = (key: 'firstName' | 'lastName', text: string): PatientFacts =>
  text === '' ? {} : { [key]: text };

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
  const [whole = '', wholeGiven = ''] = (name?.text ?? '').split(',').map((part) => part.trim());
  const gender = person && find(person, 'administrativeGenderCode')?.attributes.code;
  const birthDate = parseCompactDate((person && find(person, 'birthTime')?.attributes.value) ?? '');
  return {
    ...(id !== undefined && id !== '' && { id }),
    ...maybe('firstName', given || wholeGiven),
    ...maybe('lastName', family || whole),
    ...((gender === 'F' || gender === 'M') && {
      gender: gender === 'F' ? ('FEMALE' as const) : ('MALE' as const),
    }),
    ...(gender === 'UN' && { gender: 'UNDIFFERENTIATED' as const }),
    ...(birthDate !== undefined && { birthDate }),
  };
}

const isEmpty = ({ samples }: Sequence): boolean => samples.every((sample) => sample === INVALID_SAMPLE);

function assemble(root: XmlElement, deviations: Deviations): ReadResult {
  const sets = leadSetsOf(root, deviations);
  const [first] = sets;
  if (first === undefined)
    return refused('record_unreadable', 'The aECG file holds no series with leads and a sample rate.');
  if (sets.every(({ sequences }) => sequences.every(isEmpty)))
    return refused('record_unreadable', 'The aECG file holds no samples that can be read as numbers.');
  const placed = placePieces(piecesOf(sets, deviations), deviations);
  for (const { label } of placed.channels.filter(({ isCalibrated }) => !isCalibrated))
    deviations.add('scale_unknown', { label });
  const starts = sets.flatMap((set) => set.startTime ?? []);
  const startTime = starts
    .filter(({ isZoneKnown }) => isZoneKnown === starts[0]?.isZoneKnown)
    .sort((a, b) => a.utcMs - b.utcMs)[0];
  const deviceId = findBelow(root, 'manufacturedSeriesDevice');
  const serial = deviceId && find(deviceId, 'id')?.attributes.extension;
  return {
    ok: true,
    recording: {
      format: 'HL7 aECG',
      channels: placed.channels,
      durationSeconds: placed.durationSeconds,
      ...(placed.gaps.length > 0 && { gaps: placed.gaps }),
      ...(startTime !== undefined && { startTime }),
      patient: patientOf(root),
      ...(serial !== undefined && serial !== '' && { deviceId: serial }),
      annotations: [],
      warnings: deviations.list,
    },
  };
}

export const AECG: RecordFormat = {
  name: 'HL7 aECG',

  detect: (head, source) => rootName(head, source) === ROOT,

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES)
      return refused('record_unreadable', `The aECG file is larger than ${MAX_BYTES} bytes.`);
    const deviations = new Deviations();
    const { text, isGuessed } = decodeXml(source.read(0, source.sizeBytes));
    if (isGuessed) deviations.add('letters_guessed');
    const root = parseXml(text.replace(/^\uFEFF/, ''));
    if (typeof root === 'string') return refused('record_unreadable', `The aECG file can't be read. ${root}`);
    return assemble(root, deviations);
  },
};
