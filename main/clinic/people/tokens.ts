// Service tokens: made, recognised, revoked. D30, D31, SEC23.

import { createHash, timingSafeEqual } from 'node:crypto';
import { IsolineError } from '../../../shared/errors.ts';
import { ORGANIZATION_PATH, type Scope } from '../../../shared/token-scopes.ts';
import { type ClinicContext, change } from '../context.ts';
import type { Token } from './records.ts';

const PREFIX = 'isl_';
const TOKEN_BYTES = 32;
const SHOWN_CHARACTERS = 8;
const MAX_TOKEN_LENGTH = 512;
const DAY_MS = 86_400_000;
/** "Last used" is for people; writing it at every request would be a commit each. */
const TOUCH_EVERY_MS = 60_000;
const KNOWN_MS = 1000;
const MAX_KNOWN = 10_000;

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
export async function createToken(
  context: ClinicContext,
  request: NewToken,
): Promise<{ id: number; text: string }> {
  if (!ORGANIZATION_PATH.test(request.organizationPath))
    throw new IsolineError(
      'organization_not_found',
      `"${request.organizationPath}" is no organization path.`,
    );
  const text = PREFIX + Buffer.from(context.randomBytes(TOKEN_BYTES)).toString('base64url');
  const nowMs = context.clock.nowMs();
  const id = await change(context, () => {
    const organization = context.store.organizations.byPath(request.organizationPath);
    if (organization === undefined)
      throw new IsolineError(
        'organization_not_found',
        `There is no organization "${request.organizationPath}" in this data folder.`,
      );
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

export async function revokeToken(context: ClinicContext, id: number, actor: string): Promise<void> {
  await change(context, () => {
    if (!context.store.tokens.list().some((token) => token.id === id))
      throw new IsolineError(
        'token_not_found',
        `Token ${id} does not exist. "isoline token list" shows all of them.`,
      );
    context.store.tokens.revoke(id, context.clock.nowMs());
    return {
      result: undefined,
      notes: [{ actor, action: 'token.revoked', subject: `token:${id}`, detail: {} }],
    };
  });
}

/** What the service knows of tokens while it runs. */
export class Tokens {
  readonly #context: ClinicContext;
  /**
   * By its text: looked up once a second at most, so that a revocation by another process still takes effect
   * within two (D30).
   */
  readonly #known = new Map<string, { readonly token: Token; readonly readMs: number }>();
  readonly #touchedMs = new Map<number, number>();
  /** Tokens whose first use is written down. */
  readonly #seen = new Set<number>();

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /**
   * The token behind a header value.
   * @throws IsolineError `api_token_missing`, `…_invalid`, `…_expired`, `…_revoked`.
   */
  recognise(text: string | undefined): Token {
    if (text === undefined || text === '')
      throw new IsolineError('api_token_missing', 'Send the header X-Api-Token with every request.');
    const nowMs = this.#context.clock.nowMs();
    const known = this.#known.get(text);
    const token =
      known !== undefined && Math.abs(nowMs - known.readMs) < KNOWN_MS
        ? known.token
        : this.#read(text, nowMs);
    if (token.revokedMs !== undefined)
      throw new IsolineError('api_token_revoked', 'The token was revoked. Ask for a new one.');
    if (token.expiresMs !== undefined && token.expiresMs <= nowMs)
      throw new IsolineError('api_token_expired', 'The token has expired. Ask for a new one.');
    this.#noteUse(token, nowMs);
    return token;
  }

  #read(text: string, nowMs: number): Token {
    const hash = hashOf(text.slice(0, MAX_TOKEN_LENGTH + 1));
    const token = this.#context.store.tokens.byHash(hash);
    if (token === undefined || text.length > MAX_TOKEN_LENGTH || !timingSafeEqual(hash, token.hash)) {
      this.#known.delete(text);
      throw new IsolineError('api_token_invalid', 'The token is not valid here.');
    }
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(text, { token, readMs: nowMs });
    return token;
  }

  /** For people: a store that can't be written to must not keep anyone from reading. */
  #noteUse(token: Token, nowMs: number): void {
    const lastMs = this.#touchedMs.get(token.id) ?? token.lastUsedMs;
    if (lastMs !== undefined && Math.abs(nowMs - lastMs) <= TOUCH_EVERY_MS) return;
    this.#touchedMs.set(token.id, nowMs);
    change(this.#context, () => {
      this.#context.store.tokens.touch(token.id, nowMs);
      const subject = `token:${token.id}`;
      const isFirst = token.lastUsedMs === undefined && !this.#seen.has(token.id);
      return {
        result: undefined,
        notes: isFirst ? [{ actor: subject, action: 'token.first_used', subject, detail: {} }] : [],
      };
    })
      .then(() => void this.#seen.add(token.id))
      .catch((error: unknown) =>
        this.#context.log('token.use_not_noted', {
          reason: error instanceof IsolineError ? error.reason : 'internal',
        }),
      );
  }
}
