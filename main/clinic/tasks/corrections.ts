// Somebody corrects a reading, step after step: each step is stored before it is answered, and can be undone and redone
// until the reading is approved. One person at a time; whoever else comes is told, and may take over with all of it.

import { IsolineError } from '../../../shared/errors.ts';
import type { Correction } from '../../../shared/review/corrections.ts';
import { type ClinicContext, change, type Note } from '../context.ts';
import type { Caller } from '../people/sessions.ts';
import type { Finding, ReviewDraft } from './records.ts';
import type { Tasks } from './tasks.ts';

const MOST_CORRECTIONS = 20_000;

export class Corrections {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /** @returns the version of the draft behind it */
  correct(taskId: number, correction: Correction, caller: Caller): Promise<number> {
    return this.#step(taskId, caller, (draft) => {
      const { reviewDrafts } = this.#context.store;
      if (draft.done >= MOST_CORRECTIONS)
        throw new IsolineError(
          'task_state_conflict',
          `A reading holds at most ${MOST_CORRECTIONS} corrections. Approve it and correct the rest in a new revision.`,
        );
      // What was undone before goes: another step takes its place.
      reviewDrafts.cutCorrections(taskId, draft.done);
      reviewDrafts.addCorrection(taskId, draft.done, {
        change: correction,
        by: nameOf(caller),
        atMs: this.#context.clock.nowMs(),
      });
      return { done: draft.done + 1, action: 'review.corrected', detail: { kind: correction.kind } };
    });
  }

  /** @param version of the draft that the person saw */
  undo(taskId: number, version: number, caller: Caller): Promise<number> {
    return this.#step(taskId, caller, (draft) => {
      requireSeen(draft, version);
      const done = Math.max(draft.carried, draft.done - 1);
      return { done, action: 'review.undone', detail: {} };
    });
  }

  redo(taskId: number, version: number, caller: Caller): Promise<number> {
    return this.#step(taskId, caller, (draft) => {
      requireSeen(draft, version);
      const count = this.#context.store.reviewDrafts.countCorrections(taskId);
      return { done: Math.min(count, draft.done + 1), action: 'review.redone', detail: {} };
    });
  }

  /** Everything since the last approval is undone; it can be redone step by step. */
  discard(taskId: number, version: number | undefined, caller: Caller): Promise<number> {
    return this.#step(taskId, caller, (draft) => {
      if (version !== undefined) requireSeen(draft, version);
      const detail = { corrections: draft.done - draft.carried };
      return { done: draft.carried, action: 'review.discarded', detail };
    });
  }

  /** From now on this person corrects, with all that the other one did. */
  async takeOver(taskId: number, caller: Caller): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      const draft = store.reviewDrafts.byTask(taskId);
      if (draft === undefined || draft.holder === caller.actor) return { result: undefined, notes: [] };
      store.reviewDrafts.put({
        ...draft,
        ...holding(caller),
        sinceMs: clock.nowMs(),
        version: draft.version + 1,
      });
      return {
        result: undefined,
        notes: [
          {
            actor: caller.actor,
            action: 'review.taken_over',
            subject: `task:${taskId}`,
            detail: { from: draft.holder },
          },
        ],
      };
    });
    this.#context.publish('review.changed', { taskId });
  }

  async #step(
    taskId: number,
    caller: Caller,
    take: (draft: ReviewDraft) => Pick<Note, 'action' | 'detail'> & { readonly done: number },
  ): Promise<number> {
    const { store } = this.#context;
    const version = await change(this.#context, () => {
      const finding = this.#requireReadable(taskId);
      const draft = store.reviewDrafts.byTask(taskId) ?? this.#open(finding, caller);
      requireHolder(draft, caller.actor);
      const { done, ...note } = take(draft);
      const next = { ...draft, ...holding(caller), done, version: draft.version + 1 };
      store.reviewDrafts.put(next);
      return {
        result: next.version,
        notes: [{ ...note, actor: caller.actor, subject: `task:${taskId}` }],
      };
    });
    this.#context.publish('review.changed', { taskId });
    return version;
  }

  /** What was approved with the findings is carried on. */
  #open({ taskId, corrections }: Finding, caller: Caller): ReviewDraft {
    const { store, clock } = this.#context;
    const carried = corrections.length;
    const draft = {
      taskId,
      ...holding(caller),
      sinceMs: clock.nowMs(),
      version: 0,
      carried,
      done: carried,
    };
    store.reviewDrafts.put(draft);
    for (const [place, correction] of corrections.entries())
      store.reviewDrafts.addCorrection(taskId, place, correction);
    return draft;
  }

  #requireReadable(taskId: number): Finding {
    const { state } = this.#tasks.find(undefined, taskId);
    const finding = this.#context.store.findings.latest(taskId);
    if (finding === undefined || (state !== 'AWAITING_APPROVAL' && state !== 'COMPLETED'))
      throw new IsolineError(
        'task_state_conflict',
        `The findings cannot be corrected in the task's current state (${state}).`,
      );
    return finding;
  }
}

/** Empty where the workstation has no accounts. */
const nameOf = ({ person }: Caller): string => person?.name ?? '';

const holding = (caller: Caller): Pick<ReviewDraft, 'holder' | 'holderName'> => ({
  holder: caller.actor,
  holderName: nameOf(caller),
});

/** Whether anything was changed since the last approval. */
export const isCorrected = (draft: ReviewDraft | undefined): boolean =>
  draft !== undefined && draft.done > draft.carried;

/** A draft that changes nothing is anybody's. @throws IsolineError `review_held` */
export function requireHolder(draft: ReviewDraft, actor: string): void {
  if (isCorrected(draft) && draft.holder !== actor)
    throw new IsolineError(
      'review_held',
      'Somebody else is correcting this recording. Take over to go on with those corrections.',
      { name: draft.holderName },
    );
}

function requireSeen(draft: ReviewDraft, version: number): void {
  if (draft.version !== version)
    throw new IsolineError(
      'review_changed',
      'The corrections have changed since you saw them. Look at them again.',
    );
}
