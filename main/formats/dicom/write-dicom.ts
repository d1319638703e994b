// Writes a recording as a DICOM ECG: the twelve-lead object where it fits, else the general one, else the ambulatory one
// (PS3.3, A.34.3 to A.34.5). The samples stand last in the dataset and go out in blocks: a day needs no more memory than ten
// seconds.

import { createHash } from 'node:crypto';
import type { AskedExamination } from '../../../shared/order.ts';
import { isAsNamed, STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  type Recording,
  rateHz,
  type StartTime,
  type Warning,
} from '../../../shared/signal/recording.ts';
import type { ReadEcg } from '../../ground/read-ecg.ts';
import { Deviations } from '../deviations.ts';
import {
  type ChannelSurvey,
  noteGaps,
  type RecordOutput,
  type RecordWriter,
  requireOneRate,
  surveyChannels,
  unsuitable,
} from '../record-writer.ts';
import { datasetOf, type Names, reportDataset, SAMPLE_BYTES, type WaveformFacts } from './dicom-dataset.ts';
import { AMBULATORY_ECG, GENERAL_ECG, TWELVE_LEAD_ECG, uidOf } from './dicom-uids.ts';
import { ecgReportDataset } from './ecg-report.ts';

/** What each object may hold, the most usual one first. */
const OBJECTS = [
  { uid: TWELVE_LEAD_ECG, leastHz: 200, mostChannels: 13, mostSamples: 16_384, isStandardOnly: true },
  {
    uid: GENERAL_ECG,
    leastHz: 200,
    mostChannels: 24,
    mostSamples: Number.POSITIVE_INFINITY,
    isStandardOnly: false,
  },
  {
    uid: AMBULATORY_ECG,
    leastHz: 50,
    mostChannels: 12,
    mostSamples: Number.POSITIVE_INFINITY,
    isStandardOnly: false,
  },
] as const;
const MOST_HZ = 1000;
/** The longest value of a dataset, which has 32 bits for its length. */
const MOST_BYTES = 2 ** 32 - 2;
const PADDING = -32_768;
const BLOCK_SAMPLES = 4096;

interface Plan {
  readonly recording: Recording;
  readonly startTime: StartTime;
  readonly object: string;
  readonly waveform: WaveformFacts;
}

const isStandard = ({ lead }: Channel): boolean => isAsNamed(lead) && STANDARD_LEADS.includes(lead.code);

function objectFor(channels: readonly Channel[], hz: number, sampleCount: number): string {
  if (hz > MOST_HZ || hz < OBJECTS[2].leastHz)
    throw unsuitable(
      `DICOM holds ECGs of 50 to 1000 samples a second, and this one has ${hz}. Convert it to EDF+.`,
    );
  const object = OBJECTS.find(
    ({ leastHz, mostChannels, mostSamples, isStandardOnly }) =>
      hz >= leastHz &&
      channels.length <= mostChannels &&
      sampleCount <= mostSamples &&
      (!isStandardOnly || channels.every(isStandard)),
  );
  if (object === undefined)
    throw unsuitable(`DICOM cannot hold ${channels.length} signals. Convert it to EDF+.`);
  return object.uid;
}

/**
 * A channel whose values fit into 16 bits: its own, or where those need more, rounded to a larger step around their middle.
 * @throws IsolineError `format_unsuitable` where nobody could say by how much
 */
function fitting(channel: Channel, { minimum, maximum }: ChannelSurvey, deviations: Deviations): Channel {
  if (minimum >= PADDING && maximum <= -PADDING - 1) return channel;
  if (!channel.isCalibrated || channel.mvPerUnit === undefined)
    throw unsuitable(
      `"${channel.label}" needs more than 16 bits, which DICOM cannot hold. Convert it to EDF+.`,
    );
  const middle = Math.round((minimum + maximum) / 2);
  // The lowest code stays free for missing samples.
  const step = Math.ceil(Math.max(maximum - middle, middle - minimum) / (-PADDING - 1));
  const roundedUv = Math.abs(500 * step * channel.scale * channel.mvPerUnit);
  // With a step of one they are only moved.
  if (step > 1)
    deviations.add('values_rounded.lead', {
      label: channel.label,
      microvolts: Number(roundedUv.toPrecision(2)),
    });
  return {
    ...channel,
    scale: channel.scale * step,
    offset: channel.offset + middle * channel.scale,
    read(startSample, target) {
      channel.read(startSample, target);
      for (let i = 0; i < target.length; i++) {
        const sample = target[i] as number;
        if (sample !== INVALID_SAMPLE) target[i] = Math.round((sample - middle) / step);
      }
    },
  };
}

