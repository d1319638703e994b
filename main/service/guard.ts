// Who may do what at /v3, in the order of D3: address, token, scope and organization, media type. Everything here happens before
// a body is read.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { IsolineError } from '../../shared/errors.ts';
import type { Scope } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import type { Token } from '../clinic/ports.ts';
import { requireJsonType } from './json-body.ts';
import { requireOrganizationPath } from './parameters.ts';
import { type RateLimits, type TrafficKind, tooManyRequests } from './rate-limits.ts';

export interface RouteRules {
  /** Absent: any valid token (D21). */
  readonly scope?: Scope;
  readonly hasJsonBody?: boolean;
  readonly traffic?: TrafficKind;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly rules?: RouteRules;
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
  const [shown = ''] = request.raw.headersDistinct['x-api-token'] ?? [];
  return request.token?.prefix ?? /^isl_[\w-]{4}/.exec(shown)?.[0] ?? '';
}

export const actorOf = (request: FastifyRequest): string => `token:${tokenOf(request).id}`;

function headerToken(request: FastifyRequest): string | undefined {
  const values = request.raw.headersDistinct['x-api-token'] ?? [];
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

export function makeGuard(clinic: Clinic, limits: RateLimits): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const rules: RouteRules = request.routeOptions.config.rules ?? {};
    limits.address(request.ip);
    const token = authenticate(clinic, limits, request);
    request.token = token;
    const allowance = limits.token(token.id, rules.traffic ?? 'control');
    if (allowance !== undefined) {
      reply.header('ratelimit-limit', String(allowance.limit));
      reply.header('ratelimit-remaining', String(allowance.remaining));
      reply.header('ratelimit-reset', String(allowance.resetSeconds));
      if (allowance.retryAfter !== undefined) throw tooManyRequests(allowance.retryAfter);
    }
    if (rules.scope !== undefined && !token.scopes.includes(rules.scope))
      throw new IsolineError('scope_missing', `The token may not do this: it lacks the scope ${rules.scope}.`);
    const organizationPath = (request.params as { organization_path?: string } | undefined)?.organization_path;
    if (organizationPath !== undefined && organizationPath !== token.organizationPath) {
      requireOrganizationPath(organizationPath);
      throw new IsolineError('organization_forbidden', 'The token belongs to another organization.');
    }
    if (rules.hasJsonBody === true) requireJsonType(request.sentType);
  };
}
