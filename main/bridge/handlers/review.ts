// A recording as somebody reads it.

import type { REVIEW_COMMANDS, REVIEW_QUERIES } from '../../../shared/bridge/contract/review.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Answers } from './caller.ts';

export function reviewQueries({ review, reading }: Clinic): Answers<keyof typeof REVIEW_QUERIES> {
  return {
    'review.signal': async ({ taskId, ...range }, { session }) => {
      const part = await review.signal(taskId, range);
      await reading.note(session, 'review.read', taskId);
      return part;
    },
    'review.marks': async ({ taskId }) => review.marks(taskId),
    'review.next': async ({ behind }) => review.next(behind),
    'review.reading': async ({ taskId }, { actor }) => review.reading(taskId, actor),
  };
}

export function reviewCommands({ corrections }: Clinic): Answers<keyof typeof REVIEW_COMMANDS> {
  return {
    'review.correct': async ({ taskId, change }, caller) => ({
      version: await corrections.correct(taskId, change, caller),
    }),
    'review.undo': async ({ taskId, version }, caller) => ({
      version: await corrections.undo(taskId, version, caller),
    }),
    'review.redo': async ({ taskId, version }, caller) => ({
      version: await corrections.redo(taskId, version, caller),
    }),
    'review.discard': async ({ taskId, version }, caller) => ({
      version: await corrections.discard(taskId, version, caller),
    }),
    'review.takeOver': async ({ taskId }, caller) => {
      await corrections.takeOver(taskId, caller);
      return {};
    },
  };
}
