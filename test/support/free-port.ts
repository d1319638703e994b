// A port of this computer that nobody has at the moment. It is none of those that the system hands out, to whoever
// listens at any port and to each connection that goes out: such a one may be gone again before it is used.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const FIRST = 20_000;
const BEHIND_LAST = 32_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, BEHIND_LAST);
    if (await isFree(port)) return port;
  }
}
