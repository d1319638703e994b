// The sockets of the service: who may connect, how slow a header may be, what a request is told that is none,
// and how all of it ends. D8, D100, D104; SEC20, SEC24, SEC25.

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { IsolineError } from '../../shared/errors.ts';
import type { Door } from '../door/door.ts';
import { answerBare, answerOnSocket } from './errors.ts';
import { createServer } from './node-http.ts';
import { awaitsContinue } from './request-body.ts';

const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 3_600_000;
const KEEP_ALIVE_MS = 75_000;
const MAX_HEADER_BYTES = 16_384;
const MAX_HEADERS = 100;

export interface TlsPair {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Required for every interface but loopback. */
  readonly tls?: TlsPair;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

const SERVER_OPTIONS: ServerOptions = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: MAX_HEADER_BYTES,
  requireHostHeader: false,
};

/** Faults below HTTP are answered in the same form, on the bare socket (D8). */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  answerOnSocket(
    socket,
    isSlow
      ? new IsolineError('request_timeout', 'The request arrived too slowly.')
      : new IsolineError('invalid_request', 'The service did not understand the request.'),
  );
}

const oddExpectation = (): IsolineError =>
  new IsolineError('invalid_request', 'The service does not support this Expect header.');

function makeServer(handler: RequestHandler, door: Door, tls: TlsPair | undefined): Server {
  const server =
    tls === undefined
      ? createServer(SERVER_OPTIONS, handler)
      : createTlsServer(
          {
            ...SERVER_OPTIONS,
            cert: tls.certificate,
            key: tls.key,
            minVersion: 'TLSv1.2',
            handshakeTimeout: HEADERS_TIMEOUT_MS,
          },
          handler,
        );
  server.maxHeadersCount = MAX_HEADERS;
  server.on('connection', (socket: Socket) => door.admit(socket));
  server.on('request', ({ socket }: IncomingMessage) => door.heard(socket));
  const secured = new WeakSet<Duplex>();
  server.on('secureConnection', (socket: Duplex) => secured.add(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Before its handshake a connection can't be answered, and must not stay.
    if (tls !== undefined && !secured.has(socket)) socket.destroy();
    else answerClientError(error, socket as Socket);
  });
  server.on('checkExpectation', (_request, response: ServerResponse) =>
    answerBare(response, oddExpectation()),
  );
  // The service is no proxy, so CONNECT is refused.
  server.on('connect', (_request, socket: Duplex) =>
    answerOnSocket(socket, new IsolineError('route_not_found', 'This operation does not exist.')),
  );
  // Whoever asks before sending is told to go on only once its endpoint wants the body (D3).
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitsContinue(request, response);
    server.emit('request', request, response);
  });
  return server;
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<AddressInfo>();
  server.once('error', reject);
  server.listen({ host, port }, () => {
    server.off('error', reject);
    resolve(server.address() as AddressInfo);
  });
  return promise;
}

const portInUse = (port: number, cause: unknown): IsolineError =>
  new IsolineError(
    'port_in_use',
    `Port ${port} is taken by another program. Choose another one with --port, or 0 for any free one.`,
    { port },
    { cause },
  );

export interface Listeners {
  /** `http://127.0.0.1:8137` */
  readonly url: string;
  closeIdle(): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * What an IPv4 loopback address is called in the other protocol; clients that ask for `localhost` may get
 * either.
 */
const TWIN = new Map([
  ['127.0.0.1', '::1'],
  ['localhost', '::1'],
]);

/** @throws IsolineError `port_in_use` */
export async function openListeners(
  handler: RequestHandler,
  door: Door,
  { host, port, tls }: ListenOptions,
): Promise<Listeners> {
  const servers = [makeServer(handler, door, tls)];
  const first = servers[0] as Server;
  let address: AddressInfo;
  try {
    address = await listen(first, host === 'localhost' ? '127.0.0.1' : host, port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw portInUse(port, error);
    if (
      (error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL' ||
      (error as NodeJS.ErrnoException).code === 'ENOTFOUND'
    )
      throw new IsolineError(
        'network_needs_tls',
        `This computer has no address "${host}". Use --host 127.0.0.1.`,
        {},
        { cause: error },
      );
    throw error;
  }
  const twin = TWIN.get(host);
  if (twin !== undefined) {
    const second = makeServer(handler, door, tls);
    try {
      await listen(second, twin, address.port);
      servers.push(second);
    } catch {
      // A machine without IPv6, or a port that something else has there: the first address is what counts.
    }
  }
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${shown}:${address.port}`,
    closeIdle() {
      for (const server of servers) server.closeIdleConnections();
    },
    async close() {
      await Promise.all(
        servers.map((server) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          server.close(() => resolve());
          server.closeAllConnections();
          return promise;
        }),
      );
    },
  };
}
