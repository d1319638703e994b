// The phrases of each reader. Where the workstation has no accounts, they are everybody's.

import { IsolineError } from '../../../shared/errors.ts';
import type { NewPhrase, Phrase } from '../../../shared/review/phrases.ts';
import { type ClinicContext, change } from '../context.ts';
import type { Caller } from './sessions.ts';

/** More than anybody finds again. */
const MOST_PHRASES = 50;

export class Phrases {
  readonly #context: ClinicContext;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /** In the order in which they were made. */
  of({ actor }: Caller): Phrase[] {
    return this.#context.store.phrases.of(actor);
  }

  /** One of the same name is replaced, whatever its capitals. @throws IsolineError `invalid_request` where there are too many */
  async keep({ name, ...phrase }: NewPhrase, { actor }: Caller): Promise<void> {
    const said = name.trim();
    if (said === '') throw new IsolineError('invalid_request', 'Give the phrase a name.');
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      const known = store.phrases.of(actor);
      const isNew = known.every((each) => each.name.toLowerCase() !== said.toLowerCase());
      if (isNew && known.length >= MOST_PHRASES)
        throw new IsolineError(
          'invalid_request',
          `You have ${MOST_PHRASES} phrases. Remove one that you no longer need.`,
        );
      const id = store.phrases.put(actor, { ...phrase, name: said }, clock.nowMs());
      return {
        result: undefined,
        notes: [
          {
            actor,
            action: 'phrase.kept',
            subject: `phrase:${id}`,
            detail: { findings: phrase.findings.length },
          },
        ],
      };
    });
    this.#context.publish('phrase.changed', {});
  }

  /** Somebody else's stays, and one that is gone is gone. */
  async remove(phraseId: number, { actor }: Caller): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, () => ({
      result: undefined,
      notes: store.phrases.remove(actor, phraseId)
        ? [{ actor, action: 'phrase.removed', subject: `phrase:${phraseId}`, detail: {} }]
        : [],
    }));
    this.#context.publish('phrase.changed', {});
  }
}
