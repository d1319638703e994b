import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { decode, encode } from '@msgpack/msgpack';
import type { IpcMain } from 'electron';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { overMessagePort } from '../../../main/bridge/message-port.ts';
import { overWebSocket } from '../../../main/bridge/web-socket.ts';
import { serveBridge } from '../../../main/host/electron/ipc-bridge.ts';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import { EVENTS } from '../../../shared/bridge/contract/events.ts';
import { type Bridge, PAGE_CALLS } from '../../../shared/bridge/contract.ts';
import type { BridgePort } from '../../../shared/bridge/messages.ts';
import { bridgeFromPage, type PageBridge } from '../../../shared/bridge/page.ts';
import { BridgeServer, type Handlers } from '../../../shared/bridge/server.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { FakeElectron } from '../../doubles/electron.ts';

interface Ends {
  readonly bridge: Bridge;
  readonly server: BridgeServer;
  /** Sends anything at all towards the server, past the client. */
  raw?(message: unknown): void;
  close(): Promise<void>;
}

const faults: unknown[] = [];
const written: Uint8Array[] = [];
let cancelled = 0;

const handlers: Handlers = {
  'workstation.about': async () => ({ version: '1', isDemo: false, serviceUrl: 'http://127.0.0.1:1' }),
  'task.list': async () => ({ rows: [], total: 0 }),
  'task.get': async () => {
    throw new IsolineError('task_not_found', 'This task does not exist.', { task: 5 });
  },
  'report.read': async () => ({
    pdf: Uint8Array.from({ length: 200_000 }, (_, i) => i),
    approval: 'automatic',
    patient: {},
  }),
  'import.open': async ({ files }) => ({ importId: String(files.length) }),
  'import.write': async ({ bytes }) => {
    written.push(bytes);
    return {};
  },
  'import.finish': (_input, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        cancelled++;
        reject(new Error('stopped'));
      });
    }),
  'import.cancel': async () => {
    throw new TypeError('secret inside');
  },
  'device.command': async () => ({}),
  'stream.finish': async () => ({}),
  'device.setDuration': async () => ({}),
  'task.retry': async () => ({}),
};

const serve = (port: BridgePort): BridgeServer =>
  new BridgeServer(port, handlers, (error) => faults.push(error));

async function messagePort(): Promise<Ends> {
  const { port1, port2 } = new MessageChannel();
  const server = serve(overMessagePort(port1));
  const client = overMessagePort(port2);
  return {
    server,
    bridge: new BridgeClient(client),
    raw: (message) => port2.postMessage(message),
    close: async () => port1.close(),
  };
}

async function webSocket(): Promise<Ends> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  const { promise, resolve } = Promise.withResolvers<BridgeServer>();
  sockets.on('connection', (socket) => resolve(serve(overWebSocket(socket))));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  await new Promise((done) => socket.once('open', done));
  const port: BridgePort = {
    post: (message) => socket.send(encode(message, { ignoreUndefined: true })),
    onMessage: (listener) => void socket.on('message', (data) => listener(decode(data as Buffer))),
    onClose: (listener) => void socket.on('close', listener),
    close: () => socket.close(),
  };
  return {
    server: await promise,
    bridge: new BridgeClient(port),
    raw: (message) => socket.send(encode(message)),
    async close() {
      socket.terminate();
      sockets.close();
      await new Promise<void>((done) => http.close(() => done()));
    },
  };
}

async function electronIpc(): Promise<Ends> {
  const electron = new FakeElectron();
  let server: BridgeServer | undefined;
  serveBridge(electron.ipcMain as unknown as Pick<IpcMain, 'on'>, () => {
    const { port1, port2 } = new MessageChannel();
    server = serve(overMessagePort(port1));
    return overMessagePort(port2);
  });
  vi.doMock('electron', () => electron);
  vi.resetModules();
  await import('../../../preload/preload.ts');
  const bridge = bridgeFromPage(electron.exposed.isoline as PageBridge);
  await bridge.call('workstation.about', {});
  return {
    bridge,
    server: server as BridgeServer,
    raw: (message) => electron.ipcRenderer.send('bridge', message),
    close: async () => electron.contents.destroy(),
  };
}

