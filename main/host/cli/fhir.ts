// `isoline fhir`: makes servers known that take results as FHIR, lists, tests and removes them.

import { assert } from '../../../shared/assert.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { Connections } from '../../clinic/outbox/connections.ts';
import type { Connection } from '../../clinic/outbox/records.ts';
import { FhirClient } from '../../connections/fhir/fhir-client.ts';
import { fhirAddressOf } from '../../connections/hub.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { troubleText } from './central.ts';
import { type Arguments, type Command, print } from './command.ts';
import {
  HOSPITAL_OPTIONS,
  hospitalFrom,
  noteUnread,
  readText,
  runConnections,
  stateOf,
} from './connection-command.ts';

async function add(args: Arguments, dataDir: string): Promise<void> {
  const secretFile = args.text('secret-file');
  const server = {
    ...hospitalFrom(args),
    url: args.required('url'),
    patientSystem: args.text('patient-system') ?? '',
    clientId: args.text('client-id') ?? '',
    tokenUrl: args.text('token-url') ?? '',
    orders: args.text('orders') ?? '',
    secret: secretFile === undefined ? '' : readText(secretFile, 'secret'),
  };
  using store = openDataStore(dataDir, 'command');
  const connections = new Connections(await commandContext(dataDir, store));
  const id = await connections.addFhir(server, 'cli');
  const what = await noteUnread(args, connections, id);
  print(
    `FHIR server ${id} is known. "isoline fhir test ${id}" tries it. ${what}${server.orders === '' ? '' : ' Orders are taken from it.'}`,
  );
}

const describe = ({ id, label, url, fhir, upstream }: Connection): string =>
  [
    String(id).padStart(4),
    label.padEnd(20),
    url.padEnd(40),
    (fhir?.clientId === '' ? 'no client' : `client ${fhir?.clientId}`).padEnd(20),
    stateOf(upstream),
  ].join('  ');

async function test(id: number, dataDir: string): Promise<void> {
  using store = openDataStore(dataDir, 'command');
  const context = await commandContext(dataDir, store);
  const connection = new Connections(context).find(id);
  const { fhir } = connection;
  assert(fhir !== undefined, 'the connection is a FHIR server');
  const secret = fhir.clientId === '' ? '' : await context.connectionSecrets.read(id);
  if (secret === undefined)
    throw new IsolineError(
      'centre_token_missing',
      'The secret of the client cannot be read here. Test it on the screen "Sync", or add the server again.',
    );
  await using client = new FhirClient(fhirAddressOf(connection, fhir, secret));
  const { isReached, trouble, tookMs } = await client.test();
  if (!isReached)
    throw new IsolineError('centre_silent', `The FHIR server cannot be used: ${troubleText(trouble)}.`);
  print(`reached in ${Math.round(tookMs)} ms; it is a FHIR server, version 4`);
}

export const fhirCommand: Command = {
  name: 'fhir',
  usage: 'add|list|test|remove [ID] --data-dir D [--url U --patient-system URI --client-id C …]',
  options: {
    'data-dir': { value: 'D', meaning: 'The data folder.' },
    url: { value: 'U', meaning: 'add: its base address, https://…; http only for this computer.' },
    'patient-system': {
      value: 'URI',
      meaning: 'add: the system of the patient numbers, such as urn:oid:1.2.3. Default: any.',
    },
    'client-id': { value: 'C', meaning: 'add: the client ID (OAuth), if the server requires one.' },
    'token-url': { value: 'U', meaning: 'add: the URL at which the client gets its tokens.' },
    orders: {
      value: 'SEARCH',
      meaning:
        'add: also take orders, found by this search for ServiceRequests, such as status=active&code=11524-6. Default: none.',
    },
    'secret-file': { value: 'F', meaning: 'add: a file containing only the secret of the client.' },
    ...HOSPITAL_OPTIONS,
  },
  positionals: [1, 2],
  run: (args) =>
    runConnections(fhirCommand, args, {
      noun: 'FHIR server',
      isOne: ({ fhir }) => fhir !== undefined,
      describe,
      add,
      test,
    }),
};
