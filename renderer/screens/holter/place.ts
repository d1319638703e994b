// Where somebody was in a day, kept on this computer: after a crash, or a look elsewhere, it goes on there.

import { HOLTER_VIEWS, type HolterView } from './holter.ts';

const KEPT_UNDER = 'isoline.day';

export interface KeptPlace {
  readonly view: HolterView;
  readonly at: number;
}

/** The last place in the last day that was open. */
export function keptPlace(taskId: number): KeptPlace | undefined {
  const [task, view, at] = (localStorage.getItem(KEPT_UNDER) ?? '').split(' ');
  const known = HOLTER_VIEWS.find((each) => each === view);
  return Number(task) === taskId && known !== undefined && Number.isFinite(Number(at))
    ? { view: known, at: Number(at) }
    : undefined;
}

export function keepPlace(taskId: number, { view, at }: KeptPlace): void {
  localStorage.setItem(KEPT_UNDER, `${taskId} ${view} ${at}`);
}
