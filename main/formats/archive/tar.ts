// Tar archives, packed or not, and single packed files. Formats reference, section 5.3; D55.

import { createGunzip, createZstdDecompress } from 'node:zlib';
import { extract } from 'tar-stream';
import { IsolineError } from '../../../shared/errors.ts';
import type { ByteSource } from '../byte-source.ts';
import { isTar, type PackedKind, TAR_BLOCK_BYTES } from './archive-kind.ts';
import { pieces, through } from './byte-streams.ts';
import { bzip2 } from './bzip2.ts';
import { nameOfBytes } from './member-name.ts';
import { corrupt, type Unpacking } from './unpacking.ts';
import { xz } from './zip-methods.ts';

/**
 * Old archives have no mark of their format, which the library refuses unless told; its types leave the
 * option out.
 */
const EXTRACT_OPTIONS: Parameters<typeof extract>[0] & {
  readonly allowUnknownFormat: true;
  readonly filenameEncoding: 'latin1';
} = {
  allowUnknownFormat: true,
  filenameEncoding: 'latin1',
};

/**
 * Names come byte by byte, so that what is no UTF-8 can be read as what it is; those of a pax header are text
 * already.
 */
const decodeName = (bytesAsLetters: string): string =>
  nameOfBytes(Uint8Array.from(bytesAsLetters, (letter) => letter.charCodeAt(0)));

const isFile = (type: string): boolean => type === 'file' || type === 'contiguous-file';

export async function unpackTar(
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  unpacking: Unpacking,
): Promise<void> {
  const tar = extract(EXTRACT_OPTIONS);
  const fed = feed(content, tar, unpacking);
  // Heard below, when the members have been taken; it must not end the process before.
  fed.catch(() => undefined);
  try {
    for await (const entry of tar) {
      const { name: storedName, type, pax } = entry.header;
      unpacking.count();
      const accepted = unpacking.accept(
        pax === undefined || pax === null ? decodeName(storedName) : storedName,
      );
      const name = type === 'directory' ? undefined : accepted;
      if (name !== undefined && isFile(type)) {
        await unpacking.take(name, bytesOf(entry), true);
        continue;
      }
      if (name !== undefined) unpacking.deviations.add('link_skipped.device', { name });
      for await (const _ of entry);
    }
    await fed;
  } catch (error) {
    tar.destroy(null);
    if (error instanceof IsolineError) throw error;
    throw corrupt('it ends early or its parts do not fit together', error);
  }
}

async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const piece of entry) if (piece instanceof Uint8Array) yield piece;
}

async function feed(
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  tar: ReturnType<typeof extract>,
  unpacking: Unpacking,
): Promise<void> {
  const closed = new Promise<void>((resolve) => tar.once('close', resolve));
  try {
    for await (const piece of content) {
      if (tar.destroyed) return;
      unpacking.countOutput(piece.length);
      if (!tar.write(piece))
        await Promise.race([closed, new Promise<void>((resolve) => tar.once('drain', resolve))]);
    }
    tar.end(undefined);
  } catch (error) {
    tar.destroy(error instanceof Error ? error : null);
    throw error;
  }
}

/** The plain bytes; several members follow each other, zeros may stand behind the last, nothing else. */
async function* gunzip(source: ByteSource): AsyncGenerator<Uint8Array> {
  const stream = createGunzip();
  try {
    yield* through(pieces(source), stream);
  } catch (error) {
    if (error instanceof IsolineError) throw error;
    throw corrupt('its gzip content is cut off or changed', error);
  }
  for (let at = stream.bytesWritten; at < source.sizeBytes; ) {
    const rest = source.read(at, 1 << 16);
    if (rest.length === 0 || rest.some((byte) => byte !== 0))
      throw corrupt('something else follows its gzip content');
    at += rest.length;
  }
}

/** The name that gzip keeps in its head, if any. */
function storedFileName(source: ByteSource): string | undefined {
  const head = source.read(0, 1100);
  const flags = head[3] ?? 0;
  if ((flags & 8) === 0) return undefined;
  const start = (flags & 4) === 0 ? 10 : 12 + ((head[10] as number) | ((head[11] as number) << 8));
  const end = head.indexOf(0, start);
  return end > start ? new TextDecoder('latin1').decode(head.subarray(start, end)) : undefined;
}

async function* chained(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** The plain bytes; several frames may follow each other, and each ends the decoder. */
async function* zstdFrames(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.sizeBytes; ) {
    const stream = createZstdDecompress();
    yield* through(pieces(source, at), stream);
    if (stream.bytesWritten === 0) throw corrupt('something else follows its zstd content');
    at += stream.bytesWritten;
  }
}

/** The plain bytes of what another method packed. */
async function* unpacked(source: ByteSource, kind: Exclude<PackedKind, 'gzip'>): AsyncGenerator<Uint8Array> {
  try {
    if (kind === 'zstd') yield* zstdFrames(source);
    else yield* (kind === 'xz' ? xz : bzip2)(pieces(source));
  } catch (error) {
    if (error instanceof IsolineError) throw error;
    throw corrupt(`its ${kind} content is cut off or changed`, error);
  }
}

const PACKED_ENDING = /\.(gz|bz2|xz|zst)$/i;

/** @param name of the archive, from which a packed single file without stored name gets its own. */
export async function unpackPacked(
  source: ByteSource,
  { name, kind }: { readonly name: string; readonly kind: PackedKind },
  unpacking: Unpacking,
): Promise<void> {
  const content = kind === 'gzip' ? gunzip(source) : unpacked(source, kind);
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < TAR_BLOCK_BYTES) {
    const next = await content.next();
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  const whole = chained(first, content);
  if (isTar(Buffer.concat(first))) return unpackTar(whole, unpacking);
  unpacking.count();
  const accepted = unpacking.acceptInPlace(
    (kind === 'gzip' ? storedFileName(source) : undefined) ?? name.replace(PACKED_ENDING, ''),
  );
  return unpacking.take(accepted ?? 'content', whole);
}
