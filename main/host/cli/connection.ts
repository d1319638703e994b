// `isoline connection`: makes connections known, lists, tests and removes them, also beside a running workstation. The commands
// of one kind (`central`, `archive`, `hospital`, `fhir`) are the same with the kind left out.

import { resolve } from 'node:path';
import {
  CONNECTION_KINDS,
  type ConnectionKind,
  factsOf,
  orderTroublesOf,
  shownOf,
} from '../../../shared/connections/connections.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { ClinicContext } from '../../clinic/context.ts';
import { Connections } from '../../clinic/outbox/connections.ts';
import { type Connection, takesRecordings } from '../../clinic/outbox/records.ts';
import { secretOf } from '../../connections/hub.ts';
import { kindNamed } from '../../connections/kinds.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { type Arguments, type Command, print, usageError } from './command.ts';
import { configFrom, connectionOptions, organizationFrom, secretFrom } from './connection-options.ts';
import { troubleText } from './trouble-text.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const isKind = (text: string | undefined): text is ConnectionKind =>
  CONNECTION_KINDS.some((kind) => kind === text);

/** Opens the data folder for one short command. */
async function withConnections<T>(
  dataDir: string,
  work: (connections: Connections, context: ClinicContext) => Promise<T>,
): Promise<T> {
  using store = openDataStore(dataDir, 'command');
  const context = await commandContext(dataDir, store);
  return await work(new Connections(context), context);
}

/** What goes there from now on, in a sentence. */
async function noteUnread(args: Arguments, connections: Connections, id: number): Promise<string> {
  if (!args.isOn('unread')) return 'Approved results go there from now on.';
  await connections.setTakesUnread(id, true, 'cli');
  return 'Approved and unread results go there from now on.';
}

async function add(kind: ConnectionKind, args: Arguments, dataDir: string, command: Command): Promise<void> {
  const to = configFrom(kind, args, command);
  const secret = secretFrom(kind, args);
  await withConnections(dataDir, async (connections) => {
    const label = args.text('label') ?? '';
    const id = await connections.add({ to, label, localPath: organizationFrom(args), secret }, 'cli');
    print(
      [
        `${capital(kindNamed(kind).noun)} ${id} is known.`,
        `"isoline ${command.name} test ${id}" tries it.`,
        ...(factsOf(to).takes === 'results' ? [await noteUnread(args, connections, id)] : []),
        ...(secret === '' ? [] : ['Its secret lies in a file that you alone can read.']),
        ...(orderTroublesOf(to) === undefined ? [] : ['Orders are taken from it.']),
      ].join(' '),
    );
  });
}

function provenText({ to, proven }: Connection): string {
  if (takesRecordings({ to })) return proven.isStreamProven === true ? 'streams' : 'files';
  if (proven.isConfirming === undefined) return '';
  return proven.isConfirming ? 'confirms' : 'does not confirm';
}

const describe = (connection: Connection, isKindShown: boolean): string => {
  const { id, label, to, upstream } = connection;
  return [
    String(id).padStart(4),
    ...(isKindShown ? [to.kind.padEnd(8)] : []),
    label.padEnd(20),
    ('url' in to.config ? to.config.url : factsOf(to).hostOf(to.config)).padEnd(32),
    Object.values(shownOf(to)).join(' · ').padEnd(16),
    provenText(connection).padEnd(8),
    upstream.stop === undefined ? 'open' : `stopped: ${upstream.stop}`,
  ].join('  ');
};

/** @throws IsolineError `centre_token_missing`, `centre_silent`, `centre_refused` */
async function test(connection: Connection, connections: Connections, context: ClinicContext): Promise<void> {
  const { id, to, proven } = connection;
  const kind = kindNamed(to.kind);
  const secret = await secretOf(context, connection);
  if (secret === undefined)
    throw new IsolineError(
      'centre_token_missing',
      'The token or secret cannot be read here. Test it on the screen "Sync", or add the connection again.',
    );
  await using started = kind.start({
    context,
    noteProven: (connectionId, shown) => connections.noteProven(connectionId, shown, 'cli'),
  });
  await using open = started.open({ connectionId: id, config: to.config, secret, proven: () => proven });
  const outcome = await open.test();
  if (!outcome.isReached)
    throw new IsolineError(
      'centre_silent',
      `The ${kind.noun} cannot be used: ${troubleText(to.kind, outcome.trouble)}.`,
    );
  if (outcome.proven !== undefined) await connections.noteProven(id, outcome.proven, 'cli');
  print(kind.describe(outcome).join('\n'));
  const complaint = kind.complaint?.(outcome, to.config);
  if (complaint !== undefined) throw new IsolineError('centre_refused', complaint);
}

async function remove({ id, to }: Connection, connections: Connections): Promise<void> {
  await connections.remove(id, 'cli');
  print(`Nothing goes to ${kindNamed(to.kind).noun} ${id} any more. What is there stays there.`);
}

/** Takes the kind from the command, or from what was typed behind the action. */
async function run(args: Arguments, command: Command, fixed: ConnectionKind | undefined): Promise<void> {
  const [action, typed] = args.positionals;
  const dataDir = resolve(args.required('data-dir'));
  const kind = fixed ?? (isKind(typed) ? typed : undefined);
  const hasOneKind = fixed === undefined ? kind !== undefined : typed === undefined;
  if (action === 'add' && kind !== undefined && hasOneKind) return add(kind, args, dataDir, command);
  if (action === 'list' && (hasOneKind || typed === undefined))
    return withConnections(dataDir, async (_connections, { store }) => {
      for (const each of store.connections.all())
        if (kind === undefined || each.to.kind === kind) print(describe(each, fixed === undefined));
    });
  if ((action !== 'test' && action !== 'remove') || typed === undefined || !/^\d{1,9}$/.test(typed))
    throw usageError(usageOf(command, fixed), command);
  return withConnections(dataDir, async (connections, context) => {
    const connection = connections.find(Number(typed));
    if (fixed !== undefined && connection.to.kind !== fixed)
      throw new IsolineError(
        'centre_not_found',
        `Connection ${typed} is no ${kindNamed(fixed).noun}. "isoline ${command.name} list" shows all.`,
      );
    await (action === 'remove' ? remove(connection, connections) : test(connection, connections, context));
  });
}

const usageOf = ({ name }: Command, fixed: ConnectionKind | undefined): string =>
  fixed === undefined
    ? `Use "${name} add KIND", "${name} list", "${name} test ID" or "${name} remove ID". Kinds: ${CONNECTION_KINDS.join(', ')}.`
    : `Use "${name} add", "${name} list", "${name} test ID" or "${name} remove ID".`;

function commandFor(name: string, fixed: ConnectionKind | undefined): Command {
  const command: Command = {
    name,
    usage: `add|list|test|remove [${fixed === undefined ? 'KIND|' : ''}ID] --data-dir D [options of the connection]`,
    options: {
      'data-dir': { value: 'D', meaning: 'The data folder.' },
      ...connectionOptions(fixed === undefined ? CONNECTION_KINDS : [fixed]),
    },
    ...(fixed === undefined && { notes: `Kinds: ${CONNECTION_KINDS.join(', ')}.` }),
    positionals: [1, 2],
    run: (args) => run(args, command, fixed),
  };
  return command;
}

export const connectionCommand = commandFor('connection', undefined);
/** The names that the kinds had before there was one command for all. */
export const centralCommand = commandFor('central', 'central');
export const archiveCommand = commandFor('archive', 'dicom');
export const hospitalCommand = commandFor('hospital', 'hl7');
export const fhirCommand = commandFor('fhir', 'fhir');
