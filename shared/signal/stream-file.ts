// The file that a finished stream becomes: its frames as they were received, with an index behind them and
// what was agreed at its start before them. Written by the domain, read by main/formats/stream. All numbers
// little-endian.
//
//   8  "ISOFRAME"     4  version     4  length of the JSON     …  JSON (StreamFacts)
//   …  frames, one behind the other, in the order of their timestamps
//   28 an index entry a frame: timestamp µs (u64), offset (u64), length (u32), samples a channel (u32), CRC-32 (u32)
//   24 end: offset of the index (u64), frames (u32), CRC-32 of the index (u32), "ISOFRAME"

import { type Static, Type } from 'typebox';
import { LEAD_CODES } from './lead.ts';

const MAGIC = new TextEncoder().encode('ISOFRAME');
const VERSION = 1;
const HEAD_BYTES = 16;
export const STREAM_END_BYTES = 24;
export const INDEX_ENTRY_BYTES = 28;
export const MAX_STREAM_FRAMES = 16_000_000;

const Finite = Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE });

/** The four numbers that turn raw samples into millivolts (specification, Scaling rules). */
export const StreamScale = Type.Object({
  digitalMinimum: Finite,
  digitalMaximum: Finite,
  physicalMinimumMv: Finite,
  physicalMaximumMv: Finite,
});
export type StreamScale = Static<typeof StreamScale>;

/** The device on the desk whose stream this is: what it says of itself, and how its clock ran. */
export const RecordedDevice = Type.Object({
  driver: Type.String({ maxLength: 64 }),
  variant: Type.String({ maxLength: 64 }),
  name: Type.String({ maxLength: 256 }),
  serialNumber: Type.Optional(Type.String({ maxLength: 256 })),
  class: Type.Enum(['diagnostic', 'monitoring']),
  isSimulated: Type.Boolean(),
  isCalibrated: Type.Boolean(),
  leadSet: Type.String({ maxLength: 64 }),
  highPassHz: Finite,
  lowPassHz: Finite,
  notchHz: Type.Optional(Finite),
  /** The device counts its samples: what is missing is known by more than the clock. */
  hasCounter: Type.Boolean(),
  /** Known from the end of the recording on, where it was long enough. */
  drift: Type.Optional(
    Type.Object({
      nominalHz: Finite,
      measuredHz: Finite,
      driftPpm: Finite,
      uncertaintyPpm: Type.Optional(Finite),
      windowSeconds: Finite,
    }),
  ),
});
export type RecordedDevice = Static<typeof RecordedDevice>;

export const StreamFacts = Type.Object({
  sampleRateHz: Type.Number({ minimum: 1, maximum: 100_000 }),
  leadCodes: Type.Array(Type.Enum([...LEAD_CODES]), { minItems: 1, maxItems: LEAD_CODES.length }),
  /** Without it the samples are millivolts. */
  scale: Type.Optional(StreamScale),
  /** When timestamp 0 was, by the clock of this machine. */
  startedMs: Type.Number(),
  /** The name of the task: two streams are two recordings, also where they hold the same. */
  localId: Type.String({ maxLength: 64 }),
  deviceId: Type.Optional(Type.String({ maxLength: 256 })),
  /** How the differences of this device began before, where that is known (`DELTA_STARTS`). */
  knownStart: Type.Optional(Type.String({ maxLength: 64 })),
  /** Only for what was recorded at this workstation. Its timestamps count samples exactly. */
  device: Type.Optional(RecordedDevice),
});
export type StreamFacts = Static<typeof StreamFacts>;

export function streamFileHead(facts: StreamFacts): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(facts));
  const head = new Uint8Array(HEAD_BYTES + json.length);
  const view = new DataView(head.buffer);
  head.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, json.length, true);
  head.set(json, HEAD_BYTES);
  return head;
}

