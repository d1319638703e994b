// Takes everything personal of a deleted task out of the tables, and out of the bytes of the file (SEC54).
// The row of the task stays as a tombstone: that there was one, when, and that it was deleted.

import type { ErasureStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';

/** Files that a task has brought along or made, besides those that another task needs. */
const FILES_OF_TASK = `
  SELECT sha256 FROM recording_file WHERE recording_id = (SELECT recording_id FROM task WHERE id = :id)
  UNION SELECT recording.sha256 FROM recording JOIN task ON task.recording_id = recording.id WHERE task.id = :id
  UNION SELECT result_sha256 FROM finding WHERE task_id = :id
  UNION SELECT sha256 FROM report WHERE task_id = :id
  UNION SELECT central_report.sha256 FROM central_report JOIN outbox ON outbox.id = central_report.outbox_id WHERE outbox.task_id = :id
`;

/** In this order, because rows refer to each other. */
const WITHOUT_TASK = [
  'DELETE FROM central_report WHERE outbox_id IN (SELECT id FROM outbox WHERE task_id = :id)',
  'UPDATE outbox SET sent = NULL, request = NULL, content = NULL, raised = NULL, is_differing = 0 WHERE task_id = :id',
  'DELETE FROM correction WHERE task_id = :id',
  'DELETE FROM review_draft WHERE task_id = :id',
  'DELETE FROM consultation WHERE task_id = :id',
  'DELETE FROM report WHERE task_id = :id',
  'DELETE FROM finding WHERE task_id = :id',
  'DELETE FROM former_patient WHERE task_id = :id',
  'DELETE FROM order_task WHERE task_id = :id',
  'DELETE FROM recording_event WHERE task_id = :id',
  'DELETE FROM frame WHERE task_id = :id',
  'DELETE FROM stream WHERE task_id = :id',
  'DELETE FROM device_link WHERE task_id = :id',
  'DELETE FROM task_word WHERE rowid = :id',
  `UPDATE task SET fields = '{}', warnings = '[]', channels = NULL, desk_identity = NULL, rejection = NULL, recording_id = NULL, patient_id = NULL,
     severity = NULL, first_finding = NULL, critical_seen = NULL WHERE id = :id`,
] as const;

/** A patient and all that were ever joined with it. */
const JOINED = `
  WITH RECURSIVE joined (id) AS (
    SELECT :id
    UNION SELECT kept_id FROM patient_merge JOIN joined ON gone_id = joined.id
    UNION SELECT gone_id FROM patient_merge JOIN joined ON kept_id = joined.id
  ) SELECT id FROM joined
`;

const IS_NAMED = `
  SELECT EXISTS (SELECT 1 FROM recording_file WHERE sha256 = :sha256)
    OR EXISTS (SELECT 1 FROM recording WHERE sha256 = :sha256)
    OR EXISTS (SELECT 1 FROM finding WHERE result_sha256 = :sha256)
    OR EXISTS (SELECT 1 FROM report WHERE sha256 = :sha256)
    OR EXISTS (SELECT 1 FROM central_report WHERE sha256 = :sha256)
`;

export function erasureStore(db: Db): ErasureStore {
  const filesOf = db.prepare<{ id: number }, string>(FILES_OF_TASK).pluck();
  const owners = db.prepare<{ id: number }, { recording_id: number | null; patient_id: number | null }>(
    'SELECT recording_id, patient_id FROM task WHERE id = :id',
  );
  const steps = WITHOUT_TASK.map((sql) => db.prepare<{ id: number }>(sql));
  const isRecordingUsed = db
    .prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM task WHERE recording_id = ?)')
    .pluck();
  const dropFiles = db.prepare('DELETE FROM recording_file WHERE recording_id = ?');
  const dropRecording = db.prepare('DELETE FROM recording WHERE id = ?');
  const joined = db.prepare<{ id: number }, number>(JOINED).pluck();
  const hasTasks = db
    .prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM task WHERE patient_id = ?)')
    .pluck();
  const patientSteps = [
    'DELETE FROM patient_merge WHERE kept_id = :id OR gone_id = :id',
    'DELETE FROM kept_patient WHERE patient_id = :id',
    'DELETE FROM legal_hold WHERE patient_id = :id',
    'DELETE FROM patient_word WHERE rowid = :id',
    'UPDATE patient SET merged_into = NULL WHERE merged_into = :id',
  ].map((sql) => db.prepare<{ id: number }>(sql));
  const dropPatient = db.prepare('DELETE FROM patient WHERE id = ?');
  const isNamed = db.prepare<{ sha256: string }, number>(IS_NAMED).pluck();
  const expireUploads = db.prepare(
    "UPDATE upload SET state = 'expired' WHERE sha256 = ? AND state = 'complete'",
  );
  const dropDownloads = db.prepare('DELETE FROM download WHERE sha256 = ?');
  const note = db.prepare('INSERT OR IGNORE INTO erased_file (sha256) VALUES (?)');
  const pending = db.prepare<[], string>('SELECT sha256 FROM erased_file').pluck();
  const settle = db.prepare('DELETE FROM erased_file WHERE sha256 = ?');

  const erasePatient = (patientId: number): void => {
    const all = joined.all({ id: patientId });
    if (all.some((id) => hasTasks.get(id) === 1)) return;
    for (const id of all) for (const step of patientSteps) step.run({ id });
    // When nothing refers to any of them any more.
    for (const id of all) dropPatient.run(id);
  };

  return {
    eraseTask(taskId) {
      const id = { id: taskId };
      const files = filesOf.all(id);
      const { recording_id: recordingId, patient_id: patientId } = owners.get(id) ?? {
        recording_id: null,
        patient_id: null,
      };
      for (const step of steps) step.run(id);
      if (recordingId !== null && isRecordingUsed.get(recordingId) !== 1) {
        dropFiles.run(recordingId);
        dropRecording.run(recordingId);
      }
      if (patientId !== null) erasePatient(patientId);
      for (const sha256 of files) {
        if (isNamed.get({ sha256 }) === 1) continue;
        // The same bytes as an upload, or offered for download.
        expireUploads.run(sha256);
        dropDownloads.run(sha256);
        note.run(sha256);
      }
    },
    forgetFile: (sha256) => void note.run(sha256),
    pendingFiles: () => pending.all(),
    isNamed: (sha256) => isNamed.get({ sha256 }) === 1,
    settleFile: (sha256) => void settle.run(sha256),
    scrub() {
      // Deleted rows of the index stay in its segments until these are rewritten: 0.2 s for each index of
      // 100,000 rows, at a deletion.
      db.exec(
        "INSERT INTO task_word (task_word) VALUES ('optimize'); INSERT INTO patient_word (patient_word) VALUES ('optimize')",
      );
      // The log holds pages as they were before.
      db.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}
