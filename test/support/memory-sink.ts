// A sink that keeps unpacked members in memory, for small archives.

import { unpackArchive } from '../../main/formats/archive/archive.ts';
import { archiveKindOf } from '../../main/formats/archive/archive-kind.ts';
import type { MemberSink, UnpackedArchive, UnpackLimits } from '../../main/formats/archive/unpacking.ts';
import type { RecordFile } from '../../main/formats/byte-source.ts';
import { bytesFile } from './test-data.ts';

export interface InMemory extends UnpackedArchive {
  readonly files: readonly RecordFile[];
}

export async function unpackInMemory(file: RecordFile, limits?: UnpackLimits): Promise<InMemory> {
  const kept = new Map<number, Uint8Array[]>();
  let current: Uint8Array[] = [];
  const sink: MemberSink = {
    begin(index) {
      current = [];
      kept.set(index, current);
    },
    write: (bytes) => void current.push(Uint8Array.from(bytes)),
    end: () => undefined,
    remove: (index) => void kept.delete(index),
  };
  const kind = archiveKindOf(file);
  if (kind === undefined) throw new Error('no archive');
  const unpacked = await unpackArchive(file, kind, sink, {
    ...(limits !== undefined && { limits }),
    open: (member, use) => use(bytesFile(member.name, Buffer.concat(kept.get(member.index) ?? []))),
  });
  const files = unpacked.members.map(({ index, name }) => bytesFile(name, Buffer.concat(kept.get(index)!)));
  return { ...unpacked, files };
}
