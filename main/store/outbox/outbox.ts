// What is on its way to a centre, what came back, and of whom nothing goes.

import type { Severity } from '../../../shared/severity.ts';
import type { TaskRequest } from '../../../shared/v3/v3.ts';
import { centralIdOf, type Item } from '../../clinic/outbox/item.ts';
import type { CentralReport, OutboxEntry, SentPatient } from '../../clinic/outbox/records.ts';
import type { OutboxStore } from '../../clinic/outbox/store.ts';
import { readTaskRequest, writeTaskRequest } from '../../v3/task-fields.ts';
import type { Db } from '../database/database.ts';
import { readItem, writeItem } from './outbox-item.ts';

interface OutboxRow {
  id: number;
  connection_id: number;
  task_id: number;
  marker: string;
  device_id: string;
  content: string | null;
  item: string;
  sent: string | null;
  request: string | null;
  replaces: string | null;
  changed_ms: number;
}

const toEntry = (row: OutboxRow): OutboxEntry => ({
  item: readItem(row.item),
  connectionId: row.connection_id,
  taskId: row.task_id,
  marker: row.marker,
  deviceId: row.device_id,
  content: row.content ?? undefined,
  sent: row.sent === null ? undefined : (JSON.parse(row.sent) as SentPatient),
  stated: row.request === null ? undefined : readTaskRequest(JSON.parse(row.request) as TaskRequest),
  replaces: row.replaces ?? undefined,
  changedMs: row.changed_ms,
});
const optional = (row: OutboxRow | undefined): OutboxEntry | undefined =>
  row === undefined ? undefined : toEntry(row);

const OPEN = "state IN ('READY', 'SENDING', 'WAITING_REPORT')";

