// FLAC Multiplex into a Recording: native FLAC of up to eight channels, and Ogg FLAC in which logical streams
// run side by side (groups of leads) or one after another (pieces in time). Formats reference, sections 4.1
// to 4.3.

import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import {
  type Channel,
  type Gap,
  INVALID_SAMPLE,
  type SampleRate,
  type StartTime,
  samplesWithin,
} from '../../../shared/signal/recording.ts';

import type { ByteSource } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { parseIsoStart } from '../start-time.ts';
import { parseDecimal } from '../text-field.ts';
import type { StreamInfo } from './flac-frame.ts';
import {
  parseBlockHeader,
  parseComments,
  parseStreamInfo,
  STREAMINFO_BYTES,
  STREAMINFO_TYPE,
  VORBIS_COMMENT_TYPE,
} from './flac-metadata.ts';
import { FlacStream, framesInFile, framesInPackets } from './flac-stream.ts';
import { type LogicalStream, readOggLinks } from './ogg.ts';

const NATIVE_MARK = 'fLaC';
const LABEL_COMMENTS = ['ECG_LEADS', 'LEADS', 'LEAD_CODES', 'CHANNELS', 'CHANNEL_NAMES'];
const MAX_METADATA_BYTES = 1 << 24;
/** No recording spans more (D54). */
const MAX_GAP_SECONDS = 35 * 86_400;
const latin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

interface Opened {
  readonly stream: FlacStream;
  readonly comments: ReadonlyMap<string, string>;
}

/** Position of `fLaC` behind an ID3v2 tag, if one stands before it. */
function nativeStart(head: Uint8Array): number {
  if (latin1(head.subarray(0, 3)) !== 'ID3' || head.length < 10) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] as number) & 0x7f), 0);
  return 10 + size;
}

/** @returns the stream, or a sentence why there is none. */
export function openNativeFlac(source: ByteSource, start: number, deviations: Deviations): Opened | string {
  if (latin1(source.read(start, 4)) !== NATIVE_MARK)
    return 'It does not begin with the mark of a FLAC stream.';
  let info: StreamInfo | undefined;
  let comments: ReadonlyMap<string, string> = new Map();
  for (let at = start + 4; ; ) {
    const header = parseBlockHeader(source.read(at, 4));
    if (header === undefined || header.type === 127 || at + 4 + header.lengthBytes > source.sizeBytes)
      return 'It ends inside its metadata.';
    if (info === undefined && header.type !== STREAMINFO_TYPE)
      return 'Its first block does not describe the stream.';
    const body = (): Uint8Array => source.read(at + 4, header.lengthBytes);
    if (header.type === STREAMINFO_TYPE) info ??= parseStreamInfo(body());
    else if (header.type === VORBIS_COMMENT_TYPE) comments = parseComments(body());
    if (info === undefined) return 'The description of the stream cannot be read.';
    at += 4 + header.lengthBytes;
    if (header.isLast)
      return { stream: new FlacStream(info, framesInFile(source, at, info), deviations), comments };
    if (at - start > MAX_METADATA_BYTES) return 'Its metadata are longer than any recording needs.';
  }
}

const OGG_FLAC_MARK = '\u007fFLAC';

function openLogicalStream(logical: LogicalStream, deviations: Deviations): Opened | string {
  const first = logical.packet(0);
  const mark = latin1(first.subarray(0, 8));
  if (!mark.startsWith(OGG_FLAC_MARK) || latin1(first.subarray(9, 13)) !== NATIVE_MARK)
    return 'The Ogg file holds something else than FLAC streams.';
  const info = first[5] === 1 ? parseStreamInfo(first.subarray(17, 17 + STREAMINFO_BYTES)) : undefined;
  if (info === undefined) return 'The description of a stream cannot be read.';
  let comments: ReadonlyMap<string, string> = new Map();
  let packet = 1;
  for (
    let isLast = parseBlockHeader(first.subarray(13))?.isLast ?? false;
    !isLast && packet < logical.packetCount;
    packet++
  ) {
    const bytes = logical.packet(packet);
    const header = parseBlockHeader(bytes);
    // A frame where metadata were announced: the last block forgot to say that it is the last.
    if (header === undefined || bytes[0] === 0xff) break;
    if (header.type === VORBIS_COMMENT_TYPE)
      comments = parseComments(bytes.subarray(4, 4 + header.lengthBytes));
    isLast = header.isLast;
  }
  const frames = framesInPackets(logical.packetCount - packet, (index) => logical.packet(packet + index));
  return { stream: new FlacStream(info, frames, deviations), comments };
}

