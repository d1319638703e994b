// Who may do what at /v3, in the order of D3: address, token, scope and organization, media type. Everything
// here happens before a body is read.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { IsolineError } from '../../shared/errors.ts';
import type { Clinic } from '../clinic/clinic.ts';
import type { Token } from '../clinic/people/records.ts';
import type { Door } from '../door/door.ts';
import type { Operation } from '../v3/operations.ts';
import { headerValues } from './http-request.ts';
import { requireJsonType } from './json-body.ts';
import { requireOrganizationPath } from './parameters.ts';
import { type RateLimits, tooManyRequests } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly operation?: Operation;
  }
  interface FastifyRequest {
    token: Token | undefined;
    /** Content-Type as it was sent. */
    sentType: string | undefined;
  }
}

/** The token of a request that passed the guard. */
export function tokenOf(request: FastifyRequest): Token {
  if (request.token === undefined) throw new Error('the route has no guard');
  return request.token;
}

/** How a refused request is told apart in the audit: by what it showed of a token of ours. */
export function tokenPrefixOf(request: FastifyRequest): string {
  const [shown = ''] = headerValues(request.raw, 'x-api-token');
  return request.token?.prefix ?? /^isl_[\w-]{4}/.exec(shown)?.[0] ?? '';
}

function headerToken(request: FastifyRequest): string | undefined {
  const values = headerValues(request.raw, 'x-api-token');
  if (values.length > 1) throw new IsolineError('api_token_invalid', 'Send the header X-Api-Token once.');
  return values[0];
}

function authenticate(clinic: Clinic, limits: RateLimits, request: FastifyRequest): Token {
  try {
    return clinic.tokens.recognise(headerToken(request));
  } catch (error) {
    if (error instanceof IsolineError && error.reason.startsWith('api_token_')) limits.refused(request.ip);
    throw error;
  }
}

/** @throws IsolineError with the first reason for which the request is refused. */
export function makeGuard(
  clinic: Clinic,
  limits: RateLimits,
  door: Door,
): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) throw new Error('the route is no operation of the table');
    limits.address(request.ip);
    const token = authenticate(clinic, limits, request);
    request.token = token;
    door.know(request.raw.socket);
    const allowance = limits.token(token.id, operation.isData ? 'data' : 'control');
    if (allowance !== undefined) {
      reply.header('ratelimit-limit', String(allowance.limit));
      reply.header('ratelimit-remaining', String(allowance.remaining));
      reply.header('ratelimit-reset', String(allowance.resetSeconds));
      if (allowance.retryAfter !== undefined) throw tooManyRequests(allowance.retryAfter);
    }
    if (operation.scope !== undefined && !token.scopes.includes(operation.scope))
      throw new IsolineError('scope_missing', `The token lacks the scope ${operation.scope}.`);
    const organizationPath = (request.params as { organization_path?: string } | undefined)
      ?.organization_path;
    if (organizationPath !== undefined && organizationPath !== token.organizationPath) {
      requireOrganizationPath(organizationPath);
      throw new IsolineError('organization_forbidden', 'The token belongs to another organization.');
    }
    if (operation.body !== undefined) requireJsonType(request.sentType);
  };
}
