// The corrections of a day, and the steps that change them: shown at once, kept by the workstation one after the other.

import { useCallback, useMemo, useState } from 'react';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import type { Correction } from '../../../shared/review/corrections.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { useSteps } from '../review/use-steps.ts';

type Kept = CallOutput<'day.corrections'>;

export interface DaySteps {
  /** Undefined until they are known. */
  readonly corrections: readonly Correction[] | undefined;
  readonly mayCorrect: boolean;
  readonly holder: Kept['holder'];
  /** When the workstation had kept all that is shown; undefined while it has not. */
  readonly keptMs: number | undefined;
  /** Why the last step was not taken. */
  readonly trouble: string | undefined;
  correct(change: Correction): void;
  /** Says why a step is not taken. */
  refuse(why: string): void;
  /** Undefined where there is nothing to undo. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  takeOver(): void;
}

/** What is shown before the workstation has answered. */
interface Ahead {
  readonly corrections: readonly Correction[];
  readonly undone: readonly Correction[];
}

/** @param carried so many were approved with the findings, and cannot be undone */
export function useDaySteps(task: TaskDetail, carried: number): DaySteps {
  const { taskId, state } = task;
  const bridge = useBridge();
  const { may } = useSession();
  const { data } = useBridgeQuery('day.corrections', { taskId });
  const [ahead, setAhead] = useState<Ahead>();
  const [keptMs, setKeptMs] = useState<number>();
  const { take: takeStep, trouble, refuse } = useSteps('day.corrections', taskId);
  const known = useMemo(() => data?.corrections.map(({ change }) => change), [data]);

  const take = useCallback(
    async (step: Parameters<typeof takeStep>[0]): Promise<void> => {
      setKeptMs(undefined);
      // What came meanwhile is shown until it is kept as well.
      if (!(await takeStep(step))) return;
      setAhead(undefined);
      setKeptMs(Date.now());
    },
    [takeStep],
  );

  const shown = ahead?.corrections ?? known;
  const undone = ahead?.undone ?? [];
  const isOpen = state === 'AWAITING_APPROVAL' || state === 'COMPLETED';
  const mayCorrect = isOpen && data !== undefined && data.holder === undefined && may('review');
  const correct = (change: Correction): void => {
    if (shown === undefined || !mayCorrect) return;
    // Several in one go follow each other.
    setAhead((before) => ({ corrections: [...(before?.corrections ?? shown), change], undone: [] }));
    void take(() => bridge.call('review.correct', { taskId, change }));
  };
  const undo = (): void => {
    if (shown === undefined) return;
    setAhead({ corrections: shown.slice(0, -1), undone: [shown.at(-1) as Correction, ...undone] });
    void take((seen) => bridge.call('review.undo', { taskId, version: seen }));
  };
  const redo = (): void => {
    const [next, ...later] = undone;
    // What was undone before this page was opened, the workstation alone knows.
    if (next !== undefined && shown !== undefined) setAhead({ corrections: [...shown, next], undone: later });
    void take((seen) => bridge.call('review.redo', { taskId, version: seen }));
  };
  const mayUndo = mayCorrect && shown !== undefined && shown.length > carried;
  const mayRedo = mayCorrect && (ahead === undefined ? (data?.undoneCount ?? 0) > 0 : undone.length > 0);
  return {
    corrections: shown,
    mayCorrect,
    holder: data?.holder,
    keptMs,
    trouble,
    correct,
    refuse,
    undo: mayUndo ? undo : undefined,
    redo: mayRedo ? redo : undefined,
    takeOver: () =>
      void take(async (seen) => {
        await bridge.call('review.takeOver', { taskId });
        return { version: seen };
      }),
  };
}
