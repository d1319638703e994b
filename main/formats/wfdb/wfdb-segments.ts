// WFDB records of several segments: pieces one after another in time, each a record of its own. Either all
// have the same signals (fixed layout), or the first segment lists the signals and each piece has some of
// them (variable layout). Formats reference, section 2.3.

import { type Channel, type Gap, INVALID_SAMPLE, type Warning } from '../../../shared/signal/recording.ts';
import { firstIndex } from '../binary-search.ts';
import type { Deviations } from '../deviations.ts';
import type { FilesByName } from '../files-by-name.ts';
import {
  parseWfdbHeader,
  readHeaderText,
  type WfdbHeader,
  type WfdbSegment,
  type WfdbSignalHeader,
} from './wfdb-header.ts';
import { type OpenedSignals, openSignals, type SignalsFault } from './wfdb-signals.ts';

const GAP_NAME = '~';
const RATE_TOLERANCE = 1e-9;

/** A segment in its place; without signals where it is a gap or can't be read. */
interface PlacedSegment {
  readonly startFrame: number;
  readonly frameCount: number;
  readonly signals: OpenedSignals | undefined;
}

/** A stretch of one channel that a segment's channel fills. */
interface Piece {
  readonly startSample: number;
  readonly endSample: number;
  readonly source: Channel;
}

function openSegment(
  name: string,
  frameRateHz: number,
  files: FilesByName,
  missing: string[],
  deviations: Deviations,
): { header: WfdbHeader; signals: OpenedSignals } | undefined {
  const file = files.find(`${name}.hea`);
  if (file === undefined) {
    missing.push(`${name}.hea`);
    deviations.add('segment_missing', { name });
    return undefined;
  }
  const parsed = parseWfdbHeader(readHeaderText(file.source));
  if (!parsed.ok || parsed.header.segments !== undefined) {
    deviations.add('segment_unreadable', { name });
    return undefined;
  }
  if (Math.abs(parsed.header.frameRateHz / frameRateHz - 1) > RATE_TOLERANCE) {
    deviations.add('segment_shape', { name });
    return undefined;
  }
  const signals = openSignals(parsed.header, files, deviations);
  if ('reason' in signals) {
    if (signals.reason === 'record_incomplete')
      missing.push(...parsed.header.signals.map(({ fileName }) => fileName));
    deviations.add('segment_unreadable.reason', { name, reason: signals.message });
    return undefined;
  }
  missing.push(...signals.missingFiles);
  return { header: parsed.header, signals };
}

/** Puts another gain and baseline onto the common one as libwfdb does, rounding half up. */
function onScale(
  source: Channel,
  from: WfdbSignalHeader,
  to: WfdbSignalHeader,
  deviations: Deviations,
): Channel {
  if (from.gain === to.gain && from.baseline === to.baseline) return source;
  deviations.add('segment_gain', { label: to.description });
  const factor = to.gain / from.gain;
  const shift = to.baseline - (from.baseline * to.gain) / from.gain;
  return {
    ...source,
    read(startSample, samples) {
      source.read(startSample, samples);
      for (let i = 0; i < samples.length; i++) {
        const value = samples[i] as number;
        if (value !== INVALID_SAMPLE) samples[i] = Math.floor(value * factor + shift + 0.5);
      }
    },
  };
}

/** A signal of the whole record: its channel, of the length of one frame, and what the header says of it. */
interface Model {
  readonly channel: Channel;
  readonly samplesPerFrame: number;
  readonly header: WfdbSignalHeader;
}

