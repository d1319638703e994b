// Whose a recording is, as the screens say it.

import type { RecordingEntry } from '../../../shared/entry/recording-entry.ts';
import type { DeskEntry } from '../../clinic/tasks/records.ts';
import { checkTaskRequest } from '../../v3/task-fields.ts';

/** @throws IsolineError `invalid_<field>` */
export const deskEntryOf = ({ fields, identity, orderId }: RecordingEntry, nowMs: number): DeskEntry => ({
  ...checkTaskRequest(fields, nowMs),
  identity,
  orderId,
});
