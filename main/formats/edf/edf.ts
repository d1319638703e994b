// EDF and continuous EDF+ into a Recording. EDF+D (with gaps) and BDF are recognised and refused by name: their readers come
// with the other formats. Layout and tolerances: formats reference, section 1.

import { matchLead } from '../../../shared/signal/lead.ts';
import { type Channel, type FileAnnotation, INVALID_SAMPLE, type StartTime, type Warning } from '../../../shared/signal/recording.ts';
import { mvPerUnit } from '../../../shared/signal/unit.ts';
import { type ByteSource, blockCached } from '../byte-source.ts';
import { type RecordFormat, refused } from '../format.ts';
import { parseRecordAnnotations } from './edf-annotations.ts';
import { type EdfHeader, type EdfSignalHeader, FIXED_HEADER_BYTES, parseEdfHeader } from './edf-header.ts';

const SAMPLE_BYTES = 2;
const ANNOTATION_LABEL = /^EDF Annotations$/i;

interface Layout {
  readonly headerBytes: number;
  readonly recordBytes: number;
  readonly recordCount: number;
  readonly warnings: readonly Warning[];
}

/** How many whole data records there are, by the header and by the size of the file (section 1.2). */
function layOut(header: EdfHeader, sizeBytes: number): Layout {
  const recordBytes = SAMPLE_BYTES * header.signals.reduce((sum, signal) => sum + signal.samplesPerRecord, 0);
  const dataBytes = sizeBytes - header.headerBytes;
  const present = recordBytes === 0 ? 0 : Math.floor(dataBytes / recordBytes);
  const warnings: Warning[] = [];
  let recordCount = header.recordCount;
  if (recordCount > present) {
    const percent = Math.floor((100 * dataBytes) / (recordCount * recordBytes));
    warnings.push({
      code: 'truncated',
      message: `The file ends early: ${present} of ${recordCount} announced data records are there (${percent} %).`,
    });
    recordCount = present;
  } else if (recordCount < 0 || (recordCount === 0 && present > 0)) {
    recordCount = present;
    warnings.push({ code: 'record_count', message: `The header does not tell the number of data records; ${present} were found.` });
  } else if (dataBytes > recordCount * recordBytes) {
    warnings.push({
      code: 'extra_bytes',
      message: `${dataBytes - recordCount * recordBytes} bytes behind the announced data were not read.`,
    });
  }
  return { headerBytes: header.headerBytes, recordBytes, recordCount, warnings };
}

interface Scaling {
  readonly scale: number;
  readonly offset: number;
  readonly isCalibrated: boolean;
}

function scalingOf({ physicalMinimum: pmin, physicalMaximum: pmax, digitalMinimum: dmin, digitalMaximum: dmax }: EdfSignalHeader): Scaling {
  if (pmin === undefined || pmax === undefined || dmin === undefined || dmax === undefined || dmin === dmax || pmin === pmax) {
    return { scale: 1, offset: 0, isCalibrated: false };
  }
  const scale = (pmax - pmin) / (dmax - dmin);
  return { scale, offset: pmin - scale * dmin, isCalibrated: true };
}

function channelOf(signal: EdfSignalHeader, offsetInRecord: number, layout: Layout, recordSeconds: number, source: ByteSource): Channel {
  const perRecord = signal.samplesPerRecord;
  const sampleCount = perRecord * layout.recordCount;
  const lead = matchLead(signal.label);
  const mv = mvPerUnit(signal.unit);
  const { scale, offset, isCalibrated } = scalingOf(signal);
  return {
    label: signal.label,
    ...(lead !== undefined && { lead }),
    unit: signal.unit,
    ...(mv !== undefined && { mvPerUnit: mv }),
    scale,
    offset,
    isCalibrated,
    ...(signal.digitalMinimum !== undefined && { digitalMinimum: signal.digitalMinimum }),
    ...(signal.digitalMaximum !== undefined && { digitalMaximum: signal.digitalMaximum }),
    rate: { samples: perRecord, seconds: recordSeconds },
    sampleCount,
    read(startSample, target) {
      target.fill(INVALID_SAMPLE);
      const end = Math.min(startSample + target.length, sampleCount);
      for (let sample = Math.max(0, startSample); sample < end; ) {
        const record = Math.floor(sample / perRecord);
        const inRecord = sample - record * perRecord;
        const count = Math.min(perRecord - inRecord, end - sample);
        const bytes = source.read(
          layout.headerBytes + record * layout.recordBytes + offsetInRecord + SAMPLE_BYTES * inRecord,
          SAMPLE_BYTES * count,
        );
        for (let i = 0; i < count; i++) {
          const low = bytes[2 * i] as number;
          target[sample - startSample + i] = (((bytes[2 * i + 1] as number) << 24) >> 16) | low;
        }
        sample += count;
      }
    },
  };
}

interface AnnotationSignal {
  readonly offsetInRecord: number;
  readonly lengthBytes: number;
}

interface Annotations {
  readonly list: readonly FileAnnotation[];
  /** Fraction of a second after the header's start time at which sample 0 was taken. */
  readonly firstOnsetSeconds: number;
  readonly warnings: readonly Warning[];
}

