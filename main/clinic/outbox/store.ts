// What the domain needs of the store for what is sent to central services.

import type { Proven } from '../../../shared/connections/connection-facts.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { StatedTask } from '../../ground/task-fields.ts';
import type { Item } from './item.ts';
import type { CentralReport, Connection, OutboxEntry, SentPatient } from './records.ts';
import type { Upstream } from './upstream.ts';

export interface ConnectionStore {
  /** Without those that were removed. */
  all(): Connection[];
  byId(id: number): Connection | undefined;
  /** How the way there is, whether it was removed or not. */
  upstreamOf(id: number): Upstream | undefined;
  ofOrganization(organizationId: number): Connection[];
  add(connection: Pick<Connection, 'label' | 'to' | 'organizationId' | 'upstream'>, nowMs: number): number;
  setUpstream(id: number, upstream: Upstream, lastContactMs: number | undefined): void;
  setProven(id: number, proven: Proven): void;
  setTakesUnread(id: number, takesUnread: boolean): void;
  remove(id: number): void;
  /** The connections that were removed. */
  removed(): Connection[];
  /** Brings a removed connection back. */
  revive(id: number, as: Pick<Connection, 'label' | 'to' | 'upstream'>): void;
}

export interface OutboxStore {
  byId(id: number): OutboxEntry | undefined;
  byTask(connectionId: number, taskId: number): OutboxEntry | undefined;
  /** The entries of a task at the connections that are still known. */
  ofTask(taskId: number): OutboxEntry[];
  byCentralId(connectionId: number, centralId: string): OutboxEntry | undefined;
  /** @returns the id; the item is made with it */
  add(
    entry: Omit<OutboxEntry, 'item' | 'changedMs' | 'sent' | 'stated' | 'replaces'>,
    makeItem: (id: number) => Item,
    nowMs: number,
  ): number;
  set(item: Item, nowMs: number): void;
  setContent(id: number, content: string): void;
  /** What a sender works on, the oldest first. */
  open(connectionId: number): Item[];
  /** In these states, in the order in which they go. */
  queue(connectionId: number, states: readonly Item['state'][], limit: number): OutboxEntry[];
  /** In these states, the last changed first. */
  list(connectionId: number, states: readonly Item['state'][], limit: number): OutboxEntry[];
  count(connectionId: number): ReadonlyMap<Item['state'], number>;
  countChangedSince(connectionId: number, state: Item['state'], sinceMs: number): number;
  /** When those of a centre were done since then, the oldest first. */
  doneSince(connectionId: number, sinceMs: number): number[];
  /** Tasks of which another reading is approved than the one that was delivered. */
  outdated(connectionId: number): number[];
  /** When the last one was done. */
  lastDoneMs(connectionId: number): number | undefined;
  /** What the centre is told of the patient; nothing differs from that moment on. */
  setSent(id: number, sent: SentPatient, stated: StatedTask): void;
  setDiffering(id: number, isDiffering: boolean): void;
  /** The entries whose patient reads otherwise here than there, the newest first. */
  differing(connectionId: number, limit: number): OutboxEntry[];
  countDiffering(connectionId: number): number;
  /**
   * Tasks with a recording that this centre was never told of, the oldest first. @param of.ownTag what a task
   * carries that came from here
   */
  neverSent(
    connectionId: number,
    of: { readonly organizationId: number; readonly isSimulatedSent: boolean; readonly ownTag: string },
  ): number[];
  /** It is sent once more, as another task, under another mark. */
  beginAnew(id: number, as: Pick<OutboxEntry, 'marker' | 'deviceId' | 'replaces'>): void;
  /** The centre judges it graver than we do, and nobody has seen that yet; undefined: somebody has. */
  setRaised(id: number, severity: Severity | undefined): void;
  raised(): (OutboxEntry & { readonly severity: Severity })[];
  /** The size of the recording behind an entry; 0 while it is recorded. */
  sizeOf(id: number): number;
  /** The size of the recordings that still wait. */
  waitingBytes(connectionId: number): number;
  /** The one that was put in first. */
  oldest(connectionId: number, states: readonly Item['state'][]): Item | undefined;
  /** Another one of this content that is there, or may be. */
  sentTwin(connectionId: number, content: string, exceptId: number): OutboxEntry | undefined;
  /** All that are not done, of every centre. */
  undone(): Item[];
  addReport(id: number, report: CentralReport): void;
  latestReport(id: number): CentralReport | undefined;
  isKept(patientId: number): boolean;
  keep(patientId: number, nowMs: number): void;
  letGo(patientId: number): void;
}
