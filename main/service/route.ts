// One operation of the table as a route: its path and rules for the guard, its answer as the interface has
// it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Token } from '../clinic/people/records.ts';
import { OPERATIONS, type Operation, type OperationName } from '../v3/operations.ts';
import { tokenOf } from './guard.ts';

export interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly token: Token;
  /** For the audit. */
  readonly actor: string;
}

type AnswerOf<O> = O extends { answer: infer S extends TSchema }
  ? Static<S>
  : O extends { answerBytes: string }
    ? Uint8Array
    : undefined;

const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const EMPTY_ANSWER = '{}';

export function serve<N extends OperationName>(
  app: FastifyInstance,
  name: N,
  handle: (call: Call) => Promise<AnswerOf<(typeof OPERATIONS)[N]>>,
): void {
  const operation: Operation = OPERATIONS[name];
  const type = operation.answerBytes ?? 'application/json; charset=utf-8';
  app.route({
    method: operation.method,
    url: fastifyPath(operation.path),
    config: { operation },
    handler: async (request, reply) => {
      const token = tokenOf(request);
      const { params, query } = request as { params: Record<string, string>; query: Record<string, unknown> };
      const answer: unknown = await handle({
        request,
        reply,
        params,
        query,
        token,
        actor: `token:${token.id}`,
      });
      reply.header('content-type', type);
      if (answer === undefined) return EMPTY_ANSWER;
      return answer instanceof Uint8Array
        ? Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
        : JSON.stringify(answer);
    },
  });
}