function readAnnotations(signals: readonly AnnotationSignal[], layout: Layout, recordSeconds: number, source: ByteSource): Annotations {
  const list: FileAnnotation[] = [];
  let malformed = 0;
  let jumps = 0;
  let firstOnsetSeconds = 0;
  for (let record = 0; record < layout.recordCount; record++) {
    for (const [index, signal] of signals.entries()) {
      const bytes = source.read(layout.headerBytes + record * layout.recordBytes + signal.offsetInRecord, signal.lengthBytes);
      const parsed = parseRecordAnnotations(bytes, index === 0);
      malformed += parsed.malformed;
      list.push(...parsed.annotations);
      if (index > 0 || parsed.recordOnsetSeconds === undefined) continue;
      if (record === 0) firstOnsetSeconds = parsed.recordOnsetSeconds;
      else if (Math.abs(parsed.recordOnsetSeconds - firstOnsetSeconds - record * recordSeconds) > 0.5 * recordSeconds) jumps++;
    }
  }
  const warnings: Warning[] = [];
  if (malformed > 0)
    warnings.push({ code: 'annotation_malformed', message: `${malformed} annotations could not be read and were skipped.` });
  if (jumps > 0)
    warnings.push({
      code: 'time_keeper_jumps',
      message: `${jumps} data records state a time that does not follow from the one before; they were read as one piece.`,
    });
  // Onsets count from the header's time; a recording's annotations count from its first sample.
  return { list: list.map((entry) => ({ ...entry, onsetSeconds: entry.onsetSeconds - firstOnsetSeconds })), firstOnsetSeconds, warnings };
}

function shiftStart(start: StartTime | undefined, seconds: number): StartTime | undefined {
  return start === undefined ? undefined : { ...start, utcMs: start.utcMs + Math.round(1000 * seconds) };
}

function duplicateWarnings(channels: readonly Channel[]): Warning[] {
  const labels = channels.map((channel) => channel.label);
  const repeated = [...new Set(labels.filter((label, index) => labels.indexOf(label) !== index))];
  return repeated.map((label) => ({ code: 'duplicate_label', message: `More than one signal is called "${label}".` }));
}

export const EDF: RecordFormat = {
  name: 'EDF',

  /** Version `0` and eight blanks, and counts that fit each other (section 5.1). A file cut inside the fixed header still counts. */
  detect(head) {
    const text = new TextDecoder('latin1').decode(head.subarray(0, FIXED_HEADER_BYTES));
    if (!/^0[ .0]{7}/.test(text)) return false;
    if (head.length < FIXED_HEADER_BYTES) return head.length >= 16;
    return /^[\d \0]+$/.test(text.slice(184, 192)) && /^[\d \0]+$/.test(text.slice(252, 256));
  },

  read(file) {
    const parsed = parseEdfHeader(file.source);
    if (!parsed.ok) return refused('record_unreadable', `The EDF header can't be read. ${parsed.message}`);
    const { header } = parsed;
    if (header.variant === 'EDF+D')
      return refused('unsupported_format', 'EDF+D (an EDF file with gaps) is not read by this version; export it as EDF or EDF+C.');
    const layout = layOut(header, file.source.sizeBytes);
    const warnings: Warning[] = [...header.warnings, ...layout.warnings];
    const source = blockCached(file.source);
    const channels: Channel[] = [];
    const annotationSignals: AnnotationSignal[] = [];
    let offsetInRecord = 0;
    for (const signal of header.signals) {
      const lengthBytes = SAMPLE_BYTES * signal.samplesPerRecord;
      if (header.variant !== 'EDF' && ANNOTATION_LABEL.test(signal.label)) annotationSignals.push({ offsetInRecord, lengthBytes });
      else if (signal.samplesPerRecord === 0)
        warnings.push({ code: 'empty_signal', message: `The signal "${signal.label}" has no samples and was left out.` });
      else channels.push(channelOf(signal, offsetInRecord, layout, header.recordSeconds, source));
      offsetInRecord += lengthBytes;
    }
    if (channels.length === 0) return refused('no_ecg_record', 'The EDF file holds no signals, only annotations.');
    if (header.recordSeconds === 0)
      return refused('record_unreadable', 'The EDF header states data records of 0 seconds, so the sample rate is not known.');
    if (layout.recordCount === 0) return refused('record_unreadable', 'The EDF file holds a header and no whole data record.');

    const annotations = readAnnotations(annotationSignals, layout, header.recordSeconds, blockCached(file.source));
    const startTime = shiftStart(header.startTime, annotations.firstOnsetSeconds);
    return {
      ok: true,
      recording: {
        format: header.variant,
        channels,
        durationSeconds: layout.recordCount * header.recordSeconds,
        ...(startTime !== undefined && { startTime }),
        patient: header.patient,
        ...(header.deviceId !== undefined && { deviceId: header.deviceId }),
        annotations: annotations.list,
        warnings: [...warnings, ...annotations.warnings, ...duplicateWarnings(channels)],
      },
    };
  },
};
