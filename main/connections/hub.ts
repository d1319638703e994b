// Puts the senders of a data folder together: one for each central service and archive, with its client, its token, and what
// is sent. Follows what is changed beside it, by a command or on the screen.

import type { TestOutcome } from '../../shared/bridge/sync-views.ts';
import { IsolineError } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { base32Id, type ClinicContext } from '../clinic/context.ts';
import { isGoing } from '../clinic/outbox/item.ts';
import type {
  Archive,
  CentralReport,
  Connection,
  FhirServer,
  OutboxEntry,
  ResultsReceiver,
} from '../clinic/outbox/records.ts';
import type { ConnectionLink } from '../clinic/ports.ts';
import type { Address } from '../hospital/connection.ts';
import type { DicomPeer } from '../hospital/dimse/association.ts';
import type { FhirAddress } from '../hospital/fhir/fhir-connection.ts';
import { Bandwidth } from './central/bandwidth.ts';
import { CentreClient } from './central/central-client.ts';
import { LiveLink } from './central/live-link.ts';
import { type CentreParcel, Parcels } from './central/parcels.ts';
import { testCentre } from './central/test-central.ts';
import { ArchiveClient } from './dicom/archive-client.ts';
import { Commitments } from './dicom/commitments.ts';
import { packReading } from './dicom/pack-reading.ts';
import { FhirClient } from './fhir/fhir-client.ts';
import { packFhir } from './fhir/pack-fhir.ts';
import { packResult, testMessage } from './hl7/pack-result.ts';
import { ResultsClient } from './hl7/results-client.ts';
import { type PackedParcel, type Recipient, SenderLoop } from './sender-loop.ts';

interface StartedSender extends AsyncDisposable {
  readonly client: CentreClient | ArchiveClient | ResultsClient | FhirClient;
  readonly loop: Pick<SenderLoop<PackedParcel>, 'wake' | 'isIdle' | 'progressOf'>;
}

interface RunningSender extends StartedSender {
  /** Changes with everything that the client is made of. */
  readonly key: string;
}

interface SenderPlan extends Pick<RunningSender, 'key'> {
  /** Undefined where the token is missing. */
  readonly start: (() => StartedSender) | undefined;
}

/** Where something of a hospital is, as its row says. */
export function addressOf({ url, certificates }: Connection): Address {
  const { hostname, port, protocol } = new URL(url);
  const isTls = protocol === 'dicoms:' || protocol === 'mllps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    ...(isTls && { tls: certificates === undefined ? {} : { certificates: [certificates] } }),
  };
}

export function fhirAddressOf(
  { url, certificates }: Pick<Connection, 'url' | 'certificates'>,
  { clientId, tokenUrl }: FhirServer,
  secret: string,
): FhirAddress {
  return {
    // Addresses that were made known earlier may end with a slash.
    url: url.replace(/\/+$/, ''),
    ...(certificates !== undefined && { certificates: [certificates] }),
    ...(clientId !== '' && { client: { id: clientId, secret, tokenUrl } }),
  };
}

export const peerOf = (connection: Connection, { title }: Archive, settings: Settings): DicomPeer => ({
  ...addressOf(connection),
  title,
  ownTitle: settings['dicom.title'],
});

const isHere = (host: string): boolean => /^(127(\.\d+){3}|::1|localhost)$/.test(host);

const TEST_ID_LENGTH = 12;
const NOBODY: ResultsReceiver = { application: '', facility: '' };

export const testDeviceId = ({ store, randomBytes }: Pick<ClinicContext, 'store' | 'randomBytes'>): string =>
  `isoline-test#isoline:${store.installationId}:${base32Id(randomBytes, TEST_ID_LENGTH)}`;

export function clientOf(
  { clock, settings }: Pick<ClinicContext, 'clock' | 'settings'>,
  { url, organizationPath, certificates }: Connection,
  token: string,
  bandwidth?: Bandwidth,
): CentreClient {
  const proxy = settings()['sync.proxy'];
  return new CentreClient(
    {
      url,
      organizationPath,
      token,
      ...(certificates !== undefined && { certificates: [certificates] }),
      ...(proxy !== '' && { proxy }),
    },
    { clockMs: clock.nowMs, ...(bandwidth !== undefined && { bandwidth }) },
  );
}

export class CentralSync implements ConnectionLink, AsyncDisposable {
  readonly #clinic: Clinic;
  readonly #senders = new Map<number, RunningSender>();
  readonly #tokenless = new Set<number>();
  readonly #parcels: Parcels;
  readonly #bandwidth: Bandwidth;
  readonly #commitments: Commitments;
  #refreshing: Promise<void> = Promise.resolve();
  #isEnded = false;