function comment(comments: ReadonlyMap<string, string>, ...names: string[]): string | undefined {
  return names.map((name) => comments.get(name)).find((text) => text !== undefined && text !== '');
}

/** `62.4725` or `1000/3`; overrides the whole number of the stream's own description. */
function rateOf({ stream, comments }: Opened): SampleRate | undefined {
  const [above = '', below = '1'] = (comment(comments, 'ECG_SAMPLE_RATE', 'SAMPLE_RATE') ?? '').split('/');
  const [samples, seconds] = [parseDecimal(above), parseDecimal(below)];
  if (samples !== undefined && seconds !== undefined && samples > 0 && seconds > 0)
    return { samples, seconds };
  return stream.info.rateHz > 0 ? { samples: stream.info.rateHz, seconds: 1 } : undefined;
}

interface Scaling {
  readonly unit: string;
  readonly scale: number;
  readonly offset: number;
  readonly isCalibrated: boolean;
}

/** One number for all channels, or one a channel. */
function numberFor(text: string | undefined, channel: number): number | undefined {
  const parts = text?.split(',') ?? [];
  return parseDecimal((parts.length > 1 ? parts[channel] : parts[0]) ?? '');
}

function scalingOf(comments: ReadonlyMap<string, string>, channel: number): Scaling {
  const named = (name: string): number | undefined => numberFor(comments.get(name), channel);
  const scale = named('ECG_SCALE');
  if (scale !== undefined && scale !== 0)
    return {
      unit: comments.get('ECG_UNIT') ?? 'mV',
      scale,
      offset: named('ECG_OFFSET') ?? 0,
      isCalibrated: true,
    };
  const [dmin, dmax] = [named('DIGITAL_MINIMUM'), named('DIGITAL_MAXIMUM')];
  const [pmin, pmax] = [named('PHYSICAL_MINIMUM'), named('PHYSICAL_MAXIMUM')];
  if (
    dmin === undefined ||
    dmax === undefined ||
    pmin === undefined ||
    pmax === undefined ||
    dmin === dmax ||
    pmin === pmax
  )
    return { unit: comments.get('ECG_UNIT') ?? '', scale: 1, offset: 0, isCalibrated: false };
  const slope = (pmax - pmin) / (dmax - dmin);
  return { unit: 'mV', scale: slope, offset: pmin - slope * dmin, isCalibrated: true };
}

/** One channel of one stream, somewhere on the recording's time line. */
interface Piece {
  readonly startSample: number;
  readonly stream: FlacStream;
}

function channelOf(
  pieces: readonly Piece[],
  opened: Opened,
  index: number,
  rate: SampleRate,
  deviations: Deviations,
): Channel {
  const { comments } = opened;
  const label =
    comment(comments, ...LABEL_COMMENTS)
      ?.split(',')
      [index]?.trim() || `channel ${index + 1}`;
  const scaling = scalingOf(comments, index);
  if (!scaling.isCalibrated) deviations.add('scale_unknown.flac');
  const invalidCode = numberFor(comments.get('ECG_INVALID'), index);
  const last = pieces.at(-1) as Piece;
  return {
    ...identifyChannel(label, scaling.unit),
    ...scaling,
    rate,
    sampleCount: last.startSample + last.stream.sampleCount,
    read(startSample, target) {
      target.fill(INVALID_SAMPLE);
      for (const piece of pieces) {
        const from = Math.max(startSample, piece.startSample);
        const to = Math.min(startSample + target.length, piece.startSample + piece.stream.sampleCount);
        if (from < to)
          piece.stream.read(
            index,
            from - piece.startSample,
            target.subarray(from - startSample, to - startSample),
          );
      }
      if (invalidCode === undefined) return;
      for (let i = 0; i < target.length; i++) if (target[i] === invalidCode) target[i] = INVALID_SAMPLE;
    },
  };
}

function startOf(comments: ReadonlyMap<string, string>): StartTime | undefined {
  const text = comments.get('DATE');
  return text === undefined ? undefined : parseIsoStart(text);
}

/** What a stream says of its leads; a piece that says something else is another recording. */
const DESCRIBING_COMMENTS = [
  ...LABEL_COMMENTS,
  'ECG_UNIT',
  'ECG_SCALE',
  'ECG_OFFSET',
  'ECG_SAMPLE_RATE',
  'SAMPLE_RATE',
  'ECG_INVALID',
  'DIGITAL_MINIMUM',
  'DIGITAL_MAXIMUM',
  'PHYSICAL_MINIMUM',
  'PHYSICAL_MAXIMUM',
];

/**
 * Links must continue each other stream by stream; anything else would be a guess (central service, section
 * 7).
 */
