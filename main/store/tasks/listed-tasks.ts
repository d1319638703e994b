// Tasks with all that a list shows of them, in two questions for all of them together.

import { ANALYSIS_LANES } from '../../../shared/analysis-lane.ts';
import { severityRank } from '../../../shared/severity.ts';
import { severityOf } from '../../clinic/outbox/item.ts';
import type { CentralState, ListedTask, RecordingFacts } from '../../clinic/tasks/records.ts';
import type { Db } from '../database/database.ts';
import { readItem } from '../outbox/outbox-item.ts';
import { type TaskRecord, toTask } from './task-row.ts';

interface ListedRecord extends TaskRecord {
  facts: string | null;
  critical_since_ms: number | null;
  critical_revision: number | null;
  queued_ahead: number | null;
  queued_lane: number | null;
  device_name: string | null;
  approved_by: string | null;
}

const LISTED = `
  SELECT task.*, recording.facts AS facts,
    CASE WHEN task.state = 'AWAITING_APPROVAL' AND task.severity = :critical
      THEN (SELECT created_ms FROM finding WHERE task_id = task.id ORDER BY revision DESC LIMIT 1) END AS critical_since_ms,
    CASE WHEN task.state = 'AWAITING_APPROVAL' AND task.severity = :critical
      THEN (SELECT max(revision) FROM finding WHERE task_id = task.id) END AS critical_revision,
    CASE WHEN task.state = 'QUEUED'
      THEN (SELECT count(*) FROM task AS other WHERE other.state = 'QUEUED' AND (other.lane, other.id) < (task.lane, task.id)) END AS queued_ahead,
    CASE WHEN task.state = 'QUEUED' THEN task.lane END AS queued_lane,
    (SELECT device ->> '$.name' FROM stream WHERE task_id = task.id) AS device_name,
    (SELECT CASE WHEN look ->> '$.approval.kind' = 'approved' THEN look ->> '$.approval.by' END
      FROM report WHERE task_id = task.id ORDER BY revision DESC LIMIT 1) AS approved_by
  FROM json_each(:ids) AS wanted JOIN task ON task.id = wanted.value LEFT JOIN recording ON recording.id = task.recording_id
  ORDER BY wanted.key
`;

/** Where a task went to several, the one that it went to last counts. */
const CENTRAL = `
  SELECT outbox.task_id AS taskId, outbox.item AS item,
    EXISTS (SELECT 1 FROM central_report WHERE outbox_id = outbox.id AND central_id = outbox.central_id) AS hasReport
  FROM json_each(?) AS wanted JOIN outbox ON outbox.task_id = wanted.value
    JOIN connection ON connection.id = outbox.connection_id AND connection.is_removed = 0
  ORDER BY outbox.id
`;

export function listedTasks(db: Db): (ids: readonly number[]) => ListedTask[] {
  const listed = db.prepare<[{ ids: string; critical: number }], ListedRecord>(LISTED);
  const central = db.prepare<[string], { taskId: number; item: string; hasReport: 0 | 1 }>(CENTRAL);
  return (ids) => {
    const wanted = JSON.stringify(ids);
    const centralOf = new Map<number, CentralState>();
    for (const { taskId, item, hasReport } of central.all(wanted)) {
      const read = readItem(item);
      centralOf.set(taskId, { state: read.state, severity: severityOf(read), hasReport: hasReport === 1 });
    }
    return listed.all({ ids: wanted, critical: severityRank('CRITICAL') }).map((row) => ({
      task: toTask(row),
      criticalRevision: row.critical_revision ?? undefined,
      facts: row.facts === null ? undefined : (JSON.parse(row.facts) as RecordingFacts),
      criticalSinceMs: row.critical_since_ms ?? undefined,
      queuedAhead: row.queued_ahead ?? undefined,
      lane: row.queued_lane === null ? undefined : ANALYSIS_LANES[row.queued_lane],
      deviceName: row.device_name ?? undefined,
      approvedBy: row.approved_by ?? undefined,
      central: centralOf.get(row.id),
    }));
  };
}
