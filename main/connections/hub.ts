// Runs the connections of a data folder: opens each as its kind has it, sends what is for it, asks for its orders, and follows
// what is changed beside it, by a command or on the screen. What a protocol does is in the folder of that protocol.

import type { TestOutcome } from '../../shared/bridge/sync-views.ts';
import {
  CONNECTION_KINDS,
  type ConnectionKind,
  type ConnectionTo,
  factsOf,
  orderTroublesOf,
} from '../../shared/connections/connections.ts';
import { IsolineError } from '../../shared/errors.ts';
import type { Clinic } from '../clinic/clinic.ts';
import type { ClinicContext } from '../clinic/context.ts';
import type { CentralReport, Connection, OutboxEntry } from '../clinic/outbox/records.ts';
import type { ConnectionLink } from '../clinic/ports.ts';
import type { Delivery, KindWorld, OpenConnection, StartedKind } from './kind.ts';
import { kindNamed } from './kinds.ts';
import { OrderLists } from './order-lists.ts';
import { SenderLoop } from './sender-loop.ts';

/** A missing secret is looked for every second at first, because it is stored right after its connection; later, now and then. */
const LOOK_AGAIN_MS = 1000;
const QUICK_LOOKS = 10;
const LOOK_SELDOM_MS = 30_000;

interface RunningConnection extends AsyncDisposable {
  /** Changes with everything that the connection is made of. */
  readonly key: string;
  readonly open: OpenConnection;
  readonly loop: SenderLoop | undefined;
}

/** Undefined where its secret cannot be read. */
export const secretOf = async (
  { connectionSecrets }: Pick<ClinicContext, 'connectionSecrets'>,
  { id, to }: Connection,
): Promise<string | undefined> => (factsOf(to).needsSecret(to.config) ? connectionSecrets.read(id) : '');

export class ConnectionHub implements ConnectionLink, AsyncDisposable {
  readonly #clinic: Clinic;
  readonly #started: ReadonlyMap<ConnectionKind, StartedKind>;
  readonly #running = new Map<number, RunningConnection>();
  readonly #orderLists: OrderLists;
  /** Connections whose secret cannot be read, and how often it was looked for. */
  readonly #locked = new Map<number, number>();
  #lookingAgain: ReturnType<typeof setTimeout> | undefined;
  #refreshing: Promise<void> = Promise.resolve();
  #isEnded = false;

  constructor(clinic: Clinic) {
    this.#clinic = clinic;
    this.#orderLists = new OrderLists(clinic.orders, clinic.context.log);
    const world: KindWorld = {
      context: clinic.context,
      onTurnedAway: (name, address) => clinic.doors.note(name, address),
      noteProven: async (connectionId, proven) => {
        await clinic.connections.noteProven(connectionId, proven, 'program');
        await this.#tellKinds(clinic.context.store.connections.all());
      },
    };
    this.#started = new Map(CONNECTION_KINDS.map((kind) => [kind, kindNamed(kind).start(world)]));
  }

