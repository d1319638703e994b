// Another port for the service, where its own is taken.

import { createServer } from 'node:net';

const TRIED = 20;

function isFree(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ host, port }, () => server.close(() => resolve(true)));
  return promise;
}

/** The next one above that is free now; undefined where many in a row are taken. */
export async function nextFreePort(host: string, port: number): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(65_535, port + TRIED); next++)
    if (await isFree(host, next)) return next;
  return undefined;
}
