// Archives of any kind that is read, by content (D53).

import type { ByteSource, RecordFile } from '../byte-source.ts';
import { detectFormat } from '../content.ts';
import { pieces } from './byte-streams.ts';
import { unpackPdf } from './pdf.ts';
import { isTar, unpackGzip, unpackTar } from './tar.ts';
import {
  type MemberSink,
  UNPACK_LIMITS,
  type UnpackedArchive,
  Unpacking,
  type UnpackLimits,
} from './unpacking.ts';
import { unpackZip } from './zip.ts';

type ArchiveKind = 'zip' | 'tar' | 'gzip' | 'pdf';

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

/** Undefined for everything that is no archive, or one that is not read. */
export function archiveKindOf(file: RecordFile): ArchiveKind | undefined {
  const head = file.source.read(0, 512);
  if (ZIP_MARKS.some((mark) => startsWith(head, mark))) return 'zip';
  if (startsWith(head, [0x1f, 0x8b, 8])) return 'gzip';
  // A report can carry its recording.
  if (startsWith(head, PDF_MARK)) return 'pdf';
  if (detectFormat(file) !== undefined) return undefined;
  if (isTar(head)) return 'tar';
  return hasZipEnd(file.source) ? 'zip' : undefined;
}

/**
 * Unpacks an archive into `sink`. Members come numbered, in the order of the archive.
 * @throws IsolineError with one of the archive reasons of D55; whatever the sink has got by then is of no use
 */
export async function unpackArchive(
  file: RecordFile,
  kind: ArchiveKind,
  sink: MemberSink,
  limits: UnpackLimits = UNPACK_LIMITS,
): Promise<UnpackedArchive> {
  const unpacking = new Unpacking(sink, file.source.sizeBytes, limits);
  if (kind === 'zip') await unpackZip(file.source, unpacking);
  else if (kind === 'pdf') await unpackPdf(file.source, unpacking);
  else if (kind === 'gzip') await unpackGzip(file.source, file.name, unpacking);
  else await unpackTar(pieces(file.source), unpacking);
  return unpacking.result();
}