/** One signal of the whole record, filled from the segments that have it. */
function joinChannel(
  model: Model,
  index: number,
  isVariable: boolean,
  placed: readonly PlacedSegment[],
  deviations: Deviations,
): Channel {
  const { channel, samplesPerFrame: perFrame, header } = model;
  const pieces: Piece[] = [];
  for (const { startFrame, frameCount, signals } of placed) {
    const place = isVariable ? signals?.channels.findIndex(({ label }) => label === channel.label) : index;
    const found = signals?.channels[place ?? -1];
    const foundHeader = signals?.signals[place ?? -1];
    if (signals === undefined || found === undefined || foundHeader === undefined) continue;
    if (foundHeader.samplesPerFrame !== perFrame || found.unit !== channel.unit) {
      deviations.add('segment_shape.piece', { label: channel.label });
      continue;
    }
    if (signals.frameCount < frameCount) deviations.add('segment_short');
    if (signals.frameCount > frameCount) deviations.add('segment_long');
    pieces.push({
      startSample: startFrame * perFrame,
      endSample: (startFrame + Math.min(frameCount, signals.frameCount)) * perFrame,
      source: onScale(found, foundHeader, header, deviations),
    });
  }
  const last = placed.at(-1);
  const sampleCount = last === undefined ? 0 : (last.startFrame + last.frameCount) * perFrame;
  return {
    ...channel,
    sampleCount,
    read(startSample, target) {
      target.fill(INVALID_SAMPLE);
      const endSample = startSample + target.length;
      for (
        let i = firstIndex(pieces.length, (at) => (pieces[at] as Piece).endSample > startSample);
        i < pieces.length;
        i++
      ) {
        const piece = pieces[i] as Piece;
        if (piece.startSample >= endSample) return;
        const from = Math.max(startSample, piece.startSample);
        const to = Math.min(startSample + target.length, piece.endSample);
        if (from < to)
          piece.source.read(from - piece.startSample, target.subarray(from - startSample, to - startSample));
      }
    },
  };
}

function modelsOf({ channels, signals }: OpenedSignals): Model[] {
  return channels.map((channel, index) => {
    const header = signals[index] as WfdbSignalHeader;
    return { channel, samplesPerFrame: header.samplesPerFrame, header };
  });
}

function gapsOf(placed: readonly PlacedSegment[], frameRateHz: number): Gap[] {
  return placed
    .filter(({ signals, frameCount }) => signals === undefined && frameCount > 0)
    .map(({ startFrame, frameCount }) => ({
      startSeconds: startFrame / frameRateHz,
      endSeconds: (startFrame + frameCount) / frameRateHz,
    }));
}

export interface JoinedRecord extends OpenedSignals {
  readonly gaps: readonly Gap[];
  /** The start of the first piece, for records that state no time of their own. */
  readonly startTime: WfdbHeader['startTime'];
}

export function openSegments(
  header: WfdbHeader,
  segments: readonly WfdbSegment[],
  files: FilesByName,
  deviations: Deviations,
): JoinedRecord | SignalsFault {
  const missingFiles: string[] = [];
  const known = new Map<string, ReturnType<typeof openSegment>>();
  const opened = segments.map(({ name }) => {
    if (name === GAP_NAME) return undefined;
    if (!known.has(name))
      known.set(name, openSegment(name, header.frameRateHz, files, missingFiles, deviations));
    return known.get(name);
  });
  const isVariable = segments[0]?.frameCount === 0;
  const layout = isVariable ? opened[0] : opened.find((segment) => segment !== undefined);
  if (layout === undefined)
    return {
      reason: 'record_incomplete',
      message: `The record needs the file "${missingFiles[0] ?? `${segments[0]?.name}.hea`}", which is not here.`,
    };
  const models = modelsOf(layout.signals);
  let frame = 0;
  const placed: PlacedSegment[] = [];
  for (const [index, { frameCount }] of segments.entries()) {
    if (!(isVariable && index === 0))
      placed.push({ startFrame: frame, frameCount, signals: opened[index]?.signals });
    frame += frameCount;
  }
  if (header.frameCount > 0 && frame !== header.frameCount)
    deviations.add('segment_sum', { present: frame, stated: header.frameCount });
  const channels = models.map((model, index) => joinChannel(model, index, isVariable, placed, deviations));
  const checkIntegrity = (): Warning[] =>
    [...known.values()].flatMap((segment) => segment?.signals.checkIntegrity() ?? []);
  const startTime = opened[isVariable ? 1 : 0]?.header.startTime;
  const signals = models.map(({ header: signal }) => signal);
  return {
    channels,
    signals,
    frameCount: frame,
    missingFiles: [...new Set(missingFiles)],
    gaps: gapsOf(placed, header.frameRateHz),
    startTime,
    checkIntegrity,
  };
}

/** The header files that a multi-segment record names. */
export const segmentHeaderNames = (segments: readonly WfdbSegment[]): string[] => [
  ...new Set(segments.filter(({ name }) => name !== GAP_NAME).map(({ name }) => `${name}.hea`)),
];
