// The browser host: the same workstation in an ordinary browser on this computer. A one-time link becomes a cookie; the bridge
// runs over one WebSocket. Loopback only; Host and Origin are checked (SEC16). Runs on the main thread, files held in memory.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { MAX_BRIDGE_BUFFER_BYTES } from '../../shared/bridge/contract.ts';
import type { BridgePort } from '../../shared/bridge/messages.ts';
import { IsolineError } from '../../shared/errors.ts';
import { overWebSocket } from '../bridge/web-socket.ts';
import { pageHeaders, withNonce } from './page-headers.ts';
import { findPage, type PageFiles } from './renderer-files.ts';
import { joinPorts } from './workstation.ts';

const LINK_LIFE_MS = 60_000;
const MAX_KEY_BYTES = 256;
const SESSION_PATH = '/session';
const BRIDGE_PATH = '/bridge';

export interface BrowserHost extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** An address that opens the workstation once, within a minute. */
  newLink(): string;
  close(): Promise<void>;
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Keys of links that were given out and not used. */
class OneTimeLinks {
  readonly #links: { hash: Buffer; madeMs: number }[] = [];

  make(): string {
    const key = randomBytes(32).toString('base64url');
    this.#links.push({ hash: hashOf(key), madeMs: performance.now() });
    return key;
  }

  /** True once for a key that is not too old. */
  use(key: string): boolean {
    const now = performance.now();
    const hash = hashOf(key);
    const index = this.#links.findIndex((link) => now - link.madeMs < LINK_LIFE_MS && timingSafeEqual(link.hash, hash));
    if (index < 0) return false;
    this.#links.splice(index, 1);
    return true;
  }
}

function readCookie(request: IncomingMessage, name: string): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

async function readKey(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > MAX_KEY_BYTES) throw new IsolineError('browser_refused', 'This link is not one of ours.');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

class Door {
  readonly #pages: PageFiles;
  readonly #connect: () => BridgePort | Promise<BridgePort>;
  readonly #links = new OneTimeLinks();
  readonly #sessions = new Set<string>();
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BRIDGE_BUFFER_BYTES + 65_536, perMessageDeflate: false });
  #port = 0;

  constructor(pages: PageFiles, connect: () => BridgePort | Promise<BridgePort>) {
    this.#pages = pages;
    this.#connect = connect;
  }

  open(port: number): void {
    this.#port = port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  newLink(): string {
    return `${this.origin}/#key=${this.#links.make()}`;
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
  }

  get #cookieName(): string {
    return `isoline_${this.#port}`;
  }

  #isOwnHost(request: IncomingMessage): boolean {
    return request.headers.host === `127.0.0.1:${this.#port}`;
  }

  #hasSession(request: IncomingMessage): boolean {
    const cookie = readCookie(request, this.#cookieName);
    return cookie !== undefined && this.#sessions.has(hashOf(cookie).toString('hex'));
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    const headers = pageHeaders(nonce, [this.origin.replace('http', 'ws')]);
    if (!this.#isOwnHost(request)) return void response.writeHead(403, headers).end();
    const pathname = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'POST' && pathname === SESSION_PATH) return this.#exchange(request, response, headers);
    const page = request.method === 'GET' ? findPage(this.#pages, pathname) : undefined;
    if (page === undefined) return void response.writeHead(404, headers).end();
    const bytes = page.type.startsWith('text/html') ? Buffer.from(withNonce(page.bytes.toString('utf8'), nonce)) : page.bytes;
    response.writeHead(200, { ...headers, 'Content-Type': page.type, 'Content-Length': bytes.length }).end(bytes);
  }

  async #exchange(request: IncomingMessage, response: ServerResponse, headers: Readonly<Record<string, string>>): Promise<void> {
    if (request.headers.origin !== this.origin) return void response.writeHead(403, headers).end();
    if (!this.#links.use(await readKey(request))) return void response.writeHead(403, headers).end();
    const session = randomBytes(32).toString('base64url');
    this.#sessions.add(hashOf(session).toString('hex'));
    response.writeHead(204, { ...headers, 'Set-Cookie': `${this.#cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/` }).end();
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener, a peer that hangs up would end the whole program.
    socket.on('error', () => socket.destroy());
    const isAllowed =
      request.url === BRIDGE_PATH && this.#isOwnHost(request) && request.headers.origin === this.origin && this.#hasSession(request);
    if (!isAllowed) return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    void this.#join(request, socket, head);
  }

  /** A page that comes before the workstation is ready waits for it. */
  async #join(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const port = await this.#connect();
      if (socket.destroyed) port.close();
      else this.#sockets.handleUpgrade(request, socket, head, (webSocket) => joinPorts(overWebSocket(webSocket), port));
    } catch {
      // Why the workstation can't start is said by whoever starts it.
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    }
  }
}

/** @param connect gives each page its bridge. */
export async function startBrowserHost(connect: () => BridgePort | Promise<BridgePort>, pages: PageFiles, port = 0): Promise<BrowserHost> {
  const door = new Door(pages, connect);
  const server = createServer((request, response) => {
    door.answer(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => door.upgrade(request, socket, head));
  server.headersTimeout = 10_000;
  server.maxHeadersCount = 100;
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
  await listening;
  door.open((server.address() as AddressInfo).port);
  const close = async (): Promise<void> => {
    door.close();
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  };
  return { url: door.origin, newLink: () => door.newLink(), close, [Symbol.asyncDispose]: close };
}
