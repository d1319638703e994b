// `isoline token`: makes, lists and revokes service tokens, also beside a running workstation.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SCOPES, type Scope } from '../../../shared/token-scopes.ts';
import { DEFAULT_ORGANIZATION, ensureOrganization } from '../../clinic/clinic.ts';
import type { Token } from '../../clinic/people/records.ts';
import { createToken, revokeToken } from '../../clinic/people/tokens.ts';
import { lockFolder } from '../../store/folder/folder-lock.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { type Arguments, type Command, print, usageError } from './command.ts';

const DEFAULT_LIFE_DAYS = 365;
const MAX_LIFE_DAYS = 36_500;

function parseScopes(names: readonly string[]): readonly Scope[] {
  for (const name of names)
    if (!SCOPES.includes(name as Scope))
      throw usageError(`There is no scope "${name}"; the scopes are ${SCOPES.join(', ')}.`, tokenCommand);
  return names.length === 0 ? SCOPES : (names as readonly Scope[]);
}

function parseLife(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIFE_DAYS;
  if (!/^\d{1,5}$/.test(text) || Number(text) > MAX_LIFE_DAYS)
    throw usageError(`--expires takes days, 0 (never) to ${MAX_LIFE_DAYS}.`, tokenCommand);
  return Number(text);
}

const day = (ms: number | undefined): string =>
  ms === undefined ? '–' : new Date(ms).toISOString().slice(0, 10);

function describe(token: Token): string {
  const state =
    token.revokedMs !== undefined
      ? `revoked ${day(token.revokedMs)}`
      : token.expiresMs === undefined
        ? 'no end'
        : `until ${day(token.expiresMs)}`;
  return [
    String(token.id).padStart(4),
    `${token.prefix}…`,
    token.label.padEnd(20),
    token.organizationPath.padEnd(12),
    state.padEnd(19),
    `last used ${day(token.lastUsedMs)}`,
  ].join('  ');
}

async function create(args: Arguments, dataDir: string): Promise<void> {
  const request = {
    label: args.required('label'),
    organizationPath: args.text('org') ?? DEFAULT_ORGANIZATION,
    scopes: parseScopes(args.list('scope')),
    lifeDays: parseLife(args.text('expires')),
    creator: 'cli',
  };
  // A token may be made before the first start: then this is what makes the folder, alone in it.
  const isNew = !existsSync(join(dataDir, 'isoline.sqlite'));
  using _lock = isNew ? lockFolder(dataDir, Date.now()) : undefined;
  using store = openDataStore(dataDir, isNew ? 'writer' : 'command');
  const context = await commandContext(dataDir, store);
  await ensureOrganization(context);
  print((await createToken(context, request)).text);
}

export const tokenCommand: Command = {
  name: 'token',
  usage: 'create|list|revoke [ID] --data-dir D [--label L] [--org PATH] [--scope S]… [--expires DAYS]',
  options: {
    'data-dir': { value: 'D', meaning: 'The data folder.' },
    label: { value: 'L', meaning: 'create: what the token is for, shown in lists.' },
    org: { value: 'PATH', meaning: `create: its organization. Default: ${DEFAULT_ORGANIZATION}.` },
    scope: { value: 'S', isRepeatable: true, meaning: `create: one of ${SCOPES.join(', ')}. Default: all.` },
    expires: {
      value: 'DAYS',
      meaning: `create: lifetime in days, 0 for none. Default: ${DEFAULT_LIFE_DAYS}.`,
    },
  },
  positionals: [1, 2],
  async run(args) {
    const [action, id] = args.positionals;
    const dataDir = resolve(args.required('data-dir'));
    if (action === 'create' && id === undefined) return create(args, dataDir);
    if (action === 'list' && id === undefined) {
      using store = openDataStore(dataDir, 'command');
      for (const token of store.tokens.list()) print(describe(token));
      return;
    }
    if (action !== 'revoke' || id === undefined || !/^\d{1,9}$/.test(id))
      throw usageError('Use "token create", "token list" or "token revoke ID".', tokenCommand);
    using store = openDataStore(dataDir, 'command');
    await revokeToken(await commandContext(dataDir, store), Number(id), 'cli');
    print(`Token ${id} is revoked.`);
  },
};
