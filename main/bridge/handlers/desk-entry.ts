// Whose a recording is, as the screens say it.

import type { RecordingEntry } from '../../../shared/entry/recording-entry.ts';
import { checkTaskRequest } from '../../../shared/v3/task-fields.ts';
import type { DeskEntry } from '../../clinic/tasks/records.ts';

/** @throws IsolineError `invalid_<field>` */
export const deskEntryOf = ({ fields, identity, orderId }: RecordingEntry, nowMs: number): DeskEntry => ({
  ...checkTaskRequest(fields, nowMs),
  identity,
  orderId,
});
