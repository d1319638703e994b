// A centre that takes everything and keeps nothing: what it answers is right, and costs as little as it can.
// For benches of whoever sends.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BareCentre extends AsyncDisposable {
  readonly url: string;
  /** Tasks that were made. */
  readonly tasks: () => number;
}

const STATUS = JSON.stringify({
  creation_time: '2026-01-01T00:00:00Z',
  processed: false,
  report_available: false,
});

export async function startBareCentre(): Promise<BareCentre> {
  let made = 0;
  const answer = ({ method, url = '' }: IncomingMessage): string => {
    if (url.endsWith('/uploads')) return JSON.stringify({ upload_id: 'u' });
    if (url.endsWith('/tasks') && method === 'POST') return JSON.stringify({ created_task_ids: [++made] });
    return url.endsWith('/status') ? STATUS : '{}';
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    request.on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer(request)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tasks: () => made,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
