// The queue to the connections, as the domain keeps it: what is written before a call is sent, and what comes of
// its answer. What goes into it: enrolment.ts; what people decide: decisions.ts. D120 to D136.

import { given } from '../../../shared/given.ts';
import { SEVERITIES, severityRank } from '../../../shared/severity.ts';
import { type ClinicContext, change, type Note, Together, type Tx, type Work } from '../context.ts';
import type { Task } from '../tasks/records.ts';
import type { Call, Outcome } from './call.ts';
import { centralTaskOf, sentPatientOf } from './central-task.ts';
import {
  type Cause,
  causeOf,
  centralIdOf,
  type Item,
  isGoing,
  isOpen,
  isTaskDoubted,
  mayBeThere,
  mayFollow,
  severityOf,
} from './item.ts';
import { fromTheStart, newItem, setAside } from './item-states.ts';
import type { CentralReport, Connection, OutboxEntry, SentPatient } from './records.ts';
import { afterAnswer, inRestoredCopy } from './sender.ts';
import { afterRestart, intend, isAbout, isTooLateToRepeat, type SettleContext } from './settle.ts';
import type { Upstream } from './upstream.ts';

/** No poll and no back-off is further ahead: what is was written under another clock. */
const FURTHEST_MS = 8 * 3_600_000;
const ANNOUNCE_MS = 500;
/** What could not be stored here is asked for again. */
const HINDERED_MS = 300_000;

type Done<T> = ReturnType<Work<T>>;

/** What came back with the outcome of a call. */
interface Brought {
  readonly report?: CentralReport | undefined;
  /** When it was sent; absent: just now. */
  readonly begunMs?: number;
}

/** @param itemId absent where any of the centre's may have changed */
export type OutboxListener = (connectionId: number, itemId?: number) => void;

export class Outbox {
  readonly #context: ClinicContext;
  /** Intents and answers of several calls under way are written as one. */
  readonly #together: Together;
  readonly #listeners = new Set<OutboxListener>();
  /** Tasks that may go out while they are recorded. */
  readonly #live = new Set<number>();
  #announcing: ReturnType<typeof setTimeout> | undefined;

  constructor(context: ClinicContext) {
    this.#context = context;
    this.#together = new Together(context);
  }

  /** Hears of a queue that has changed, once the change is committed. */
  onChange(listener: OutboxListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Listeners read for themselves what is stored. */
  tell(tx: Tx, connectionId: number, itemId?: number): void {
    tx.after(() => this.#told(connectionId, itemId));
  }

  #told(connectionId: number, itemId?: number): void {
    setImmediate(() => {
      for (const listener of this.#listeners) listener(connectionId, itemId);
      this.#announce();
    });
  }

  /**
   * Keeps an item a step further. A step that is in no table is a fault of ours; a person
   * decides then, and nothing goes by itself.
   */
  keep(_tx: Tx, before: Item, after: Item): void {
    const { store, clock, log } = this.#context;
    const isStep = mayFollow(before.state, after.state);
    if (!isStep) log('outbox.no_such_step', { item: after.id, before: before.state, after: after.state });
    store.outbox.set(isStep ? after : setAside(before, 'NEEDS_CHECK', 'unclearAnswer'), clock.nowMs());
  }

  /** What the worklist shows of it is new. */
  tellTask(tx: Tx, taskId: number): void {
    tx.after(() => this.#context.publish('task.changed', { taskId }));
  }

  /** A queue of thousands changes more often than anybody looks. */
  #announce(): void {
    this.#announcing ??= setTimeout(() => {
      this.#announcing = undefined;
      this.#context.publish('sync.changed', {});
    }, ANNOUNCE_MS).unref();
  }

  /** What the machine needs to know beside an answer. */
  settleContext(connection: Connection, item?: Item): SettleContext {
    const { clock, randomBytes } = this.#context;
    return {
      nowMs: clock.nowMs(),
      random: () => Buffer.from(randomBytes(4)).readUInt32LE() / 2 ** 32,
      // Where a second task is accepted, it is one: no third.
      isIdempotent:
        connection.proven.isIdempotent === true ||
        (this.#context.settings()['sync.unknownCreate'] === 'resend' &&
          !(item !== undefined && isTaskDoubted(item))),
    };
  }

