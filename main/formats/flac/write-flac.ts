// Writes a recording as FLAC: a native file for up to eight leads of one rate, else Ogg with one logical
// stream for each eight. Comments carry leads, scale and exact rate. Formats reference, sections 4.1 to 4.3.

import { createHash } from 'node:crypto';
import {
  type Channel,
  INVALID_SAMPLE,
  type Recording,
  rateHz,
  type SampleRate,
} from '../../../shared/signal/recording.ts';
import { Deviations } from '../deviations.ts';
import {
  type ChannelSurvey,
  noteGaps,
  type RecordOutput,
  type RecordWriter,
  surveyChannels,
  unsuitable,
} from '../record-writer.ts';
import { formatIsoStart } from '../start-time.ts';
import { encodeFlacFrame } from './encode-flac-frame.ts';
import { STREAMINFO_TYPE, VORBIS_COMMENT_TYPE } from './flac-metadata.ts';
import { hashInterleaved } from './flac-stream.ts';
import { OggPages } from './write-ogg.ts';

const MAX_CHANNELS = 8;
const BLOCK_SIZE = 4096;
const MAX_RATE_HZ = 2 ** 20 - 1;
const VENDOR = 'Isoline';
const WIDTHS = [16, 24, 32] as const;
type Width = (typeof WIDTHS)[number];

/** The leads of one logical stream. */
interface StreamPlan {
  readonly channels: readonly Channel[];
  readonly rate: SampleRate;
  readonly sampleCount: number;
  readonly bitsPerSample: Width;
  readonly invalidCode: number;
}

/** The lowest code stands for missing samples, so real ones must stay above it. */
function widthOf(surveys: readonly ChannelSurvey[]): Width {
  const minimum = Math.min(...surveys.map((survey) => survey.minimum));
  const maximum = Math.max(...surveys.map((survey) => survey.maximum));
  return WIDTHS.find((bits) => minimum > -(2 ** (bits - 1)) && maximum < 2 ** (bits - 1)) ?? 32;
}

/** Leads that may share a stream: a stream has one rate, and states one unit for all. */
const kindOf = ({ rate, unit, isCalibrated }: Channel): string => `${rateHz(rate)} ${unit} ${isCalibrated}`;

function planStreams(recording: Recording): StreamPlan[] {
  const { channels } = recording;
  const surveys = surveyChannels(recording);
  const plans: StreamPlan[] = [];
  for (const indices of Map.groupBy(channels.keys(), (index) =>
    kindOf(channels[index] as Channel),
  ).values()) {
    for (let start = 0; start < indices.length; start += MAX_CHANNELS) {
      const group = indices.slice(start, start + MAX_CHANNELS);
      const members = group.map((index) => channels[index] as Channel);
      const bitsPerSample = widthOf(group.map((index) => surveys[index] as ChannelSurvey));
      const { rate } = members[0] as Channel;
      if (rateHz(rate) > MAX_RATE_HZ)
        throw unsuitable(`FLAC cannot hold a sample rate of ${rateHz(rate)} Hz.`);
      const sampleCount = Math.max(...members.map((channel) => channel.sampleCount));
      plans.push({
        channels: members,
        rate,
        sampleCount,
        bitsPerSample,
        invalidCode: -(2 ** (bitsPerSample - 1)),
      });
    }
  }
  return plans;
}

/** Blocks of samples, missing ones as their code. */
function* blocks({ channels, sampleCount, invalidCode }: StreamPlan): Generator<Int32Array[]> {
  for (let start = 0; start < sampleCount; start += BLOCK_SIZE) {
    yield channels.map((channel) => {
      const samples = new Int32Array(Math.min(BLOCK_SIZE, sampleCount - start));
      channel.read(start, samples);
      for (let i = 0; i < samples.length; i++) if (samples[i] === INVALID_SAMPLE) samples[i] = invalidCode;
      return samples;
    });
  }
}

/** The checksum stands before the samples, so they are read once for it alone. */
function streamInfo(plan: StreamPlan): Uint8Array {
  const { channels, rate, sampleCount, bitsPerSample } = plan;
  const hash = createHash('md5');
  for (const block of blocks(plan)) hashInterleaved(hash, block, block[0]?.length ?? 0, bitsPerSample);
  const bytes = new Uint8Array(34);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, BLOCK_SIZE);
  view.setUint16(2, BLOCK_SIZE);
  const roundedHz = Math.max(1, Math.round(rateHz(rate)));
  view.setUint32(
    10,
    ((roundedHz << 12) |
      ((channels.length - 1) << 9) |
      ((bitsPerSample - 1) << 4) |
      Math.floor(sampleCount / 2 ** 32)) >>>
      0,
  );
  view.setUint32(14, sampleCount % 2 ** 32);
  bytes.set(hash.digest(), 18);
  return bytes;
}

const oneOrEach = (values: readonly number[]): string =>
  values.every((value) => value === values[0]) ? String(values[0]) : values.join(',');
const plain = (text: string): string => text.replace(/[,\0\r\n]/g, ' ').trim();

