// Archives (PACS) as a kind of connection: readings go there as objects, and some archives say later what they keep.

import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import type { Kind, KindWorld, OpenConnection, Opening, StartedKind } from '../kind.ts';
import { addressOf } from '../port-address.ts';
import { ArchiveClient } from './archive-client.ts';
import { Commitments } from './commitments.ts';
import { packReading } from './pack-reading.ts';

const isHere = (host: string): boolean => /^(127(\.\d+){3}|::1|localhost)$/.test(host);

type Followed = Parameters<NonNullable<StartedKind<'dicom'>['follow']>>[0];

/** Archives on this computer alone are heard on this computer alone. */
async function hear({ context }: KindWorld, commitments: Commitments, all: Followed): Promise<void> {
  const confirming = all.filter(({ proven }) => proven().isConfirming === true);
  const hosts = confirming.map(({ config }) => config.host);
  const own = hosts.includes('::1') ? '::1' : '127.0.0.1';
  const port = context.settings()['dicom.port'];
  const place = confirming.length === 0 ? undefined : { port, host: hosts.every(isHere) ? own : '::' };
  if (!(await commitments.listenAt(place))) context.log('sync.dicom_port_taken', { port });
}

function open(
  { context, noteProven }: KindWorld,
  commitments: Commitments,
  { connectionId, config, proven }: Opening<'dicom'>,
): OpenConnection {
  const client = new ArchiveClient({
    peer: { ...addressOf(config), title: config.title, ownTitle: context.settings()['dicom.title'] },
    isConfirming: () => proven().isConfirming,
    commitments,
    onFound: (isConfirming) => noteProven(connectionId, { isConfirming }),
  });
  return {
    get trouble() {
      const isUnheard = proven().isConfirming === true && !commitments.isListening;
      return isUnheard ? 'portTaken' : client.trouble;
    },
    test: (signal) => client.test(signal),
    deliver: (clinic) => ({
      client,
      pack: (entry, signal) => packReading(clinic, entry, signal),
      [Symbol.asyncDispose]: async () => undefined,
    }),
    [Symbol.asyncDispose]: async () => {
      // Each call has a connection of its own, and ends it.
    },
  };
}

function start(world: KindWorld): StartedKind<'dicom'> {
  const { context, onTurnedAway } = world;
  const commitments = new Commitments(
    () => context.settings()['dicom.title'],
    (dataset, isImplicit) => context.pool.readCommitment(dataset, isImplicit),
    onTurnedAway,
  );
  return {
    open: (opening) => open(world, commitments, opening),
    follow: (all) => hear(world, commitments, all),
    [Symbol.asyncDispose]: () => commitments[Symbol.asyncDispose](),
  };
}

const yes = (is: boolean | undefined): string => (is === true ? 'yes' : 'no');

const describe = ({ offers = {}, tookMs }: TestOutcome): string[] => [
  `reached in ${Math.round(tookMs)} ms`,
  `it takes: twelve-lead ECGs ${yes(offers.ecg)}, longer and other ECGs ${yes(offers.longEcg)}, reports ${yes(offers.report)}, measurements and findings ${yes(offers.findings)}`,
  offers.confirmation === true
    ? 'it confirms what it keeps'
    : 'it does not confirm what it keeps: that it took an ECG is all that is known',
];

export const DICOM: Kind<'dicom'> = { noun: 'archive', settings: ['dicom.title'], start, describe };