  constructor(clinic: Clinic) {
    this.#clinic = clinic;
    this.#parcels = new Parcels(clinic.context, clinic.outbox);
    this.#bandwidth = new Bandwidth(() => clinic.context.settings()['sync.kbps']);
    this.#commitments = new Commitments(
      () => clinic.context.settings()['dicom.title'],
      (dataset, isImplicit) => clinic.context.pool.readCommitment(dataset, isImplicit),
      (name, address) => clinic.doors.note(name, address),
    );
  }

  /** Starts, ends and wakes senders as the store says now. */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing
      .then(() => this.#refreshNow())
      .catch((error: unknown) => {
        this.#clinic.context.log('sync.refresh_failed', {
          reason: error instanceof Error ? error.name : 'unknown',
        });
      });
    return this.#refreshing;
  }

  async #refreshNow(): Promise<void> {
    if (this.#isEnded) return;
    const connections = this.#clinic.context.store.connections.all();
    for (const [id, sender] of this.#senders)
      if (!connections.some((connection) => connection.id === id)) await this.#end(id, sender);
    await this.#hearArchives(connections);
    for (const connection of connections)
      await this.#follow(connection).catch((error: unknown) => {
        // One that cannot be spoken to keeps no other back.
        this.#clinic.context.log('sync.follow_failed', {
          connection: connection.id,
          reason: error instanceof Error ? error.name : 'unknown',
        });
      });
  }

  /** Archives on this computer alone are heard on this computer alone. */
  async #hearArchives(connections: readonly Connection[]): Promise<void> {
    const confirming = connections.filter(({ archive }) => archive?.isConfirming === true);
    const hosts = confirming.map((connection) => addressOf(connection).host);
    const own = hosts.includes('::1') ? '::1' : '127.0.0.1';
    const port = this.#clinic.context.settings()['dicom.port'];
    const place = confirming.length === 0 ? undefined : { port, host: hosts.every(isHere) ? own : '::' };
    if (!(await this.#commitments.listenAt(place)))
      this.#clinic.context.log('sync.dicom_port_taken', { port });
  }

  async #follow(connection: Connection): Promise<void> {
    const { key, start } = await this.#planFor(connection);
    const running = this.#senders.get(connection.id);
    if (running?.key === key) return running.loop.wake();
    if (running !== undefined) await this.#end(connection.id, running);
    // Its token is locked elsewhere, or lost, or locked for the moment: said as what it is, and looked for again
    // at the next occasion.
    if (start === undefined) return void this.#tokenless.add(connection.id);
    this.#tokenless.delete(connection.id);
    this.#senders.set(connection.id, { key, ...start() });
  }

  #planFor(connection: Connection): SenderPlan | Promise<SenderPlan> {
    if (connection.archive !== undefined) return this.#planForArchive(connection, connection.archive);
    if (connection.results !== undefined) return this.#planForResults(connection, connection.results);
    if (connection.fhir !== undefined) return this.#planForFhir(connection, connection.fhir);
    return this.#planForCentre(connection);
  }

  async #planForCentre(connection: Connection): Promise<SenderPlan> {
    const { context } = this.#clinic;
    const token = await context.connectionSecrets.read(connection.id);
    const { url, organizationPath, certificates } = connection;
    const key = JSON.stringify([
      url,
      organizationPath,
      certificates,
      token,
      context.settings()['sync.proxy'],
    ]);
    if (token === undefined) return { key, start: undefined };
    const start = (): StartedSender => {
      const client = clientOf(context, connection, token, this.#bandwidth);
      const loop = this.#loopOf<CentreParcel>(connection.id, client, (entry, signal) =>
        this.#parcels.pack(entry, signal),
      );
      const live = this.#liveLinkOf(connection.id, client);
      const dispose = async (): Promise<void> => {
        await live[Symbol.asyncDispose]();
        await loop[Symbol.asyncDispose]();
        await client[Symbol.asyncDispose]();
      };
      return { client, loop, [Symbol.asyncDispose]: dispose };
    };
    return { key, start };
  }

  #planForArchive(connection: Connection, archive: Archive): SenderPlan {
    const { context } = this.#clinic;
    const peer = peerOf(connection, archive, context.settings());
    const start = (): StartedSender => {
      const client = new ArchiveClient({
        peer,
        isConfirming: () => context.store.connections.byId(connection.id)?.archive?.isConfirming,
        commitments: this.#commitments,
        onFound: async (isConfirming) => {
          await this.#clinic.connections.setConfirming(connection.id, isConfirming, 'program');
          await this.#hearArchives(context.store.connections.all());
        },
      });
      const loop = this.#loopOf(connection.id, client, (entry, signal) =>
        packReading(this.#clinic, entry, signal),
      );
      return { client, loop, [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose]() };
    };
    return { key: JSON.stringify(peer), start };
  }

  #planForResults(connection: Connection, receiver: ResultsReceiver): SenderPlan {
    const address = addressOf(connection);
    const start = (): StartedSender => {
      const client = new ResultsClient(address);
      const loop = this.#loopOf(connection.id, client, (entry) => packResult(this.#clinic, entry, receiver));
      return { client, loop, [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose]() };
    };
    return { key: JSON.stringify([address, receiver]), start };
  }

  async #planForFhir({ id, url, certificates }: Connection, server: FhirServer): Promise<SenderPlan> {
    const secret = server.clientId === '' ? '' : await this.#clinic.context.connectionSecrets.read(id);
    const key = JSON.stringify([url, certificates, server, secret]);
    if (secret === undefined) return { key, start: undefined };
    const start = (): StartedSender => {
      const address = fhirAddressOf({ url, certificates }, server, secret);
      const client = new FhirClient(address);
      const loop = this.#loopOf(id, client, (entry) => packFhir(this.#clinic, entry, server, address.url));
      const dispose = async (): Promise<void> => {
        await loop[Symbol.asyncDispose]();
        await client[Symbol.asyncDispose]();
      };
      return { client, loop, [Symbol.asyncDispose]: dispose };
    };
    return { key, start };
  }

  #loopOf<P extends PackedParcel>(
    connectionId: number,
    client: Recipient<P>,
    pack: (entry: OutboxEntry, signal: AbortSignal) => Promise<P>,
  ): SenderLoop<P> {
    const { context, outbox, decisions } = this.#clinic;
    const { store, clock, files, log } = context;
    return new SenderLoop<P>({
      connectionId,
      outbox,
      items: () => store.outbox.open(connectionId),
      item: (id) => store.outbox.byId(id)?.item,
      upstream: () => store.connections.byId(connectionId)?.upstream,
      client,
      pack: (item, signal) => pack(store.outbox.byId(item.id) as OutboxEntry, signal),
      keepReport: async (pdf): Promise<CentralReport> => ({
        sha256: await files.put(pdf),
        sizeBytes: pdf.length,
        fetchedMs: clock.nowMs(),
      }),
      nowMs: clock.nowMs,
      onClockSetBack: () => void decisions.sendNow(connectionId, 'program'),
      log,
    });
  }

  #liveLinkOf(connectionId: number, client: CentreClient): LiveLink {
    const { context, outbox, decisions, centralCommands } = this.#clinic;
    const { store } = context;
    return new LiveLink({
      tasks: () => {
        const upstream = store.connections.byId(connectionId)?.upstream;
        if (
          upstream === undefined ||
          upstream.stop !== undefined ||
          upstream.notBeforeMs > context.clock.nowMs()
        )
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

  async #end(id: number, sender: RunningSender): Promise<void> {
    this.#senders.delete(id);
    await sender[Symbol.asyncDispose]();
  }

  stateOf(connectionId: number): ReturnType<ConnectionLink['stateOf']> {
    const client = this.#senders.get(connectionId)?.client;
    const { archive } = this.#clinic.context.store.connections.byId(connectionId) ?? {};
    const isUnheard = archive?.isConfirming === true && !this.#commitments.isListening;
    const trouble = this.#tokenless.has(connectionId) ? 'noToken' : isUnheard ? 'portTaken' : client?.trouble;
    return { trouble, clockOffsetMs: client?.clockOffsetMs, bytesPerSecond: client?.bytesPerSecond };
  }

  progressOf(connectionId: number, itemId: number): number | undefined {
    const progress = this.#senders.get(connectionId)?.loop.progressOf(itemId);
    return progress === undefined || progress.all === 0 ? undefined : progress.done / progress.all;
  }

  async #requireClient(connectionId: number): Promise<RunningSender['client']> {
    this.#clinic.connections.find(connectionId);
    // It may have been made known a moment ago, beside us.
    await this.refresh();
    const client = this.#senders.get(connectionId)?.client;
    if (client === undefined)
      throw new IsolineError('centre_token_missing', 'This central service has no token. Enter one.');
    return client;
  }

  async createdMsOf(connectionId: number, centralId: string): Promise<number | undefined> {
    const client = await this.#requireClient(connectionId);
    // What an archive has is asked of the archive itself.
    if (!(client instanceof CentreClient)) return undefined;
    const outcome = await client.perform({ kind: 'status', centralId }, undefined);
    if (outcome.kind === 'done') return outcome.createdMs;
    if (outcome.kind === 'absent' || outcome.kind === 'refused') return undefined;
    throw new IsolineError('centre_silent', 'The central service cannot be reached. Try again later.');
  }

  async test(connectionId: number): Promise<TestOutcome> {
    const client = await this.#requireClient(connectionId);
    if (client instanceof ArchiveClient || client instanceof FhirClient) return client.test();
    if (client instanceof ResultsClient) {
      const { settings, clock, randomBytes } = this.#clinic.context;
      const { results } = this.#clinic.connections.find(connectionId);
      const id = base32Id(randomBytes, TEST_ID_LENGTH);
      return client.test(testMessage(settings(), results ?? NOBODY, id, clock.nowMs()));
    }
    return testCentre(
      client,
      this.#clinic.connections.find(connectionId).isStreamProven,
      testDeviceId(this.#clinic.context),
    );
  }

  /** Everything that is due has been done, as far as it could be. */
  get isIdle(): boolean {
    return [...this.#senders.values()].every(({ loop }) => loop.isIdle);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#refreshing;
    await Promise.all([...this.#senders].map(([id, sender]) => this.#end(id, sender)));
    await this.#commitments[Symbol.asyncDispose]();
  }
}