  /** Frames of this task are to be heard of as they come. */
  expectFrames(tx: Tx, taskId: number): void {
    tx.after(() => void this.#live.add(taskId));
  }

  #isAnyLive(taskId: number): boolean {
    return this.#context.store.outbox
      .ofTask(taskId)
      .some(({ item }) => item.isLive && isOpen(item) && item.state !== 'WAITING_REPORT');
  }

  /** The entries of a centre that go out while they are recorded, or did so and are not all there yet. */
  live(connectionId: number): OutboxEntry[] {
    return [...this.#live].flatMap((taskId) =>
      this.#context.store.outbox
        .ofTask(taskId)
        .filter(
          ({ item, ...entry }) =>
            entry.connectionId === connectionId && item.isLive && item.state === 'SENDING',
        ),
    );
  }

  /** More of a recording that goes out while it runs is on the disk. */
  noteFrames(taskId: number): void {
    if (!this.#live.has(taskId)) return;
    const open = this.#context.store.outbox.ofTask(taskId).filter(({ item }) => item.isLive && isOpen(item));
    if (open.length === 0) this.#live.delete(taskId);
    for (const { connectionId, item } of open) this.#told(connectionId, item.id);
  }

  /**
   * The intent of a call, on the disk before it is sent (D124). @returns undefined where nothing is to be
   * sent any more
   */
  intend(id: number, call: Call, isCurrent: () => boolean = () => true): Promise<Item | undefined> {
    return this.#together.change((tx) => this.#intended(tx, id, call, isCurrent));
  }

  /**
   * What was made ready, and what the call was planned for, may have changed while it waited to be written: then the call is not
   * sent, and the next one is planned again.
   */
  #intended(tx: Tx, id: number, call: Call, isCurrent: () => boolean): Done<Item | undefined> {
    const { store, clock } = this.#context;
    const entry = store.outbox.byId(id);
    const connection = entry === undefined ? undefined : store.connections.byId(entry.connectionId);
    if (entry === undefined || connection?.upstream.stop !== undefined || !isOpen(entry.item))
      return { result: undefined, notes: [] };
    if (!isCurrent() || !isAbout(entry.item, call)) return { result: undefined, notes: [] };
    const nowMs = clock.nowMs();
    if (call.kind === 'createTask' && isTooLateToRepeat(entry.item, nowMs)) {
      const aside = setAside(entry.item, 'NEEDS_CHECK', 'lostAnswer');
      this.keep(tx, entry.item, aside);
      return { result: undefined, notes: [asideNote(entry, aside)] };
    }
    if (call.kind === 'createTask' && this.#isUnderOtherName(entry)) {
      // Nobody uses what the centre has of this upload, and it expires there.
      this.keep(tx, entry.item, fromTheStart(entry.item));
      this.#writeRequest(entry);
      return { result: undefined, notes: [] };
    }
    const item = intend(entry.item, call, nowMs);
    const isRepeat = isTaskDoubted(entry.item);
    const isFirst =
      call.kind === 'createTask' ||
      call.kind === 'createDraft' ||
      (call.kind === 'object' && call.index === 0);
    if (isFirst && !isRepeat) this.#writeRequest(entry);
    this.keep(tx, entry.item, item);
    return { result: item, notes: [] };
  }

  /**
   * Its patient was changed while a creation was under way that came to nothing: the file that is there may
   * carry the name before.
   */
  #isUnderOtherName({ item, taskId, sent }: OutboxEntry): boolean {
    if (sent === undefined || isTaskDoubted(item)) return false;
    return JSON.stringify(sent) !== JSON.stringify(this.#presentPatient(taskId));
  }