/** A code that no sample has; undefined where none is missing. */
function paddingFor(surveys: readonly ChannelSurvey[], isPadded: boolean): number | undefined {
  const minimum = Math.min(...surveys.map((survey) => survey.minimum));
  const maximum = Math.max(...surveys.map((survey) => survey.maximum));
  if (!isPadded && surveys.every(({ missing }) => missing.length === 0)) return undefined;
  // What does not fit is rounded, and leaves the lowest code free.
  const isRounded = minimum < PADDING || maximum > -PADDING - 1;
  if (isRounded ? surveys.every((survey) => survey.minimum !== PADDING) : minimum > PADDING) return PADDING;
  if (!isRounded && maximum < -PADDING - 1) return -PADDING - 1;
  throw unsuitable(
    'The recording misses samples and uses every code that 16 bits have, so that DICOM cannot mark them. Convert it to EDF+.',
  );
}

function planOf(recording: Recording, deviations: Deviations): Plan {
  const { channels, startTime } = recording;
  const { rate, sampleCount } = requireOneRate(channels, 'DICOM');
  if (startTime === undefined)
    throw unsuitable('DICOM needs the time of a recording, and this one states none. Convert it to EDF+.');
  if (sampleCount * channels.length * SAMPLE_BYTES > MOST_BYTES)
    throw unsuitable('The recording is too long for DICOM. Convert it to EDF+.');
  const surveys = surveyChannels(recording);
  const isPadded = channels.some((channel) => channel.sampleCount < sampleCount);
  return {
    recording,
    startTime,
    object: objectFor(channels, rateHz(rate), sampleCount),
    waveform: {
      channels: channels.map((channel, i) => fitting(channel, surveys[i] as ChannelSurvey, deviations)),
      hz: rateHz(rate),
      sampleCount,
      padding: paddingFor(surveys, isPadded),
    },
  };
}

/** Sample by sample, all channels in turn, lowest byte first. */
function* sampleBytes({ channels, sampleCount, padding = 0 }: WaveformFacts): Generator<Uint8Array> {
  const samples = new Int32Array(BLOCK_SAMPLES);
  for (let start = 0; start < sampleCount; start += BLOCK_SAMPLES) {
    const count = Math.min(BLOCK_SAMPLES, sampleCount - start);
    const block = Buffer.alloc(count * channels.length * SAMPLE_BYTES);
    for (const [index, channel] of channels.entries()) {
      const own = samples.subarray(0, count);
      channel.read(start, own);
      for (let i = 0; i < count; i++) {
        const sample = own[i] as number;
        block.writeInt16LE(
          sample === INVALID_SAMPLE ? padding : sample,
          (i * channels.length + index) * SAMPLE_BYTES,
        );
      }
    }
    yield block;
  }
}

/** What an archive is told beside the recording. */
export interface StudyFacts {
  readonly asked?: AskedExamination | undefined;
}

/** The same recording has the same names, whenever it is written. */
function namesOf({ recording, startTime, waveform }: Plan, { asked }: StudyFacts): Names {
  const samples = createHash('sha256');
  for (const bytes of sampleBytes(waveform)) samples.update(bytes);
  const channels = recording.channels.map(({ label, unit, scale, offset }) => ({
    label,
    unit,
    scale,
    offset,
  }));
  const whole = JSON.stringify({
    channels,
    hz: waveform.hz,
    startTime,
    patient: recording.patient,
    deviceId: recording.deviceId,
    annotations: recording.annotations,
    samples: samples.digest('hex'),
    asked,
  });
  const uid = (what: string): string => uidOf(createHash('sha256').update(`${what} ${whole}`));
  return {
    StudyInstanceUID: asked?.studyUid ?? uid('study'),
    SeriesInstanceUID: uid('series'),
    SOPInstanceUID: uid('instance'),
  };
}

