// The body of a request. The framework parses nothing: every endpoint reads what it is due, within its own
// limits, while it arrives (D101, D102). A sender that is too slow is cut off (D100); the time in which
// nobody asked for its bytes is not counted against it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IsolineError } from '../../shared/errors.ts';
import { BodyPace } from './body-pace.ts';

const JSON_LIMIT_MS = 600_000;
const CHUNK_LIMIT_MS = 3_600_000;
const CHECK_MS = 1000;
/** So much of a refused body is read and dropped, so that the sender gets to read the answer (D3). */
const MAX_DROPPED_BYTES = 1 << 20;
const MAX_DROP_MS = 2000;

const tooSlow = (): IsolineError => new IsolineError('request_timeout', 'The body arrived too slowly.');
const lost = (cause?: unknown): IsolineError =>
  new IsolineError(
    'invalid_request',
    'The connection was lost while the body was being sent. Nothing was stored.',
    {},
    { cause },
  );

const paces = new Set<BodyPace>();
let checking: ReturnType<typeof setInterval> | undefined;

function checkAll(): void {
  const nowMs = performance.now();
  for (const each of paces) each.check(nowMs);
  if (paces.size > 0) return;
  clearInterval(checking);
  checking = undefined;
}

/** One timer for all bodies, which ends when there are none. */
function watch(pace: BodyPace): void {
  paces.add(pace);
  checking ??= setInterval(checkAll, CHECK_MS);
}

/** Requests whose sender waits for "100 Continue". */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

export const awaitsContinue = (request: IncomingMessage, response: ServerResponse): void =>
  void waiting.set(request, response);

function tellToContinue(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}

async function* pieces(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  tellToContinue(request);
  const { promise: slow, reject } = Promise.withResolvers<never>();
  slow.catch(() => undefined);
  // The socket stays, so that the answer can be given.
  const pace = new BodyPace(CHUNK_LIMIT_MS, () => reject(tooSlow()));
  watch(pace);
  const stream = request[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    while (true) {
      pace.ask();
      const next = await Promise.race([stream.next(), slow]).catch((error: unknown) => {
        throw error instanceof IsolineError ? error : lost(error);
      });
      if (next.done === true) return;
      pace.received(next.value.length);
      yield next.value;
    }
  } finally {
    paces.delete(pace);
  }
}

/** A body that is too large for memory. */
export const bodyOf = (request: FastifyRequest): AsyncIterable<Uint8Array> => pieces(request.raw);

/** A body as a whole. @throws IsolineError what `tooLarge` gives, `request_timeout`, `invalid_request` */
export function readBody(
  { raw }: FastifyRequest,
  limitBytes: number,
  tooLarge: () => IsolineError,
): Promise<Buffer> {
  tellToContinue(raw);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  let length = 0;
  const pace = new BodyPace(JSON_LIMIT_MS, () => fail(tooSlow()));
  watch(pace);
  const stop = (): void => {
    paces.delete(pace);
    raw.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
  };
  const fail = (error: IsolineError): void => {
    stop();
    raw.pause();
    reject(error);
  };
  const onLost = (cause?: unknown): void => fail(lost(cause));
  const onData = (part: Buffer): void => {
    pace.received(part.length);
    length += part.length;
    if (length > limitBytes) fail(tooLarge());
    else {
      parts.push(part);
      pace.ask();
    }
  };
  const onEnd = (): void => {
    stop();
    resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
  };
  if (raw.destroyed && !raw.readableEnded) {
    stop();
    return Promise.reject(lost());
  }
  pace.ask();
  raw.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  return promise;
}

/** Content-Length, where the sender states it. */
export function declaredLength(request: FastifyRequest): number | undefined {
  const header = request.headers['content-length'];
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/**
 * Before a refusal is sent: drops what is left of the body, up to a limit; the connection ends with the
 * answer.
 */
export async function dropRest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = request;
  if (raw.complete || raw.readableEnded || raw.destroyed) return;
  reply.header('connection', 'close');
  if (waiting.has(raw)) return;
  // Left there by a reader that stopped in the middle; it would keep the rest from flowing.
  raw.removeAllListeners('readable');
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
