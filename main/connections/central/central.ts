// Central services as a kind of connection: recordings go there as files or as streams, and reports come back.

import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import { base32Id, type ClinicContext } from '../../clinic/context.ts';
import { isGoing } from '../../clinic/outbox/item.ts';
import type { Delivery, Kind, KindWorld, OpenConnection, Opening, StartedKind } from '../kind.ts';
import { Bandwidth } from './bandwidth.ts';
import { CentralClient } from './central-client.ts';
import { LiveLink } from './live-link.ts';
import { type CentralParcel, Parcels } from './parcels.ts';
import { testCentral } from './test-central.ts';

const TEST_ID_LENGTH = 12;
/** The clock of a centre is said to be off from here on. */
const MOST_OFFSET_MS = 300_000;

const testDeviceId = ({ store, randomBytes }: Pick<ClinicContext, 'store' | 'randomBytes'>): string =>
  `isoline-test#isoline:${store.installationId}:${base32Id(randomBytes, TEST_ID_LENGTH)}`;

/** Tells the centre about the device of a recording that is streamed to it live, and passes on what it asks of that device. */
function liveLinkOf(
  { context: { store, clock }, outbox, decisions, centralCommands }: Clinic,
  connectionId: number,
  client: CentralClient,
): LiveLink {
  return new LiveLink({
    tasks: () => {
      const upstream = store.connections.upstreamOf(connectionId);
      if (upstream === undefined || upstream.stop !== undefined || upstream.notBeforeMs > clock.nowMs())
        return [];
      return outbox.live(connectionId).flatMap(({ item, taskId }) => {
        if (!isGoing(item) || item.way !== 'stream') return [];
        if (item.centralId === undefined || !item.stream.isStarted) return [];
        const state = store.streams.byId(taskId)?.state === 'open' ? 'RECORDING' : 'UPLOADING';
        return [{ taskId, centralId: item.centralId, state }];
      });
    },
    commandOf: (centralId) => client.commandOf(centralId),
    report: (centralId, state) => client.reportState(centralId, state),
    async onCommand(taskId, command) {
      const isToBeObeyed = await centralCommands.note(taskId, command);
      if (isToBeObeyed && command === 'RETRY_UPLOADING') await decisions.sendNow(connectionId, 'program');
    },
  });
}

function delivery(clinic: Clinic, connectionId: number, client: CentralClient): Delivery<CentralParcel> {
  const parcels = new Parcels(clinic.context, clinic.outbox);
  const live = liveLinkOf(clinic, connectionId, client);
  return {
    client,
    pack: (entry, signal) => parcels.pack(entry, signal),
    [Symbol.asyncDispose]: () => live[Symbol.asyncDispose](),
  };
}

async function createdMsOf(client: CentralClient, centralId: string): Promise<number | undefined> {
  const outcome = await client.perform({ kind: 'status', centralId }, undefined);
  if (outcome.kind === 'done') return outcome.createdMs;
  if (outcome.kind === 'absent' || outcome.kind === 'refused') return undefined;
  throw new IsolineError('centre_silent', 'The central service cannot be reached. Try again later.');
}

function open(
  { context }: KindWorld,
  bandwidth: Bandwidth,
  { connectionId, config, secret, proven }: Opening<'central'>,
): OpenConnection {
  const { clock, settings } = context;
  const { url, organizationThere, certificates } = config;
  const proxy = settings()['sync.proxy'];
  const client = new CentralClient(
    {
      url,
      organizationThere,
      token: secret,
      ...(certificates !== undefined && { certificates: [certificates] }),
      ...(proxy !== '' && { proxy }),
    },
    { clockMs: clock.nowMs, bandwidth },
  );
  return {
    get trouble() {
      return client.trouble;
    },
    get clockOffsetMs() {
      return client.clockOffsetMs;
    },
    get bytesPerSecond() {
      return client.bytesPerSecond;
    },
    test: () => testCentral(client, proven().isStreamProven === true, testDeviceId(context)),
    deliver: (clinic) => delivery(clinic, connectionId, client),
    createdMsOf: (centralId) => createdMsOf(client, centralId),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

function start(world: KindWorld): StartedKind<'central'> {
  // What all of them send shares one line.
  const bandwidth = new Bandwidth(() => world.context.settings()['sync.kbps']);
  return {
    open: (opening) => open(world, bandwidth, opening),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const yes = (is: boolean | undefined): string => (is === true ? 'yes' : 'no');

function describe({ offers = {}, proven, isOurs, clockOffsetMs = 0, tookMs }: TestOutcome): string[] {
  return [
    `reached in ${Math.round(tookMs)} ms${isOurs === true ? '; it is another Isoline' : ''}`,
    `the token may: read ${yes(offers.read)}, upload ${yes(offers.upload)}, create tasks ${yes(offers.create)}, stream ${yes(offers.stream)}`,
    `recordings of devices go as ${proven?.isStreamProven === true ? 'streams' : 'files'}`,
    ...(Math.abs(clockOffsetMs) > MOST_OFFSET_MS
      ? [`its clock is ${Math.round(clockOffsetMs / 60_000)} min ahead of ours`]
      : []),
  ];
}

export const CENTRAL: Kind<'central'> = {
  noun: 'central service',
  settings: ['sync.proxy'],
  start,
  describe,
  complaint: ({ offers }, { organizationThere }) =>
    offers?.read === true
      ? undefined
      : `The central service refuses the token for "${organizationThere}". Add it again with another one.`,
};
