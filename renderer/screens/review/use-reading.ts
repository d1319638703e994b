// The findings of a recording as they stand, and the steps that change them: each is stored before the screen shows it.

import type { CallOutput } from '../../../shared/bridge/contract.ts';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import type { IsolineError } from '../../../shared/errors.ts';
import type { Correction } from '../../../shared/review/corrections.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { useSteps } from './use-steps.ts';

export type Reading = CallOutput<'review.reading'>;
export type ReadStatement = Reading['statements'][number];

export interface Correcting {
  /** Undefined before the analysis has finished, and until it is known. */
  readonly reading: Reading | undefined;
  readonly error: IsolineError | null;
  /** What is shown is from before the last step. */
  readonly isMeasuring: boolean;
  /** Whoever sits here may, and nobody else does. */
  readonly mayCorrect: boolean;
  /** Why the last step was not taken. */
  readonly trouble: string | undefined;
  correct(change: Correction): void;
  undo(): void;
  redo(): void;
  takeOver(): void;
}

export function useReading(task: TaskDetail): Correcting {
  const { taskId, state, revision } = task;
  const bridge = useBridge();
  const { may } = useSession();
  const { data, error, isFetching } = useBridgeQuery(
    'review.reading',
    { taskId },
    { isEnabled: revision !== undefined },
  );
  const { take, isRunning, trouble } = useSteps('review.reading', taskId);
  const isOpen = state === 'AWAITING_APPROVAL' || state === 'COMPLETED';
  return {
    reading: data,
    error,
    isMeasuring: isFetching || isRunning,
    mayCorrect: isOpen && data !== undefined && data.holder === undefined && may('review'),
    trouble,
    correct: (change) => void take(() => bridge.call('review.correct', { taskId, change })),
    undo: () => void take((version) => bridge.call('review.undo', { taskId, version })),
    redo: () => void take((version) => bridge.call('review.redo', { taskId, version })),
    takeOver: () =>
      void take(async (version) => {
        await bridge.call('review.takeOver', { taskId });
        return { version };
      }),
  };
}
