// A folder with a release, on a stick or a share, for the length of an update at an address of this computer alone:
// electron-updater speaks HTTP and nothing else. Only what the signed list names is given out, and the feeds that
// electron-updater asks for.

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Release } from '../clinic/updates/records.ts';

/** The files of electron-updater's generic provider, by system. */
const FEEDS = ['latest.yml', 'latest-mac.yml', 'latest-linux.yml', 'latest-linux-arm64.yml'];

async function send(path: string, response: ServerResponse): Promise<void> {
  const { size } = await stat(path);
  response.writeHead(200, { 'Content-Length': size });
  await pipeline(createReadStream(path), response);
}

export interface ServedFolder extends AsyncDisposable {
  readonly url: string;
}

/** Other programs of this computer do not know the path, and there is nothing to learn by it. */
export async function serveReleaseFolder(folder: string, release: Release): Promise<ServedFolder> {
  const secret = randomBytes(16).toString('hex');
  const names = [...FEEDS, ...release.files.map(({ name }) => name)];
  // By the exact text of a request, but for the question that electron-updater asks so that nobody keeps an old answer.
  const files = new Map(names.map((name) => [`/${secret}/${name}`, join(folder, name)]));
  // Here and not at the top: importing this also loads a WebSocket client.
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    const file = request.method === 'GET' ? files.get(request.url?.split('?')[0] ?? '') : undefined;
    if (file === undefined) response.writeHead(404).end();
    else
      send(file, response).catch(() => {
        // A stick that was pulled out: who reads notices that the end is missing.
        if (response.headersSent) response.destroy();
        else response.writeHead(404).end();
      });
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
