// Tasks and their state column. Which state may follow which is the domain's matter (shared/task-state.ts).

import type { TaskState } from '../../../shared/task-state.ts';
import type { Task } from '../../clinic/tasks/records.ts';
import type { TaskStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';
import { queuedTasks } from './queued-tasks.ts';
import { readingList } from './reading-list.ts';
import { taskListing } from './task-listing.ts';
import { type TaskRecord, toTask, writeFields } from './task-row.ts';

const optional = (row: TaskRecord | undefined): Task | undefined =>
  row === undefined ? undefined : toTask(row);

/** Only a number is left of what was deleted. An upload becomes a task. */
export const HAS_ANY = `SELECT EXISTS (SELECT 1 FROM task WHERE state <> 'DELETED')
  OR EXISTS (SELECT 1 FROM upload WHERE state IN ('receiving', 'complete'))`;

export function taskStore(db: Db): TaskStore {
  const byId = db.prepare<[number], TaskRecord>('SELECT * FROM task WHERE id = ?');
  const byRecording = db.prepare<[number], TaskRecord>(
    'SELECT * FROM task WHERE recording_id = ? ORDER BY id',
  );
  const add = db.prepare(
    'INSERT INTO task (local_id, organization_id, recording_id, patient_id, state, is_auto_complete, origin, desk_identity, fields, warnings, channels, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const setState = db.prepare(
    'UPDATE task SET state = ?, failure_reason = ?, attempts = coalesce(?, attempts) WHERE id = ?',
  );
  const setRecording = db.prepare('UPDATE task SET recording_id = ? WHERE id = ?');
  const setFields = db.prepare('UPDATE task SET fields = ? WHERE id = ?');
  const keepFormer = db.prepare(
    'INSERT INTO former_patient (task_id, fields, desk_identity, until_ms) SELECT id, fields, desk_identity, ? FROM task WHERE id = ?',
  );
  const setPatient = db.prepare('UPDATE task SET fields = ?, patient_id = ?, desk_identity = ? WHERE id = ?');
  const setCriticalSeen = db.prepare('UPDATE task SET critical_seen = ? WHERE id = ?');
  const setRejection = db.prepare('UPDATE task SET rejection = ? WHERE id = ?');
  const ofPatient = db
    .prepare<[number], number>('SELECT id FROM task WHERE patient_id = ? ORDER BY id')
    .pluck();
  const moveToPatient = db.prepare('UPDATE task SET patient_id = ? WHERE id = ?');
  const setWarnings = db.prepare('UPDATE task SET warnings = ? WHERE id = ?');
  const setChannels = db.prepare('UPDATE task SET channels = ? WHERE id = ?');
  const withChannels = db
    .prepare<[number, string, string | null, string], number>(
      `SELECT task.id FROM recording JOIN task ON task.recording_id = recording.id
      WHERE organization_id = ? AND channels_key = ? AND (channels IS NULL OR channels = ?)
        AND state IN (SELECT value FROM json_each(?)) ORDER BY task.id`,
    )
    .pluck();
  const ofDevice = db.prepare<[number, string, TaskState], TaskRecord>(
    'SELECT * FROM task WHERE organization_id = ? AND device_id = ? AND state = ? ORDER BY id DESC LIMIT 1',
  );
  const hasAny = db.prepare<[], number>(HAS_ANY).pluck();
  const inState = db.prepare<[TaskState], TaskRecord>('SELECT * FROM task WHERE state = ? ORDER BY id');
  const countByState = db.prepare<[], { state: TaskState; count: number }>(
    'SELECT state, count(*) AS count FROM task GROUP BY state ORDER BY state',
  );
  return {
    byId: (id) => optional(byId.get(id)),
    byRecording: (recordingId) => byRecording.all(recordingId).map(toTask),
    add: (task) =>
      Number(
        add.run(
          task.localId,
          task.organizationId,
          task.recordingId ?? null,
          task.patientId ?? null,
          task.state,
          task.isAutoComplete ? 1 : 0,
          task.origin,
          task.identity === undefined ? null : JSON.stringify(task.identity),
          writeFields(task.fields),
          JSON.stringify(task.warnings),
          task.channels === undefined ? null : JSON.stringify(task.channels),
          task.createdMs,
        ).lastInsertRowid,
      ),
    setState: (id, state, { failureReason, attempts }) =>
      void setState.run(state, failureReason ?? null, attempts ?? null, id),
    setRecording: (id, recordingId) => void setRecording.run(recordingId, id),
    setFields: (id, fields) => void setFields.run(writeFields(fields), id),
    setPatient(id, { fields, patientId, identity }, nowMs) {
      keepFormer.run(nowMs, id);
      setPatient.run(
        writeFields(fields),
        patientId ?? null,
        identity === undefined ? null : JSON.stringify(identity),
        id,
      );
    },
    setCriticalSeen: (id, seen) => void setCriticalSeen.run(JSON.stringify(seen), id),
    setRejection: (id, rejection) => void setRejection.run(JSON.stringify(rejection), id),
    ofPatient: (patientId) => ofPatient.all(patientId),
    moveToPatient(ids, patientId) {
      for (const id of ids) moveToPatient.run(patientId, id);
    },
    setWarnings: (id, warnings) => void setWarnings.run(JSON.stringify(warnings), id),
    setChannels: (id, channels) => void setChannels.run(JSON.stringify(channels), id),
    withChannels: (organizationId, channelsKey, { states, remembered }) =>
      withChannels.all(
        organizationId,
        channelsKey,
        remembered === undefined ? null : JSON.stringify(remembered),
        JSON.stringify(states),
      ),
    hasAny: () => hasAny.get() === 1,
    latestOfDevice: (organizationId, deviceId, state) =>
      optional(ofDevice.get(organizationId, deviceId, state)),
    ...taskListing(db),
    nextQueued: queuedTasks(db),
    ...readingList(db),
    inState: (state) => inState.all(state).map(toTask),
    countByState: () => new Map(countByState.all().map(({ state, count }) => [state, count])),
  };
}
