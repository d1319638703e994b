// Archives of any kind that is read (D53).

import type { RecordFile } from '../byte-source.ts';
import type { ArchiveKind } from './archive-kind.ts';
import { pieces } from './byte-streams.ts';
import { unpackPdf } from './pdf.ts';
import { unpackGzip, unpackTar } from './tar.ts';
import {
  type MemberSink,
  UNPACK_LIMITS,
  type UnpackedArchive,
  Unpacking,
  type UnpackLimits,
} from './unpacking.ts';
import { unpackZip } from './zip.ts';

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
