// A recording as it goes to a centre. What a format of ours holds becomes EDF+ or frames, which everybody
// reads; what came as files goes as these files, in an archive where there are several. The same recording
// gives the same bytes: an upload that broke off goes on.

import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { ZipWriter } from '@zip.js/zip.js';
import type { Recording } from '../../shared/signal/recording.ts';
import { INDEX_ENTRY_BYTES, writeIndexEntry } from '../../shared/signal/stream-file.ts';
import type { Packed, PackedObject, PackedStudy, PackJob, PoolFile } from '../clinic/ports.ts';
import { ENCAPSULATED_PDF, ENHANCED_SR } from '../formats/dicom/dicom-uids.ts';
import { datasetStart } from '../formats/dicom/read-elements.ts';
import { dicomBytes, prepareDicom, readingBytes, reportBytes } from '../formats/dicom/write-dicom.ts';
import { edfBytes } from '../formats/edf/write-edf.ts';
import { framesOf } from '../formats/stream/frames-of.ts';
import { assert } from '../ground/assert.ts';
import { onDisk } from '../ground/storage-fault.ts';

/** Members of an archive carry a time; theirs is nobody's. */
const NO_TIME = new Date(1980, 0, 1);

class PackedFile implements Disposable {
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  sizeBytes = 0;

  constructor(path: string) {
    this.#descriptor = onDisk(() => openSync(path, 'w', 0o600));
  }

  write(bytes: Uint8Array): void {
    onDisk(() => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
    });
    this.#hash.update(bytes);
    this.sizeBytes += bytes.length;
  }

  /** Once. */
  packed(): Packed {
    return { sizeBytes: this.sizeBytes, sha256: this.#hash.digest('hex') };
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

async function packZip(files: readonly PoolFile[], out: PackedFile): Promise<Packed> {
  const sink = new WritableStream<Uint8Array>({ write: (piece) => out.write(piece) });
  const zip = new ZipWriter(sink, { useWebWorkers: false, level: 6, lastModDate: NO_TIME });
  for (const { name, path } of files)
    await zip.add(name, Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>);
  await zip.close();
  return out.packed();
}

function packFrames(recording: Recording, out: PackedFile): Packed {
  const entries: Uint8Array[] = [];
  for (const { timestampUs, samples, bytes } of framesOf(recording)) {
    const entry = new Uint8Array(INDEX_ENTRY_BYTES);
    const place = {
      timestampUs,
      samples,
      offsetBytes: out.sizeBytes,
      lengthBytes: bytes.length,
      crc32: crc32(bytes),
    };
    writeIndexEntry(new DataView(entry.buffer), 0, place);
    entries.push(entry);
    out.write(bytes);
  }
  const indexOffsetBytes = out.sizeBytes;
  for (const entry of entries) out.write(entry);
  return { ...out.packed(), frames: { count: entries.length, indexOffsetBytes } };
}

/** The waveform, its reading in numbers and findings, and the report for people. */
async function packDicom(recording: Recording, study: PackedStudy, out: PackedFile): Promise<Packed> {
  await prepareDicom();
  const objects: PackedObject[] = [];
  const place = (classUid: string, instanceUid: string, startBytes: number, headBytes: number): void => {
    const offsetBytes = startBytes + headBytes;
    objects.push({ classUid, instanceUid, offsetBytes, lengthBytes: out.sizeBytes - offsetBytes });
  };
  const pieces = dicomBytes(recording, study);
  let headBytes = 0;
  let next = pieces.next();
  for (; next.done !== true; next = pieces.next()) {
    if (out.sizeBytes === 0) headBytes = datasetStart(next.value);
    out.write(next.value);
  }
  const written = next.value;
  place(written.object, written.names.SOPInstanceUID, 0, headBytes);
  const beside = [
    [ENHANCED_SR, readingBytes(recording, written, study.read, study)],
    [ENCAPSULATED_PDF, reportBytes(recording, written, study.report, study)],
  ] as const;
  for (const [classUid, { bytes, names }] of beside) {
    const startBytes = out.sizeBytes;
    out.write(bytes);
    place(classUid, names.SOPInstanceUID, startBytes, datasetStart(bytes));
  }
  return { ...out.packed(), objects };
}

/** @throws IsolineError where the recording can't be written so, or there is no room */
export async function packRecording(
  recording: Recording,
  { into, files, path, study }: Pick<PackJob, 'into' | 'files' | 'path' | 'study'>,
): Promise<Packed> {
  using out = new PackedFile(path);
  switch (into) {
    case 'edf':
      for (const bytes of edfBytes(recording)) out.write(bytes);
      return out.packed();
    case 'zip':
      // The file is open until it has ended.
      return await packZip(files, out);
    case 'frames':
      return packFrames(recording, out);
    case 'dicom':
      assert(study !== undefined, 'an archive gets a study');
      return await packDicom(recording, study, out);
  }
}
