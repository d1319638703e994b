// EDF, EDF+C, EDF+D and their 24-bit kin BDF into a Recording. Layout and tolerances: formats reference,
// section 1.

import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import {
  type Channel,
  type FileAnnotation,
  type SampleRate,
  type StartTime,
  samplesWithin,
} from '../../../shared/signal/recording.ts';
import { type ByteSource, blockCached } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import type { SampleRun } from '../missing-runs.ts';
import { parseRecordAnnotations } from './edf-annotations.ts';
import { type EdfHeader, type EdfSignalHeader, FIXED_HEADER_BYTES, parseEdfHeader } from './edf-header.ts';
import { type RecordLayout, SignalReader } from './edf-samples.ts';
import { layTimeLine, type TimeLine } from './edf-time-line.ts';

/** 35 days at 150 beats a minute have 7.6 million beats. */
const MAX_ANNOTATIONS = 8_000_000;
const ANNOTATION_LABEL = /^([EB]DF )?Annotations$/i;
/** The trigger word of BioSemi's devices: no voltage, although its header says so (section 1.2). */
const TRIGGER_LABEL = /^(status|bdf status)$/i;
/**
 * Our writer's mark for samples that EDF has no code for: the text, and the label of the signal behind it.
 */
export const INVALID_MARK = 'Invalid';
/** At the true end of a recording whose last data record had to be filled up. */
export const END_MARK = 'Recording ends';

/** How many whole data records there are, by the header and by the size of the file (section 1.2). */
function layOut(header: EdfHeader, sizeBytes: number, deviations: Deviations): RecordLayout {
  const { headerBytes, sampleBytes, recordSeconds } = header;
  const recordBytes = sampleBytes * header.signals.reduce((sum, signal) => sum + signal.samplesPerRecord, 0);
  const dataBytes = sizeBytes - headerBytes;
  const present = recordBytes === 0 ? 0 : Math.floor(dataBytes / recordBytes);
  let recordCount = header.recordCount;
  if (recordCount > present) {
    const percent = Math.floor((100 * dataBytes) / (recordCount * recordBytes));
    deviations.add('truncated.records', { present, stated: recordCount, percent });
    recordCount = present;
  } else if (recordCount < 0 || (recordCount === 0 && present > 0)) {
    recordCount = present;
    deviations.add('record_count', { present });
  } else if (dataBytes > recordCount * recordBytes) {
    deviations.add('extra_bytes', { count: dataBytes - recordCount * recordBytes });
  }
  return { headerBytes, sampleBytes, recordBytes, recordCount, recordSeconds };
}

interface Scaling {
  readonly scale: number;
  readonly offset: number;
  readonly isCalibrated: boolean;
}

function scalingOf({
  physicalMinimum: pmin,
  physicalMaximum: pmax,
  digitalMinimum: dmin,
  digitalMaximum: dmax,
}: EdfSignalHeader): Scaling {
  if (
    pmin === undefined ||
    pmax === undefined ||
    dmin === undefined ||
    dmax === undefined ||
    dmin === dmax ||
    pmin === pmax
  ) {
    return { scale: 1, offset: 0, isCalibrated: false };
  }
  const scale = (pmax - pmin) / (dmax - dmin);
  return { scale, offset: pmin - scale * dmin, isCalibrated: true };
}

function channelOf(signal: EdfSignalHeader, reader: SignalReader, recordSeconds: number): Channel {
  const { mvPerUnit, ...identity } = identifyChannel(signal.label, signal.unit);
  return {
    ...identity,
    ...(mvPerUnit !== undefined && !TRIGGER_LABEL.test(signal.label) && { mvPerUnit }),
    ...scalingOf(signal),
    ...(signal.digitalMinimum !== undefined && { digitalMinimum: signal.digitalMinimum }),
    ...(signal.digitalMaximum !== undefined && { digitalMaximum: signal.digitalMaximum }),
    rate: rateOf(signal, recordSeconds),
    sampleCount: reader.sampleCount,
    read: (startSample, target) => reader.read(startSample, target),
  };
}

const rateOf = (signal: EdfSignalHeader, recordSeconds: number): SampleRate => ({
  samples: signal.samplesPerRecord,
  seconds: recordSeconds,
});

interface PlacedSignal {
  readonly signal: EdfSignalHeader;
  readonly offsetInRecord: number;
}

