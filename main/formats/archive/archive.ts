// Archives of any kind that is read (D53).

import { IsolineError } from '../../../shared/errors.ts';
import type { RecordFile } from '../byte-source.ts';
import { type ArchiveKind, archiveKindOf } from './archive-kind.ts';
import { pieces } from './byte-streams.ts';
import { unpackPdf } from './pdf.ts';
import { unpackPacked, unpackTar } from './tar.ts';
import {
  type MemberSink,
  UNPACK_LIMITS,
  type UnpackedArchive,
  type UnpackedMember,
  Unpacking,
  type UnpackLimits,
} from './unpacking.ts';
import { unpackZip } from './zip.ts';

async function unpackInto(file: RecordFile, kind: ArchiveKind, unpacking: Unpacking): Promise<void> {
  if (kind === 'zip') await unpackZip(file.source, unpacking);
  else if (kind === 'pdf') await unpackPdf(file.source, unpacking);
  else if (kind === 'tar') await unpackTar(pieces(file.source), unpacking);
  else await unpackPacked(file.source, { name: file.name, kind }, unpacking);
}

/** A file that came out of an archive, as long as `use` works on it. */
export type OpenMember = <T>(member: UnpackedMember, use: (file: RecordFile) => Promise<T>) => Promise<T>;

/**
 * Archives that lie in the archive, one level deep, are unpacked into it, each as a folder of its own name; the limits count for all
 * together. One that can't be unpacked stays what it is, and is said.
 */
async function unpackInner(unpacking: Unpacking, open: OpenMember): Promise<void> {
  for (const member of unpacking.result().members)
    await open(member, async (file) => {
      const kind = archiveKindOf(file);
      // A report with its recording inside is taken as the page that it is: its twin lies beside it as a rule.
      if (kind === undefined || kind === 'pdf') return;
      const before = new Set(unpacking.result().members);
      try {
        await unpacking.within(member.name, () => unpackInto(file, kind, unpacking));
        unpacking.drop(member);
      } catch (error) {
        for (const half of unpacking.result().members) if (!before.has(half)) unpacking.drop(half);
        if (!(error instanceof IsolineError) || error.reason === 'archive_too_large') throw error;
        // Its name may be that of another patient than the one whose recording this is told of.
        unpacking.deviations.add('inner_archive_unreadable');
      }
    });
}

/**
 * Unpacks an archive into `sink`. Members come numbered, in the order of the archive.
 * @param open opens what has come out, to look whether it is an archive itself; without it, those stay packed
 * @throws IsolineError with one of the archive reasons of D55; whatever the sink has got by then is of no use
 */
export async function unpackArchive(
  file: RecordFile,
  kind: ArchiveKind,
  sink: MemberSink,
  { limits = UNPACK_LIMITS, open }: { readonly limits?: UnpackLimits; readonly open?: OpenMember } = {},
): Promise<UnpackedArchive> {
  const unpacking = new Unpacking(sink, file.source.sizeBytes, limits);
  await unpackInto(file, kind, unpacking);
  if (open !== undefined) await unpackInner(unpacking, open);
  return unpacking.result();
}
