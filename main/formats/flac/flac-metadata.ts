// What stands before the frames of a FLAC stream: STREAMINFO and the comments, from which leads, scale and
// exact rate come. RFC 9639, section 8; formats reference, sections 4.1 and 4.3.

import { decodeField } from '../text-field.ts';
import type { StreamInfo } from './flac-frame.ts';

export const STREAMINFO_BYTES = 34;
export const STREAMINFO_TYPE = 0;
export const VORBIS_COMMENT_TYPE = 4;
const MIN_BLOCK_SIZE = 1;

export interface BlockHeader {
  readonly isLast: boolean;
  readonly type: number;
  readonly lengthBytes: number;
}

export function parseBlockHeader(bytes: Uint8Array): BlockHeader | undefined {
  if (bytes.length < 4) return undefined;
  const word = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
  return { isLast: word >>> 31 === 1, type: (word >>> 24) & 0x7f, lengthBytes: word & 0xff_ff_ff };
}

/** Undefined where the block is too short or states what can't be. */
export function parseStreamInfo(bytes: Uint8Array): StreamInfo | undefined {
  if (bytes.length < STREAMINFO_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packed = view.getUint32(10);
  const info: StreamInfo = {
    minBlockSize: view.getUint16(0),
    maxBlockSize: view.getUint16(2),
    rateHz: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bitsPerSample: ((packed >>> 4) & 31) + 1,
    totalSamples: (packed & 15) * 2 ** 32 + view.getUint32(14),
    md5: md5Of(bytes.subarray(18, STREAMINFO_BYTES)),
  };
  return info.bitsPerSample < 4 || info.maxBlockSize < MIN_BLOCK_SIZE ? undefined : info;
}

function md5Of(bytes: Uint8Array): string | undefined {
  if (bytes.every((byte) => byte === 0)) return undefined;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** NAME=value pairs, names in upper case; the first of a name counts. Broken lengths end the list. */
export function parseComments(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const comments = new Map<string, string>();
  const u32 = (at: number): number => (at + 4 <= bytes.length ? view.getUint32(at, true) : -1);
  let at = 4 + u32(0);
  const count = u32(at);
  at += 4;
  for (let i = 0; i < count; i++) {
    const length = u32(at);
    if (length < 0 || at + 4 + length > bytes.length) break;
    const { text } = decodeField(bytes.subarray(at + 4, at + 4 + length));
    const equals = text.indexOf('=');
    const name = text.slice(0, Math.max(0, equals)).toUpperCase();
    if (equals > 0 && !comments.has(name)) comments.set(name, text.slice(equals + 1));
    at += 4 + length;
  }
  return comments;
}
