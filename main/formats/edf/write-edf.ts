// Writes any recording as EDF+ or, where samples need 24 bits, BDF+: continuous, or discontinuous where the
// recording has gaps. Formats reference, sections 1.1, 1.3, 1.4 and 1.6.

import { monthLetters } from '../../../shared/civil-time.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  type PatientFacts,
  type Recording,
  type Warning,
} from '../../../shared/signal/recording.ts';
import { normaliseUnit } from '../../../shared/signal/unit.ts';
import { Deviations } from '../deviations.ts';
import { liesInGap } from '../gaps.ts';
import {
  type ChannelSurvey,
  type RecordOutput,
  type RecordWriter,
  requireFewRuns,
  surveyChannels,
  unsuitable,
  ZONE_LOST,
} from '../record-writer.ts';
import { END_MARK, INVALID_MARK } from './edf.ts';
import { findRecordDuration, type RecordDuration } from './edf-record-duration.ts';
import { type EdfLimits, fitLimits } from './edf-scale.ts';

const MAX_SIGNALS = 9999 - 1;
const LABEL_CHARACTERS = 16;
const MIN_ANNOTATION_BYTES = 64;
const TIME_KEEPER_BYTES = 24;
const CHUNK_BYTES = 1 << 20;
/** A scale that is read back so nearly is the same. */
const SCALE_TOLERANCE = 1e-9;
const MV_PER_UNIT: readonly (readonly [unit: string, mv: number])[] = [
  ['uV', 1e-3],
  ['mV', 1],
  ['nV', 1e-6],
  ['V', 1e3],
];

const two = (value: number): string => String(value).padStart(2, '0');
const ascii = (text: string): string => normaliseUnit(text).replace(/[^\x20-\x7e]/g, '_');
/**
 * One blank-separated part of an EDF+ field: blanks and what is no printable ASCII become `_`; nothing, and what has none of its letters
 * and digits left, becomes X.
 */
function part(text: string | undefined): string {
  const written = (text ?? '').replace(/[^\x21-\x7e]/g, '_');
  return /[A-Za-z0-9]/.test(written) ? written : 'X';
}
/** Letters of a name without their marks, where that is what ASCII has of them. Those of a number are left alone: it would be another. */
const withoutMarks = (name: string): string =>
  name.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '');
const hasOtherLetters = ({ id = '', firstName = '', lastName = '' }: Recording['patient']): boolean =>
  /[^\x20-\x7e]/.test(`${id}${firstName}${lastName}`);
const letterDate = (date: Date): string =>
  `${two(date.getUTCDate())}-${monthLetters(date.getUTCMonth() + 1).toUpperCase()}-${date.getUTCFullYear()}`;

interface WrittenSignal {
  readonly label: string;
  readonly unit: string;
  readonly limits: EdfLimits;
}

function labelOf(channel: Channel): string {
  const { lead } = channel;
  const isStandard = lead !== undefined && !lead.isModified && !lead.isInverted && !lead.isPolarityUnclear;
  return (isStandard ? `ECG ${leadName(lead.code)}` : ascii(channel.label)).slice(0, LABEL_CHARACTERS);
}

/** The voltage unit in which eight characters hold the scale best. */
function describeSignal(
  channel: Channel,
  { minimum, maximum }: ChannelSurvey,
  bits: 16 | 24,
  deviations: Deviations,
): WrittenSignal {
  const label = labelOf(channel);
  const choices =
    channel.mvPerUnit === undefined || !channel.isCalibrated
      ? [{ unit: channel.isCalibrated ? ascii(channel.unit).slice(0, 8) : '', factor: 1 }]
      : MV_PER_UNIT.map(([unit, mv]) => ({ unit, factor: (channel.mvPerUnit as number) / mv }));
  let best: WrittenSignal | undefined;
  for (const { unit, factor } of choices) {
    const limits = fitLimits(channel.scale * factor, channel.offset * factor, minimum, maximum, bits);
    if (limits !== undefined && (best === undefined || limits.error < best.limits.error / 10))
      best = { label, unit, limits };
    if (best !== undefined && best.limits.error < SCALE_TOLERANCE / 100) break;
  }
  if (best === undefined || !Number.isFinite(best.limits.error))
    throw unsuitable(
      `The scale of "${channel.label}" cannot be written in an EDF header. Convert the recording to WFDB.`,
    );
  if (best.limits.error > SCALE_TOLERANCE)
    deviations.add('scale_rounded', { label: channel.label, error: best.limits.error.toExponential(1) });
  if (labelOf(channel) !== channel.label && channel.label.length > LABEL_CHARACTERS)
    deviations.add('label_cut', { label: channel.label, count: LABEL_CHARACTERS });
  return best;
}

