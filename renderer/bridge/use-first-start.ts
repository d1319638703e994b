// Which steps of the first start have been answered, for whoever goes on with it.

import {
  FIRST_STEPS,
  type FirstStart,
  type FirstStep,
  readFirstStart,
  writeFirstStart,
} from '../../shared/first-start.ts';
import { useBridgeQuery } from './use-bridge.tsx';
import { useSeat } from './use-seat.ts';
import { useSession } from './use-session.ts';
import { useSettingChange } from './use-settings.ts';

export interface FirstStartControl extends FirstStart {
  /** Nothing is known before the workstation has answered. */
  readonly isKnown: boolean;
  /** Whether this person may go on with it. */
  readonly isOffered: boolean;
  /** Neither answered nor put off. */
  readonly left: readonly FirstStep[];
  readonly trouble: string | undefined;
  note(step: FirstStep, how: 'done' | 'later'): Promise<boolean>;
  finish(): Promise<boolean>;
}

export function useFirstStart(): FirstStartControl {
  const { data } = useBridgeQuery('setting.list', {});
  const { may } = useSession();
  // It is about this computer.
  const { isDesk } = useSeat();
  const setting = useSettingChange();
  const state = readFirstStart(data?.values['start.steps'] ?? '');
  const keep = (next: FirstStart): Promise<boolean> => setting.change('start.steps', writeFirstStart(next));
  return {
    ...state,
    isKnown: data !== undefined,
    isOffered: state.isOpen && isDesk && may('settings'),
    left: FIRST_STEPS.filter((step) => !state.done.includes(step) && !state.later.includes(step)),
    trouble: setting.trouble,
    note(step, how) {
      const without = (steps: readonly FirstStep[]): FirstStep[] => steps.filter((each) => each !== step);
      const lists = { done: without(state.done), later: without(state.later) };
      return keep({ isOpen: state.isOpen, ...lists, [how]: [...lists[how], step] });
    },
    finish: () => keep({ ...state, isOpen: false }),
  };
}
