// `isoline central`: makes central services known, lists, tests and removes them, also beside a running
// workstation.

import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';
import { DEFAULT_ORGANIZATION } from '../../clinic/clinic.ts';
import { Connections } from '../../clinic/outbox/connections.ts';
import { type Connection, kindOf } from '../../clinic/outbox/records.ts';
import { testCentre } from '../../connections/central/test-central.ts';
import { clientOf, testDeviceId } from '../../connections/hub.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { type Arguments, type Command, print } from './command.ts';
import { readText, runConnections, stateOf } from './connection-command.ts';

const TROUBLES: Readonly<Record<ConnectionTrouble, string>> = {
  offline: 'it is not reached: look at the address and the network',
  broken: 'the connection breaks off: look at the network',
  certificate:
    'its certificate is not trusted: look at the address, or give the certificate of its authority with --ca',
  notTls: 'something answers there that does not encrypt: look at the address',
  proxy: 'the proxy does not let us through: look at the setting sync.proxy',
  silent: 'it does not answer in time',
  server: 'it has a fault of its own: try later',
  limited: 'it asks us to wait: try later',
  noToken: 'its token cannot be read here: add it again, or use the window',
  nameRefused: 'it does not know our AE title, or has another one itself',
  serviceRefused: 'it does not offer what we ask of it',
  storeRefused: "it answers, but does not let ISOLINE store: have this workstation's AE title entered there",
  unconfirmed: 'it stores, and does not answer what it keeps',
  portTaken: 'another program uses our DICOM port: look at the setting dicom.port',
  odd: 'something else answers there: look at the address',
};

export const troubleText = (trouble: ConnectionTrouble | undefined): string => TROUBLES[trouble ?? 'offline'];

async function add(args: Arguments, dataDir: string): Promise<void> {
  const token = readText(args.required('token-file'), 'token');
  const ca = args.text('ca');
  const connection = {
    label: args.text('label') ?? '',
    url: args.required('url'),
    localPath: args.text('local-org') ?? DEFAULT_ORGANIZATION,
    organizationPath: args.required('org'),
    certificates: ca === undefined ? undefined : readText(ca, 'certificate'),
    token,
  };
  using store = openDataStore(dataDir, 'command');
  const id = await new Connections(await commandContext(dataDir, store)).add(connection, 'cli');
  print(
    `Central service ${id} is known. "isoline central test ${id}" tries it; its token lies in a file that you alone can read.`,
  );
}

function describe({ id, label, url, organizationPath, isStreamProven, upstream }: Connection): string {
  return [
    String(id).padStart(4),
    label.padEnd(20),
    url.padEnd(32),
    organizationPath.padEnd(12),
    isStreamProven ? 'streams' : 'files',
    stateOf(upstream),
  ].join('  ');
}

export const yes = (is: boolean): string => (is ? 'yes' : 'no');

function report({ rights, isStreamProven, isOurs, clockOffsetMs, tookMs }: TestOutcome): string {
  const may = rights ?? { read: false, upload: false, create: false, stream: false };
  return [
    `reached in ${Math.round(tookMs)} ms${isOurs === true ? '; it is another Isoline' : ''}`,
    `the token may: read ${yes(may.read)}, upload ${yes(may.upload)}, create tasks ${yes(may.create)}, stream ${yes(may.stream)}`,
    `recordings of devices go as ${isStreamProven ? 'streams' : 'files'}`,
    ...(Math.abs(clockOffsetMs ?? 0) > 300_000
      ? [`its clock is ${Math.round((clockOffsetMs ?? 0) / 60_000)} min ahead of ours`]
      : []),
  ].join('\n');
}

async function test(id: number, dataDir: string): Promise<void> {
  using store = openDataStore(dataDir, 'command');
  const context = await commandContext(dataDir, store);
  const connections = new Connections(context);
  const connection = connections.find(id);
  const token = await context.connectionSecrets.read(id);
  if (token === undefined)
    throw new IsolineError(
      'centre_token_missing',
      'The token cannot be read here. Test it on the screen "Sync", or add the central service again.',
    );
  await using client = clientOf(context, connection, token);
  const tested = await testCentre(client, connection.isStreamProven, testDeviceId(context));
  if (!tested.isReached)
    throw new IsolineError(
      'centre_silent',
      `The central service cannot be used: ${troubleText(tested.trouble)}.`,
    );
  await connections.setProven(
    id,
    { isIdempotent: tested.isOurs === true, isStreamProven: tested.isStreamProven },
    'cli',
  );
  print(report(tested));
  if (tested.rights?.read !== true)
    throw new IsolineError(
      'centre_refused',
      `The central service refuses the token for "${connection.organizationPath}". Add it again with another one.`,
    );
}

export const centralCommand: Command = {
  name: 'central',
  usage: 'add|list|test|remove [ID] --data-dir D [--url U --token-file F --org PATH]',
  options: {
    'data-dir': { value: 'D', meaning: 'The data folder.' },
    url: { value: 'U', meaning: 'add: the address, https://…; http only for this computer.' },
    'token-file': { value: 'F', meaning: 'add: a file containing only the token.' },
    org: { value: 'PATH', meaning: 'add: the path of the organization there.' },
    'local-org': {
      value: 'PATH',
      meaning: `add: whose recordings go there. Default: ${DEFAULT_ORGANIZATION}.`,
    },
    label: { value: 'L', meaning: 'add: the name shown on the screens. Default: its address.' },
    ca: { value: 'FILE', meaning: 'add: a certificate (PEM) to trust in addition to those of the system.' },
  },
  positionals: [1, 2],
  run: (args) =>
    runConnections(centralCommand, args, {
      noun: 'central service',
      isOne: (connection) => kindOf(connection) === 'central',
      describe,
      add,
      test,
    }),
};
