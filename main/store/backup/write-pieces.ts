// A file from pieces, on the disk when this returns.

import { open } from 'node:fs/promises';

/** @param path must not be there */
export async function writePieces(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  for await (const part of source)
    for (let at = 0; at < part.length; ) at += (await file.write(part, at, part.length - at)).bytesWritten;
  await file.sync();
}
