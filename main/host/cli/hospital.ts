// `isoline hospital`: makes hospital information systems known that take results by HL7, lists, tests and removes them.

import { randomUUID } from 'node:crypto';
import { assert } from '../../../shared/assert.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { Connections } from '../../clinic/outbox/connections.ts';
import type { Connection } from '../../clinic/outbox/records.ts';
import { testMessage } from '../../connections/hl7/pack-result.ts';
import { ResultsClient } from '../../connections/hl7/results-client.ts';
import { addressOf } from '../../connections/hub.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { troubleText } from './central.ts';
import { type Arguments, type Command, print } from './command.ts';
import { ADDRESS_OPTIONS, addressFrom, noteUnread, runConnections, stateOf } from './connection-command.ts';

const CONTROL_ID_LENGTH = 20;

async function add(args: Arguments, dataDir: string): Promise<void> {
  const receiver = {
    ...addressFrom(args),
    application: args.text('application') ?? '',
    facility: args.text('facility') ?? '',
  };
  using store = openDataStore(dataDir, 'command');
  const connections = new Connections(await commandContext(dataDir, store));
  const id = await connections.addResults(receiver, 'cli');
  const what = await noteUnread(args, connections, id);
  print(`Hospital ${id} is known. "isoline hospital test ${id}" tries it. ${what}`);
}

const describe = ({ id, label, url, results, upstream }: Connection): string =>
  [
    String(id).padStart(4),
    label.padEnd(20),
    url.padEnd(32),
    [results?.application, results?.facility].filter(Boolean).join(' · ').padEnd(20),
    stateOf(upstream),
  ].join('  ');

async function test(id: number, dataDir: string): Promise<void> {
  using store = openDataStore(dataDir, 'command');
  const context = await commandContext(dataDir, store);
  const connection = new Connections(context).find(id);
  assert(connection.results !== undefined, 'the connection takes results');
  const controlId = randomUUID().replaceAll('-', '').slice(0, CONTROL_ID_LENGTH);
  const message = testMessage(context.settings(), connection.results, controlId, context.clock.nowMs());
  const { isReached, trouble, tookMs } = await new ResultsClient(addressOf(connection)).test(message);
  if (!isReached)
    throw new IsolineError('centre_silent', `The hospital system cannot be used: ${troubleText(trouble)}.`);
  print(`reached in ${Math.round(tookMs)} ms; it answers HL7 messages`);
}

export const hospitalCommand: Command = {
  name: 'hospital',
  usage: 'add|list|test|remove [ID] --data-dir D [--host H --port P --application A --facility F]',
  options: {
    'data-dir': { value: 'D', meaning: 'The data folder.' },
    ...ADDRESS_OPTIONS,
    application: { value: 'A', meaning: 'add: the receiving application (MSH-5).' },
    facility: { value: 'F', meaning: 'add: the receiving facility (MSH-6).' },
  },
  positionals: [1, 2],
  run: (args) =>
    runConnections(hospitalCommand, args, {
      noun: 'hospital system',
      isOne: ({ results }) => results !== undefined,
      describe,
      add,
      test,
    }),
};
