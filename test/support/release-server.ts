// A static server with a release, as a clinic would have one, that can also lie, break off, or say nothing.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

export interface ReleaseServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** It sends so many bytes of a file with this ending, and then nothing, or the end. */
  breakAt: { readonly ending: string; readonly bytes: number; readonly isSilent: boolean } | undefined;
}

export async function serveRelease(folder: string): Promise<ReleaseServer> {
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    requests.push({ path, headers: request.headers });
    const file = join(folder, basename(path));
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const { size } = statSync(file);
    const { breakAt } = made;
    response.writeHead(200, { 'Content-Length': size });
    if (breakAt === undefined || !file.endsWith(breakAt.ending)) createReadStream(file).pipe(response);
    else
      createReadStream(file, { end: Math.max(0, breakAt.bytes - 1) })
        .on('data', (part) => response.write(part))
        .on('end', () => {
          if (!breakAt.isSilent) response.destroy();
        });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const made: ReleaseServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/isoline`,
    requests,
    breakAt: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}