/** Marks of missing samples name their signal, so that no two may have the same name. */
function withUniqueLabels(signals: readonly WrittenSignal[]): WrittenSignal[] {
  const used = new Set<string>();
  return signals.map((signal) => {
    let { label } = signal;
    for (let n = 2; used.has(label); n++) label = `${signal.label.slice(0, LABEL_CHARACTERS - 4)} #${n}`;
    used.add(label);
    return { ...signal, label };
  });
}

function patientField(patient: PatientFacts): string {
  const sex = patient.gender === 'FEMALE' ? 'F' : patient.gender === 'MALE' ? 'M' : 'X';
  const birth =
    patient.birthDate === undefined ? 'X' : letterDate(new Date(`${patient.birthDate}T00:00:00Z`));
  const name = [patient.lastName, patient.firstName]
    .filter((word) => word !== undefined && word !== '')
    .join(', ');
  return `${part(patient.id)} ${sex} ${birth} ${part(withoutMarks(name))}`.slice(0, 80);
}

interface Plan {
  readonly recording: Recording;
  readonly signals: readonly WrittenSignal[];
  readonly sampleBytes: 2 | 3;
  readonly duration: RecordDuration;
  /** Index of every record that is written on the grid of records. */
  readonly records: readonly number[];
  readonly annotationBytes: number;
  readonly isContinuous: boolean;
}

function headerText({
  recording,
  signals,
  sampleBytes,
  duration,
  records,
  annotationBytes,
  isContinuous,
}: Plan): string {
  const family = sampleBytes === 3 ? 'BDF' : 'EDF';
  const start = recording.startTime === undefined ? undefined : new Date(recording.startTime.utcMs);
  const year = start?.getUTCFullYear() ?? 1985;
  const shortDate =
    start === undefined
      ? '01.01.85'
      : `${two(start.getUTCDate())}.${two(start.getUTCMonth() + 1)}.${year < 1985 || year > 2084 ? 'yy' : two(year % 100)}`;
  const clock =
    start === undefined
      ? '00.00.00'
      : `${two(start.getUTCHours())}.${two(start.getUTCMinutes())}.${two(start.getUTCSeconds())}`;
  const [digitalMinimum, digitalMaximum] = sampleBytes === 3 ? ['-8388608', '8388607'] : ['-32768', '32767'];
  const each = (
    text: (signal: WrittenSignal, index: number) => string,
    width: number,
    annotation: string,
  ): string =>
    signals.map((signal, index) => text(signal, index).padEnd(width)).join('') + annotation.padEnd(width);
  return [
    (sampleBytes === 3 ? '\u00ffBIOSEMI' : '0').padEnd(8),
    patientField(recording.patient).padEnd(80),
    `Startdate ${start === undefined ? 'X' : letterDate(start)} X X ${part(recording.deviceId)}`
      .slice(0, 80)
      .padEnd(80),
    shortDate,
    clock,
    String(256 * (signals.length + 2)).padEnd(8),
    `${family}+${isContinuous ? 'C' : 'D'}`.padEnd(44),
    String(records.length).padEnd(8),
    duration.text.padEnd(8),
    String(signals.length + 1).padEnd(4),
    each(({ label }) => label, 16, `${family} Annotations`),
    each(() => '', 80, ''),
    each(({ unit }) => unit, 8, ''),
    each(({ limits }) => limits.physicalMinimum, 8, '-1'),
    each(({ limits }) => limits.physicalMaximum, 8, '1'),
    each(({ limits }) => String(limits.digitalMinimum), 8, digitalMinimum),
    each(({ limits }) => String(limits.digitalMaximum), 8, digitalMaximum),
    each(() => '', 80, ''),
    each((_, index) => String(duration.samplesPerRecord[index]), 8, String(annotationBytes / sampleBytes)),
    each(() => '', 32, ''),
  ].join('');
}

