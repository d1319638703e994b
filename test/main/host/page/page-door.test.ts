// What the doors for browsers have in common: a page that is gone without a word, such as a tablet that sleeps, is let go.

import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { portPair } from '../../../../main/bridge/port-pair.ts';
import { closeServer, listenOn, PageDoor } from '../../../../main/host/page/page-door.ts';
import { protocolsWith } from '../../../../shared/bridge/page.ts';

const ALIVE_MS = 100;

const server = createServer();
afterEach(() => closeServer(server));

test('idle connections are kept only while fewer than half of those allowed are open', async () => {
  const busy = createServer();
  const door = new PageDoor(new Map(), {
    originOf: (host) => `http://${host}`,
    exchange: async () => undefined,
    admit: async () => undefined,
  });
  door.serve(busy);
  await listenOn(busy, 0, '127.0.0.1');
  const { port } = busy.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const isKept: boolean[] = [];
  for (let open = 1; open <= 70; open++) {
    const call = get({ port, host: '127.0.0.1', agent });
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    isKept.push(answer.headers.connection === 'keep-alive');
    answer.resume();
    await once(answer, 'end');
    // One address alone has less room.
    const idle = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (open % 4)}` });
    await once(idle, 'connect');
  }
  expect(isKept).toEqual(Array.from({ length: 70 }, (_, i) => i < 64));
  agent.destroy();
  door[Symbol.dispose]();
  await closeServer(busy);
});

test('a page that answers nothing any more is let go, and one that only waits stays', async () => {
  let left = 0;
  const door = new PageDoor(
    new Map(),
    {
      originOf: (host) => `http://${host}`,
      exchange: async () => undefined,
      admit: async () => ({
        connect() {
          const [port] = portPair();
          port.onClose(() => left++);
          return port;
        },
      }),
    },
    { aliveMs: ALIVE_MS },
  );
  door.serve(server);
  await listenOn(server, 0, '127.0.0.1');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = async (autoPong: boolean): Promise<WebSocket> => {
    const headers = { Origin: `http://${host}` };
    const socket = new WebSocket(`ws://${host}/bridge`, protocolsWith('any'), { headers, autoPong });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('open', resolve));
    return socket;
  };
  const waiting = await open(true);
  const gone = await open(false);
  await new Promise((resolve) => gone.once('close', resolve));
  await expect.poll(() => left).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 3 * ALIVE_MS));
  expect(waiting.readyState).toBe(WebSocket.OPEN);
  waiting.close();
  door[Symbol.dispose]();
});
