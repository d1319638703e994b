import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type BrowserHost, startBrowserHost } from '../../../../main/host/browser/browser.ts';
import type { PageFiles } from '../../../../main/host/page/renderer-files.ts';
import { protocolsWith } from '../../../../shared/bridge/page.ts';
import { type RunningWorkstation, runWorkstation } from '../../../support/running-workstation.ts';

const pages: PageFiles = new Map([
  ['/index.html', { bytes: Buffer.from('<meta nonce="__NONCE__">'), type: 'text/html; charset=utf-8' }],
  ['/assets/a.js', { bytes: Buffer.from('1'), type: 'text/javascript; charset=utf-8' }],
]);

let running: RunningWorkstation;
let host: BrowserHost;
beforeAll(async () => {
  running = await runWorkstation();
  host = await startBrowserHost(() => running.workstation.connect(), pages);
});
afterAll(async () => {
  await host.close();
  await running.stop();
});

const keyOf = (link: string): string => new URL(link).hash.replace('#key=', '');

function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const url = new URL(host.url);
  return new Promise((resolve, reject) => {
    const call = request({ host: url.hostname, port: url.port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

const exchange = (key: string, headers: Record<string, string> = { Origin: host.url }) =>
  ask('POST', '/session', headers, key);

function upgrade(headers: Record<string, string>, secret?: string, path = '/bridge'): Promise<number> {
  const socket = new WebSocket(
    `${host.url.replace('http', 'ws')}${path}`,
    secret === undefined ? [] : protocolsWith(secret),
    { headers },
  );
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => resolve(0));
  });
}

describe('browser host (SEC16)', () => {
  test('a link works once', async () => {
    const key = keyOf(host.newLink());
    const first = await exchange(key);
    expect(first.status).toBe(200);
    expect(first.body).toMatch(/^[\w-]{43}$/);
    expect(first.headers['set-cookie']).toBeUndefined();
    expect((await exchange(key)).status).toBe(403);
  });

  test('an idle connection stays open for more than a minute', async () => {
    const { headers } = await ask('GET', '/assets/a.js');
    const [, seconds] = /timeout=(\d+)/.exec(String(headers['keep-alive'])) ?? [];
    expect(Number(seconds)).toBeGreaterThan(60);
  });

  test.each([
    ['a made-up key', 'x'.repeat(43)],
    ['no key', ''],
    ['far too much', 'x'.repeat(100_000)],
  ])('%s opens nothing', async (_name, key) => {
    const answer = await exchange(key).catch(() => ({ status: 403 }));
    expect(answer.status).toBe(403);
  });

  test('a foreign page can’t exchange a key, even a right one', async () => {
    expect((await exchange(keyOf(host.newLink()), { Origin: 'http://evil.example' })).status).toBe(403);
    expect((await exchange(keyOf(host.newLink()), {})).status).toBe(403);
  });

  test('the bridge needs secret, Origin and Host together; a cookie opens nothing', async () => {
    const secret = (await exchange(keyOf(host.newLink()))).body;
    expect(await upgrade({ Origin: host.url }, secret)).toBe(101);
    expect(await upgrade({ Origin: host.url })).toBe(403);
    expect(
      await upgrade({
        Origin: host.url,
        Cookie: `isoline=${secret}; isoline_${new URL(host.url).port}=${secret}`,
      }),
    ).toBe(403);
    expect(await upgrade({}, secret)).toBe(403);
    expect(await upgrade({ Origin: 'http://evil.example' }, secret)).toBe(403);
    expect(await upgrade({ Origin: host.url, Host: 'evil.example' }, secret)).toBe(403);
    expect(await upgrade({ Origin: host.url }, `${secret}x`)).toBe(403);
    expect(await upgrade({ Origin: host.url }, secret, '/other')).toBe(403);
  });

  test('a jar full of foreign cookies locks nobody out', async () => {
    const secret = (await exchange(keyOf(host.newLink()))).body;
    const cookies = Array.from({ length: 180 }, (_, i) => `c${i}=${'x'.repeat(4000)}`).join('; ');
    expect((await ask('GET', '/', { Cookie: cookies })).status).toBe(200);
    expect(await upgrade({ Origin: host.url, Cookie: cookies }, secret)).toBe(101);
  });

  test('more than a page needs of connections is closed, and the page still opens', async () => {
    const url = new URL(host.url);
    const sockets = await Promise.all(
      Array.from(
        { length: 200 },
        () =>
          new Promise<{ socket: ReturnType<typeof connect>; isClosed: boolean }>((done) => {
            const socket = connect(Number(url.port), url.hostname);
            const entry = { socket, isClosed: false };
            socket.on('error', () => undefined);
            socket.on('close', () => (entry.isClosed = true));
            socket.on('connect', () => done(entry));
          }),
      ),
    );
    // However long a busy machine takes to close them.
    await expect.poll(() => sockets.filter(({ isClosed }) => isClosed).length).toBeGreaterThanOrEqual(72);
    for (const { socket } of sockets) socket.destroy();
    await expect.poll(async () => (await ask('GET', '/').catch(() => ({ status: 0 }))).status).toBe(200);
  });

  test('goes on after a peer that hangs up in the middle, and after a broken frame', async () => {
    const url = new URL(host.url);
    await new Promise<void>((done) => {
      const socket = connect(Number(url.port), url.hostname, () => {
        socket.write(
          `GET /bridge HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`,
        );
        setImmediate(() => socket.resetAndDestroy());
      });
      socket.on('close', () => done());
      socket.on('error', () => undefined);
    });
    const secret = (await exchange(keyOf(host.newLink()))).body;
    const socket = new WebSocket(`${host.url.replace('http', 'ws')}/bridge`, protocolsWith(secret), {
      headers: { Origin: host.url },
    });
    await new Promise((done) => socket.once('open', done));
    const closed = new Promise((done) => socket.once('close', done));
    (socket as unknown as { _socket: { write(bytes: Uint8Array): void } })._socket.write(
      Uint8Array.of(0xff, 0xff, 0xff, 0xff),
    );
    await closed;
    expect((await ask('GET', '/')).status).toBe(200);
  });

  test('serves only its built files, by exact name, with the headers of SEC3', async () => {
    const page = await ask('GET', '/');
    expect(page.status).toBe(200);
    const nonce = /nonce="([^"]+)"/.exec(page.body)?.[1];
    expect(page.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect((await ask('GET', '/')).body).not.toBe(page.body);
    for (const path of [
      '/package.json',
      '/../package.json',
      '/assets/../index.html',
      '/assets/%61.js',
      '/%2e%2e/x',
      '/assets',
      '/index.html/',
    ])
      expect((await ask('GET', path)).status, path).toBe(404);
    expect((await ask('POST', '/')).status).toBe(404);
    expect((await ask('GET', '/', { Host: 'evil.example' })).status).toBe(403);
  });
});