export function outboxStore(db: Db): OutboxStore {
  const byId = db.prepare<[number], OutboxRow>('SELECT * FROM outbox WHERE id = ?');
  const byTask = db.prepare<[number, number], OutboxRow>(
    'SELECT * FROM outbox WHERE connection_id = ? AND task_id = ?',
  );
  const ofTask = db.prepare<[number], OutboxRow>(
    'SELECT outbox.* FROM outbox JOIN connection ON connection.id = connection_id WHERE task_id = ? AND is_removed = 0 ORDER BY outbox.id',
  );
  const byCentralId = db.prepare<[number, string], OutboxRow>(
    'SELECT * FROM outbox WHERE connection_id = ? AND central_id = ?',
  );
  const add = db.prepare(
    "INSERT INTO outbox (connection_id, task_id, marker, device_id, content, state, item, changed_ms) VALUES (?, ?, ?, ?, ?, 'HELD', '', ?)",
  );
  const set = db.prepare(
    'UPDATE outbox SET state = ?, central_id = ?, is_critical = ?, item = ?, changed_ms = ? WHERE id = ?',
  );
  const setContent = db.prepare('UPDATE outbox SET content = ? WHERE id = ?');
  const open = db
    .prepare<[number], string>(`SELECT item FROM outbox WHERE connection_id = ? AND ${OPEN} ORDER BY id`)
    .pluck();
  const list = db.prepare<[number, string, number], OutboxRow>(
    'SELECT * FROM outbox WHERE connection_id = ? AND state IN (SELECT value FROM json_each(?)) ORDER BY changed_ms DESC, id DESC LIMIT ?',
  );
  const setRaised = db.prepare('UPDATE outbox SET raised = ? WHERE id = ?');
  const setSent = db.prepare('UPDATE outbox SET sent = ?, request = ?, is_differing = 0 WHERE id = ?');
  const setDiffering = db.prepare('UPDATE outbox SET is_differing = ? WHERE id = ?');
  const differing = db.prepare<[number, number], OutboxRow>(
    'SELECT * FROM outbox WHERE connection_id = ? AND is_differing = 1 ORDER BY id DESC LIMIT ?',
  );
  // What is never sent (a simulation, what a centre made of ours, a patient of whom nothing goes) is not
  // offered either.
  const neverSent = db
    .prepare<
      [{ connectionId: number; organizationId: number; withSimulated: 0 | 1; ownTag: string }],
      number
    >(
      `SELECT id FROM task WHERE organization_id = :organizationId AND recording_id IS NOT NULL
       AND state IN ('QUEUED', 'PROCESSING', 'AWAITING_APPROVAL', 'COMPLETED') AND (is_simulated = 0 OR :withSimulated = 1)
       AND NOT EXISTS (SELECT 1 FROM outbox WHERE connection_id = :connectionId AND task_id = task.id)
       AND NOT EXISTS (SELECT 1 FROM kept_patient WHERE kept_patient.patient_id = task.patient_id)
       AND instr(fields, :ownTag) = 0 ORDER BY id`,
    )
    .pluck();
  const countDiffering = db
    .prepare<[number], number>('SELECT count(*) FROM outbox WHERE connection_id = ? AND is_differing = 1')
    .pluck();
  const beginAnew = db.prepare(
    'UPDATE outbox SET marker = ?, device_id = ?, replaces = ?, sent = NULL, request = NULL, is_differing = 0, raised = NULL WHERE id = ?',
  );
  const raised = db.prepare<[], OutboxRow & { raised: Severity }>(
    'SELECT * FROM outbox WHERE raised IS NOT NULL ORDER BY id',
  );
  const waitingBytes = db
    .prepare<[number], number>(
      `SELECT coalesce(sum(recording_file.size_bytes), 0) FROM outbox JOIN task ON task.id = outbox.task_id JOIN recording_file ON recording_file.recording_id = task.recording_id WHERE connection_id = ? AND outbox.state IN ('READY', 'SENDING')`,
    )
    .pluck();
  const sizeOf = db
    .prepare<[number], number>(
      'SELECT coalesce(sum(recording_file.size_bytes), 0) FROM outbox JOIN task ON task.id = outbox.task_id JOIN recording_file ON recording_file.recording_id = task.recording_id WHERE outbox.id = ?',
    )
    .pluck();
  // What goes now, then what goes next, then what only waits.
  const queue = db.prepare<[number, string, number], OutboxRow>(
    `SELECT * FROM outbox WHERE connection_id = ? AND state IN (SELECT value FROM json_each(?))
     ORDER BY CASE state WHEN 'SENDING' THEN 0 WHEN 'READY' THEN 1 WHEN 'WAITING_REPORT' THEN 2 ELSE 3 END, is_critical DESC, id LIMIT ?`,
  );
  const oldest = db
    .prepare<[number, string], string>(
      'SELECT item FROM outbox WHERE connection_id = ? AND state IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT 1',
    )
    .pluck();
  const count = db.prepare<[number], { state: Item['state']; items: number }>(
    'SELECT state, count(*) AS items FROM outbox WHERE connection_id = ? GROUP BY state',
  );
  const countSince = db
    .prepare<[number, string, number], number>(
      'SELECT count(*) FROM outbox WHERE connection_id = ? AND state = ? AND changed_ms >= ?',
    )
    .pluck();
  const doneSince = db
    .prepare<[number, number], number>(
      "SELECT changed_ms FROM outbox WHERE connection_id = ? AND state = 'DONE' AND changed_ms >= ? ORDER BY changed_ms",
    )
    .pluck();
  const outdated = db
    .prepare<[number], number>(
      `SELECT task_id FROM outbox WHERE connection_id = ? AND state IN ('DONE', 'WAITING_REPORT')
       AND json_extract(item, '$.revision') < (SELECT max(revision) FROM report WHERE report.task_id = outbox.task_id)`,
    )
    .pluck();
  const lastDone = db
    .prepare<[number], number>(
      // What happened last is mostly something that was done.
      "SELECT changed_ms FROM outbox WHERE connection_id = ? AND state = 'DONE' ORDER BY changed_ms DESC LIMIT 1",
    )
    .pluck();
  // One that was refused or stopped before anything was made there is in nobody's way.
  const sentTwin = db.prepare<[number, string, number], OutboxRow>(
    "SELECT * FROM outbox WHERE connection_id = ? AND content = ? AND id <> ? AND (state IN ('READY', 'SENDING', 'WAITING_REPORT', 'DONE', 'NEEDS_CHECK') OR central_id IS NOT NULL) ORDER BY id LIMIT 1",
  );
  const undone = db.prepare<[], string>("SELECT item FROM outbox WHERE state <> 'DONE' ORDER BY id").pluck();
  const addReport = db.prepare(
    'INSERT INTO central_report (outbox_id, central_id, sha256, size_bytes, fetched_ms) SELECT id, central_id, ?, ?, ? FROM outbox WHERE id = ?',
  );
  const latestReport = db.prepare<[number], CentralReport>(
    'SELECT sha256, size_bytes AS sizeBytes, fetched_ms AS fetchedMs FROM central_report JOIN outbox ON outbox.id = outbox_id AND outbox.central_id = central_report.central_id WHERE outbox_id = ? ORDER BY central_report.id DESC LIMIT 1',
  );
  const kept = db.prepare<[number], number>('SELECT 1 FROM kept_patient WHERE patient_id = ?').pluck();
  const keep = db.prepare(
    'INSERT INTO kept_patient (patient_id, since_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const letGo = db.prepare('DELETE FROM kept_patient WHERE patient_id = ?');

  const setItem = (item: Item, nowMs: number): void =>
    void set.run(
      item.state,
      centralIdOf(item) ?? null,
      item.isCritical ? 1 : 0,
      writeItem(item),
      nowMs,
      item.id,
    );
  return {
    byId: (id) => optional(byId.get(id)),
    byTask: (connectionId, taskId) => optional(byTask.get(connectionId, taskId)),
    ofTask: (taskId) => ofTask.all(taskId).map(toEntry),
    byCentralId: (connectionId, centralId) => optional(byCentralId.get(connectionId, centralId)),
    add({ connectionId, taskId, marker, deviceId, content = null }, makeItem, nowMs) {
      const id = Number(add.run(connectionId, taskId, marker, deviceId, content, nowMs).lastInsertRowid);
      setItem(makeItem(id), nowMs);
      return id;
    },
    set: setItem,
    setContent: (id, content) => void setContent.run(content, id),
    open: (connectionId) => open.all(connectionId).map((text) => readItem(text)),
    list: (connectionId, states, limit) => list.all(connectionId, JSON.stringify(states), limit).map(toEntry),
    queue: (connectionId, states, limit) =>
      queue.all(connectionId, JSON.stringify(states), limit).map(toEntry),
    count: (connectionId) => new Map(count.all(connectionId).map(({ state, items }) => [state, items])),
    countChangedSince: (connectionId, state, sinceMs) => countSince.get(connectionId, state, sinceMs) ?? 0,
    doneSince: (connectionId, sinceMs) => doneSince.all(connectionId, sinceMs),
    outdated: (connectionId) => outdated.all(connectionId),
    lastDoneMs: (connectionId) => lastDone.get(connectionId),
    setSent: (id, sent, stated) =>
      void setSent.run(JSON.stringify(sent), JSON.stringify(writeTaskRequest(stated)), id),
    setDiffering: (id, isDiffering) => void setDiffering.run(isDiffering ? 1 : 0, id),
    differing: (connectionId, limit) => differing.all(connectionId, limit).map(toEntry),
    neverSent: (connectionId, { organizationId, isSimulatedSent, ownTag }) =>
      neverSent.all({ connectionId, organizationId, withSimulated: isSimulatedSent ? 1 : 0, ownTag }),
    countDiffering: (connectionId) => countDiffering.get(connectionId) ?? 0,
    beginAnew: (id, { marker, deviceId, replaces }) =>
      void beginAnew.run(marker, deviceId, replaces ?? null, id),
    setRaised: (id, severity) => void setRaised.run(severity ?? null, id),
    raised: () => raised.all().map((row) => ({ ...toEntry(row), severity: row.raised })),
    sizeOf: (id) => sizeOf.get(id) ?? 0,
    waitingBytes: (connectionId) => waitingBytes.get(connectionId) ?? 0,
    oldest(connectionId, states) {
      const text = oldest.get(connectionId, JSON.stringify(states));
      return text === undefined ? undefined : readItem(text);
    },
    sentTwin: (connectionId, content, exceptId) => optional(sentTwin.get(connectionId, content, exceptId)),
    undone: () => undone.all().map((text) => readItem(text)),
    addReport: (id, { sha256, sizeBytes, fetchedMs }) => void addReport.run(sha256, sizeBytes, fetchedMs, id),
    latestReport: (id) => latestReport.get(id),
    isKept: (patientId) => kept.get(patientId) !== undefined,
    keep: (patientId, nowMs) => void keep.run(patientId, nowMs),
    letGo: (patientId) => void letGo.run(patientId),
  };
}
