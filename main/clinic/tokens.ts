// Service tokens: made, recognised, revoked. D30, D31, SEC23.

import { createHash, timingSafeEqual } from 'node:crypto';
import { IsolineError } from '../../shared/errors.ts';
import { ORGANIZATION_PATH, type Scope } from '../../shared/v3/v3.ts';
import { type ClinicContext, change } from './context.ts';
import type { Token } from './ports.ts';

const PREFIX = 'isl_';
const TOKEN_BYTES = 32;
const SHOWN_CHARACTERS = 8;
const MAX_TOKEN_LENGTH = 512;
const DAY_MS = 86_400_000;
/** "Last used" is for people; writing it at every request would be a commit each. */
const TOUCH_EVERY_MS = 60_000;

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface NewToken {
  readonly organizationPath: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** 0 = never. */
  readonly lifeDays: number;
  readonly creator: string;
}

/** @returns the token's text, which exists only here: the store keeps its hash. */
export function createToken(context: ClinicContext, request: NewToken): { id: number; text: string } {
  if (!ORGANIZATION_PATH.test(request.organizationPath))
    throw new IsolineError('organization_not_found', `"${request.organizationPath}" is no organization path.`);
  const text = PREFIX + Buffer.from(context.randomBytes(TOKEN_BYTES)).toString('base64url');
  const nowMs = context.clock.nowMs();
  const id = change(context, () => {
    const organization = context.store.organizations.byPath(request.organizationPath);
    if (organization === undefined)
      throw new IsolineError('organization_not_found', `There is no organization "${request.organizationPath}" in this data folder.`);
    const result = context.store.tokens.add({
      organizationId: organization.id,
      hash: hashOf(text),
      prefix: text.slice(0, SHOWN_CHARACTERS),
      label: request.label,
      scopes: request.scopes,
      creator: request.creator,
      createdMs: nowMs,
      expiresMs: request.lifeDays === 0 ? undefined : nowMs + request.lifeDays * DAY_MS,
      revokedMs: undefined,
      lastUsedMs: undefined,
    });
    return {
      result,
      notes: [
        {
          actor: request.creator,
          action: 'token.created',
          subject: `token:${result}`,
          detail: { organization: organization.id, lifeDays: request.lifeDays },
        },
      ],
    };
  });
  return { id, text };
}

export function revokeToken(context: ClinicContext, id: number, actor: string): void {
  change(context, () => {
    if (!context.store.tokens.list().some((token) => token.id === id))
      throw new IsolineError('token_not_found', `There is no token ${id}. "isoline token list" shows all of them.`);
    context.store.tokens.revoke(id, context.clock.nowMs());
    return { result: undefined, notes: [{ actor, action: 'token.revoked', subject: `token:${id}`, detail: {} }] };
  });
}

/**
 * The token behind a header value.
 * @throws IsolineError `api_token_missing`, `…_invalid`, `…_expired`, `…_revoked`.
 */
export function recogniseToken(context: ClinicContext, text: string | undefined): Token {
  if (text === undefined || text === '') throw new IsolineError('api_token_missing', 'Send the header X-Api-Token with every request.');
  const hash = hashOf(text.slice(0, MAX_TOKEN_LENGTH + 1));
  const token = context.store.tokens.byHash(hash);
  if (token === undefined || text.length > MAX_TOKEN_LENGTH || !timingSafeEqual(hash, token.hash))
    throw new IsolineError('api_token_invalid', 'The token is not known here.');
  const nowMs = context.clock.nowMs();
  if (token.revokedMs !== undefined) throw new IsolineError('api_token_revoked', 'The token was revoked. Ask for a new one.');
  if (token.expiresMs !== undefined && token.expiresMs <= nowMs)
    throw new IsolineError('api_token_expired', 'The token has expired. Ask for a new one.');
  if (token.lastUsedMs === undefined || nowMs - token.lastUsedMs > TOUCH_EVERY_MS) noteUse(context, token, nowMs);
  return token;
}

function noteUse(context: ClinicContext, token: Token, nowMs: number): void {
  change(context, () => {
    context.store.tokens.touch(token.id, nowMs);
    const isFirst = token.lastUsedMs === undefined;
    return {
      result: undefined,
      notes: isFirst ? [{ actor: `token:${token.id}`, action: 'token.first_used', subject: `token:${token.id}`, detail: {} }] : [],
    };
  });
}
