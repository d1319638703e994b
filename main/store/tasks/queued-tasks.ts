// Tasks that wait for their analysis, in the order in which it comes.

import { ANALYSIS_LANES, type AnalysisLane } from '../../../shared/analysis-lane.ts';
import type { QueuedTask, TaskStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';
import { type TaskRecord, toTask } from './task-row.ts';

interface QueuedRecord extends TaskRecord {
  lane: number;
  lead_seconds: number;
}

/** The queued tasks with their size: by the stored recording, or by the frames of one that is not put together yet. */
const QUEUED = `
  SELECT task.*, lane, coalesce(
    (SELECT (facts ->> '$.durationMs') * (facts ->> '$.leadCount') / 1000.0 FROM recording WHERE id = task.recording_id),
    (SELECT json_array_length(parameters, '$.leadCodes') * (SELECT max(timestamp_us) FROM frame WHERE task_id = task.id) / 1e6
      FROM stream WHERE task_id = task.id),
    0) AS lead_seconds
  FROM task WHERE state = 'QUEUED'`;

const toQueued = ({ lane, lead_seconds: leadSeconds, ...row }: QueuedRecord): QueuedTask => ({
  task: toTask(row),
  lane: ANALYSIS_LANES[lane] as AnalysisLane,
  leadSeconds,
});

export function queuedTasks(db: Db): TaskStore['nextQueued'] {
  const inOrder = db.prepare<[], QueuedRecord>(`${QUEUED} ORDER BY lane, id`);
  const one = db.prepare<[number], QueuedRecord>(`${QUEUED} AND id = ?`);
  return (asked, isFit) => {
    const awaited = asked.flatMap((id): QueuedTask[] => {
      const row = one.get(id);
      return row === undefined ? [] : [{ ...toQueued(row), lane: 'awaited' }];
    });
    for (const row of inOrder.iterate()) {
      const next = toQueued(row);
      // An emergency goes before what somebody has opened.
      const first = next.lane === 'emergency' ? undefined : awaited.find(isFit);
      if (first !== undefined) return first;
      if (isFit(next)) return next;
    }
    return undefined;
  };
}