function isContinuation(first: readonly Opened[], next: readonly Opened[]): boolean {
  return (
    first.length === next.length &&
    next.every(({ stream, comments }, i) => {
      const before = first[i];
      const { channels, rateHz } = stream.info;
      const isSameStream = before?.stream.info.channels === channels && before.stream.info.rateHz === rateHz;
      return (
        isSameStream && DESCRIBING_COMMENTS.every((name) => comments.get(name) === before.comments.get(name))
      );
    })
  );
}

const lengthSeconds = ({ stream }: Opened, rate: SampleRate | undefined): number =>
  rate === undefined ? 0 : (stream.sampleCount * rate.seconds) / rate.samples;

/**
 * When each link begins: all its streams where the longest of the link before ends, and behind the gap that
 * it states.
 */
function startsOfLinks(
  links: readonly (readonly Opened[])[],
  rates: readonly (SampleRate | undefined)[],
  gaps: Gap[],
): number[] {
  let end = 0;
  return links.map((link) => {
    const [first] = link;
    const [rate] = rates;
    const stated = parseDecimal(first?.comments.get('ECG_SKIP') ?? '0') ?? 0;
    const skipSeconds = rate === undefined || !(stated > 0) ? 0 : (stated * rate.seconds) / rate.samples;
    const start = end + (skipSeconds <= MAX_GAP_SECONDS ? skipSeconds : 0);
    if (start > end) gaps.push({ startSeconds: end, endSeconds: start });
    end = start + Math.max(...link.map((opened, i) => lengthSeconds(opened, rates[i])));
    return start;
  });
}

function assemble(links: readonly (readonly Opened[])[], name: string, deviations: Deviations): ReadResult {
  const first = links[0];
  if (first === undefined) return refused('record_unreadable', 'The Ogg file holds no FLAC stream.');
  if (links.some((link) => !isContinuation(first, link)))
    return refused(
      'unsupported_format',
      'The Ogg file holds pieces with different leads, rates or scales, which cannot be put together.',
    );
  const channels: Channel[] = [];
  const gaps: Gap[] = [];
  const rates = first.map(rateOf);
  const starts = startsOfLinks(links, rates, gaps);
  for (const [position, opened] of first.entries()) {
    const rate = rates[position];
    if (rate === undefined)
      return refused('record_unreadable', 'The FLAC stream does not tell its sample rate.');
    const pieces = links.map(
      (link, i): Piece => ({
        startSample: samplesWithin(rate, starts[i] as number),
        stream: (link[position] as Opened).stream,
      }),
    );
    for (let index = 0; index < opened.stream.info.channels; index++)
      channels.push(channelOf(pieces, opened, index, rate, deviations));
  }
  const durations = channels.map(({ sampleCount, rate }) => (sampleCount * rate.seconds) / rate.samples);
  const durationSeconds = Math.max(...durations);
  if (durations.some((duration) => durationSeconds - duration > 0.001)) deviations.add('lengths_differ');
  if (durationSeconds === 0)
    return refused('record_unreadable', 'The FLAC file holds no whole block of samples.');
  const comments = (first[0] as Opened).comments;
  const startTime = startOf(comments);
  const deviceId = comments.get('DEVICE');
  return {
    ok: true,
    recording: {
      format: name,
      channels,
      durationSeconds,
      ...(gaps.length > 0 && { gaps }),
      ...(startTime !== undefined && { startTime }),
      patient: {},
      ...(deviceId !== undefined && { deviceId }),
      annotations: [],
      warnings: deviations.list,
    },
  };
}

export const FLAC: RecordFormat = {
  name: 'FLAC',

  detect(head, source) {
    const mark = latin1(head.subarray(0, 4));
    if (mark === NATIVE_MARK || mark === 'OggS') return true;
    const start = nativeStart(head);
    return start > 0 && latin1(source.read(start, 4)) === NATIVE_MARK;
  },

  read({ source }) {
    const deviations = new Deviations();
    const head = source.read(0, 10);
    if (latin1(head.subarray(0, 4)) !== 'OggS') {
      const opened = openNativeFlac(source, nativeStart(head), deviations);
      if (typeof opened === 'string')
        return refused('record_unreadable', `The FLAC file can't be read. ${opened}`);
      return assemble([[opened]], 'FLAC', deviations);
    }
    const links: Opened[][] = [];
    for (const logicalStreams of readOggLinks(source, deviations)) {
      const link: Opened[] = [];
      for (const logical of logicalStreams) {
        const opened = openLogicalStream(logical, deviations);
        if (typeof opened === 'string') return refused('unsupported_format', opened);
        link.push(opened);
      }
      links.push(link);
    }
    return assemble(links, 'Ogg FLAC', deviations);
  },
};
