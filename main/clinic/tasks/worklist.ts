// Tasks as they are listed and looked at: with what was recorded and found, and how far they are elsewhere.

import type { Statement } from '../../../shared/analysis-result.ts';
import type { TaskQuery } from '../../../shared/bridge/views.ts';
import type { ClinicContext } from '../context.ts';
import { searchTerms } from '../patients/patient-words.ts';
import type { LegalHold } from '../patients/records.ts';
import { acronymWord } from './finding-words.ts';
import type { Finding, ListedTask } from './records.ts';
import { statementsOf } from './statements.ts';
import type { Tasks } from './tasks.ts';

export interface LookedAtTask extends ListedTask {
  readonly finding: Finding | undefined;
  /** The statements of these findings, without those that this version no longer makes. */
  readonly statements: readonly Statement[];
  readonly legalHold: LegalHold | undefined;
}

export class Worklist {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /** The newest first. What is typed is looked for as for patients: words, dates, beginnings. */
  list({ limit, offset = 0, text = '', dateOrder = 'dayFirst', ...filter }: TaskQuery): {
    readonly tasks: ListedTask[];
    readonly total: number;
  } {
    const { store, clock } = this.#context;
    const terms = searchTerms(text, dateOrder, clock.nowMs()).map((beginnings) => [
      ...beginnings,
      ...beginnings.map(acronymWord),
    ]);
    return store.tasks.list({ ...filter, terms }, limit, offset);
  }

  /** The named tasks that are there, as the list shows them. */
  some(taskIds: readonly number[]): ListedTask[] {
    return this.#context.store.tasks.listed(taskIds).filter(({ task }) => task.state !== 'DELETED');
  }

  /** @throws IsolineError `task_not_found` */
  lookAt(taskId: number): LookedAtTask {
    const { store } = this.#context;
    const { id, patientId } = this.#tasks.find(undefined, taskId);
    const finding = store.findings.latest(id);
    const statements = finding === undefined ? [] : statementsOf(finding);
    const legalHold = patientId === undefined ? undefined : store.patients.legalHold(patientId);
    return { ...(store.tasks.listed([id])[0] as ListedTask), finding, statements, legalHold };
  }
}
