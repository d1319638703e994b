// Connections to other programs of a hospital and from them, plain or by TLS, whatever is spoken over them.

import { connect as connectPlain, createServer, isIP, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import type { Door } from '../door/door.ts';
import { trustedCertificates } from './trusted-certificates.ts';

const CONNECT_MS = 10_000;

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly tls?: {
    /** Trusted beside those of the system, PEM. */
    readonly certificates?: readonly string[];
  };
}

/** Why a connection is of no use, or of no use any more. */
export type ConnectionFault = 'offline' | 'broken' | 'silent' | 'certificate' | 'notTls' | 'odd';

export class ConnectionError extends Error {
  readonly fault: ConnectionFault;

  constructor(fault: ConnectionFault, cause?: unknown) {
    super(`the connection is ${fault}`, { cause });
    this.fault = fault;
  }
}

const CERTIFICATE_CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;
const NO_TLS_CODES = /^(ERR_SSL|EPROTO)/;

/** The other side ended it on purpose, in the middle. */
export class AbortedError extends ConnectionError {
  constructor() {
    super('broken');
  }
}

/** It failed when all of what was sent may have arrived. */
export class SentError extends ConnectionError {}

/** Why there is no connection, by the code of an error of Node. */
export function connectFaultOf(code: string): ConnectionFault {
  if (CERTIFICATE_CODES.test(code)) return 'certificate';
  return NO_TLS_CODES.test(code) ? 'notTls' : 'offline';
}

/** @throws ConnectionError */
export async function connectTo({ host, port, tls }: Address, signal?: AbortSignal): Promise<Socket> {
  const socket =
    tls === undefined
      ? connectPlain({ host, port })
      : connectTls({
          host,
          port,
          // A number is no name that a certificate could be chosen by.
          ...(isIP(host) === 0 && { servername: host }),
          ca: trustedCertificates(tls.certificates),
        });
  const giveUp = (): void => void socket.destroy(Object.assign(new Error('given up'), { code: 'ECANCELED' }));
  const timer = setTimeout(giveUp, CONNECT_MS);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    if (signal?.aborted) giveUp();
    await new Promise<void>((resolve, reject) => {
      socket.once(tls === undefined ? 'connect' : 'secureConnect', resolve);
      socket.once('error', (error) =>
        reject(new ConnectionError(connectFaultOf((error as NodeJS.ErrnoException).code ?? ''), error)),
      );
      socket.once('close', () => reject(new ConnectionError(tls === undefined ? 'offline' : 'notTls')));
    });
    return socket;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

export interface Listener extends AsyncDisposable {
  readonly port: number;
}

export interface Place {
  /** `::` is every address of both kinds; where a computer has only one kind, of that one. */
  readonly host: string;
  readonly port: number;
  /** Encrypted with these, PEM; in the clear where absent. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** @param serve may say that a peer is known @throws Error of Node where the port cannot be had */
export async function listenAt(
  { host, port, tls }: Place,
  door: Door,
  serve: (socket: Socket, isKnown: () => void) => void,
): Promise<Listener> {
  const open = new Set<Socket>();
  const greet = (socket: Socket): void => serve(socket, () => door.know(socket));
  const server =
    tls === undefined
      ? createServer(greet)
      : createTlsServer(
          { cert: tls.certificate, key: tls.key, minVersion: 'TLSv1.2', handshakeTimeout: CONNECT_MS },
          greet,
        );
  // Who does not shake hands in time, or speaks something else.
  server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
  // By TLS, also the ones that have not shaken hands yet.
  server.on('connection', (socket: Socket) => {
    if (!door.admit(socket)) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const bindTo = (at: string): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, at, () => {
        server.off('error', reject);
        resolve();
      });
    });
  await bindTo(host).catch((error: NodeJS.ErrnoException) => {
    if (host !== '::' || error.code === 'EADDRINUSE') throw error;
    return bindTo('0.0.0.0');
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