/** Seconds as EDF writes them, without exponent and without more digits than microseconds need. */
const seconds = (value: number): string => value.toFixed(6).replace(/\.?0+$/, '');
const onset = (value: number): string => (value < 0 ? '-' : '+') + seconds(Math.abs(value));

interface Entry {
  readonly onsetSeconds: number;
  readonly bytes: Uint8Array;
}

/** Remarks of the recording, and the runs that have no sample, as entries of the annotation signal. */
function annotationEntries(
  { recording, signals }: Pick<Plan, 'recording' | 'signals'>,
  surveys: readonly ChannelSurvey[],
  paddedSeconds: number,
  originSeconds: number,
): Entry[] {
  const text = new TextEncoder();
  const entry = (at: number, lasts: number | undefined, words: string): Entry => {
    // The marks of the format itself must not stand in a text.
    const clean = Array.from(words, (letter) => (letter < '\u0020' ? ' ' : letter)).join('');
    return {
      onsetSeconds: at,
      bytes: text.encode(
        `${onset(at + originSeconds)}${lasts === undefined ? '' : `\x15${seconds(lasts)}`}\x14${clean}\x14\0`,
      ),
    };
  };
  const entries = recording.annotations.map(({ onsetSeconds, durationSeconds, text: words }) =>
    entry(onsetSeconds, durationSeconds, words),
  );
  for (const [index, channel] of recording.channels.entries()) {
    const perSample = channel.rate.seconds / channel.rate.samples;
    const mark = `${INVALID_MARK}@@${signals[index]?.label}`;
    for (const { start, end } of surveys[index]?.missing ?? [])
      entries.push(entry(start * perSample, (end - start) * perSample, mark));
    const ends = channel.sampleCount * perSample;
    if (paddedSeconds > ends + perSample / 2) entries.push(entry(ends, paddedSeconds - ends, mark));
  }
  if (paddedSeconds > recording.durationSeconds + 1e-6)
    entries.push(entry(recording.durationSeconds, undefined, END_MARK));
  return entries;
}

/** Records of the grid that hold anything: one that lies in a gap as a whole is left out. */
function recordsWithData({ gaps = [], durationSeconds }: Recording, recordSeconds: number): number[] {
  const count = Math.max(1, Math.ceil(durationSeconds / recordSeconds - 1e-9));
  const isInGap = (record: number): boolean =>
    liesInGap(gaps, record * recordSeconds, (record + 1) * recordSeconds, 1e-9);
  const records: number[] = [];
  for (let record = 0; record < count; record++) if (record === 0 || !isInGap(record)) records.push(record);
  return records;
}

/**
 * Bytes of the annotation signal a record, so that all entries find room when they are filled in one after
 * another.
 */
function annotationRoom(entries: readonly Entry[], recordCount: number, sampleBytes: number): number {
  const longest = entries.reduce((most, { bytes }) => Math.max(most, bytes.length), 0);
  const total = entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const room = Math.max(MIN_ANNOTATION_BYTES, TIME_KEEPER_BYTES + longest + Math.ceil(total / recordCount));
  return Math.ceil(room / (2 * sampleBytes)) * 2 * sampleBytes;
}

function putSamples(
  samples: Int32Array,
  missingCode: number,
  sampleBytes: number,
  target: Uint8Array,
  at: number,
): number {
  let to = at;
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    const value = sample === INVALID_SAMPLE ? missingCode : sample;
    target[to++] = value;
    target[to++] = value >> 8;
    if (sampleBytes === 3) target[to++] = value >> 16;
  }
  return to;
}

