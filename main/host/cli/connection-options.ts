// The options by which a connection is described at the command line: made of the fields of its kind.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SecretForm } from '../../../shared/connections/connection-field.ts';
import {
  CONNECTIONS,
  type ConnectionKind,
  type ConnectionTo,
  fieldsOf,
} from '../../../shared/connections/connections.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { DEFAULT_ORGANIZATION } from '../../clinic/clinic.ts';
import { type Arguments, type Command, type Option, usageError } from './command.ts';

const COMMON: Readonly<Record<string, Option>> = {
  'local-org': {
    value: 'PATH',
    meaning: `add: whose recordings or results go there. Default: ${DEFAULT_ORGANIZATION}.`,
  },
  label: { value: 'L', meaning: 'add: the name shown on the screens. Default: what it is called.' },
};
const UNREAD: Option = { meaning: 'add: send unread ECGs, too, marked as not read by a physician.' };

const secretOf = (kind: ConnectionKind): SecretForm | undefined =>
  'secret' in CONNECTIONS[kind] ? CONNECTIONS[kind].secret : undefined;

/** What kinds have under one name means the same. */
function optionsOf(kind: ConnectionKind): Record<string, Option> {
  const fields = fieldsOf(kind).map(([, { form }]): [string, Option] => [
    form.option,
    { ...(form.value !== '' && { value: form.value }), meaning: `add: ${form.meaning}` },
  ]);
  const secret = secretOf(kind);
  return {
    ...Object.fromEntries(fields),
    ...(secret !== undefined && { [secret.option]: { value: 'F', meaning: `add: ${secret.meaning}` } }),
    ...(CONNECTIONS[kind].takes === 'results' && { unread: UNREAD }),
  };
}

/** The options of these kinds; of several kinds each names those that have it. */
export function connectionOptions(kinds: readonly ConnectionKind[]): Record<string, Option> {
  const options: Record<string, Option> = {};
  for (const kind of kinds)
    for (const [name, option] of Object.entries(optionsOf(kind))) options[name] ??= option;
  if (kinds.length > 1)
    for (const [name, option] of Object.entries(options)) {
      const having = kinds.filter((kind) => name in optionsOf(kind));
      if (having.length < kinds.length)
        options[name] = { ...option, meaning: option.meaning.replace(/^add/, `add ${having.join(', ')}`) };
    }
  return { ...options, ...COMMON };
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(resolve(path), 'utf8');
  } catch (error) {
    throw new IsolineError(
      'file_not_found',
      `The file with the ${what} cannot be read: "${path}".`,
      {},
      { cause: error },
    );
  }
}

/** The configuration that the options describe. @throws IsolineError `usage` where one is missing or too long */
export function configFrom(kind: ConnectionKind, args: Arguments, command: Command): ConnectionTo {
  const config: Record<string, unknown> = {};
  for (const [name, schema] of fieldsOf(kind)) {
    const { option, isRequired, isFile, onlyWith } = schema.form;
    const { type, maxLength } = schema as { readonly type?: string; readonly maxLength?: number };
    if (type === 'boolean') {
      config[name] = args.isOn(option);
      continue;
    }
    const isNeeded = isRequired === true && (onlyWith === undefined || config[onlyWith] !== '');
    const said = isNeeded ? args.required(option) : args.text(option);
    if (isFile === true) {
      if (said !== undefined) config[name] = readText(said, 'certificate');
    } else config[name] = type === 'integer' ? Number(said) : (said ?? '');
    if (String(config[name] ?? '').length > (maxLength ?? Number.POSITIVE_INFINITY))
      throw usageError(`--${option} is too long.`, command);
  }
  return { kind, config } as ConnectionTo;
}

/** The token or secret, from its file; empty where none is given. */
export function secretFrom(kind: ConnectionKind, args: Arguments): string {
  const secret = secretOf(kind);
  if (secret === undefined) return '';
  const path = secret.onlyWith === undefined ? args.required(secret.option) : args.text(secret.option);
  return path === undefined ? '' : readText(path, secret.onlyWith === undefined ? 'token' : 'secret');
}

export const organizationFrom = (args: Arguments): string => args.text('local-org') ?? DEFAULT_ORGANIZATION;
