// What people decide about the way to a centre: an item that waits for them, a patient of whom nothing goes,
// a pause.

import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change, newLocalId, type Tx } from '../context.ts';
import type { Task } from '../tasks/records.ts';
import { deviceIdOf, markerOf } from './central-task.ts';
import { type Enrolment, withdrawn } from './enrolment.ts';
import { centralIdOf, type Item, knowableFromMs } from './item.ts';
import { heldItem, setAside } from './item-states.ts';
import type { Outbox } from './outbox.ts';
import type { Connection, OutboxEntry } from './records.ts';
import { type Answer, answered } from './settle.ts';
import type { Stop } from './upstream.ts';

export class Decisions {
  readonly #context: ClinicContext;
  readonly #outbox: Outbox;
  readonly #enrolment: Enrolment;

  constructor(context: ClinicContext, outbox: Outbox, enrolment: Enrolment) {
    this.#context = context;
    this.#outbox = outbox;
    this.#enrolment = enrolment;
  }

  /**
   * What somebody found out about an item, or wants of it.
   * @returns false where the answer fits no question: it moved on meanwhile
   * @throws IsolineError `answer_too_early` where the centre may still be creating what is said not to be there
   */
  answer(id: number, answer: Answer, actor: string): Promise<boolean> {
    const { store } = this.#context;
    return change(this.#context, (tx) => {
      const entry = store.outbox.byId(id);
      const connection = entry === undefined ? undefined : store.connections.byId(entry.connectionId);
      const task = entry === undefined ? undefined : store.tasks.byId(entry.taskId);
      if (entry === undefined || connection === undefined || task === undefined)
        return { result: false, notes: [] };
      const item = this.#answered(tx, entry, connection, task, answer);
      if (item === undefined) return { result: false, notes: [] };
      this.#outbox.keep(tx, entry.item, item);
      this.#outbox.tell(tx, connection.id, id);
      this.#outbox.tellTask(tx, entry.taskId);
      const note = {
        actor,
        action: `sync.answered_${answer.kind}` as const,
        subject: `task:${entry.taskId}`,
        detail: { centre: connection.id },
      };
      return { result: true, notes: [note] };
    });
  }

  #answered(
    tx: Tx,
    { item, connectionId }: OutboxEntry,
    connection: Connection,
    task: Task,
    answer: Answer,
  ): Item | undefined {
    if (answer.kind === 'there') {
      const other = this.#context.store.outbox.byCentralId(connectionId, answer.centralId);
      if (other !== undefined && other.item.id !== item.id) return undefined;
    }
    if (item.state === 'HELD' && answer.kind === 'stop') return setAside(item, 'STOPPED', 'byPerson');
    if (answer.kind !== 'again')
      return item.state === 'HELD'
        ? undefined
        : answered(item, answer, this.#outbox.settleContext(connection));
    // Somebody who wants it says that it may go before it is approved; nobody can say that it goes without a
    // patient.
    this.#enrolment.requireSendable(task);
    if (knowableFromMs(item, this.#context.clock.nowMs()) !== undefined)
      throw new IsolineError(
        'answer_too_early',
        'The central service may still be creating it. Look there again in three minutes.',
      );
    if (item.way === 'delivery' && task.state !== 'COMPLETED')
      throw new IsolineError('task_state_conflict', 'It will be sent once it is approved.');
    if (item.state === 'HELD') return this.#enrolment.released(tx, item, connection, task);
    const again = answered(item, answer, this.#outbox.settleContext(connection));
    // What was refused as a stream may go as a file.
    const isOtherWay =
      again?.state === 'READY' &&
      item.state === 'REFUSED' &&
      item.way === 'stream' &&
      item.cause === 'refused' &&
      !item.wasFinishLost;
    if (!isOtherWay) return again;
    return this.#enrolment.released(
      tx,
      heldItem(item.id, item.way, item.isCritical, item.createdMs, item.passedAtFailure),
      connection,
      task,
    );
  }

  /**
   * Nothing of a recording's patient is sent any more, or it may be again.
   * @throws IsolineError `patient_missing` where nobody is assigned to the task
   */
  async keepPatientOf({ patientId }: Pick<Task, 'patientId'>, isKept: boolean, actor: string): Promise<void> {
    if (patientId === undefined)
      throw new IsolineError('patient_missing', 'No patient is assigned to this recording yet.');
    const { store, clock } = this.#context;
    await change(this.#context, (tx) => {
      if (isKept) store.outbox.keep(patientId, clock.nowMs());
      else store.outbox.letGo(patientId);
      if (isKept) for (const taskId of store.tasks.ofPatient(patientId)) this.#keepTask(tx, taskId);
      const action = isKept ? 'sync.patient_kept' : 'sync.patient_let_go';
      return { result: undefined, notes: [{ actor, action, subject: `patient:${patientId}`, detail: {} }] };
    });
  }

  #keepTask(tx: Tx, taskId: number): void {
    const { store } = this.#context;
    for (const entry of store.outbox.ofTask(taskId)) {
      const connection = store.connections.byId(entry.connectionId) as Connection;
      const item = withdrawn(entry.item, 'patientKept', this.#outbox.settleContext(connection));
      if (item === entry.item) continue;
      this.#outbox.keep(tx, entry.item, item);
      this.#outbox.tell(tx, connection.id, item.id);
    }
  }

  /** What is said of the patient there is right, or as it should be: nothing is done about it here. */
  async settleDifference(id: number, how: 'corrected' | 'left', actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, (tx) => {
      const entry = store.outbox.byId(id);
      if (entry === undefined) return { result: undefined, notes: [] };
      store.outbox.setDiffering(id, false);
      this.#outbox.tell(tx, entry.connectionId, id);
      return {
        result: undefined,
        notes: [{ actor, action: `sync.difference_${how}`, subject: `task:${entry.taskId}`, detail: {} }],
      };
    });
  }

  /**
   * A second task there, with what is right, that says in whose place it stands: somebody wants it, and
   * deletes the first one there.
   */
  async sendAsNew(id: number, actor: string): Promise<void> {
    const { store, randomBytes } = this.#context;
    await change(this.#context, (tx) => {
      const entry = store.outbox.byId(id);
      const connection = entry === undefined ? undefined : store.connections.byId(entry.connectionId);
      const task = entry === undefined ? undefined : store.tasks.byId(entry.taskId);
      const isThere = entry?.item.state === 'DONE' || entry?.item.state === 'WAITING_REPORT';
      if (entry === undefined || connection === undefined || task === undefined || !isThere)
        return { result: undefined, notes: [] };
      const { item } = entry;
      const marker = markerOf(store.installationId, newLocalId(randomBytes));
      store.outbox.beginAnew(id, { marker, deviceId: deviceIdOf(task, marker), replaces: centralIdOf(item) });
      const fresh = heldItem(id, item.way, item.isCritical, item.createdMs, connection.upstream.passed);
      this.#outbox.keep(tx, item, this.#enrolment.released(tx, fresh, connection, task));
      this.#outbox.tell(tx, connection.id, id);
      const detail = { centre: connection.id, replaces: centralIdOf(item) ?? '' };
      return {
        result: undefined,
        notes: [{ actor, action: 'sync.sent_as_new', subject: `task:${task.id}`, detail }],
      };
    });
  }

  /** Somebody has seen that the centre judges it graver. */
  async noteSeen(id: number, actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, (tx) => {
      const entry = store.outbox.byId(id);
      if (entry === undefined) return { result: undefined, notes: [] };
      store.outbox.setRaised(id, undefined);
      this.#outbox.tell(tx, entry.connectionId, id);
      return {
        result: undefined,
        notes: [{ actor, action: 'sync.severity_seen', subject: `task:${entry.taskId}`, detail: {} }],
      };
    });
  }

  /** Pauses a centre, or lets it go on, whatever had stopped it. */
  async setStop(connectionId: number, stop: Stop | undefined, actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, (tx) => {
      const connection = store.connections.byId(connectionId);
      if (connection === undefined) return { result: undefined, notes: [] };
      const rested = stop === undefined ? { failuresInRow: 0, notBeforeMs: 0 } : {};
      store.connections.setUpstream(connectionId, { ...connection.upstream, ...rested, stop }, undefined);
      this.#outbox.tell(tx, connectionId);
      const action = stop === undefined ? 'sync.resumed' : 'sync.paused';
      return {
        result: undefined,
        notes: [{ actor, action, subject: `centre:${connectionId}`, detail: {} }],
      };
    });
  }

  /** What is to be sent waits for its time no more: somebody wants it now. */
  async sendNow(connectionId: number, actor: string): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, (tx) => {
      const connection = store.connections.byId(connectionId);
      if (connection === undefined) return { result: undefined, notes: [] };
      const nowMs = clock.nowMs();
      store.connections.setUpstream(connectionId, { ...connection.upstream, notBeforeMs: 0 }, undefined);
      for (const item of store.outbox.open(connectionId))
        if (item.notBeforeMs > nowMs && item.state !== 'WAITING_REPORT')
          this.#outbox.keep(tx, item, { ...item, notBeforeMs: nowMs });
      this.#outbox.tell(tx, connectionId);
      return {
        result: undefined,
        notes: [{ actor, action: 'sync.wanted_now', subject: `centre:${connectionId}`, detail: {} }],
      };
    });
  }
}
