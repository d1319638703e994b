// Many requests over a few connections that stay open, at as little cost to the machine as can be: bytes are
// written as they are, and of an answer only its status and its end are looked at.

import { connect, type Socket } from 'node:net';

export interface LoadResult {
  readonly seconds: number;
  readonly count: number;
  /** The latency of every answer, ascending. */
  readonly latenciesMs: Float64Array;
  readonly statuses: ReadonlyMap<number, number>;
}

export const perSecond = ({ count, seconds }: LoadResult): number => count / seconds;

export function percentile(ascending: Float64Array, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

export function postHead(path: string, token: string, bodyBytes: number): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Token: ${token}\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bodyBytes}\r\n\r\n`,
  );
}

export const getHead = (path: string, token: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Token: ${token}\r\n\r\n`);

const HEADER_END = Buffer.from('\r\n\r\n');

/** Reads answers off one connection. */
class Answers {
  #buffer: Buffer = Buffer.alloc(0);

  /** @returns the statuses of the answers that are complete now. */
  push(data: Buffer): number[] {
    this.#buffer = this.#buffer.length === 0 ? data : Buffer.concat([this.#buffer, data]);
    const statuses: number[] = [];
    for (let end = this.#end(); end !== undefined; end = this.#end()) {
      statuses.push(Number(this.#buffer.toString('latin1', 9, 12)));
      this.#buffer = this.#buffer.subarray(end);
    }
    return statuses;
  }

  #end(): number | undefined {
    const headerEnd = this.#buffer.indexOf(HEADER_END);
    if (headerEnd < 0) return undefined;
    const length = /content-length: (\d+)/i.exec(this.#buffer.toString('latin1', 0, headerEnd))?.[1];
    const end = headerEnd + HEADER_END.length + Number(length ?? 0);
    return this.#buffer.length >= end ? end : undefined;
  }
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  /** Ends after so many seconds or requests, whichever comes first. */
  readonly seconds?: number;
  readonly requests?: number;
  /** Requests a second over all connections; without it as many as go. */
  readonly rate?: number;
  /** The nth request of a connection. */
  readonly request: (connection: number, n: number) => readonly Uint8Array[];
}

/** One request at a time on every connection. */
export async function load({
  url,
  connections,
  seconds = Number.POSITIVE_INFINITY,
  requests,
  rate,
  request,
}: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const startMs = performance.now();
  let sent = 0;
  const isOver = (): boolean =>
    performance.now() - startMs >= seconds * 1000 || sent >= (requests ?? Number.POSITIVE_INFINITY);
  const run = (connection: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket: Socket = connect(Number(port), hostname).setNoDelay(true);
    const answers = new Answers();
    let [n, sentMs] = [0, 0];
    const send = (): void => {
      if (isOver()) {
        socket.end();
        resolve();
        return;
      }
      // Held to its rate by when the request is due, not by when the last one was answered.
      const dueMs = rate === undefined ? 0 : startMs + ((n * connections + connection) * 1000) / rate;
      const waitMs = dueMs - performance.now();
      if (waitMs > 1) {
        setTimeout(send, waitMs);
        return;
      }
      sent++;
      sentMs = rate === undefined ? performance.now() : Math.min(dueMs, performance.now());
      socket.cork();
      for (const part of request(connection, n)) socket.write(part);
      socket.uncork();
      n++;
    };
    socket.on('connect', send);
    socket.on('data', (data) => {
      for (const status of answers.push(data)) {
        latencies.push(performance.now() - sentMs);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        send();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed the connection')));
    return promise;
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => run(connection)));
  return {
    seconds: (performance.now() - startMs) / 1000,
    count: latencies.length,
    latenciesMs: Float64Array.from(latencies).sort(),
    statuses,
  };
}
