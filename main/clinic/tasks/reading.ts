// Who read what on a screen is part of the record (SEC53, E55): once for a page and a recording, however
// often the page asks again.

import { type ClinicContext, change } from '../context.ts';
import { type Sessions, WORKSTATION } from '../people/sessions.ts';
import { actorOf } from '../people/users.ts';

export type ReadingAction = 'report.read' | 'report.saved' | 'review.read' | 'sync.report_read';

/** A page that shows the same again after this has been left and come back to. */
const SAME_READING_MS = 10 * 60_000;

export class Reading {
  readonly #context: ClinicContext;
  readonly #sessions: Sessions;
  readonly #noted = new Map<string, number>();

  constructor(context: ClinicContext, sessions: Sessions) {
    this.#context = context;
    this.#sessions = sessions;
  }

  async note(session: string, action: ReadingAction, taskId: number): Promise<void> {
    const person = this.#sessions.person(session);
    const actor = person === undefined ? WORKSTATION : actorOf(person);
    const nowMs = this.#context.clock.nowMs();
    const key = `${session} ${actor} ${action} ${taskId}`;
    for (const [known, atMs] of this.#noted) if (nowMs - atMs > SAME_READING_MS) this.#noted.delete(known);
    if (this.#noted.has(key)) return;
    this.#noted.set(key, nowMs);
    await change(this.#context, () => ({
      result: undefined,
      notes: [{ actor, action, subject: `task:${taskId}`, detail: {} }],
    }));
  }
}