/** Tells signals of samples from those of annotations, and where in a record each begins. */
function placeSignals(
  header: EdfHeader,
  deviations: Deviations,
): { samples: PlacedSignal[]; annotations: PlacedSignal[] } {
  const samples: PlacedSignal[] = [];
  const annotations: PlacedSignal[] = [];
  let offsetInRecord = 0;
  for (const signal of header.signals) {
    const isNamedAnnotations = ANNOTATION_LABEL.test(signal.label);
    if (header.variant.includes('+') && isNamedAnnotations) {
      annotations.push({ signal, offsetInRecord });
      if (!/^[EB]DF Annotations$/.test(signal.label))
        deviations.add('annotation_label', { label: signal.label });
    } else if (signal.samplesPerRecord === 0) deviations.add('empty_signal', { label: signal.label });
    else {
      if (isNamedAnnotations) deviations.add('annotations_in_plain_file');
      samples.push({ signal, offsetInRecord });
    }
    offsetInRecord += header.sampleBytes * signal.samplesPerRecord;
  }
  return { samples, annotations };
}

interface Annotations {
  readonly list: readonly FileAnnotation[];
  /** Stated start of every record, NaN where a record states none. */
  readonly onsets: Float64Array;
}

function readAnnotations(
  signals: readonly PlacedSignal[],
  layout: RecordLayout,
  source: ByteSource,
  deviations: Deviations,
): Annotations {
  const list: FileAnnotation[] = [];
  const onsets = new Float64Array(signals.length > 0 ? layout.recordCount : 0).fill(Number.NaN);
  let malformed = 0;
  for (let record = 0; record < onsets.length; record++) {
    for (const [index, { signal, offsetInRecord }] of signals.entries()) {
      const offset = layout.headerBytes + record * layout.recordBytes + offsetInRecord;
      const parsed = parseRecordAnnotations(
        source.read(offset, layout.sampleBytes * signal.samplesPerRecord),
        index === 0,
      );
      malformed += parsed.malformed;
      for (const annotation of parsed.annotations) if (list.length < MAX_ANNOTATIONS) list.push(annotation);
      if (index === 0) onsets[record] = parsed.recordOnsetSeconds ?? Number.NaN;
    }
  }
  if (list.length === MAX_ANNOTATIONS) deviations.add('annotations_cut', { count: MAX_ANNOTATIONS });
  if (malformed > 0) deviations.add('annotation_malformed', { count: malformed });
  return { list, onsets };
}

function shiftStart(start: StartTime | undefined, seconds: number): StartTime | undefined {
  return start === undefined ? undefined : { ...start, utcMs: start.utcMs + Math.round(1000 * seconds) };
}

/** A file that says it has gaps, and does not say when its records began. */
function noteUnknownTimes(onsets: Float64Array, recordCount: number, deviations: Deviations): void {
  const known = onsets.reduce((count, onset) => count + (Number.isNaN(onset) ? 0 : 1), 0);
  if (known < recordCount) deviations.add('times_unknown', { count: recordCount - known });
}

function noteTimeLine(timeLine: TimeLine, isContinuous: boolean, deviations: Deviations): void {
  if (isContinuous && timeLine.gaps.length > 0)
    deviations.add('time_keeper_jumps', { count: timeLine.gaps.length });
  if (timeLine.overlaps > 0) deviations.add('time_keeper_overlap', { count: timeLine.overlaps });
  if (timeLine.implausible > 0) deviations.add('time_keeper_implausible', { count: timeLine.implausible });
}

/** The runs that an annotation `Invalid@@label` of our own writer marks in the signal of that label. */
function missingRuns(
  list: readonly FileAnnotation[],
  signal: EdfSignalHeader,
  recordSeconds: number,
): SampleRun[] {
  const rate = rateOf(signal, recordSeconds);
  return list
    .filter(({ text }) => text === `${INVALID_MARK}@@${signal.label}`)
    .map(({ onsetSeconds, durationSeconds = 0 }) => ({
      start: samplesWithin(rate, onsetSeconds),
      end: samplesWithin(rate, onsetSeconds + durationSeconds),
    }));
}

/**
 * The end that our own writer states, where every signal is marked as missing from there on; else the end of
 * the last data record. Other programs state an end too, but then what stands behind it is not marked, and
 * stays.
 */
function paddingStart(
  list: readonly FileAnnotation[],
  signals: readonly PlacedSignal[],
  recordSeconds: number,
  durationSeconds: number,
): number {
  const end = list.find(({ text }) => text === END_MARK)?.onsetSeconds;
  if (end === undefined || end <= 0 || end >= durationSeconds) return durationSeconds;
  const isPadded = signals.every(({ signal }) => {
    const rate = rateOf(signal, recordSeconds);
    const [endSample, lastSample] = [samplesWithin(rate, end), samplesWithin(rate, durationSeconds)];
    return (
      endSample >= lastSample ||
      missingRuns(list, signal, recordSeconds).some((run) => run.start <= endSample && run.end >= lastSample)
    );
  });
  return isPadded ? end : durationSeconds;
}