describe.each([
  ['MessagePort', messagePort],
  ['WebSocket', webSocket],
  ['Electron IPC', electronIpc],
])('bridge over %s', (_name, connect) => {
  let ends: Ends | undefined;
  const open = async (): Promise<Ends> => {
    ends = await connect();
    return ends;
  };
  afterEach(async () => {
    await ends?.close();
    faults.length = 0;
  });

  test('answers a query', async () => {
    expect(await (await open()).bridge.call('import.open', { files: [{ name: 'a', sizeBytes: 1 }] })).toEqual(
      { importId: '1' },
    );
  });

  test('carries bytes both ways as they are', async () => {
    const { bridge } = await open();
    const { pdf } = await bridge.call('report.read', { taskId: 1 });
    expect(pdf).toBeInstanceOf(Uint8Array);
    expect([pdf.length, pdf[255], pdf[256]]).toEqual([200_000, 255, 0]);
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i * 7);
    await bridge.call('import.write', { importId: 'x', fileIndex: 0, offsetBytes: 0, bytes: bytes.slice() });
    expect(Buffer.compare(written.pop()!, bytes)).toBe(0);
  });

  test('keeps many calls apart', async () => {
    const { bridge } = await open();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        bridge.call('import.open', {
          files: Array.from({ length: n + 1 }, () => ({ name: 'a', sizeBytes: 0 })),
        }),
      ),
    );
    expect(answers.map(({ importId }) => Number(importId))).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
  });

  test('an error keeps its reason, sentence and detail', async () => {
    await expect((await open()).bridge.call('task.get', { taskId: 5 })).rejects.toMatchObject({
      name: 'IsolineError',
      reason: 'task_not_found',
      detail: { task: 5 },
    });
  });

  test('a fault of ours says nothing about the inside, and is heard of there', async () => {
    await expect((await open()).bridge.call('import.cancel', { importId: 'x' })).rejects.toMatchObject({
      reason: 'internal',
      message: expect.not.stringContaining('secret'),
    });
    expect(faults).toHaveLength(1);
  });

  test.each([
    ['a wrong type', 'task.get', { taskId: '5' }],
    ['an unknown key', 'task.get', { taskId: 5, extra: 1 }],
    ['a missing key', 'task.get', {}],
    ['a number out of range', 'task.list', { limit: 100_000 }],
    [
      'text in place of bytes',
      'import.write',
      { importId: 'x', fileIndex: 0, offsetBytes: 0, bytes: 'text' },
    ],
    ['a text over its length', 'import.cancel', { importId: 'x'.repeat(65) }],
  ])('refuses %s', async (_what, name, input) => {
    const { bridge } = await open();
    await expect(bridge.call(name as 'task.get', input as { taskId: number })).rejects.toMatchObject({
      reason: 'invalid_message',
    });
  });

  test('refuses what it does not offer', async () => {
    const { bridge } = await open();
    for (const name of ['task.drop', 'toString', '__proto__'])
      await expect(bridge.call(name as 'task.get', { taskId: 1 })).rejects.toMatchObject({
        reason: 'unknown_call',
      });
  });

  test.skipIf(_name === 'Electron IPC')(
    'a cancelled call rejects at once and stops its handler (no signal passes the wall before Electron’s page)',
    async () => {
      const { bridge } = await open();
      const before = cancelled;
      const controller = new AbortController();
      const call = bridge.call('import.finish', { importId: 'x', autoComplete: false }, controller.signal);
      setTimeout(() => controller.abort(new Error('enough')), 20);
      await expect(call).rejects.toThrow('enough');
      await vi.waitFor(() => expect(cancelled).toBe(before + 1));
      expect(faults).toEqual([]);
    },
  );

  test('events reach those who asked, until they don’t want them any more', async () => {
    const { bridge, server } = await open();
    const heard: unknown[] = [];
    const stop = bridge.on('task.changed', (payload) => heard.push(payload));
    await bridge.call('workstation.about', {});
    server.publish('task.changed', { taskId: 7 });
    await vi.waitFor(() => expect(heard).toEqual([{ taskId: 7 }]));
    stop();
    await bridge.call('workstation.about', {});
    server.publish('task.changed', { taskId: 8 });
    await bridge.call('workstation.about', {});
    expect(heard).toHaveLength(1);
  });

  test('goes on answering after any message at all', async () => {
    const { bridge, raw } = await open();
    const messages = fc.sample(
      fc.oneof(
        fc.jsonValue(),
        fc.record({
          kind: fc.constantFrom('call', 'cancel', 'subscribe', 'x'),
          id: fc.oneof(fc.integer({ min: -5, max: -1 }), fc.string()),
          name: fc.string(),
          input: fc.jsonValue(),
        }),
      ),
      500,
    );
    // A WebSocket with such a key is closed at once: no page of ours sends one.
    for (const message of messages) if (!JSON.stringify(message).includes('__proto__')) raw?.(message);
    expect(await bridge.call('workstation.about', {})).toMatchObject({ version: '1' });
  });
});

test('another screen of the same page keeps its bridge in Electron, another page loses it, a cyclic message harms nobody', async () => {
  const electron = new FakeElectron();
  let closed = 0;
  serveBridge(electron.ipcMain as unknown as Pick<IpcMain, 'on'>, () => {
    const { port1, port2 } = new MessageChannel();
    serve(overMessagePort(port1));
    port1.on('close', () => closed++);
    return overMessagePort(port2);
  });
  const answers: unknown[] = [];
  electron.ipcRenderer.on('bridge', (_event, message) => answers.push(message));
  const cyclic: Record<string, unknown> = { kind: 'call' };
  cyclic.self = cyclic;
  electron.ipcRenderer.send('bridge', cyclic);
  electron.contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
  electron.ipcRenderer.send('bridge', { kind: 'call', id: 1, name: 'workstation.about', input: {} });
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  expect(closed).toBe(0);
  electron.contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
  await vi.waitFor(() => expect(closed).toBe(1));
  expect(electron.contents.listenerCount('did-start-navigation')).toBe(0);
});

test('a bridge that closed rejects what waits and what comes', async () => {
  const port = Object.assign(new EventEmitter(), { post: () => undefined, close: () => undefined });
  const closers: (() => void)[] = [];
  const client = new BridgeClient({
    post: port.post,
    close: port.close,
    onMessage: () => undefined,
    onClose: (listener) => void closers.push(listener),
  });
  const waiting = client.call('workstation.about', {});
  for (const close of closers) close();
  await expect(waiting).rejects.toMatchObject({ reason: 'bridge_closed' });
  await expect(client.call('workstation.about', {})).rejects.toMatchObject({ reason: 'bridge_closed' });
});

test('no answer to a page has a place for secrets or paths (SEC13)', () => {
  const names = new Set<string>();
  JSON.stringify(
    [PAGE_CALLS, EVENTS].flatMap((map) =>
      Object.values(map).map((entry) => ('output' in entry ? entry.output : entry)),
    ),
    (key, value) => {
      names.add(key.toLowerCase());
      return value;
    },
  );
  // Only the number of a token is told, among others: its text is the one answer of `token.create`, and nowhere else.
  expect([...names].filter((name) => /token|secret|pin|hash|password|path|stack/.test(name))).toEqual([
    'tokens',
    'tokenid',
  ]);
});
