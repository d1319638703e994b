// The body of a request as a stream of pieces. The framework parses nothing: every endpoint reads what it is due, within its own
// limits, while it arrives (D101).

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IsolineError } from '../../shared/errors.ts';

/** A sender that pauses longer than this in the middle of a body is cut off (D100). */
const PAUSE_MS = 30_000;
/** So much of a refused body is read and dropped, so that the sender gets to read the answer (D3). */
const MAX_DROPPED_BYTES = 1 << 20;
const MAX_DROP_MS = 2000;

/** Requests whose sender waits for "100 Continue". */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

export const awaitsContinue = (request: IncomingMessage, response: ServerResponse): void => void waiting.set(request, response);

function tellToContinue(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}

const tooSlow = (): IsolineError => new IsolineError('request_timeout', 'The body came too slowly.');

async function* pieces(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  tellToContinue(request);
  const stream = request[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  while (true) {
    const { promise: pause, reject } = Promise.withResolvers<never>();
    // The socket stays, so that the answer can be given.
    const watchdog = setTimeout(() => reject(tooSlow()), PAUSE_MS);
    try {
      const { done, value } = await Promise.race([stream.next(), pause]);
      if (done === true) return;
      yield value;
    } catch (error) {
      if (error instanceof IsolineError) throw error;
      throw new IsolineError('invalid_request', 'The connection was lost inside the body; nothing of it counts.', {}, { cause: error });
    } finally {
      clearTimeout(watchdog);
    }
  }
}

export const bodyOf = (request: FastifyRequest): AsyncIterable<Uint8Array> => pieces(request.raw);

/** Content-Length, where the sender states it. */
export function declaredLength(request: FastifyRequest): number | undefined {
  const header = request.headers['content-length'];
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** Before a refusal is sent: drops what is left of the body, up to a limit; the connection ends with the answer. */
export async function dropRest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = request;
  if (raw.complete || raw.readableEnded || raw.destroyed) return;
  reply.header('connection', 'close');
  if (waiting.has(raw)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MAX_DROP_MS);
  let dropped = 0;
  raw.on('data', (piece: Buffer) => {
    dropped += piece.length;
    if (dropped > MAX_DROPPED_BYTES) resolve();
  });
  for (const event of ['end', 'close', 'error'] as const) raw.once(event, () => resolve());
  raw.resume();
  await promise;
  clearTimeout(timer);
}