export interface IndexEntry {
  readonly timestampUs: number;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  /** Per channel. */
  readonly samples: number;
  readonly crc32: number;
}

const setUint64 = (view: DataView, at: number, value: number): void =>
  view.setBigUint64(at, BigInt(value), true);
const getUint64 = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

export function writeIndexEntry(
  view: DataView,
  at: number,
  { timestampUs, offsetBytes, lengthBytes, samples, crc32 }: IndexEntry,
): void {
  setUint64(view, at, timestampUs);
  setUint64(view, at + 8, offsetBytes);
  view.setUint32(at + 16, lengthBytes, true);
  view.setUint32(at + 20, samples, true);
  view.setUint32(at + 24, crc32, true);
}

export const readIndexEntry = (view: DataView, at: number): IndexEntry => ({
  timestampUs: getUint64(view, at),
  offsetBytes: getUint64(view, at + 8),
  lengthBytes: view.getUint32(at + 16, true),
  samples: view.getUint32(at + 20, true),
  crc32: view.getUint32(at + 24, true),
});

export function streamFileEnd(indexOffsetBytes: number, frameCount: number, indexCrc32: number): Uint8Array {
  const end = new Uint8Array(STREAM_END_BYTES);
  const view = new DataView(end.buffer);
  setUint64(view, 0, indexOffsetBytes);
  view.setUint32(8, frameCount, true);
  view.setUint32(12, indexCrc32, true);
  end.set(MAGIC, 16);
  return end;
}

export const isStreamFile = (head: Uint8Array): boolean => MAGIC.every((byte, i) => head[i] === byte);

export interface StreamFileEnd {
  readonly indexOffsetBytes: number;
  readonly frameCount: number;
  readonly indexCrc32: number;
}

/**
 * @param end the last STREAM_END_BYTES of the file.
 * @returns undefined where the file is cut.
 */
export function readStreamFileEnd(end: Uint8Array, sizeBytes: number): StreamFileEnd | undefined {
  const view = new DataView(end.buffer, end.byteOffset, STREAM_END_BYTES);
  const [indexOffsetBytes, frameCount] = [getUint64(view, 0), view.getUint32(8, true)];
  const isWhole =
    isStreamFile(end.subarray(16)) &&
    frameCount >= 1 &&
    frameCount <= MAX_STREAM_FRAMES &&
    indexOffsetBytes + frameCount * INDEX_ENTRY_BYTES + STREAM_END_BYTES === sizeBytes;
  return isWhole ? { indexOffsetBytes, frameCount, indexCrc32: view.getUint32(12, true) } : undefined;
}

export interface StreamFileLayout extends StreamFileEnd {
  /** JSON, to be checked against StreamFacts. */
  readonly facts: unknown;
}

/**
 * @param read gives bytes of the file.
 * @returns undefined where the file is cut or is of another version.
 */
export function parseStreamFile(
  read: (offsetBytes: number, lengthBytes: number) => Uint8Array,
  sizeBytes: number,
): StreamFileLayout | undefined {
  if (sizeBytes < HEAD_BYTES + STREAM_END_BYTES) return undefined;
  const head = read(0, HEAD_BYTES);
  const headView = new DataView(head.buffer, head.byteOffset, HEAD_BYTES);
  const jsonBytes = headView.getUint32(12, true);
  if (
    !isStreamFile(head) ||
    headView.getUint32(8, true) !== VERSION ||
    HEAD_BYTES + jsonBytes + STREAM_END_BYTES > sizeBytes
  )
    return undefined;
  const end = readStreamFileEnd(read(sizeBytes - STREAM_END_BYTES, STREAM_END_BYTES), sizeBytes);
  if (end === undefined) return undefined;
  try {
    const facts = JSON.parse(new TextDecoder().decode(read(HEAD_BYTES, jsonBytes))) as unknown;
    return { facts, ...end };
  } catch {
    // Damaged text: as unusable as a cut file.
    return undefined;
  }
}
