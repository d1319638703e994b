// The browser host: the same workstation in an ordinary browser on this computer. A one-time link becomes a
// secret that only pages of this address hold; the bridge runs over one WebSocket, which sends it. No cookie:
// the browser gives those of 127.0.0.1 to every port there, and so to whoever else on this computer listens
// on one. Loopback only; Host and Origin are checked (SEC16). Files are held in memory.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { MAX_MESSAGE_BYTES } from '../../../shared/bridge/bounds.ts';
import type { BridgePort } from '../../../shared/bridge/messages.ts';
import { BRIDGE_PROTOCOL, secretOf } from '../../../shared/bridge/page.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { overWebSocket } from '../../bridge/web-socket.ts';
import { pageHeaders, withNonce } from '../page/page-headers.ts';
import { findPage, type PageFiles } from '../page/renderer-files.ts';
import { joinPorts } from '../workstation.ts';

const LINK_LIFE_MS = 60_000;
const MAX_KEY_BYTES = 256;
/** A browser holds at most 180 cookies of 4 KiB for a host. */
const MAX_HEADER_BYTES = 1 << 20;
const MAX_CONNECTIONS = 128;
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
    const index = this.#links.findIndex(
      (link) => now - link.madeMs < LINK_LIFE_MS && timingSafeEqual(link.hash, hash),
    );
    if (index < 0) return false;
    this.#links.splice(index, 1);
    return true;
  }
}

async function readKey(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > MAX_KEY_BYTES) throw new IsolineError('browser_refused', 'This link is not from Isoline.');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

class Door {
  readonly #pages: PageFiles;
  readonly #connect: () => BridgePort | Promise<BridgePort>;
  readonly #links = new OneTimeLinks();
  readonly #sessions = new Set<string>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => BRIDGE_PROTOCOL,
  });
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

  #isOwnHost(request: IncomingMessage): boolean {
    return request.headers.host === `127.0.0.1:${this.#port}`;
  }

  #hasSession(request: IncomingMessage): boolean {
    const secret = secretOf(request.headers['sec-websocket-protocol']);
    return secret !== undefined && this.#sessions.has(hashOf(secret).toString('hex'));
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    const headers = pageHeaders(nonce, [this.origin.replace('http', 'ws')]);
    if (!this.#isOwnHost(request)) return void response.writeHead(403, headers).end();
    const pathname = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'POST' && pathname === SESSION_PATH)
      return this.#exchange(request, response, headers);
    const page = request.method === 'GET' ? findPage(this.#pages, pathname) : undefined;
    if (page === undefined) return void response.writeHead(404, headers).end();
    const bytes = page.type.startsWith('text/html')
      ? Buffer.from(withNonce(page.bytes.toString('utf8'), nonce))
      : page.bytes;
    response
      .writeHead(200, { ...headers, 'Content-Type': page.type, 'Content-Length': bytes.length })
      .end(bytes);
  }

  async #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (request.headers.origin !== this.origin) return void response.writeHead(403, headers).end();
    if (!this.#links.use(await readKey(request))) return void response.writeHead(403, headers).end();
    const session = randomBytes(32).toString('base64url');
    this.#sessions.add(hashOf(session).toString('hex'));
    response.writeHead(200, { ...headers, 'Content-Type': 'text/plain' }).end(session);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener, a peer that hangs up would end the whole program.
    socket.on('error', () => socket.destroy());
    const isAllowed =
      request.url === BRIDGE_PATH &&
      this.#isOwnHost(request) &&
      request.headers.origin === this.origin &&
      this.#hasSession(request);
    if (!isAllowed)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    void this.#join(request, socket, head);
  }

  /** A page that comes before the workstation is ready waits for it. */
  async #join(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const port = await this.#connect();
      if (socket.destroyed) port.close();
      else
        this.#sockets.handleUpgrade(request, socket, head, (webSocket) =>
          joinPorts(overWebSocket(webSocket), port),
        );
    } catch {
      // Why the workstation can't start is said by whoever starts it.
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    }
  }
}

/** @param connect gives each page its bridge. */
export async function startBrowserHost(
  connect: () => BridgePort | Promise<BridgePort>,
  pages: PageFiles,
  port = 0,
): Promise<BrowserHost> {
  const door = new Door(pages, connect);
  // Other programs can fill the jar of 127.0.0.1 with cookies, which the browser then sends here: they are
  // room that is taken, no more.
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: 1000 },
    (request, response) => {
      door.answer(request, response).catch(() => response.destroy());
    },
  );
  server.on('upgrade', (request, socket, head) => door.upgrade(request, socket, head));
  server.headersTimeout = 10_000;
  server.requestTimeout = 20_000;
  server.maxConnections = MAX_CONNECTIONS;
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
