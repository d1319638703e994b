// The body of a request as a stream of pieces. The framework parses nothing: every endpoint reads what it is due, within its own
// limits, while it arrives (D101).

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { IsolineError } from '../../shared/errors.ts';

/** A sender that pauses longer than this in the middle of a body is cut off (D100). */
const PAUSE_MS = 30_000;

async function* pieces(stream: IncomingMessage): AsyncGenerator<Uint8Array> {
  const watchdog = setTimeout(() => stream.destroy(new IsolineError('request_timeout', 'The body came too slowly.')), PAUSE_MS);
  try {
    for await (const piece of stream) {
      watchdog.refresh();
      yield piece as Uint8Array;
    }
  } catch (error) {
    if (error instanceof IsolineError) throw error;
    throw new IsolineError('invalid_request', 'The connection was lost inside the body; nothing of it counts.', {}, { cause: error });
  } finally {
    clearTimeout(watchdog);
  }
}

export const bodyOf = (request: FastifyRequest): AsyncIterable<Uint8Array> => pieces(request.raw);

/** Content-Length, where the sender states it. */
export function declaredLength(request: FastifyRequest): number | undefined {
  const header = request.headers['content-length'];
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
