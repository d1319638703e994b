// From a row to its report: which tasks have one to show, and where it is.

import type { TaskRow } from '../../../shared/bridge/views.ts';

/** A preliminary report exists as soon as there are findings. */
export const hasReport = (row: Pick<TaskRow, 'state'>): boolean => row.state === 'COMPLETED' || row.state === 'AWAITING_APPROVAL';

export function openReport(taskId: number): void {
  location.hash = `#/report/${taskId}`;
}