function lengthBytes(length: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}

let encoding: typeof import('./dicom-encoding.ts') | undefined;

/** Loads what is needed only where somebody writes DICOM. */
export async function prepareDicom(): Promise<void> {
  encoding = await import('./dicom-encoding.ts');
}

/** One DICOM file, piece by piece, and what is to be said of it. */
export interface WrittenDicom {
  readonly object: string;
  readonly names: Names;
  readonly startTime: StartTime;
  readonly warnings: readonly Warning[];
}

/** After {@link prepareDicom}. @throws IsolineError `format_unsuitable` */
export function* dicomBytes(
  recording: Recording,
  study: StudyFacts = {},
): Generator<Uint8Array, WrittenDicom> {
  if (encoding === undefined) throw new TypeError('the writer was not prepared');
  const deviations = new Deviations();
  const plan = planOf(recording, deviations);
  const { startTime, waveform, object } = plan;
  noteGaps(recording, deviations);
  const names = namesOf(plan, study);
  const { head, tail } = encoding.encodeDataset(
    datasetOf(recording, startTime, waveform, { object, names, deviations, ...study }),
  );
  const length = waveform.sampleCount * waveform.channels.length * SAMPLE_BYTES;
  yield Buffer.concat([head, lengthBytes(length)]);
  yield* sampleBytes(waveform);
  yield tail;
  return { object, names, startTime, warnings: deviations.list };
}

/** The names of an object about the waveform: the same for the same content. */
function namesBeside(waveform: Names, what: string, content: Uint8Array | string): Names {
  const hash = createHash('sha256').update(content).digest('hex');
  const uid = (part: string): string =>
    uidOf(createHash('sha256').update(`${part} ${waveform.SOPInstanceUID} ${hash}`));
  return {
    StudyInstanceUID: waveform.StudyInstanceUID,
    SeriesInstanceUID: uid(`${what} series`),
    SOPInstanceUID: uid(what),
  };
}

/** The report of a recording, as an object of the same study. After {@link prepareDicom}. */
export function reportBytes(
  recording: Recording,
  { object, names, startTime }: WrittenDicom,
  report: Parameters<typeof reportDataset>[2],
  { asked }: StudyFacts,
): { readonly bytes: Uint8Array; readonly names: Names } {
  if (encoding === undefined) throw new TypeError('the writer was not prepared');
  const own = namesBeside(names, 'report', report.pdf);
  const source = { object, instance: names.SOPInstanceUID };
  const dataset = reportDataset(recording, startTime, report, {
    names: own,
    source,
    deviations: new Deviations(),
    asked,
  });
  return { bytes: encoding.encodeFile(dataset), names: own };
}

/** The reading of a recording in numbers and findings, as an object of the same study. After {@link prepareDicom}. */
export function readingBytes(
  recording: Recording,
  { object, names, startTime }: WrittenDicom,
  read: ReadEcg,
  { asked }: StudyFacts,
): { readonly bytes: Uint8Array; readonly names: Names } {
  if (encoding === undefined) throw new TypeError('the writer was not prepared');
  const own = namesBeside(names, 'reading', JSON.stringify([read, asked]));
  const dataset = ecgReportDataset(recording, startTime, read, {
    names: own,
    source: { object, names },
    deviations: new Deviations(),
    asked,
  });
  return { bytes: encoding.encodeFile(dataset), names: own };
}

export const DICOM_WRITER: RecordWriter = {
  name: 'dicom',
  extensions: ['.dcm'],
  companions: () => [],
  prepare: prepareDicom,
  *write(recording, fileName): RecordOutput {
    const pieces = dicomBytes(recording);
    for (let next = pieces.next(); ; next = pieces.next()) {
      if (next.done) return next.value.warnings;
      yield { fileName, bytes: next.value };
    }
  },
};
