// What goes to a centre, and when: looked at in the transaction of each change of a task, so that nothing is
// forgotten and nothing goes too early. Metadata are final at creation (D130): what leaves has its patient,
// and the approval that was agreed on.

import { IsolineError } from '../../../shared/errors.ts';
import type { Severity } from '../../../shared/severity.ts';
import { type ClinicContext, change, type Tx, transact } from '../context.ts';
import type { RecordingRow, Task } from '../tasks/records.ts';
import { isPatientMissing } from '../tasks/task-patient.ts';
import { deviceIdOf, markerOf, sentPatientOf } from './central-task.ts';
import { type Cause, type HeldItem, type Item, isAside, isGoing, isOpen, type Way } from './item.ts';
import { fromTheStart, heldItem, released, setAside } from './item-states.ts';
import type { Outbox } from './outbox.ts';
import { type Connection, type OutboxEntry, takesRecordings } from './records.ts';
import { answered, type SettleContext } from './settle.ts';

const CRITICAL: Severity = 'CRITICAL';
const MOST_HELD = 10_000;
/** So many are put into the queue at once; whoever records meanwhile waits no longer than for these. */
const ENROLLED_AT_ONCE = 50;

/** Nobody wants that it is sent: what has not gone yet stays here, what may be there already goes on. */
export function withdrawn(item: Item, cause: Cause, context: SettleContext): Item {
  if (item.state === 'HELD') return setAside(item, 'STOPPED', cause);
  if (!isOpen(item)) return item;
  const stopped = answered(item, { kind: 'stop' }, context);
  return stopped !== undefined && isAside(stopped) ? { ...stopped, cause } : item;
}

export class Enrolment {
  readonly #context: ClinicContext;
  readonly #outbox: Outbox;

  constructor(context: ClinicContext, outbox: Outbox) {
    this.#context = context;
    this.#outbox = outbox;
  }

  /** To be called after a task has come a step further, or its patient was assigned. */
  consider(tx: Tx, taskId: number): void {
    const { store } = this.#context;
    const task = store.tasks.byId(taskId);
    if (task === undefined) return;
    for (const connection of store.connections.ofOrganization(task.organizationId))
      this.#considerAt(tx, connection, task);
  }

  #considerAt(tx: Tx, connection: Connection, task: Task): void {
    const { store } = this.#context;
    const isGone = task.state === 'DELETED' || task.state === 'CANCELLED';
    const entry = store.outbox.byTask(connection.id, task.id);
    if (entry === undefined) {
      if (!isGone && this.#isMeant(connection, task)) this.#add(tx, connection, task);
      return;
    }
    const before = entry.item;
    const item = isGone
      ? withdrawn(before, 'taskGone', this.#outbox.settleContext(connection))
      : this.#brought(tx, entry, connection, task);
    if (item === before) return;
    this.#outbox.keep(tx, before, item);
    this.#outbox.tell(tx, connection.id, item.id);
  }

  /** Signals of nobody stay here, and what came from here does not go round. */
  #isMeant(connection: Connection, { state, isSimulated, fields }: Task): boolean {
    const settings = this.#context.settings();
    if (isSimulated && !settings['sync.simulated']) return false;
    if (fields.tags?.some((tag) => tag.startsWith(this.#ownTag())) === true) return false;
    if (state === 'RECEIVING') return takesRecordings(connection) && settings['sync.live'];
    return (
      state === 'QUEUED' || state === 'PROCESSING' || state === 'AWAITING_APPROVAL' || state === 'COMPLETED'
    );
  }

  #ownTag(): string {
    return `isoline:${this.#context.store.installationId}:`;
  }

  /** Whose it is is known, and it is as far as was agreed (D130). */
  #isReady(connection: Connection, task: Task): boolean {
    if (isPatientMissing(task)) return false;
    if (!takesRecordings(connection)) return this.#isForHospital(connection, task);
    const settings = this.#context.settings();
    if (task.state === 'COMPLETED') return true;
    if (task.state === 'RECEIVING') return settings['sync.live'] && this.#isLivePossible(connection, task);
    switch (settings['sync.when']) {
      case 'approved':
        return false;
      case 'analysed':
        return task.state === 'AWAITING_APPROVAL';
      case 'recorded':
        return task.recordingId !== undefined;
    }
  }

  /** A hospital gets what a physician has approved, and the rest where its connection says so. */
  #isForHospital({ takesUnread }: Connection, { id, state }: Task): boolean {
    if (state !== 'COMPLETED') return false;
    return takesUnread || this.#context.store.reports.latest(id)?.look.approval.kind === 'approved';
  }

