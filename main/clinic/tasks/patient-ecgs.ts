// All analysed ECGs of one patient: what a time line shows, and what an ECG can be compared with.

import type { Statement } from '../../../shared/analysis-result.ts';
import { nameKeys } from '../../../shared/entry/name-key.ts';
import type { PatientDifference } from '../../../shared/patient-text.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { ClinicContext } from '../context.ts';
import { statementsOf } from './corrected-findings.ts';
import type { Finding, ListedTask, ReportLook } from './records.ts';
import { patientOf } from './task-patient.ts';
import type { Tasks } from './tasks.ts';

/** More of one patient would fill no screen: the newest count. */
const MOST = 200;

export interface PatientEcg extends ListedTask {
  readonly finding: Finding;
  /** As somebody reads it, the gravest first. */
  readonly statements: readonly Statement[];
  /** Of the newest report that was given out. */
  readonly approval: ReportLook['approval'] | undefined;
  /** What of the patient reads otherwise than in the ECG that is open. */
  readonly differs: readonly PatientDifference[];
}

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

  /** The newest first, this one among them. @throws IsolineError `task_not_found` */
  of(taskId: number): PatientEcg[] {
    const { store } = this.#context;
    const task = this.#tasks.find(undefined, taskId);
    const ids = task.patientId === undefined ? [task.id] : store.tasks.ofPatient(task.patientId);
    const listed = store.tasks.listed(ids).filter((each) => each.task.state !== 'DELETED');
    const open = listed.find((each) => each.task.id === task.id);
    const newest = listed.sort((a, b) => recordedMs(b) - recordedMs(a)).slice(0, MOST);
    return newest.flatMap((each) => {
      const finding = store.findings.latest(each.task.id);
      if (finding === undefined) return [];
      return {
        ...each,
        finding,
        statements: statementsOf(finding),
        approval: store.reports.latest(each.task.id)?.look.approval,
        differs: open === undefined ? [] : differences(factsOf(open), factsOf(each)),
      };
    });
  }
}
