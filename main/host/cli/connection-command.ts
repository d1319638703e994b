// What the commands for central services and for archives have in common: add, list, test, remove.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import { DEFAULT_ORGANIZATION } from '../../clinic/clinic.ts';
import { Connections, type HospitalAddress } from '../../clinic/outbox/connections.ts';
import type { Connection } from '../../clinic/outbox/records.ts';
import type { Upstream } from '../../clinic/outbox/upstream.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { type Arguments, type Command, print, usageError } from './command.ts';

interface OneKind {
  /** In a sentence: `archive`. */
  readonly noun: string;
  isOne(connection: Connection): boolean;
  /** In one line. */
  describe(connection: Connection): string;
  add(args: Arguments, dataDir: string): Promise<void>;
  test(id: number, dataDir: string): Promise<void>;
}

/** The options of every connection to a hospital. */
export const HOSPITAL_OPTIONS = {
  ca: { value: 'FILE', meaning: 'add: a certificate (PEM) to trust in addition to those of the system.' },
  'local-org': { value: 'PATH', meaning: `add: whose ECGs go there. Default: ${DEFAULT_ORGANIZATION}.` },
  label: { value: 'L', meaning: 'add: the name shown on the screens. Default: what it is called.' },
  unread: { meaning: 'add: send unread ECGs, too, marked as not read by a physician.' },
} as const satisfies Command['options'];

export function hospitalFrom(args: Arguments): Pick<HospitalAddress, 'label' | 'certificates' | 'localPath'> {
  const ca = args.text('ca');
  return {
    label: args.text('label') ?? '',
    certificates: ca === undefined ? undefined : readText(ca, 'certificate'),
    localPath: args.text('local-org') ?? DEFAULT_ORGANIZATION,
  };
}

/** Sends unread ECGs there, too, where the option asks for it. @returns what will be sent, in a sentence */
export async function noteUnread(args: Arguments, connections: Connections, id: number): Promise<string> {
  if (!args.isOn('unread')) return 'Approved results go there from now on.';
  await connections.setTakesUnread(id, true, 'cli');
  return 'Approved and unread results go there from now on.';
}

/** The options of whatever has a port of its own in the network of a hospital. */
export const ADDRESS_OPTIONS = {
  host: { value: 'H', meaning: 'add: its name or address in the network.' },
  port: { value: 'P', meaning: 'add: its port.' },
  tls: { meaning: 'add: encrypt the connection.' },
  ...HOSPITAL_OPTIONS,
} as const satisfies Command['options'];

export function addressFrom(args: Arguments): HospitalAddress {
  return {
    ...hospitalFrom(args),
    host: args.required('host'),
    port: Number(args.required('port')),
    isTls: args.isOn('tls'),
  };
}

export const stateOf = ({ stop }: Upstream): string => (stop === undefined ? 'open' : `stopped: ${stop}`);

export function readText(path: string, what: string): string {
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

/** @throws IsolineError `centre_not_found` where the connection is of another kind */
function requireKind(id: number, isKind: boolean, { name }: Command, { noun }: OneKind): void {
  if (!isKind)
    throw new IsolineError(
      'centre_not_found',
      `Connection ${id} is no ${noun}. "isoline ${name} list" shows all.`,
    );
}

export async function runConnections(
  command: Command,
  args: Arguments,
  kind: OneKind,
): Promise<void> {
  const [action, id] = args.positionals;
  const dataDir = resolve(args.required('data-dir'));
  if (action === 'add' && id === undefined) return kind.add(args, dataDir);
  if (action === 'list' && id === undefined) {
    using store = openDataStore(dataDir, 'command');
    for (const connection of store.connections.all().filter(kind.isOne))
      print(kind.describe(connection));
    return;
  }
  const { name } = command;
  if ((action !== 'test' && action !== 'remove') || id === undefined || !/^\d{1,9}$/.test(id))
    throw usageError(`Use "${name} add", "${name} list", "${name} test ID" or "${name} remove ID".`, command);
  const number = Number(id);
  {
    using store = openDataStore(dataDir, 'command');
    const connections = new Connections(await commandContext(dataDir, store));
    requireKind(number, kind.isOne(connections.find(number)), command, kind);
    if (action === 'remove') {
      await connections.remove(number, 'cli');
      print(`Nothing goes to ${kind.noun} ${id} any more. What is there stays there.`);
      return;
    }
  }
  await kind.test(number, dataDir);
}
