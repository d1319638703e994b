// One reader asks another about a recording, or about one place of it. The question waits at the other one's list until it is
// answered, and the answer at the first one's until it is read.

import { IsolineError } from '../../../shared/errors.ts';
import { mayDo } from '../../../shared/roles.ts';
import { type ClinicContext, change, type Note } from '../context.ts';
import type { Caller } from '../people/sessions.ts';
import type { Person } from '../people/users.ts';
import type { Consultation } from './records.ts';
import { isPatientMissing, patientOf } from './task-patient.ts';
import type { Tasks } from './tasks.ts';

/** A question as both see it. */
export interface NamedConsultation extends Consultation {
  readonly from: string;
  readonly to: string;
  readonly patient: ReturnType<typeof patientOf>;
  readonly isPatientMissing: boolean;
  /** When the task was made: an emergency without a name is called by it. */
  readonly createdMs: number;
}

export class Consultations {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /** Colleagues whom somebody can ask are all others who read here. */
  colleaguesOf(person: Person | undefined): Person[] {
    return this.#context.store.users
      .all()
      .filter(({ id, isActive, role }) => isActive && id !== person?.userId && mayDo(role, 'review'))
      .map(({ id, name, role }) => ({ userId: id, name, role }));
  }

  /** Questions about one task that nobody has closed. @throws IsolineError `task_not_found` */
  ofTask(taskId: number): NamedConsultation[] {
    return this.#named(this.#context.store.consultations.ofTask(this.#tasks.find(undefined, taskId).id));
  }

  /** What waits for somebody: questions without an answer, and answers that were not read. */
  waitingFor(person: Person | undefined): NamedConsultation[] {
    return person === undefined
      ? []
      : this.#named(this.#context.store.consultations.waitingFor(person.userId));
  }

  #named(consultations: readonly Consultation[]): NamedConsultation[] {
    const { users, tasks, recordings } = this.#context.store;
    const nameOf = (id: number): string => users.byId(id)?.name ?? '';
    return consultations.flatMap((each) => {
      const task = tasks.byId(each.taskId);
      if (task === undefined || task.state === 'DELETED') return [];
      const facts = task.recordingId === undefined ? undefined : recordings.byId(task.recordingId)?.facts;
      return {
        ...each,
        from: nameOf(each.fromUserId),
        to: nameOf(each.toUserId),
        patient: patientOf(task.fields, facts?.patient ?? {}),
        isPatientMissing: isPatientMissing(task),
        createdMs: task.createdMs,
      };
    });
  }

  /** @throws IsolineError `task_not_found`, `invalid_request` where that person cannot answer */
  async ask(
    question: Pick<Consultation, 'taskId' | 'toUserId' | 'note' | 'atSample'>,
    person: Person,
    actor: string,
  ): Promise<void> {
    const note = question.note.trim();
    if (note === '') throw new IsolineError('invalid_request', 'Write what you ask.');
    await this.#change(question.taskId, () => {
      const { store, clock } = this.#context;
      this.#tasks.find(undefined, question.taskId);
      if (this.colleaguesOf(person).every(({ userId }) => userId !== question.toUserId))
        throw new IsolineError('invalid_request', 'Choose somebody else who reads recordings here.');
      store.consultations.add({ ...question, note, fromUserId: person.userId, askedMs: clock.nowMs() });
      return { actor, action: 'task.colleague_asked', detail: { to: question.toUserId } };
    });
  }

  /** @throws IsolineError `task_not_found`, `task_state_conflict` */
  async answer(consultationId: number, text: string, person: Person, actor: string): Promise<void> {
    const answer = text.trim();
    if (answer === '') throw new IsolineError('invalid_request', 'Write the answer.');
    const { store, clock } = this.#context;
    const { taskId } = this.#find(consultationId);
    await this.#change(taskId, () => {
      const asked = this.#find(consultationId);
      if (asked.toUserId !== person.userId || asked.answeredMs !== undefined)
        throw new IsolineError('task_state_conflict', 'This question was answered, or it is not yours.');
      store.consultations.set({ ...asked, answer, answeredMs: clock.nowMs() });
      return { actor, action: 'task.colleague_answered', detail: { from: asked.fromUserId } };
    });
  }

  /** The answer was read, or the question is taken back. Only who asked may. @throws as `answer` */
  async close(consultationId: number, isAnswerSeen: boolean, { actor, person }: Caller): Promise<void> {
    const { store, clock } = this.#context;
    const { taskId } = this.#find(consultationId);
    await this.#change(taskId, () => {
      const asked = this.#find(consultationId);
      if (asked.fromUserId !== person?.userId)
        throw new IsolineError('task_state_conflict', 'Only the person who asked can close a question.');
      if (asked.answeredMs !== undefined && !isAnswerSeen)
        throw new IsolineError('task_state_conflict', 'The answer has just come. Read it first.');
      store.consultations.set({ ...asked, closedMs: clock.nowMs() });
      return { actor, action: 'task.colleague_closed', detail: {} };
    });
  }

  /** @throws IsolineError `task_state_conflict` */
  #find(consultationId: number): Consultation {
    const found = this.#context.store.consultations.byId(consultationId);
    if (found === undefined || found.closedMs !== undefined)
      throw new IsolineError('task_state_conflict', 'This question was closed meanwhile.');
    return found;
  }

  async #change(taskId: number, make: () => Omit<Note, 'subject'>): Promise<void> {
    await change(this.#context, () => ({
      result: undefined,
      notes: [{ ...make(), subject: `task:${taskId}` }],
    }));
    this.#context.publish('consultation.changed', {});
  }
}
