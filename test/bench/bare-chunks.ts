// The bare baseline of uploads: `node:http` that streams every chunk to a file, hashes it, and syncs it.
// `node test/bench/bare-chunks.ts FOLDER` prints its address. Every PUT-like POST has its offset in the
// query, as ours has.

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const folder = process.argv[2] as string;
const files = new Map<string, { readonly file: FileHandle; readonly hash: Hash }>();

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', 'http://x');
  const name = url.pathname.replaceAll('/', '_');
  let known = files.get(name);
  if (known === undefined) {
    known = { file: await open(join(folder, name), 'w'), hash: createHash('sha256') };
    files.set(name, known);
  }
  let at = Number(url.searchParams.get('offset'));
  for await (const piece of request as AsyncIterable<Buffer>) {
    known.hash.update(piece);
    await known.file.write(piece, 0, piece.length, at);
    at += piece.length;
  }
  await known.file.datasync();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}');
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
