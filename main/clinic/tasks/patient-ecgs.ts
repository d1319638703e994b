// All analysed ECGs of one patient: what a time line shows, and what an ECG can be compared with.

import type { Statement } from '../../../shared/analysis-result.ts';
import { nameKeys } from '../../../shared/entry/name-key.ts';
import type { PatientDifference } from '../../../shared/patient-text.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { TaskState } from '../../../shared/task-state.ts';
import type { ClinicContext } from '../context.ts';
import type { Finding, ListedTask, ReportLook } from './records.ts';
import { statementsOf } from './statements.ts';
import { patientOf } from './task-patient.ts';
import type { Tasks } from './tasks.ts';

/** The newest ECGs of a patient that a screen lists; nobody scrolls through more. */
const MOST = 200;

export interface PatientEcg extends ListedTask {
  readonly finding: Finding;
  /** As somebody reads it, the gravest first. */
  readonly statements: readonly Statement[];
  /** The approval of the newest report that was given out. */
  readonly approval: ReportLook['approval'] | undefined;
  /** What of the patient reads otherwise than in the ECG that is open. */
  readonly differs: readonly PatientDifference[];
}

/** Findings that count, or are to be read. */
const READ_STATES: ReadonlySet<TaskState> = new Set(['AWAITING_APPROVAL', 'COMPLETED']);

const factsOf = ({ task, facts }: ListedTask): PatientFacts => patientOf(task.fields, facts?.patient ?? {});
const nameOf = ({ lastName = '', firstName = '' }: PatientFacts): string =>
  nameKeys(`${lastName} ${firstName}`).sort().join(' ');
const isOther = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

function differences(one: PatientFacts, other: PatientFacts): PatientDifference[] {
  const [name, otherName] = [nameOf(one), nameOf(other)];
  return [
    ...(name !== '' && otherName !== '' && name !== otherName ? (['name'] as const) : []),
    ...(isOther(one.birthDate, other.birthDate) ? (['birthDate'] as const) : []),
    ...(isOther(one.gender, other.gender) ? (['gender'] as const) : []),
  ];
}

/** When it was recorded; where that is not known, when it came in. */
export const recordedMs = ({ task, facts }: ListedTask): number =>
  task.fields.recordingStartMs ?? facts?.startMs ?? task.createdMs;

export class PatientEcgs {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /**
   * Everything that is kept of the patient of a task, the newest first; also what failed or was rejected.
   * @throws IsolineError `task_not_found`
   */
  all(taskId: number): ListedTask[] {
    const { store } = this.#context;
    const { id, patientId } = this.#tasks.find(undefined, taskId);
    const ids = patientId === undefined ? [id] : store.tasks.ofPatient(patientId);
    return store.tasks
      .listed(ids)
      .filter(({ task }) => task.state !== 'DELETED')
      .sort((a, b) => recordedMs(b) - recordedMs(a));
  }

  /**
   * The newest first, this one among them once it is analysed. A recording that stands in several tasks is there once;
   * one that was rejected, or is not analysed for this patient yet, is not.
   * @throws IsolineError `task_not_found`
   */
  of(taskId: number): PatientEcg[] {
    const task = this.#tasks.find(undefined, taskId);
    const listed = this.all(taskId);
    const open = listed.find((each) => each.task.id === task.id);
    const recordings = new Set([task.recordingId]);
    const others = listed.filter(({ task: { id, state, recordingId } }) => {
      if (id === task.id || !READ_STATES.has(state) || recordings.has(recordingId)) return false;
      recordings.add(recordingId);
      return true;
    });
    const kept = new Set([open, ...others.slice(0, MOST - 1)]);
    return listed.filter((each) => kept.has(each)).flatMap((each) => this.#look(each, open) ?? []);
  }

  #look(each: ListedTask, open: ListedTask | undefined): PatientEcg | undefined {
    const { store } = this.#context;
    const finding = store.findings.latest(each.task.id);
    if (finding === undefined) return undefined;
    return {
      ...each,
      finding,
      statements: statementsOf(finding),
      approval: store.reports.latest(each.task.id)?.look.approval,
      differs: open === undefined ? [] : differences(factsOf(open), factsOf(each)),
    };
  }
}