/** What a stream has no field for. */
function commentsOf(
  { channels, rate, invalidCode }: StreamPlan,
  recording: Recording,
  deviations: Deviations,
): Map<string, string> {
  const comments = new Map<string, string>([
    ['ECG_LEADS', channels.map(({ label }) => plain(label)).join(',')],
  ]);
  for (const { label } of channels)
    if (plain(label) !== label) deviations.add('label_changed', { label, written: plain(label) });
  const { unit, isCalibrated } = channels[0] as Channel;
  if (isCalibrated) {
    comments.set('ECG_UNIT', unit);
    comments.set('ECG_SCALE', oneOrEach(channels.map(({ scale }) => scale)));
    comments.set('ECG_OFFSET', oneOrEach(channels.map(({ offset }) => offset)));
  }
  comments.set(
    'ECG_SAMPLE_RATE',
    rate.seconds === 1 ? String(rate.samples) : `${rate.samples}/${rate.seconds}`,
  );
  comments.set('ECG_INVALID', String(invalidCode));
  if (recording.startTime !== undefined) comments.set('DATE', formatIsoStart(recording.startTime));
  if (recording.deviceId !== undefined) comments.set('DEVICE', plain(recording.deviceId));
  return comments;
}

function commentBlock(comments: ReadonlyMap<string, string>): Uint8Array {
  const text = new TextEncoder();
  const fields = [VENDOR, ...[...comments].map(([name, value]) => `${name}=${value}`)].map((field) =>
    text.encode(field),
  );
  const bytes = new Uint8Array(4 + fields.reduce((sum, field) => sum + 4 + field.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [index, field] of fields.entries()) {
    view.setUint32(at, field.length, true);
    bytes.set(field, at + 4);
    at += 4 + field.length;
    if (index === 0) {
      view.setUint32(at, comments.size, true);
      at += 4;
    }
  }
  return bytes;
}

function metadataBlock(type: number, isLast: boolean, body: Uint8Array): Uint8Array {
  const head = [
    (isLast ? 0x80 : 0) | type,
    (body.length >> 16) & 255,
    (body.length >> 8) & 255,
    body.length & 255,
  ];
  return Uint8Array.from([...head, ...body]);
}

function* frames(plan: StreamPlan): Generator<Uint8Array> {
  let frameNumber = 0;
  for (const block of blocks(plan))
    yield encodeFlacFrame(block, { bitsPerSample: plan.bitsPerSample, frameNumber: frameNumber++ });
}

const MARK = [0x66, 0x4c, 0x61, 0x43];

function* nativeFile(plan: StreamPlan, comments: ReadonlyMap<string, string>): Generator<Uint8Array> {
  yield Uint8Array.from(MARK);
  yield metadataBlock(STREAMINFO_TYPE, false, streamInfo(plan));
  yield metadataBlock(VORBIS_COMMENT_TYPE, true, commentBlock(comments));
  yield* frames(plan);
}

/** All first pages, then all comments, then frames in turns, so that the streams run side by side. */
function* oggFile(
  plans: readonly StreamPlan[],
  comments: readonly ReadonlyMap<string, string>[],
): Generator<Uint8Array> {
  const streams = plans.map((plan, index) => ({
    plan,
    pages: new OggPages(index + 1),
    frames: frames(plan),
    samples: 0,
  }));
  for (const { plan, pages } of streams)
    yield* pages.packet(
      Uint8Array.from([
        0x7f,
        0x46,
        0x4c,
        0x41,
        0x43,
        1,
        0,
        0,
        1,
        ...MARK,
        ...metadataBlock(STREAMINFO_TYPE, false, streamInfo(plan)),
      ]),
      0,
      false,
    );
  for (const [index, { pages }] of streams.entries())
    yield* pages.packet(
      metadataBlock(VORBIS_COMMENT_TYPE, true, commentBlock(comments[index] as ReadonlyMap<string, string>)),
      0,
      false,
    );
  for (
    let open = streams;
    open.length > 0;
    open = open.filter(({ samples, plan }) => samples < plan.sampleCount)
  ) {
    for (const stream of open) {
      const next = stream.frames.next();
      if (next.done === true) continue;
      stream.samples = Math.min(stream.plan.sampleCount, stream.samples + BLOCK_SIZE);
      yield* stream.pages.packet(next.value, stream.samples, stream.samples === stream.plan.sampleCount);
    }
  }
}

/** A player must not be told that an Ogg file is plain FLAC. */
const oggName = (fileName: string): string => fileName.replace(/\.flac$/i, '.oga');

export const FLAC_WRITER: RecordWriter = {
  name: 'flac',
  extensions: ['.flac', '.oga'],
  companions: (fileName) => [oggName(fileName)],
  *write(recording, fileName): RecordOutput {
    if (recording.channels.length === 0) throw unsuitable('The recording has no signals to write.');
    const plans = planStreams(recording);
    if (plans.some(({ sampleCount }) => sampleCount < 1 || sampleCount >= 2 ** 36))
      throw unsuitable('FLAC cannot hold a recording of this length.');
    const deviations = new Deviations();
    if (recording.annotations.length > 0) deviations.add('annotations_left_out');
    noteGaps(recording, deviations);
    const comments = plans.map((plan) => commentsOf(plan, recording, deviations));
    const [first] = plans;
    const isNative = plans.length === 1 && first !== undefined;
    const name = isNative ? fileName : oggName(fileName);
    const output = isNative
      ? nativeFile(first, comments[0] as ReadonlyMap<string, string>)
      : oggFile(plans, comments);
    for (const bytes of output) yield { fileName: name, bytes };
    return deviations.list;
  },
};
