// What a kind of connection is made of, for whoever runs them all: each protocol opens its connections, tests them, and carries
// out of this workstation what is theirs.

import type { TestOutcome } from '../../shared/bridge/sync-views.ts';
import type { Proven } from '../../shared/connections/connection-facts.ts';
import type { ConfigOf, ConnectionKind } from '../../shared/connections/connections.ts';
import type { OrderFacts } from '../../shared/order.ts';
import type { SettingKey } from '../../shared/settings.ts';
import type { ConnectionTrouble } from '../../shared/sync-state.ts';
import type { Clinic } from '../clinic/clinic.ts';
import type { ClinicContext } from '../clinic/context.ts';
import type { OrderList } from '../clinic/orders/orders.ts';
import type { OutboxEntry } from '../clinic/outbox/records.ts';
import type { DoorOptions } from '../door/door.ts';
import type { PackedParcel, Recipient } from './sender-loop.ts';

/** What the connections of a kind work with. */
export interface KindWorld {
  readonly context: ClinicContext;
  /** Hears of those for whom a door of the kind had no room. */
  readonly onTurnedAway?: DoorOptions['onTurnedAway'];
  /** Keeps what a connection has proven to be able to do. */
  noteProven(connectionId: number, proven: Proven): Promise<void>;
}

export interface Opening<K extends ConnectionKind = ConnectionKind> {
  readonly connectionId: number;
  readonly config: ConfigOf<K>;
  /** Empty where the connection needs none. */
  readonly secret: string;
  /** What it has shown until now. */
  proven(): Proven;
}

/** What carries things to a connection. */
export interface Delivery<P extends PackedParcel = PackedParcel> extends AsyncDisposable {
  readonly client: Recipient<P>;
  /** @throws IsolineError where there is nothing that could be sent */
  pack(entry: OutboxEntry, signal: AbortSignal): Promise<P>;
}

/** A list of orders, which is asked for again and again, because it tells nobody of what is new. */
export interface OrderSource {
  readonly list: OrderList;
  /** @throws Error where it cannot be asked: {@link reasonOf} says why */
  ask(signal: AbortSignal): Promise<{
    readonly orders: readonly OrderFacts[];
    /** Entries that could not be read. */
    readonly unread: number;
    /** There are more than are asked for. */
    readonly isMore: boolean;
  }>;
  /** For the log. */
  reasonOf(error: unknown): string;
}

export interface OpenConnection extends AsyncDisposable {
  /** What hindered the last call; undefined after one that was answered. */
  readonly trouble: ConnectionTrouble | undefined;
  /** How far its clock is ahead of ours. */
  readonly clockOffsetMs?: number | undefined;
  readonly bytesPerSecond?: number | undefined;
  test(signal?: AbortSignal): Promise<TestOutcome>;
  deliver?(clinic: Clinic): Delivery;
  readonly orders?: OrderSource | undefined;
  /**
   * When a task was made there; undefined where there is none.
   * @throws IsolineError `centre_silent`
   */
  createdMsOf?(centralId: string): Promise<number | undefined>;
}

/** A kind at work: what all its connections share lives here. */
export interface StartedKind<K extends ConnectionKind = ConnectionKind> extends AsyncDisposable {
  open(opening: Opening<K>): OpenConnection;
  /** Hears of all its connections whenever one of them may be another. */
  follow?(all: readonly Pick<Opening<K>, 'config' | 'proven'>[]): Promise<void>;
}

export interface Kind<K extends ConnectionKind = ConnectionKind> {
  /** In a sentence of the command line: `archive`. */
  readonly noun: string;
  /** Why it is of no use, in words of its own for the command line. */
  readonly troubles?: Partial<Readonly<Record<ConnectionTrouble, string>>>;
  /** Its connections are reopened when one of these settings changes. */
  readonly settings: readonly SettingKey[];
  start(world: KindWorld): StartedKind<K>;
  /** What a test has shown, in lines of the command line. */
  describe(outcome: TestOutcome): readonly string[];
  /** Why it is of no use although it is reached; undefined where it is. */
  complaint?(outcome: TestOutcome, config: ConfigOf<K>): string | undefined;
}
