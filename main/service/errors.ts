// How faults leave the service: one body, one status a reason, nothing of the machine's inside (D2, D20, D106, SEC29).

import type { FastifyReply } from 'fastify';
import { IsolineError, statusOf } from '../../shared/errors.ts';

const RETRY_AFTER_SECONDS: Readonly<Record<string, number>> = {
  too_many_uploads: 60,
  storage_full: 60,
  storage_busy: 1,
  shutting_down: 5,
  rate_limit_exceeded: 1,
};

export interface ErrorBody {
  readonly message: string;
  readonly reason?: string;
}

export function errorBody(error: unknown, requestId: string): { status: number; body: ErrorBody } {
  if (error instanceof IsolineError && statusOf(error.reason) !== 500)
    return { status: statusOf(error.reason), body: { message: error.message, reason: error.reason } };
  return {
    status: 500,
    body: { message: `Something unexpected happened in the service. Quote the request ${requestId} when you ask for help.` },
  };
}

export async function sendError(reply: FastifyReply, error: unknown, requestId: string): Promise<void> {
  const { status, body } = errorBody(error, requestId);
  const known = body.reason === undefined ? undefined : RETRY_AFTER_SECONDS[body.reason];
  const retryAfter = error instanceof IsolineError && typeof error.detail.retryAfter === 'number' ? error.detail.retryAfter : known;
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  await reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}
