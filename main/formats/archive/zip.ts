// Zip archives. The library reads the directory, compares it with the headers before the members, and decodes
// Store, Deflate and Deflate64; the other methods, checksums and limits are ours. Formats reference, section
// 5.2; D55.

import { crc32 } from 'node:zlib';
import { type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import { IsolineError } from '../../../shared/errors.ts';
import type { ByteSource } from '../byte-source.ts';
import { corrupt, type Unpacking } from './unpacking.ts';
import { METHOD_DECODERS, methodName } from './zip-methods.ts';

const METHODS_OF_LIBRARY = new Set([0, 8, 9]);
const AES_METHOD = 99;

class SourceReader extends Reader<ByteSource> {
  readonly #source: ByteSource;
  constructor(source: ByteSource) {
    super(source);
    this.#source = source;
    this.size = source.sizeBytes;
  }
  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    return this.#source.read(index, length);
  }
}

const encrypted = (): IsolineError =>
  new IsolineError('archive_encrypted', 'The archive is encrypted. Pack the files without a password.');

/** The plain bytes of a member, its size and checksum compared at the end. */
async function* contentOf(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const method = entry.compressionMethod;
  const isOfLibrary = METHODS_OF_LIBRARY.has(method);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // A failure before its first byte would leave the reading end waiting for ever.
  const written = entry
    .getData(writable, { passThrough: !isOfLibrary })
    .catch((error: unknown) => writable.abort(error).catch(() => undefined));
  const decoder = METHOD_DECODERS[method];
  const content = decoder === undefined ? readable : decoder(readable, entry.uncompressedSize);
  let crc = 0;
  let sizeBytes = 0;
  for await (const piece of content) {
    sizeBytes += piece.length;
    if (sizeBytes > entry.uncompressedSize) throw corrupt(`"${entry.filename}" is larger than it says`);
    crc = crc32(piece, crc);
    yield piece;
  }
  await written;
  if (sizeBytes !== entry.uncompressedSize) throw corrupt(`"${entry.filename}" is shorter than it says`);
  if (crc !== entry.crc32) throw corrupt(`the checksum of "${entry.filename}" does not fit`);
}

function requireReadable(entry: FileEntry): void {
  if (entry.encrypted || entry.compressionMethod === AES_METHOD) throw encrypted();
  const method = entry.compressionMethod;
  if (!METHODS_OF_LIBRARY.has(method) && METHOD_DECODERS[method] === undefined)
    throw new IsolineError(
      'archive_method_unsupported',
      `The archive is packed with the method ${methodName(method)}, which is not read. Pack the files with Deflate.`,
    );
}

export async function unpackZip(source: ByteSource, unpacking: Unpacking): Promise<void> {
  const reader = new ZipReader(new SourceReader(source), {
    useWebWorkers: false,
    // Twice as fast as the streams of Node, of which each member would open one; and a thread that is ended at
    // that moment, at the time limit of an archive, takes the whole program with it.
    useCompressionStream: false,
    strictness: 'balanced',
    filenameValidation: 'tolerant',
    checkLocalDirectory: true,
    checkOverlappingEntry: true,
    extractAppendedData: true,
  });
  try {
    const files: FileEntry[] = [];
    for await (const entry of reader.getEntriesGenerator()) {
      unpacking.count();
      if (entry.directory) unpacking.accept(entry.filename);
      else files.push(entry);
    }
    if ((reader.directoryOffset ?? 0) + (reader.directoryLength ?? 0) > source.sizeBytes)
      throw corrupt('its directory is larger than the archive');
    if ((reader.appendedData?.length ?? 0) > 0) unpacking.deviations.add('trailing_bytes');
    for (const entry of files) {
      const name = unpacking.accept(entry.filename);
      if (name === undefined) continue;
      if (entry.symlink) {
        unpacking.deviations.add('link_skipped', { name });
        continue;
      }
      requireReadable(entry);
      await unpacking.take(name, contentOf(entry));
    }
  } catch (error) {
    if (error instanceof IsolineError) throw error;
    const text = error instanceof Error ? error.message : '';
    if (/encrypted/i.test(text)) throw encrypted();
    throw corrupt('its parts do not fit together', error);
  } finally {
    await reader.close();
  }
}
