// A proxy that stands between a client and a service and does what networks do: it loses answers, cuts
// bodies, delivers twice, answers for others, or says nothing at all. Each request meets the first of the
// rules that fits it; without one it passes.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Fault =
  /** The connection is cut before anything is forwarded. */
  | { readonly kind: 'cut' }
  /** It is cut in the middle of the request's body, which never arrives. */
  | { readonly kind: 'cutBody' }
  /** It arrives, and the answer is lost. */
  | { readonly kind: 'loseAnswer' }
  /** It arrives, and the answer breaks off in its body. */
  | { readonly kind: 'cutAnswer' }
  /** It arrives twice; the client gets the first answer. */
  | { readonly kind: 'twice' }
  /** Somebody on the way answers. `isForwarded`: the service got it all the same. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
      readonly isForwarded?: boolean;
    }
  /** It arrives after a while. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** So slow is the line. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** Nobody ever answers. */
  | { readonly kind: 'hang' };

interface Rule {
  fits(request: { readonly method: string; readonly path: string }): boolean;
  readonly fault: Fault;
  /** How often it still strikes. */
  times: number;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export class FaultProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #rules: Rule[] = [];
  /** Requests that came as far as here, and what befell them. */
  readonly arrived: {
    readonly method: string;
    readonly path: string;
    readonly text: string;
    readonly fault: Fault | undefined;
    readonly atMs: number;
  }[] = [];
  /** Requests that reached the service. */
  readonly forwarded: {
    readonly method: string;
    readonly path: string;
    readonly bytes: number;
    readonly text: string;
  }[] = [];

  #answers = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, response) => {
      this.#take(incoming, response).catch(() => incoming.socket.destroy());
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** @param port absent: any free one */
  static async before(target: string, port = 0): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(port, '127.0.0.1', resolve));
    return proxy;
  }

  /** Everything that reached the service has been answered there. */
  get isQuiet(): boolean {
    return this.#answers === this.forwarded.length;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @param path a part of it */
  when(method: string, path: string, fault: Fault, times = 1): this {
    this.#rules.push({ fits: (each) => each.method === method && each.path.includes(path), fault, times });
    return this;
  }

  clear(): void {
    this.#rules = [];
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = incoming;
    const rule = this.#rules.find((each) => each.times > 0 && each.fits({ method, path }));
    if (rule !== undefined) rule.times--;
    const fault = rule?.fault;
    // What has no body has no middle of it either.
    if (fault?.kind === 'cut' || (fault?.kind === 'cutBody' && method === 'GET'))
      return void incoming.socket.destroy();
    if (fault?.kind === 'cutBody') {
      incoming.once('data', () => incoming.socket.destroy());
      return;
    }
    const body = await readBody(incoming, fault?.kind === 'slow' ? fault.bytesPerSecond : undefined);
    this.arrived.push({ method, path, text: textOf(incoming, body), fault, atMs: Date.now() });
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.kind === 'answer' && fault.isForwarded !== true)
      return void response.writeHead(fault.status, fault.headers).end(fault.body);
    const answer = await this.#forward(incoming, body);
    switch (fault?.kind) {
      case 'loseAnswer':
        return void incoming.socket.destroy();
      case 'cutAnswer':
        response
          .writeHead(answer.status, answer.headers)
          .write(answer.body.subarray(0, Math.floor(answer.body.length / 2)));
        return void setTimeout(() => incoming.socket.destroy(), 20);
      case 'answer':
        return void response.writeHead(fault.status, fault.headers).end(fault.body);
      case 'twice':
        await this.#forward(incoming, body);
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  #forward(incoming: IncomingMessage, body: Buffer): Promise<Answered> {
    const { method = '', url: path = '', headers } = incoming;
    this.forwarded.push({ method, path, bytes: body.length, text: textOf(incoming, body) });
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const outgoing = request(
      {
        host: this.#target.hostname,
        port: this.#target.port,
        method,
        path,
        headers: { ...headers, host: this.#target.host },
      },
      (answer) => {
        readBody(answer).then(
          (read) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: read }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise.finally(() => this.#answers++);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** What is said in a request, where it is said in words. */
const textOf = ({ headers }: IncomingMessage, body: Buffer): string =>
  headers['content-type'] === 'application/json' ? body.toString('utf8') : '';

async function readBody(message: IncomingMessage, bytesPerSecond?: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) {
    pieces.push(piece as Buffer);
    if (bytesPerSecond !== undefined)
      await new Promise((resolve) => setTimeout(resolve, (1000 * (piece as Buffer).length) / bytesPerSecond));
  }
  return Buffer.concat(pieces);
}