function* recordBytes(plan: Plan, entries: readonly Entry[], originSeconds: number): Generator<Uint8Array> {
  const { recording, signals, sampleBytes, duration, records, annotationBytes } = plan;
  const bytesPerRecord =
    sampleBytes * duration.samplesPerRecord.reduce((sum, count) => sum + count, 0) + annotationBytes;
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / bytesPerRecord));
  const buffers = duration.samplesPerRecord.map((count) => new Int32Array(count));
  const text = new TextEncoder();
  let next = 0;
  for (let first = 0; first < records.length; first += perChunk) {
    const chunk = new Uint8Array(Math.min(perChunk, records.length - first) * bytesPerRecord);
    let at = 0;
    for (const record of records.slice(first, first + perChunk)) {
      for (const [index, channel] of recording.channels.entries()) {
        const buffer = buffers[index] as Int32Array;
        channel.read(record * buffer.length, buffer);
        at = putSamples(buffer, signals[index]?.limits.digitalMinimum ?? 0, sampleBytes, chunk, at);
      }
      const end = at + annotationBytes;
      at +=
        text.encodeInto(
          `${onset(record * Number(duration.text) + originSeconds)}\x14\x14`,
          chunk.subarray(at),
        ).written + 1;
      for (
        let entry = entries[next];
        entry !== undefined && at + entry.bytes.length <= end;
        entry = entries[++next]
      ) {
        chunk.set(entry.bytes, at);
        at += entry.bytes.length;
      }
      at = end;
    }
    yield chunk;
  }
}

/** Latin-1, so that the first byte of BDF is one byte. */
const headerBytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

function planOf(
  recording: Recording,
  surveys: readonly ChannelSurvey[],
  deviations: Deviations,
): Omit<Plan, 'annotationBytes'> {
  const minimum = Math.min(...surveys.map((survey) => survey.minimum));
  const maximum = Math.max(...surveys.map((survey) => survey.maximum));
  if (minimum < -(2 ** 23) || maximum > 2 ** 23 - 1)
    throw unsuitable(
      'The recording has samples of more than 24 bits, which neither EDF nor BDF can hold. Convert it to Compressed Delta.',
    );
  const sampleBytes = minimum < -32_768 || maximum > 32_767 ? 3 : 2;
  const duration = findRecordDuration(
    recording.channels.map(({ rate }) => rate),
    sampleBytes,
  );
  if (duration === undefined)
    throw unsuitable('The sample rates of the recording do not fit into common data records of EDF.');
  if (duration.error > 1e-12) deviations.add('rate_rounded', { error: duration.error.toExponential(1) });
  return {
    recording,
    signals: withUniqueLabels(
      recording.channels.map((channel, i) =>
        describeSignal(channel, surveys[i] as ChannelSurvey, sampleBytes === 3 ? 24 : 16, deviations),
      ),
    ),
    sampleBytes,
    duration,
    records: recordsWithData(recording, Number(duration.text)),
    isContinuous: (recording.gaps ?? []).length === 0,
  };
}

/** Bytes of the whole file, piece by piece; what could not be kept exactly is the generator's last word. */
export function* edfBytes(recording: Recording): Generator<Uint8Array, readonly Warning[]> {
  const { channels, startTime } = recording;
  if (channels.length === 0) throw unsuitable('The recording has no signals to write.');
  if (channels.length > MAX_SIGNALS) throw unsuitable(`EDF cannot hold ${channels.length} signals.`);
  const deviations = new Deviations();
  if (startTime?.isZoneKnown === true) deviations.addAll([ZONE_LOST]);
  if (hasOtherLetters(recording.patient)) deviations.add('letters_left_out');
  const surveys = surveyChannels(recording);
  requireFewRuns(surveys, 'EDF');
  const begun = planOf(recording, surveys, deviations);
  // The fraction of a second of the start stands in the time-keepers, which count from the header's whole
  // second.
  const originSeconds = startTime === undefined ? 0 : (((startTime.utcMs % 1000) + 1000) % 1000) / 1000;
  const paddedSeconds = ((begun.records.at(-1) ?? 0) + 1) * Number(begun.duration.text);
  const entries = annotationEntries(begun, surveys, paddedSeconds, originSeconds).sort(
    (a, b) => a.onsetSeconds - b.onsetSeconds,
  );
  const plan: Plan = {
    ...begun,
    annotationBytes: annotationRoom(entries, begun.records.length, begun.sampleBytes),
  };
  yield headerBytes(headerText(plan));
  yield* recordBytes(plan, entries, originSeconds);
  return deviations.list;
}

export const EDF_WRITER: RecordWriter = {
  name: 'edf',
  extensions: ['.edf', '.bdf'],
  companions: () => [],
  *write(recording, fileName): RecordOutput {
    const output = edfBytes(recording);
    let next = output.next();
    for (; next.done !== true; next = output.next()) yield { fileName, bytes: next.value };
    return next.value;
  },
};
