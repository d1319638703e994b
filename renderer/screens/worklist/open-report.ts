// From a row to its report and back: which tasks have one to show, where it is, and which row has the keys
// again afterwards.

import type { TaskRow } from '../../../shared/bridge/views.ts';

/** A preliminary report exists as soon as there are findings. */
export const hasReport = (row: Pick<TaskRow, 'state'>): boolean =>
  row.state === 'COMPLETED' || row.state === 'AWAITING_APPROVAL';

export interface LeftRow {
  readonly taskId: number;
  /** In the list as it was then; what arrived since moved it down. */
  readonly place: number;
}
let left: LeftRow | undefined;

/** @param place of its row in the worklist, 0 where that is not known */
export function openReport(taskId: number, place = 0): void {
  left = { taskId, place };
  location.hash = `#/report/${taskId}`;
}

/** The row from which a report was opened, for the list that is shown after it. */
export const leftRow = (): LeftRow | undefined => left;
export const forgetLeftRow = (): void => {
  left = undefined;
};
