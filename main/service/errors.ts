// How faults leave the service: one body, one status a reason, nothing of the machine's inside (D2, D20,
// D106, SEC29).

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { IsolineError, type Reason, statusOf } from '../../shared/errors.ts';
import { isStorageError } from '../ground/storage-fault.ts';
import { ANSWER_HEADERS } from './http-request.ts';
import { STATUS_CODES } from './node-http.ts';

const RETRY_AFTER_SECONDS: Readonly<Record<string, number>> = {
  too_many_uploads: 60,
  starting: 1,
  storage_full: 60,
  storage_busy: 1,
  shutting_down: 5,
  rate_limit_exceeded: 1,
};

export interface ErrorBody {
  readonly message: string;
  readonly reason?: string;
}

/** The interface has one reason for every disk that takes nothing (D105); the sentence says which it is. */
function reasonAtV3(error: IsolineError): Reason {
  return isStorageError(error) && error.reason !== 'storage_busy' ? 'storage_full' : error.reason;
}

function errorBody(error: unknown, requestId: string): { status: number; body: ErrorBody } {
  if (error instanceof IsolineError && statusOf(error.reason) !== 500)
    return { status: statusOf(error.reason), body: { message: error.message, reason: reasonAtV3(error) } };
  return {
    status: 500,
    body: {
      message: `Something unexpected happened in the service. Quote the request ${requestId} when you ask for help.`,
    },
  };
}

interface BareAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An answer without the framework, which hasn't seen the request: the connection ends with it. */
function bareAnswer(error: IsolineError): BareAnswer {
  const requestId = randomUUID();
  const { status, body } = errorBody(error, requestId);
  const text = JSON.stringify(body);
  const retryAfter = RETRY_AFTER_SECONDS[reasonAtV3(error)];
  const headers = {
    ...ANSWER_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
  };
  return {
    status,
    text,
    headers: retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) },
  };
}

export function answerBare(response: ServerResponse, error: IsolineError): void {
  const { status, headers, text } = bareAnswer(error);
  response.writeHead(status, headers).end(text);
}

/** The same where there is nothing but the socket. */
export function answerOnSocket(socket: Duplex, error: IsolineError): void {
  const { status, headers, text } = bareAnswer(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Whoever doesn't read the answer doesn't keep the place.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () =>
    socket.destroy(),
  );
}

export async function sendError(reply: FastifyReply, error: unknown, requestId: string): Promise<void> {
  const { status, body } = errorBody(error, requestId);
  const known = body.reason === undefined ? undefined : RETRY_AFTER_SECONDS[body.reason];
  const retryAfter =
    error instanceof IsolineError && typeof error.detail.retryAfter === 'number'
      ? error.detail.retryAfter
      : known;
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  await reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}
