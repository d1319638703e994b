// A task as its row holds it.

import type { Reason } from '../../../shared/errors.ts';
import { SEVERITIES } from '../../../shared/severity.ts';
import type { ChannelChoice } from '../../../shared/signal/channel-choice.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import type { TaskState } from '../../../shared/task-state.ts';
import type { CriticalSeen, FirstFinding, Rejection, Task } from '../../clinic/tasks/records.ts';
import type { TaskFields } from '../../ground/task-fields.ts';
import { fieldsOf, type NamedFields, namedFields } from '../../v3/task-fields.ts';

/** Rows keep the names of the interface. */
interface StoredFields extends NamedFields {
  readonly recording_start_ms?: number;
}

function readFields(text: string): TaskFields {
  const { recording_start_ms: recordingStartMs, ...named } = JSON.parse(text) as StoredFields;
  return { ...fieldsOf(named), ...(recordingStartMs !== undefined && { recordingStartMs }) };
}

/** What `toTask` reads. */
export function writeFields(fields: TaskFields): string {
  const { recordingStartMs } = fields;
  const stored: StoredFields = {
    ...namedFields(fields),
    ...(recordingStartMs !== undefined && { recording_start_ms: recordingStartMs }),
  };
  return JSON.stringify(stored);
}

export interface TaskRecord {
  id: number;
  local_id: string;
  organization_id: number;
  recording_id: number | null;
  patient_id: number | null;
  state: TaskState;
  is_auto_complete: 0 | 1;
  origin: 'v3' | 'import';
  desk_identity: string | null;
  fields: string;
  warnings: string;
  created_ms: number;
  attempts: number;
  failure_reason: Reason | null;
  /** Its rank. */
  severity: number | null;
  first_finding: string | null;
  is_simulated: 0 | 1;
  rejection: string | null;
  critical_seen: string | null;
  channels: string | null;
}

export const toTask = (row: TaskRecord): Task => ({
  id: row.id,
  localId: row.local_id,
  organizationId: row.organization_id,
  recordingId: row.recording_id ?? undefined,
  patientId: row.patient_id ?? undefined,
  state: row.state,
  isAutoComplete: row.is_auto_complete === 1,
  origin: row.origin,
  identity: row.desk_identity === null ? undefined : (JSON.parse(row.desk_identity) as Task['identity']),
  fields: readFields(row.fields),
  warnings: JSON.parse(row.warnings) as Warning[],
  channels: row.channels === null ? undefined : (JSON.parse(row.channels) as ChannelChoice),
  createdMs: row.created_ms,
  attempts: row.attempts,
  failureReason: row.failure_reason ?? undefined,
  severity: row.severity === null ? undefined : SEVERITIES[row.severity],
  firstFinding: row.first_finding === null ? undefined : (JSON.parse(row.first_finding) as FirstFinding),
  isSimulated: row.is_simulated === 1,
  rejection: row.rejection === null ? undefined : (JSON.parse(row.rejection) as Rejection),
  criticalSeen: row.critical_seen === null ? undefined : (JSON.parse(row.critical_seen) as CriticalSeen),
});
