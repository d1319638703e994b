// The steps that correct a recording, given to the workstation one after the other: each with the version that the one
// before it made. Whoever presses undo twice at once undoes twice.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { IsolineError } from '../../../shared/errors.ts';
import { errorText } from '../../text/text.ts';

/** @param version of the corrections that the person saw @returns the version behind the step */
type Step = (version: number) => Promise<{ readonly version: number }>;

export interface Steps {
  /** The same function at every render. @returns whether all steps are taken, and what is shown knows them */
  readonly take: (step: Step) => Promise<boolean>;
  readonly isRunning: boolean;
  /** Why the last step was not taken. */
  readonly trouble: string | undefined;
  /** Says why a step is not taken. */
  readonly refuse: (why: string) => void;
}

/** @param shown the query whose answer shows the corrections, with their version */
export function useSteps(shown: 'review.reading' | 'day.corrections', taskId: number): Steps {
  const queries = useQueryClient();
  const [running, setRunning] = useState(0);
  const [trouble, setTrouble] = useState<string>();
  const queue = useMemo(
    () => ({ queryKey: [shown, { taskId }] as const, last: Promise.resolve(), length: 0, version: 0 }),
    [shown, taskId],
  );
  const take = useCallback(
    (step: Step): Promise<boolean> => {
      const { queryKey } = queue;
      // A step upon others follows from them; what is shown may not know them yet.
      if (queue.length === 0)
        queue.version = queries.getQueryData<{ version: number }>(queryKey)?.version ?? 0;
      queue.length++;
      setRunning((before) => before + 1);
      setTrouble(undefined);
      const taken = queue.last.then(async () => {
        try {
          queue.version = (await step(queue.version)).version;
        } catch (error) {
          if (!(error instanceof IsolineError)) throw error;
          setTrouble(errorText(error));
        } finally {
          if (queue.length === 1) await queries.refetchQueries({ queryKey }, { cancelRefetch: false });
          queue.length--;
          setRunning((before) => before - 1);
        }
        return queue.length === 0;
      });
      queue.last = taken.then(
        () => undefined,
        () => undefined,
      );
      return taken;
    },
    [queries, queue],
  );
  return { take, isRunning: running > 0, trouble, refuse: setTrouble };
}