  #presentPatient(taskId: number): SentPatient {
    const { store } = this.#context;
    const task = store.tasks.byId(taskId) as Task;
    return sentPatientOf(
      task,
      task.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId)?.facts,
    );
  }

  /**
   * What is said of it is fixed with the intent to send it: whatever changes after that differs from what was
   * sent (D130, D131).
   */
  #writeRequest(entry: OutboxEntry): void {
    const { store, settings } = this.#context;
    const task = store.tasks.byId(entry.taskId) as Task;
    const recording = task.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId);
    const startedMs = entry.item.isLive ? store.streams.byId(task.id)?.startedMs : undefined;
    const stated = centralTaskOf(task, recording?.facts, entry, {
      isAutoComplete: settings()['sync.autoComplete'],
      startedMs,
    });
    store.outbox.setSent(entry.item.id, sentPatientOf(task, recording?.facts), stated);
  }

  /** What came of a call; the item, the centre and a report that came are one commit. */
  settle(id: number, call: Call, outcome: Outcome, brought: Brought = {}): Promise<Item> {
    return this.#together.change((tx) => this.#settled(tx, id, call, outcome, brought));
  }

  /** What came of a call, and the intent of the one that follows it at once: one commit. */
  settleAndIntend(
    id: number,
    call: Call,
    outcome: Outcome,
    next: Call,
    { isCurrent, ...brought }: Brought & { readonly isCurrent: () => boolean },
  ): Promise<Item | undefined> {
    return this.#together.change((tx) => {
      const settled = this.#settled(tx, id, call, outcome, brought);
      const intended = this.#intended(tx, id, next, isCurrent);
      return { result: intended.result, notes: [...settled.notes, ...intended.notes] };
    });
  }

  #settled(tx: Tx, id: number, call: Call, outcome: Outcome, { report, begunMs }: Brought): Done<Item> {
    const { store, clock } = this.#context;
    const entry = store.outbox.byId(id) as OutboxEntry;
    const connection = store.connections.byId(entry.connectionId) as Connection;
    const after = afterAnswer(
      { item: entry.item, call, ...given({ begunMs }) },
      outcome,
      connection.upstream,
      this.settleContext(connection, entry.item),
    );
    const item = this.#withNewestReading(this.#withItsOwnNumber(after.item, entry), entry);
    const nowMs = clock.nowMs();
    this.keep(tx, entry.item, item);
    const isGone = store.tasks.byId(entry.taskId)?.state === 'DELETED';
    if (report !== undefined && isGone) store.erasure.forgetFile(report.sha256);
    else if (report !== undefined) store.outbox.addReport(id, report);
    const isAnswer = outcome.kind !== 'notDone' && !(outcome.kind === 'unknown' && !outcome.isServer);
    store.connections.setUpstream(connection.id, after.upstream, isAnswer ? nowMs : undefined);
    const severity = severityOf(item);
    const isOtherSeverity = severity !== severityOf(entry.item);
    if (isOtherSeverity && !isGone) this.#noteSeverity(entry, severity);
    const isStreamRefused =
      outcome.kind === 'refused' &&
      (call.kind === 'createDraft' || (call.kind === 'frame' && call.index === 0));
    // Later ones go as files (D125).
    if (isStreamRefused)
      store.connections.setProven(connection.id, { ...connection.proven, isStreamProven: false });
    if (item.isLive && !this.#isAnyLive(entry.taskId)) tx.after(() => void this.#live.delete(entry.taskId));
    this.tell(tx, connection.id, id);
    // What the worklist shows of it.
    if (item.state !== entry.item.state || isOtherSeverity) this.tellTask(tx, entry.taskId);
    return {
      result: item,
      notes: notesOf(entry, item, connection, after.upstream),
    };
  }

  /** What the centre finds graver than we did is told; ours stays as it is (D131). */
  #noteSeverity({ taskId, item: { id } }: OutboxEntry, severity: string | undefined): void {
    const { store } = this.#context;
    const theirs = SEVERITIES.find((each) => each === severity);
    const ours = store.tasks.byId(taskId)?.severity;
    const isGraver =
      theirs !== undefined && severityRank(theirs) > (ours === undefined ? -1 : severityRank(ours));
    store.outbox.setRaised(id, isGraver && theirs !== 'NONE' ? theirs : undefined);
  }

  /** Amended while it was on its way: all is there, and it is not what counts any more. */
  #withNewestReading(item: Item, { taskId, item: before }: OutboxEntry): Item {
    if (item.way !== 'delivery' || (item.state !== 'WAITING_REPORT' && item.state !== 'DONE')) return item;
    const latest = this.#context.store.reports.latest(taskId)?.revision;
    if (latest === undefined || item.revision === undefined || latest <= item.revision) return item;
    const { id, way, isCritical, createdMs, passedAtFailure } = item;
    const again = newItem(id, way, isCritical, createdMs, passedAtFailure);
    const nowMs = this.#context.clock.nowMs();
    return { ...again, state: before.state === 'SENDING' ? 'SENDING' : 'READY', notBeforeMs: nowMs };
  }

  /** A number that another task here has already says that something is wrong there, or on the way (D132). */
  #withItsOwnNumber(item: Item, { connectionId, item: before }: OutboxEntry): Item {
    const centralId = centralIdOf(item);
    if (centralId === undefined || centralId === centralIdOf(before)) return item;
    const other = this.#context.store.outbox.byCentralId(connectionId, centralId);
    if (other === undefined || other.item.id === item.id) return item;
    return { ...setAside(item, 'NEEDS_CHECK', 'unclearAnswer'), centralId: undefined };
  }

  /** It cannot be sent: what is to be sent is missing, or damaged. */
  async refuse(id: number, cause: Cause, message: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, (tx) => {
      const entry = store.outbox.byId(id);
      if (entry === undefined || !isOpen(entry.item)) return { result: undefined, notes: [] };
      const item = this.#hindered(entry.item, cause, message);
      this.keep(tx, entry.item, item);
      this.tell(tx, entry.connectionId, id);
      return { result: undefined, notes: isOpen(item) ? [] : [asideNote(entry, item)] };
    });
  }

  /** A fault of ours takes nothing back that is there, or may be. */
  #hindered(item: Item, cause: Cause, message: string): Item {
    if (item.state === 'WAITING_REPORT')
      return { ...item, notBeforeMs: this.#context.clock.nowMs() + HINDERED_MS };
    const isAsked = (item.way === 'stream' && item.wasFinishLost) || (isGoing(item) && mayBeThere(item));
    if (isAsked) return setAside(item, 'NEEDS_CHECK', 'lostAnswer');
    return { ...setAside(item, 'REFUSED', cause), message };
  }

  /** Nothing is known of what was under way; and no wait is longer than waits are. */
  async resume(): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, (tx) => {
      for (const connection of store.connections.all()) {
        const context = this.settleContext(connection);
        const latestMs = context.nowMs + FURTHEST_MS;
        const items = store.outbox.open(connection.id);
        for (const { id, isLive } of items)
          if (isLive) this.expectFrames(tx, (store.outbox.byId(id) as OutboxEntry).taskId);
        for (const [i, item] of items.entries()) {
          const after = afterRestart(item, this.settleContext(connection, item));
          const now = after.notBeforeMs > latestMs ? { ...after, notBeforeMs: context.nowMs } : after;
          if (now !== items[i]) this.keep(tx, item, now);
        }
        store.connections.setUpstream(
          connection.id,
          { ...connection.upstream, failuresInRow: 0, notBeforeMs: 0 },
          undefined,
        );
      }
      return { result: undefined, notes: [] };
    });
  }

  /**
   * The data came from a backup, or were copied: the other one may have sent what is in here. Nothing goes
   * until somebody has looked.
   */
  async stopInCopy(): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, (tx) => {
      const undone = store.outbox.undone();
      for (const [i, item] of inRestoredCopy(undone).entries()) this.keep(tx, undone[i] as Item, item);
      for (const connection of store.connections.all())
        store.connections.setUpstream(
          connection.id,
          { ...connection.upstream, stop: 'restoredCopy' },
          undefined,
        );
      return {
        result: undefined,
        notes: [
          { actor: 'program', action: 'sync.copy_found', subject: 'sync', detail: { items: undone.length } },
        ],
      };
    });
  }
}