const sameName = (channels: readonly Channel[]): string[] => {
  const labels = channels.map((channel) => channel.label);
  return [...new Set(labels.filter((label, index) => labels.indexOf(label) !== index))];
};

export const EDF: RecordFormat = {
  name: 'EDF',

  /**
   * A version field of EDF or BDF and counts that fit each other (section 5.1). A file cut inside the fixed
   * header still counts.
   */
  detect(head) {
    const text = new TextDecoder('latin1').decode(head.subarray(0, FIXED_HEADER_BYTES));
    const version = text.slice(0, 8);
    if (version !== '\u00ffBIOSEMI' && !/^0(\.0*)?$/.test(version.replaceAll('\0', ' ').trim())) return false;
    return head.length < FIXED_HEADER_BYTES
      ? head.length >= 16
      : /^\d+$/.test(text.slice(252, 256).replaceAll('\0', ' ').trim());
  },

  read(file) {
    const parsed = parseEdfHeader(file.source);
    if (!parsed.ok) return refused('record_unreadable', `The EDF header can't be read. ${parsed.message}`);
    const { header } = parsed;
    const deviations = new Deviations();
    deviations.addAll(header.warnings);
    const layout = layOut(header, file.source.sizeBytes, deviations);
    const placed = placeSignals(header, deviations);
    if (placed.samples.length > 0 && header.recordSeconds === 0)
      return refused(
        'record_unreadable',
        'The EDF header states data records of 0 seconds, so the sample rate is not known.',
      );
    if (layout.recordCount === 0)
      return refused('record_unreadable', 'The EDF file holds a header and no whole data record.');

    const annotations = readAnnotations(placed.annotations, layout, blockCached(file.source), deviations);
    const fastest = Math.max(1, ...placed.samples.map(({ signal }) => signal.samplesPerRecord));
    const toleranceSeconds = Math.max(1e-6, (0.5 * header.recordSeconds) / fastest);
    const timeLine = layTimeLine(
      annotations.onsets,
      layout.recordCount,
      header.recordSeconds,
      toleranceSeconds,
    );
    const isContinuous = !header.variant.endsWith('D');
    noteTimeLine(timeLine, isContinuous, deviations);
    if (!isContinuous) noteUnknownTimes(annotations.onsets, layout.recordCount, deviations);

    // Onsets count from the header's time; a recording's annotations count from its first sample.
    const firstOnset = annotations.onsets[0];
    const firstOnsetSeconds = firstOnset !== undefined && Number.isFinite(firstOnset) ? firstOnset : 0;
    const list = annotations.list.map((entry) => ({
      ...entry,
      onsetSeconds: entry.onsetSeconds - firstOnsetSeconds,
    }));
    const source = blockCached(file.source);
    const endSeconds = paddingStart(list, placed.samples, header.recordSeconds, timeLine.durationSeconds);
    const channels = placed.samples.map(({ signal, offsetInRecord }) => {
      const place = { offsetInRecord, samplesPerRecord: signal.samplesPerRecord };
      const missing = missingRuns(list, signal, header.recordSeconds);
      const endSample = samplesWithin(rateOf(signal, header.recordSeconds), endSeconds);
      return channelOf(
        signal,
        new SignalReader(source, layout, place, timeLine.stretches, missing, endSample),
        header.recordSeconds,
      );
    });
    for (const channel of channels)
      if (!channel.isCalibrated) deviations.add('scale_unknown.header', { label: channel.label });
    for (const label of sameName(channels)) deviations.add('duplicate_label', { label });
    const startTime = shiftStart(header.startTime, firstOnsetSeconds);
    return {
      ok: true,
      recording: {
        format: header.variant,
        channels,
        durationSeconds: endSeconds,
        ...(timeLine.gaps.length > 0 && { gaps: timeLine.gaps }),
        ...(startTime !== undefined && { startTime }),
        patient: header.patient,
        ...(header.deviceId !== undefined && { deviceId: header.deviceId }),
        annotations: list.filter(({ text, onsetSeconds }) => {
          const isEnd =
            text === END_MARK && onsetSeconds === endSeconds && endSeconds < timeLine.durationSeconds;
          return !isEnd && !text.startsWith(`${INVALID_MARK}@@`);
        }),
        warnings: deviations.list,
      },
    };
  },
};
