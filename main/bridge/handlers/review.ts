// A recording as somebody reads it.

import type { REVIEW_QUERIES } from '../../../shared/bridge/contract/review.ts';
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
  };
}
