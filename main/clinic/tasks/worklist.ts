// Tasks as they are listed and looked at: with what was recorded and found, and how far they are elsewhere.

import type { Statement } from '../../../shared/analysis-result.ts';
import type { TaskQuery } from '../../../shared/bridge/views.ts';
import { nearlyBegins } from '../../../shared/entry/nearly-begins.ts';
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

interface ListedTasks {
  readonly tasks: ListedTask[];
  readonly total: number;
  /** Nothing has the words that were looked for: these have words like them. */
  readonly isSimilar: boolean;
}

const MOST_WORDS_LIKE = 50;

export class Worklist {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /**
   * The newest first. What is typed is looked for as for patients: words, dates, beginnings; where nothing has such words, what has
   * words with one slip of the finger.
   */
  list({ limit, offset = 0, text = '', dateOrder = 'dayFirst', ...filter }: TaskQuery): ListedTasks {
    const { store, clock } = this.#context;
    const typed = searchTerms(text, dateOrder, clock.nowMs());
    const terms = typed.map((beginnings) => [...beginnings, ...beginnings.map(acronymWord)]);
    const found = store.tasks.list({ ...filter, terms }, limit, offset);
    if (found.total > 0 || terms.length === 0) return { ...found, isSimilar: false };
    // The words are there, and the other conditions leave none of what has them.
    const { newestId } = filter;
    if (store.tasks.list({ terms, newestId }, 0, 0).total > 0) return { ...found, isSimilar: false };
    const similar = typed.map((beginnings) => [
      ...beginnings,
      ...beginnings.flatMap((word) => this.#wordsLike(word)),
    ]);
    const near = store.tasks.list({ ...filter, terms: similar }, limit, offset);
    return { ...near, isSimilar: near.total > 0 };
  }

  /** A number with another digit is another number. */
  #wordsLike(typed: string): string[] {
    if (!/^\p{L}+$/u.test(typed)) return [];
    return this.#context.store.tasks
      .wordsFrom(String.fromCodePoint(typed.codePointAt(0) as number))
      .filter((word) => nearlyBegins(word, typed))
      .slice(0, MOST_WORDS_LIKE);
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
