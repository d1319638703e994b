// A command that a person gives: given to the workstation, and what hinders it as a sentence.

import { useCallback, useState } from 'react';
import type { CallInput, CallOutput, CommandName } from '../../shared/bridge/contract.ts';
import { IsolineError, type Reason } from '../../shared/errors.ts';
import { errorText } from '../text/text.ts';
import { useBridge } from './use-bridge.tsx';

export interface Command<K extends CommandName> {
  /** The same function at every render. @returns undefined where it was not obeyed. */
  readonly run: (input: CallInput<K>) => Promise<CallOutput<K> | undefined>;
  readonly isRunning: boolean;
  /** Why the last one was not obeyed. */
  readonly trouble: string | undefined;
  /** The same, for whoever can do something about it. */
  readonly reason: Reason | undefined;
}

export function useCommand<K extends CommandName>(name: K): Command<K> {
  const bridge = useBridge();
  const [error, setError] = useState<IsolineError | undefined>();
  const [isRunning, setRunning] = useState(false);
  const run = useCallback(
    async (input: CallInput<K>): Promise<CallOutput<K> | undefined> => {
      try {
        setError(undefined);
        setRunning(true);
        return await bridge.call(name, input);
      } catch (error) {
        if (!(error instanceof IsolineError)) throw error;
        setError(error);
        return undefined;
      } finally {
        setRunning(false);
      }
    },
    [bridge, name],
  );
  return { run, isRunning, trouble: error && errorText(error), reason: error?.reason };
}