  /** Frames of the device on this desk come in order; those of others are sent when all of them are there. */
  #isLivePossible(connection: Connection, task: Task): boolean {
    return (
      this.#wayOf(connection, task) === 'stream' &&
      this.#context.store.streams.byId(task.id)?.device !== undefined
    );
  }

  /** What came as a stream can go as one; files go as they are. */
  #wayOf(connection: Connection, task: Task): Way {
    if (!takesRecordings(connection)) return 'delivery';
    // Frames as they were recorded are not what the person wants read who chose the channels.
    if (task.channels !== undefined || this.#context.store.streams.byId(task.id) === undefined)
      return 'upload';
    const wanted = this.#context.settings()['sync.way'];
    if (wanted !== 'auto') return wanted;
    return connection.proven.isStreamProven === true ? 'stream' : 'upload';
  }

  #add(tx: Tx, connection: Connection, task: Task): void {
    const { store, clock } = this.#context;
    const marker = markerOf(store.installationId, task.localId);
    const nowMs = clock.nowMs();
    const entry = {
      connectionId: connection.id,
      taskId: task.id,
      marker,
      deviceId: deviceIdOf(task, marker),
      content: undefined,
    };
    const id = store.outbox.add(
      entry,
      (made) =>
        heldItem(made, this.#wayOf(connection, task), false, task.createdMs, connection.upstream.passed),
      nowMs,
    );
    const added = store.outbox.byId(id) as OutboxEntry;
    this.#outbox.keep(tx, added.item, this.#brought(tx, added, connection, task));
    const note = {
      actor: 'program',
      action: 'sync.queued' as const,
      subject: `task:${task.id}`,
      detail: { centre: connection.id },
    };
    store.audit.append({ ...note, timeMs: nowMs });
    this.#outbox.tell(tx, connection.id, id);
    this.#outbox.tellTask(tx, task.id);
  }

  /** As the task stands now: more urgent perhaps, or no longer held. */
  #brought(tx: Tx, entry: OutboxEntry, connection: Connection, task: Task): Item {
    const isCritical = task.severity === CRITICAL || task.state === 'RECEIVING';
    const recording =
      task.recordingId === undefined ? undefined : this.#context.store.recordings.byId(task.recordingId);
    if (recording !== undefined && entry.content === undefined)
      this.#context.store.outbox.setContent(entry.item.id, recording.sha256);
    this.#noteDifference(entry, task, recording);
    const item = entry.item.isCritical === isCritical ? entry.item : { ...entry.item, isCritical };
    if (this.#isOutdated(item, task) && this.#isReady(connection, task))
      return this.released(tx, this.#heldAgain(item, connection), connection, task);
    if (item.state !== 'HELD')
      return this.#isKept(task)
        ? withdrawn(item, 'patientKept', this.#outbox.settleContext(connection))
        : item;
    const cause = this.#hindrance(entry, task, recording);
    if (cause !== undefined) return setAside(item, 'STOPPED', cause);
    return this.#isReady(connection, task) ? this.released(tx, item, connection, task) : item;
  }

  /** What was delivered is no longer the approved reading: the new one goes too. */
  #isOutdated(item: Item, task: Task): boolean {
    if (item.way !== 'delivery' || item.revision === undefined || this.#isKept(task)) return false;
    if (item.state !== 'DONE' && item.state !== 'WAITING_REPORT') return false;
    const latest = this.#context.store.reports.latest(task.id);
    return latest !== undefined && latest.revision > item.revision;
  }

  #heldAgain({ id, way, isCritical, createdMs }: Item, connection: Connection): HeldItem {
    return heldItem(id, way, isCritical, createdMs, connection.upstream.passed);
  }

  /**
   * What was said of the patient there cannot be changed from here: that it is otherwise by now is shown
   * (D131).
   */
  #noteDifference({ item, sent }: OutboxEntry, task: Task, recording: RecordingRow | undefined): void {
    if (sent === undefined) return;
    this.#context.store.outbox.setDiffering(
      item.id,
      JSON.stringify(sent) !== JSON.stringify(sentPatientOf(task, recording?.facts)),
    );
  }

  /**
   * To be called after it was said that a recording is of somebody else, or which of its channels are ECG. A file that carries
   * the name before is not carried on with: what is there of it is used by nobody, and goes by itself.
   */
  patientChanged(tx: Tx, taskId: number): void {
    const { store } = this.#context;
    for (const { item, connectionId } of store.outbox.ofTask(taskId)) {
      if (!isGoing(item) || item.way === 'stream') continue;
      if (item.intent === 'createTask' || item.doubt === 'createTask') continue;
      this.#outbox.keep(tx, item, fromTheStart(item.way === 'upload' ? { ...item, sessions: 0 } : item));
      this.#outbox.tell(tx, connectionId, item.id);
    }
    this.consider(tx, taskId);
  }

  /** It may go, and how it goes is chosen. */
  released(tx: Tx, item: HeldItem, connection: Connection, task: Task): Item {
    const way = this.#wayOf(connection, task);
    const isLive = task.state === 'RECEIVING' && this.#isLivePossible(connection, task);
    if (isLive) this.#outbox.expectFrames(tx, task.id);
    return released(item, way, isLive, this.#context.clock.nowMs());
  }

  #isKept({ patientId }: Task): boolean {
    return patientId !== undefined && this.#context.store.outbox.isKept(patientId);
  }

  /** @throws IsolineError where it cannot go, whoever wants it */
  requireSendable(task: Task): void {
    if (task.state === 'DELETED' || task.state === 'CANCELLED')
      throw new IsolineError(
        'task_not_found',
        'The recording was deleted or rejected here and will not be sent.',
      );
    if (isPatientMissing(task))
      throw new IsolineError(
        'patient_missing',
        'No patient is assigned to this recording yet. Assign the patient first.',
      );
    if (this.#isKept(task))
      throw new IsolineError('patient_kept', 'Sharing is blocked for this patient. Allow it first.');
    if (task.recordingId === undefined)
      throw new IsolineError(
        'task_state_conflict',
        'The recording is not complete yet. It will be sent once it is.',
      );
  }

  #hindrance(
    { connectionId, item }: OutboxEntry,
    task: Task,
    recording: RecordingRow | undefined,
  ): Cause | undefined {
    const { outbox } = this.#context.store;
    if (this.#isKept(task)) return 'patientKept';
    // An archive keeps an object once, and two readings of one recording are two.
    const isTwinThere =
      item.way !== 'delivery' &&
      recording !== undefined &&
      outbox.sentTwin(connectionId, recording.sha256, item.id) !== undefined;
    return isTwinThere ? 'sentAlready' : undefined;
  }

  /**
   * After what is agreed on has changed: what was held by the rules before may be ready by these, and what was
   * amended while a connection was not there goes again.
   */
  async reconsider(): Promise<void> {
    const { store } = this.#context;
    for (const connection of store.connections.all()) {
      const held = store.outbox.list(connection.id, ['HELD'], MOST_HELD).map(({ taskId }) => taskId);
      const outdated = takesRecordings(connection) ? [] : store.outbox.outdated(connection.id);
      for (const taskId of [...held, ...outdated]) await transact(store, (tx) => this.consider(tx, taskId));
    }
  }

  /** Tasks from before the centre was known here, the oldest first. */
  earlier(connection: Connection): number[] {
    return this.#context.store.outbox.neverSent(connection.id, {
      organizationId: connection.organizationId,
      isSimulatedSent: this.#context.settings()['sync.simulated'],
      ownTag: this.#ownTag(),
    });
  }

  /**
   * All of {@link earlier}, under the same rules as a new recording: what waits for its approval is held.
   * @returns how many
   */
  async sendEarlier(connection: Connection, actor: string): Promise<number> {
    const { store } = this.#context;
    const taskIds = this.earlier(connection);
    let sent = 0;
    for (let i = 0; i < taskIds.length; i += ENROLLED_AT_ONCE)
      sent += await change(this.#context, (tx) => {
        // Meanwhile one may have been deleted, or sent by hand.
        const meant = taskIds.slice(i, i + ENROLLED_AT_ONCE).flatMap((id) => {
          const task = store.tasks.byId(id);
          return task !== undefined &&
            this.#isMeant(connection, task) &&
            store.outbox.byTask(connection.id, id) === undefined
            ? [task]
            : [];
        });
        for (const task of meant) this.#add(tx, connection, task);
        const detail = { tasks: meant.length };
        return {
          result: meant.length,
          notes: [{ actor, action: 'sync.earlier_wanted', subject: `centre:${connection.id}`, detail }],
        };
      });
    return sent;
  }

  /** A recording from before there was a centre, or one that was left out. */
  async send(taskId: number, actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, (tx) => {
      const task = store.tasks.byId(taskId);
      const connections = task === undefined ? [] : store.connections.ofOrganization(task.organizationId);
      const missing = connections.filter(
        (connection) => store.outbox.byTask(connection.id, taskId) === undefined,
      );
      for (const connection of missing) this.#add(tx, connection, task as Task);
      return {
        result: undefined,
        notes: missing.map(({ id }) => ({
          actor,
          action: 'sync.wanted',
          subject: `task:${taskId}`,
          detail: { centre: id },
        })),
      };
    });
  }
}
