// Writes any recording as a WFDB record: header, one signal file, annotations. Formats reference, section
// 2.5.

import {
  type Channel,
  INVALID_SAMPLE,
  type PatientFacts,
  type Recording,
  rateHz,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { Deviations } from '../deviations.ts';
import {
  baseName,
  type ChannelSurvey,
  noteGaps,
  type RecordOutput,
  type RecordWriter,
  surveyChannels,
  unsuitable,
  ZONE_LOST,
} from '../record-writer.ts';
import { ANNOTATORS } from './wfdb.ts';
import { wfdbAnnotationBytes } from './write-wfdb-annotations.ts';

const CHUNK_SAMPLES = 1 << 18;
const RATE_TOLERANCE = 1e-9;
const MAX_SAMPLES_PER_FRAME = 64;
/** The tolerance as a share of a step: anything less is the rounding of the numbers in the source's header. */
const OFFSET_TOLERANCE = 1e-3;

/**
 * How a signal file is packed: the smallest format that holds all samples and leaves the code for missing
 * ones free.
 */
interface Packing {
  readonly format: 16 | 24 | 32 | 212;
  readonly bits: number;
  readonly invalidCode: number;
}

const PACKINGS: readonly Packing[] = [
  { format: 212, bits: 12, invalidCode: -2048 },
  { format: 16, bits: 16, invalidCode: -32768 },
  { format: 24, bits: 24, invalidCode: -8388608 },
  { format: 32, bits: 32, invalidCode: INVALID_SAMPLE },
];

function packingFor(surveys: readonly ChannelSurvey[]): Packing {
  const minimum = Math.min(...surveys.map((survey) => survey.minimum));
  const maximum = Math.max(...surveys.map((survey) => survey.maximum));
  const found = PACKINGS.find(({ bits, invalidCode }) => minimum > invalidCode && maximum < 2 ** (bits - 1));
  return found ?? (PACKINGS.at(-1) as Packing);
}

/** The frame rate of which every signal's rate is a whole multiple. */
function frameLayout(
  channels: readonly Channel[],
): { frameRateHz: number; samplesPerFrame: number[] } | undefined {
  const slowest = Math.min(...channels.map(({ rate }) => rateHz(rate)));
  for (let divisor = 1; divisor <= MAX_SAMPLES_PER_FRAME; divisor++) {
    const frameRateHz = slowest / divisor;
    const samplesPerFrame = channels.map(({ rate }) => Math.round(rateHz(rate) / frameRateHz));
    const fits = channels.every(
      ({ rate }, i) =>
        Math.abs((samplesPerFrame[i] as number) * (frameRateHz / rateHz(rate)) - 1) < RATE_TOLERANCE,
    );
    if (fits && samplesPerFrame.every((count) => count <= 4096)) return { frameRateHz, samplesPerFrame };
  }
  return undefined;
}

/** Packs a stretch of interleaved samples. A stretch before the last has an even number of them. */
function pack(samples: Int32Array, format: Packing['format']): Uint8Array {
  if (format !== 212) {
    const width = format / 8;
    const bytes = new Uint8Array(samples.length * width);
    for (let i = 0, at = 0; i < samples.length; i++)
      for (let shift = 0; shift < format; shift += 8) bytes[at++] = (samples[i] as number) >> shift;
    return bytes;
  }
  const bytes = new Uint8Array(Math.ceil((samples.length * 3) / 2));
  for (let i = 0, at = 0; i < samples.length; i += 2) {
    const first = samples[i] as number;
    const second = samples[i + 1] ?? 0;
    bytes[at++] = first;
    bytes[at++] = ((first >> 8) & 15) | ((second >> 4) & 0xf0);
    if (i + 1 < samples.length) bytes[at++] = second;
  }
  return bytes;
}

interface SignalState {
  sum: number;
  first: number | undefined;
}

/** The bytes of the signal file; `states` is left with checksum and first sample of every signal. */
function* signalBytes(
  channels: readonly Channel[],
  samplesPerFrame: readonly number[],
  frameCount: number,
  { format, invalidCode }: Packing,
  states: readonly SignalState[],
): Generator<Uint8Array> {
  const frameSamples = samplesPerFrame.reduce((sum, count) => sum + count, 0);
  const framesPerChunk = 2 * Math.max(1, Math.floor(CHUNK_SAMPLES / frameSamples / 2));
  for (let frame = 0; frame < frameCount; frame += framesPerChunk) {
    const frames = Math.min(framesPerChunk, frameCount - frame);
    const interleaved = new Int32Array(frames * frameSamples);
    let position = 0;
    for (const [index, channel] of channels.entries()) {
      const perFrame = samplesPerFrame[index] as number;
      const samples = new Int32Array(frames * perFrame);
      channel.read(frame * perFrame, samples);
      const state = states[index] as SignalState;
      for (let i = 0; i < samples.length; i++) {
        const code = samples[i] === INVALID_SAMPLE ? invalidCode : (samples[i] as number);
        state.sum = (state.sum + code) | 0;
        interleaved[Math.floor(i / perFrame) * frameSamples + position + (i % perFrame)] = code;
      }
      state.first ??= interleaved[position];
      position += perFrame;
    }
    yield pack(interleaved, format);
  }
}

const two = (value: number): string => String(value).padStart(2, '0');

function startText(start: StartTime | undefined): string {
  if (start === undefined) return '';
  const date = new Date(start.utcMs);
  const ms = String(date.getUTCMilliseconds()).padStart(3, '0');
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}.${ms}`;
  return ` ${clock} ${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`;
}

function patientComments({ ageYears, gender }: PatientFacts): string[] {
  const sex = gender === 'FEMALE' ? 'F' : gender === 'MALE' ? 'M' : '?';
  return ageYears === undefined && gender === undefined ? [] : [`# <age>: ${ageYears ?? '?'}  <sex>: ${sex}`];
}

/** Twelve significant digits, as programs of this format read them. */
const decimal = (value: number): string => String(Number(value.toPrecision(12)));

function signalLine(
  channel: Channel,
  file: string,
  samplesPerFrame: number,
  { format, bits }: Packing,
  state: SignalState,
  deviations: Deviations,
): string {
  const baseline = -channel.offset / channel.scale;
  if (Math.abs(baseline - Math.round(baseline)) > OFFSET_TOLERANCE)
    deviations.add('offset_rounded', { label: channel.label });
  const packing = samplesPerFrame === 1 ? String(format) : `${format}x${samplesPerFrame}`;
  const unit = (channel.unit === '' ? 'NU' : channel.unit).replace(/\s/g, '_');
  const gain = channel.isCalibrated
    ? `${decimal(1 / channel.scale)}(${Math.round(baseline)})/${unit}`
    : `0(0)/${unit}`;
  const checksum = (state.sum << 16) >> 16;
  return `${file} ${packing} ${gain} ${bits} 0 ${state.first ?? 0} ${checksum} 0 ${channel.label.replace(/[\r\n]/g, ' ')}`;
}

/** Letters, digits, `_` and `-`, as the format allows. */
const recordName = (fileName: string): string => baseName(fileName).replace(/[^\w-]/g, '_') || 'record';

export const WFDB_WRITER: RecordWriter = {
  name: 'wfdb',
  extensions: ['.hea', '.dat'],
  companions(fileName) {
    const name = recordName(fileName);
    return ['hea', 'dat', ...ANNOTATORS].map((extension) => `${name}.${extension}`);
  },
  *write(recording: Recording, fileName): RecordOutput {
    const { channels, annotations, startTime } = recording;
    if (channels.length === 0) throw unsuitable('The recording has no signals to write.');
    const layout = frameLayout(channels);
    if (layout === undefined)
      throw unsuitable('The sample rates of the recording have no common frame rate, which WFDB needs.');
    const { frameRateHz, samplesPerFrame } = layout;
    const deviations = new Deviations();
    if (startTime?.isZoneKnown === true) deviations.addAll([ZONE_LOST]);
    noteGaps(recording, deviations);
    const packing = packingFor(surveyChannels(recording));
    const frameCount = Math.max(
      ...channels.map(({ sampleCount }, i) => Math.ceil(sampleCount / (samplesPerFrame[i] as number))),
    );
    const name = recordName(fileName);
    const states = channels.map((): SignalState => ({ sum: 0, first: undefined }));
    for (const bytes of signalBytes(channels, samplesPerFrame, frameCount, packing, states))
      yield { fileName: `${name}.dat`, bytes };
    if (annotations.length > 0)
      yield { fileName: `${name}.atr`, bytes: wfdbAnnotationBytes(annotations, frameRateHz, deviations) };
    const lines = [
      `${name} ${channels.length} ${decimal(frameRateHz)} ${frameCount}${startText(startTime)}`,
      ...channels.map((channel, i) =>
        signalLine(
          channel,
          `${name}.dat`,
          samplesPerFrame[i] as number,
          packing,
          states[i] as SignalState,
          deviations,
        ),
      ),
      ...patientComments(recording.patient),
      ...(recording.deviceId === undefined
        ? []
        : [`# device: ${recording.deviceId.replace(/[\r\n]/g, ' ')}`]),
    ];
    yield { fileName: `${name}.hea`, bytes: new TextEncoder().encode(`${lines.join('\n')}\n`) };
    return deviations.list;
  },
};
