// What the doors for browsers have in common: the pages themselves, a key in a link that becomes a secret which only pages of
// this address hold, and the bridge over one WebSocket, which sends it. No cookie: the browser gives those of an address to
// every port there, and so to whoever else listens on one. Host and Origin are checked (SEC16). Files are held in memory.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { MAX_MESSAGE_BYTES } from '../../../shared/bridge/bounds.ts';
import type { BridgePort } from '../../../shared/bridge/messages.ts';
import { BRIDGE_PROTOCOL, secretOf } from '../../../shared/bridge/page.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { overWebSocket } from '../../bridge/web-socket.ts';
import { Door, type DoorOptions, PAGE_BOUNDS } from '../../door/door.ts';
import { joinPorts } from '../workstation.ts';
import { pageHeaders, withNonce } from './page-headers.ts';
import { findPage, type PageFiles } from './renderer-files.ts';

const MAX_KEY_BYTES = 256;
/**
 * How long a silent connection stays open. With Node's 5 s, a browser reuses connections just as they are being
 * closed, one after the other, and gives up.
 */
const KEEP_ALIVE_MS = 75_000;
/** A browser keeps six: from here on they are closed after each answer, so that twenty tablets find room. */
const ROOMY_CONNECTIONS = 64;
/** A page that does not answer for so long is gone: a tablet that sleeps, or left the network. */
const ALIVE_MS = 15_000;
const SESSION_PATH = '/session';
const BRIDGE_PATH = '/bridge';

/** Through which door somebody comes, and who may. */
export interface DoorRules {
  /** The origin of our pages behind a Host header; undefined where it is no name of ours. */
  originOf(host: string | undefined): string | undefined;
  /** What the key of a link is exchanged for; undefined where it is none, or was used. */
  exchange(key: string): Promise<string | undefined>;
  /** A bridge for whoever has this secret; undefined where nobody does. */
  admit(secret: string): Promise<AdmittedPage | undefined>;
}

export interface AdmittedPage {
  connect(): BridgePort | Promise<BridgePort>;
  /** Whose page it is, for {@link PageDoor.turnOut}. */
  readonly owner?: number;
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

/** Nothing is kept for a page that is gone: what it was to be shown would fill the memory. */
function watchAlive(socket: WebSocket, everyMs: number): void {
  let isAlive = true;
  let waitingBytes = 0;
  const note = (): void => {
    isAlive = true;
  };
  socket.on('pong', note);
  socket.on('message', note);
  const timer = setInterval(() => {
    // On a slow network the question itself waits behind what is being fetched.
    const isTaking = socket.bufferedAmount > 0 && socket.bufferedAmount < waitingBytes;
    if (!isAlive && !isTaking) return socket.terminate();
    isAlive = false;
    waitingBytes = socket.bufferedAmount;
    socket.ping();
  }, everyMs).unref();
  socket.once('close', () => clearInterval(timer));
}

/** Whoever does not hang up is hung up on: nothing else ends a socket that asked for another protocol. */
function refuse(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

export interface PageDoorOptions extends Partial<Pick<DoorOptions, 'name' | 'onTurnedAway'>> {
  readonly aliveMs?: number;
}

export class PageDoor implements Disposable {
  readonly #pages: PageFiles;
  readonly #rules: DoorRules;
  readonly #aliveMs: number;
  readonly #connections = new Set<Duplex>();
  readonly #owners = new Map<Duplex, number | undefined>();
  readonly #door: Door;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => BRIDGE_PROTOCOL,
  });

  /** @param aliveMs how often it is asked whether a page is still there */
  constructor(
    pages: PageFiles,
    rules: DoorRules,
    { name = 'page', onTurnedAway, aliveMs = ALIVE_MS }: PageDoorOptions = {},
  ) {
    this.#door = new Door({ name, bounds: PAGE_BOUNDS, onTurnedAway });
    this.#pages = pages;
    this.#rules = rules;
    this.#aliveMs = aliveMs;
  }

  /** Answers what comes to a server, within bounds. */
  serve(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#door.heard(request.socket);
      if (this.#connections.size > ROOMY_CONNECTIONS) response.setHeader('Connection', 'close');
      this.#answer(request, response).catch(() => response.destroy());
    });
    server.on('connection', (socket: Socket) => {
      if (!this.#door.admit(socket)) return;
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
    server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
    server.headersTimeout = 10_000;
    server.requestTimeout = 20_000;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.maxHeadersCount = 100;
  }

  /** Closes the pages of those who may not be in any more. */
  turnOut(isMeant: (owner: number | undefined) => boolean): void {
    for (const [socket, owner] of this.#owners) if (isMeant(owner)) socket.destroy();
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    // A server no longer knows connections that became something else, and would wait for them for ever.
    for (const socket of this.#connections) socket.destroy();
    this.#sockets.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = this.#rules.originOf(request.headers.host);
    const nonce = randomBytes(16).toString('base64');
    const headers = pageHeaders(nonce, origin === undefined ? [] : [origin.replace(/^http/, 'ws')]);
    if (origin === undefined) return void response.writeHead(403, headers).end();
    const pathname = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'POST' && pathname === SESSION_PATH)
      return this.#exchange(request, response, origin, headers);
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
    origin: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const isOurs = request.headers.origin === origin;
    const secret = isOurs ? await this.#rules.exchange(await readKey(request)) : undefined;
    if (secret === undefined) return void response.writeHead(403, headers).end();
    response.writeHead(200, { ...headers, 'Content-Type': 'text/plain' }).end(secret);
  }

  /** A page that comes before the workstation is ready waits for it. */
  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Without a listener, a peer that hangs up would end the whole program.
    socket.on('error', () => socket.destroy());
    try {
      const origin = this.#rules.originOf(request.headers.host);
      const secret = secretOf(request.headers['sec-websocket-protocol']);
      const isOurs = request.url === BRIDGE_PATH && origin !== undefined && request.headers.origin === origin;
      const page = isOurs && secret !== undefined ? await this.#rules.admit(secret) : undefined;
      if (page === undefined) return refuse(socket, '403 Forbidden');
      this.#door.know(request.socket);
      this.#owners.set(socket, page.owner);
      socket.once('close', () => this.#owners.delete(socket));
      const port = await page.connect();
      // Also where the handshake comes to nothing.
      socket.once('close', () => port.close());
      if (socket.destroyed) port.close();
      else
        this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
          watchAlive(webSocket, this.#aliveMs);
          joinPorts(overWebSocket(webSocket), port);
        });
    } catch {
      // Why the workstation can't start is said by whoever starts it.
      refuse(socket, '503 Service Unavailable');
    }
  }
}

/** @throws Error of Node where the port cannot be had */
export async function listenOn(server: Server, port: number, host: string): Promise<void> {
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    resolve();
  });
  await listening;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((done) => server.close(() => done()));
}