const asideNote = ({ taskId, connectionId }: OutboxEntry, item: Item): Note => ({
  actor: 'program',
  action: 'sync.set_aside',
  subject: `task:${taskId}`,
  detail: { centre: connectionId, state: item.state, cause: causeOf(item) ?? '' },
});

/**
 * Picks what the audit keeps of an answer: that something has arrived, that it came to its end, or that it
 * waits for a person.
 */
function notesOf(entry: OutboxEntry, item: Item, connection: Connection, upstream: Upstream): Note[] {
  const notes: Note[] = [];
  if (upstream.stop !== undefined && upstream.stop !== connection.upstream.stop)
    notes.push({
      actor: 'program',
      action: 'sync.stopped',
      subject: `centre:${connection.id}`,
      detail: { stop: upstream.stop },
    });
  if (item.state === entry.item.state) return notes;
  const about = { actor: 'program', subject: `task:${entry.taskId}` };
  if (item.state === 'WAITING_REPORT')
    notes.push({
      ...about,
      action: 'sync.sent',
      detail: { centre: connection.id, central: item.centralId },
    });
  else if (item.state === 'DONE')
    notes.push({ ...about, action: 'sync.done', detail: { centre: connection.id } });
  else if (!isOpen(item)) notes.push(asideNote(entry, item));
  return notes;
}
