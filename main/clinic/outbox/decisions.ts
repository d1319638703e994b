// What people decide about the way to a centre: an item that waits for them, a patient of whom nothing goes,
// a pause.

import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change, newLocalId } from '../context.ts';
import type { Task } from '../tasks/records.ts';
import { deviceIdOf, markerOf } from './central-task.ts';
import { type Enrolment, withdrawn } from './enrolment.ts';
import { centralIdOf, type Item, knowableFromMs } from './item.ts';
import { heldItem, setAside } from './item-states.ts';
import type { Outbox } from './outbox.ts';
import type { Centre, OutboxEntry } from './records.ts';
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
    return change(this.#context, () => {
      const entry = store.outbox.byId(id);
      const centre = entry === undefined ? undefined : store.centres.byId(entry.centreId);
      const task = entry === undefined ? undefined : store.tasks.byId(entry.taskId);
      if (entry === undefined || centre === undefined || task === undefined)
        return { result: false, notes: [] };
      const item = this.#answered(entry, centre, task, answer);
      if (item === undefined) return { result: false, notes: [] };
      this.#outbox.keep(entry.item, item);
      this.#outbox.tell(centre.id, id);
      this.#outbox.tellTask(entry.taskId);
      const note = {
        actor,
        action: `sync.answered_${answer.kind}` as const,
        subject: `task:${entry.taskId}`,
        detail: { centre: centre.id },
      };
      return { result: true, notes: [note] };
    });
  }

  #answered({ item, centreId }: OutboxEntry, centre: Centre, task: Task, answer: Answer): Item | undefined {
    if (answer.kind === 'there') {
      const other = this.#context.store.outbox.byCentralId(centreId, answer.centralId);
      if (other !== undefined && other.item.id !== item.id) return undefined;
    }
    if (item.state === 'HELD' && answer.kind === 'stop') return setAside(item, 'STOPPED', 'byPerson');
    if (answer.kind !== 'again')
      return item.state === 'HELD' ? undefined : answered(item, answer, this.#outbox.settleContext(centre));
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
    if (item.state === 'HELD') return this.#enrolment.released(item, centre, task);
    const again = answered(item, answer, this.#outbox.settleContext(centre));
    // What was refused as a stream may go as a file.
    const isOtherWay =
      again?.state === 'READY' &&
      item.state === 'REFUSED' &&
      item.way === 'stream' &&
      item.cause === 'refused' &&
      !item.wasFinishLost;
    if (!isOtherWay) return again;
    return this.#enrolment.released(
      heldItem(item.id, item.way, item.isCritical, item.createdMs, item.passedAtFailure),
      centre,
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
    await change(this.#context, () => {
      if (isKept) store.outbox.keep(patientId, clock.nowMs());
      else store.outbox.letGo(patientId);
      if (isKept) for (const taskId of store.tasks.ofPatient(patientId)) this.#keepTask(taskId);
      const action = isKept ? 'sync.patient_kept' : 'sync.patient_let_go';
      return { result: undefined, notes: [{ actor, action, subject: `patient:${patientId}`, detail: {} }] };
    });
  }

  #keepTask(taskId: number): void {
    const { store } = this.#context;
    for (const entry of store.outbox.ofTask(taskId)) {
      const centre = store.centres.byId(entry.centreId) as Centre;
      const item = withdrawn(entry.item, 'patientKept', this.#outbox.settleContext(centre));
      if (item === entry.item) continue;
      this.#outbox.keep(entry.item, item);
      this.#outbox.tell(centre.id, item.id);
    }
  }

  /** What is said of the patient there is right, or as it should be: nothing is done about it here. */
  async settleDifference(id: number, how: 'corrected' | 'left', actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, () => {
      const entry = store.outbox.byId(id);
      if (entry === undefined) return { result: undefined, notes: [] };
      store.outbox.setDiffering(id, false);
      this.#outbox.tell(entry.centreId, id);
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
    await change(this.#context, () => {
      const entry = store.outbox.byId(id);
      const centre = entry === undefined ? undefined : store.centres.byId(entry.centreId);
      const task = entry === undefined ? undefined : store.tasks.byId(entry.taskId);
      const isThere = entry?.item.state === 'DONE' || entry?.item.state === 'WAITING_REPORT';
      if (entry === undefined || centre === undefined || task === undefined || !isThere)
        return { result: undefined, notes: [] };
      const { item } = entry;
      const marker = markerOf(store.installationId, newLocalId(randomBytes));
      store.outbox.beginAnew(id, { marker, deviceId: deviceIdOf(task, marker), replaces: centralIdOf(item) });
      const fresh = heldItem(id, item.way, item.isCritical, item.createdMs, centre.upstream.passed);
      this.#outbox.keep(item, this.#enrolment.released(fresh, centre, task));
      this.#outbox.tell(centre.id, id);
      const detail = { centre: centre.id, replaces: centralIdOf(item) ?? '' };
      return {
        result: undefined,
        notes: [{ actor, action: 'sync.sent_as_new', subject: `task:${task.id}`, detail }],
      };
    });
  }

  /** Somebody has seen that the centre judges it graver. */
  async noteSeen(id: number, actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, () => {
      const entry = store.outbox.byId(id);
      if (entry === undefined) return { result: undefined, notes: [] };
      store.outbox.setRaised(id, undefined);
      this.#outbox.tell(entry.centreId, id);
      return {
        result: undefined,
        notes: [{ actor, action: 'sync.severity_seen', subject: `task:${entry.taskId}`, detail: {} }],
      };
    });
  }

  /** Pauses a centre, or lets it go on, whatever had stopped it. */
  async setStop(centreId: number, stop: Stop | undefined, actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, () => {
      const centre = store.centres.byId(centreId);
      if (centre === undefined) return { result: undefined, notes: [] };
      const rested = stop === undefined ? { failuresInRow: 0, notBeforeMs: 0 } : {};
      store.centres.setUpstream(centreId, { ...centre.upstream, ...rested, stop }, undefined);
      this.#outbox.tell(centreId);
      const action = stop === undefined ? 'sync.resumed' : 'sync.paused';
      return { result: undefined, notes: [{ actor, action, subject: `centre:${centreId}`, detail: {} }] };
    });
  }

  /** What is to be sent waits for its time no more: somebody wants it now. */
  async sendNow(centreId: number, actor: string): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      const centre = store.centres.byId(centreId);
      if (centre === undefined) return { result: undefined, notes: [] };
      const nowMs = clock.nowMs();
      store.centres.setUpstream(centreId, { ...centre.upstream, notBeforeMs: 0 }, undefined);
      for (const item of store.outbox.open(centreId))
        if (item.notBeforeMs > nowMs && item.state !== 'WAITING_REPORT')
          this.#outbox.keep(item, { ...item, notBeforeMs: nowMs });
      this.#outbox.tell(centreId);
      return {
        result: undefined,
        notes: [{ actor, action: 'sync.wanted_now', subject: `centre:${centreId}`, detail: {} }],
      };
    });
  }
}
