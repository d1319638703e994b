// What kind of archive a file is, by its content (D53). Apart from the reading of archives, so that asking for
// the kind loads none of its libraries.

import type { ByteSource, RecordFile } from '../byte-source.ts';
import { detectFormat } from '../content.ts';

/** `gzip` to `zstd` pack one stream, which may be a tar archive. */
export type ArchiveKind = 'zip' | 'tar' | 'pdf' | PackedKind;
export type PackedKind = 'gzip' | 'bzip2' | 'xz' | 'zstd';

const PACKED_MARKS: readonly (readonly [PackedKind, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b, 8]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  // Its version, and behind the size of its blocks the mark of the first of them.
  ['bzip2', [0x42, 0x5a, 0x68]],
];
const BZIP2_BLOCK = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];

const packedKindOf = (head: Uint8Array): PackedKind | undefined =>
  PACKED_MARKS.find(
    ([kind, mark]) => startsWith(head, mark) && (kind !== 'bzip2' || startsWith(head, BZIP2_BLOCK, 4)),
  )?.[0];

const ZIP_MARKS: readonly (readonly number[])[] = [
  [0x50, 0x4b, 3, 4],
  [0x50, 0x4b, 5, 6],
  [0x50, 0x4b, 7, 8],
];
/** `%PDF-` */
const PDF_MARK = [0x25, 0x50, 0x44, 0x46, 0x2d];
const END_OF_ZIP = [0x50, 0x4b, 5, 6];
const END_OF_ZIP_BYTES = 22;
const LONGEST_COMMENT_BYTES = 65_535;

export const TAR_BLOCK_BYTES = 512;
const CHECKSUM_OFFSET = 148;
const CHECKSUM_BYTES = 8;

const startsWith = (bytes: Uint8Array, mark: readonly number[], at = 0): boolean =>
  mark.every((byte, i) => bytes[at + i] === byte);

/** A zip behind a program that unpacks itself: its end record must point back at a directory. */
function hasZipEnd(source: ByteSource): boolean {
  const tailBytes = Math.min(source.sizeBytes, END_OF_ZIP_BYTES + LONGEST_COMMENT_BYTES);
  const tail = source.read(source.sizeBytes - tailBytes, tailBytes);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  for (let at = tail.length - END_OF_ZIP_BYTES; at >= 0; at--) {
    if (
      !startsWith(tail, END_OF_ZIP, at) ||
      at + END_OF_ZIP_BYTES + view.getUint16(at + 20, true) !== tail.length
    )
      continue;
    const directoryStart = source.sizeBytes - tailBytes + at - view.getUint32(at + 12, true);
    return (
      view.getUint16(at + 10, true) > 0 && startsWith(source.read(directoryStart, 4), [0x50, 0x4b, 1, 2])
    );
  }
  return false;
}

/** By the checksum of its first header, which old writers summed up with signed bytes. */
export function isTar(head: Uint8Array): boolean {
  if (head.length < TAR_BLOCK_BYTES || head[0] === 0) return false;
  const stated = Number.parseInt(
    new TextDecoder('latin1').decode(head.subarray(CHECKSUM_OFFSET, CHECKSUM_OFFSET + CHECKSUM_BYTES)).trim(),
    8,
  );
  let unsigned = 0;
  let signed = 0;
  for (let i = 0; i < TAR_BLOCK_BYTES; i++) {
    const isChecksum = i >= CHECKSUM_OFFSET && i < CHECKSUM_OFFSET + CHECKSUM_BYTES;
    const byte = isChecksum ? 0x20 : (head[i] as number);
    unsigned += byte;
    signed += (byte << 24) >> 24;
  }
  return stated === unsigned || stated === signed;
}

/** Undefined for everything that is no archive, or one that is not read. */
export function archiveKindOf(file: RecordFile): ArchiveKind | undefined {
  const head = file.source.read(0, 512);
  if (ZIP_MARKS.some((mark) => startsWith(head, mark))) return 'zip';
  const packed = packedKindOf(head);
  if (packed !== undefined) return packed;
  // A report can carry its recording.
  if (startsWith(head, PDF_MARK)) return 'pdf';
  if (detectFormat(file) !== undefined) return undefined;
  if (isTar(head)) return 'tar';
  return hasZipEnd(file.source) ? 'zip' : undefined;
}