  #startedOf({ kind }: ConnectionTo): StartedKind {
    return this.#started.get(kind) as StartedKind;
  }

  /** Opens, ends and wakes connections as the store says now. */
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
    const isGone = (id: number): boolean => !connections.some((connection) => connection.id === id);
    for (const id of [...this.#running.keys(), ...this.#locked.keys()])
      if (isGone(id)) {
        await this.#orderLists.leave(id);
        await this.#end(id);
        this.#locked.delete(id);
      }
    await this.#tellKinds(connections);
    for (const connection of connections)
      await this.#follow(connection).catch((error: unknown) => {
        // One that cannot be spoken to keeps no other back.
        this.#clinic.context.log('sync.follow_failed', {
          centre: connection.id,
          reason: error instanceof Error ? error.name : 'unknown',
        });
      });
    this.#lookAgain();
  }

  async #tellKinds(connections: readonly Connection[]): Promise<void> {
    for (const [kind, started] of this.#started)
      await started.follow?.(
        connections
          .filter(({ to }) => to.kind === kind)
          .map(({ to, proven }) => ({ config: to.config, proven: () => proven })),
      );
  }

  /** Somebody may just be storing a secret, or unlock the key store in a while. */
  #lookAgain(): void {
    clearTimeout(this.#lookingAgain);
    if (this.#locked.size === 0) return;
    const isNew = [...this.#locked.values()].some((looks) => looks < QUICK_LOOKS);
    const pauseMs = isNew ? LOOK_AGAIN_MS : LOOK_SELDOM_MS;
    this.#lookingAgain = setTimeout(() => void this.refresh(), pauseMs).unref();
  }

  async #follow(connection: Connection): Promise<void> {
    const { id, to } = connection;
    const { context } = this.#clinic;
    const secret = await secretOf(context, connection);
    const settings = context.settings();
    const key = JSON.stringify([to, secret, kindNamed(to.kind).settings.map((name) => settings[name])]);
    const running = this.#running.get(id);
    if (running?.key === key) {
      running.loop?.wake();
      return;
    }
    await this.#end(id);
    // It is locked elsewhere, or lost, or locked for the moment: said as what it is.
    if (secret === undefined) this.#locked.set(id, (this.#locked.get(id) ?? 0) + 1);
    else {
      this.#locked.delete(id);
      this.#running.set(id, this.#open(connection, key, secret));
    }
    await this.#followOrders(connection);
  }

  #open({ id, to, proven }: Connection, key: string, secret: string): RunningConnection {
    const { store } = this.#clinic.context;
    const open = this.#startedOf(to).open({
      connectionId: id,
      config: to.config,
      secret,
      proven: () => store.connections.byId(id)?.proven ?? proven,
    });
    const delivery = open.deliver?.(this.#clinic);
    const loop = delivery === undefined ? undefined : this.#loopOf(id, delivery);
    return {
      key,
      open,
      loop,
      async [Symbol.asyncDispose]() {
        await delivery?.[Symbol.asyncDispose]();
        await loop?.[Symbol.asyncDispose]();
        await open[Symbol.asyncDispose]();
      },
    };
  }

  async #followOrders({ id, to, organizationId }: Connection): Promise<void> {
    const troubles = orderTroublesOf(to);
    if (troubles === undefined || organizationId !== this.#clinic.orders.organizationId)
      return this.#orderLists.leave(id);
    const source = this.#running.get(id)?.open.orders;
    await this.#orderLists.follow({ connectionId: id, troubles, source });
  }

  #loopOf(connectionId: number, { client, pack }: Delivery): SenderLoop {
    const { context, outbox, decisions } = this.#clinic;
    const { store, clock, files, log } = context;
    return new SenderLoop({
      connectionId,
      outbox,
      items: () => store.outbox.open(connectionId),
      item: (id) => store.outbox.byId(id)?.item,
      upstream: () => store.connections.upstreamOf(connectionId),
      sizeOf: (id) => store.outbox.sizeOf(id),
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

  async #end(id: number): Promise<void> {
    const running = this.#running.get(id);
    this.#running.delete(id);
    await running?.[Symbol.asyncDispose]();
  }

  stateOf(connectionId: number): ReturnType<ConnectionLink['stateOf']> {
    const open = this.#running.get(connectionId)?.open;
    return {
      trouble: this.#locked.has(connectionId) ? 'noToken' : open?.trouble,
      clockOffsetMs: open?.clockOffsetMs,
      bytesPerSecond: open?.bytesPerSecond,
    };
  }

  progressOf(connectionId: number, itemId: number): number | undefined {
    const progress = this.#running.get(connectionId)?.loop?.progressOf(itemId);
    return progress === undefined || progress.all === 0 ? undefined : progress.done / progress.all;
  }

  async #require(connectionId: number): Promise<OpenConnection> {
    this.#clinic.connections.find(connectionId);
    // It may have been made known a moment ago, beside us.
    await this.refresh();
    const open = this.#running.get(connectionId)?.open;
    if (open === undefined)
      throw new IsolineError('centre_token_missing', 'This connection has no token or secret. Enter one.');
    return open;
  }

  async createdMsOf(connectionId: number, centralId: string): Promise<number | undefined> {
    return (await this.#require(connectionId)).createdMsOf?.(centralId);
  }

  async test(connectionId: number): Promise<TestOutcome> {
    return (await this.#require(connectionId)).test();
  }

  /** Everything that is due has been done, as far as it could be. */
  get isIdle(): boolean {
    return [...this.#running.values()].every(({ loop }) => loop?.isIdle !== false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#lookingAgain);
    await this.#refreshing;
    await this.#orderLists[Symbol.asyncDispose]();
    await Promise.all([...this.#running.keys()].map((id) => this.#end(id)));
    await Promise.all([...this.#started.values()].map((started) => started[Symbol.asyncDispose]()));
  }
}
