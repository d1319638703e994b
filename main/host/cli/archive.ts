// `isoline archive`: makes archives (PACS) known, lists, tests and removes them, also beside a running workstation.

import { assert } from '../../../shared/assert.ts';
import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { Connections } from '../../clinic/outbox/connections.ts';
import type { Connection } from '../../clinic/outbox/records.ts';
import { ArchiveClient } from '../../connections/dicom/archive-client.ts';
import { Commitments } from '../../connections/dicom/commitments.ts';
import { peerOf } from '../../connections/hub.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { troubleText, yes } from './central.ts';
import { type Arguments, type Command, print } from './command.ts';
import { ADDRESS_OPTIONS, addressFrom, noteUnread, runConnections, stateOf } from './connection-command.ts';

async function add(args: Arguments, dataDir: string): Promise<void> {
  const archive = { ...addressFrom(args), title: args.required('title') };
  using store = openDataStore(dataDir, 'command');
  const connections = new Connections(await commandContext(dataDir, store));
  const id = await connections.addArchive(archive, 'cli');
  const what = await noteUnread(args, connections, id);
  print(`Archive ${id} is known. "isoline archive test ${id}" tries it. ${what}`);
}

function describe({ id, label, url, archive, upstream }: Connection): string {
  return [
    String(id).padStart(4),
    label.padEnd(20),
    url.padEnd(32),
    (archive?.title ?? '').padEnd(16),
    { true: 'confirms', false: 'does not confirm', undefined: 'not asked yet' }[`${archive?.isConfirming}`],
    stateOf(upstream),
  ].join('  ');
}

const report = (offers: NonNullable<TestOutcome['archive']>, tookMs: number): string =>
  [
    `reached in ${Math.round(tookMs)} ms`,
    `it takes: twelve-lead ECGs ${yes(offers.ecg)}, longer and other ECGs ${yes(offers.longEcg)}, reports ${yes(offers.report)}, measurements and findings ${yes(offers.findings)}`,
    offers.confirmation
      ? 'it confirms what it keeps'
      : 'it does not confirm what it keeps: that it took an ECG is all that is known',
  ].join('\n');

async function test(id: number, dataDir: string): Promise<void> {
  using store = openDataStore(dataDir, 'command');
  const context = await commandContext(dataDir, store);
  const connections = new Connections(context);
  const connection = connections.find(id);
  assert(connection.archive !== undefined, 'the connection is an archive');
  await using commitments = new Commitments(
    () => context.settings()['dicom.title'],
    async () => undefined,
  );
  const client = new ArchiveClient({
    peer: peerOf(connection, connection.archive, context.settings()),
    isConfirming: () => undefined,
    commitments,
    onFound: async () => undefined,
  });
  const { archive: offers, trouble, tookMs } = await client.test();
  if (offers === undefined)
    throw new IsolineError('centre_silent', `The archive cannot be used: ${troubleText(trouble)}.`);
  await connections.setConfirming(id, offers.confirmation, 'cli');
  print(report(offers, tookMs));
}

export const archiveCommand: Command = {
  name: 'archive',
  usage: 'add|list|test|remove [ID] --data-dir D [--host H --port P --title T]',
  options: {
    'data-dir': { value: 'D', meaning: 'The data folder.' },
    ...ADDRESS_OPTIONS,
    title: { value: 'T', meaning: 'add: its AE title. Ours is the setting dicom.title.' },
  },
  positionals: [1, 2],
  run: (args) =>
    runConnections(archiveCommand, args, {
      noun: 'archive',
      isOne: ({ archive }) => archive !== undefined,
      describe,
      add,
      test,
    }),
};
