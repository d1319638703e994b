// Streams and their frames (D70 to D85), and what is known of the devices behind them (D77 to D79).

import type { DeviceLink, DeviceStore, StoredFrame, StreamRow, StreamStore } from '../clinic/ports.ts';
import type { Db } from './database.ts';

interface Row {
  task_id: number;
  parameters: string;
  total_frames: number;
  started_ms: number;
  state: StreamRow['state'];
  last_frame_ms: number | null;
  conflicts: number;
}

const toStream = (row: Row): StreamRow => ({
  taskId: row.task_id,
  parameters: JSON.parse(row.parameters) as StreamRow['parameters'],
  totalFrames: row.total_frames,
  startedMs: row.started_ms,
  state: row.state,
  lastFrameMs: row.last_frame_ms ?? undefined,
  conflicts: row.conflicts,
});

export function streamStore(db: Db): StreamStore {
  const byId = db.prepare<[number], Row>('SELECT * FROM stream WHERE task_id = ?');
  const open = db.prepare<[], Row>("SELECT * FROM stream WHERE state = 'open' ORDER BY task_id");
  const countOpen = db.prepare<[], number>("SELECT count(*) FROM stream WHERE state = 'open'").pluck();
  const add = db.prepare("INSERT INTO stream (task_id, parameters, total_frames, started_ms, state) VALUES (?, ?, ?, ?, 'open')");
  const setTotal = db.prepare('UPDATE stream SET total_frames = ? WHERE task_id = ?');
  const setState = db.prepare('UPDATE stream SET state = ? WHERE task_id = ?');
  const remove = db.prepare('DELETE FROM stream WHERE task_id = ?');
  const crc = db.prepare<[number, number], number>('SELECT crc32 FROM frame WHERE task_id = ? AND timestamp_us = ?').pluck();
  const addFrame = db.prepare('INSERT OR IGNORE INTO frame (task_id, timestamp_us, samples, crc32, payload) VALUES (?, ?, ?, ?, ?)');
  const countFrames = db.prepare<[number], number>('SELECT count(*) FROM frame WHERE task_id = ?').pluck();
  const note = db.prepare('UPDATE stream SET last_frame_ms = ? WHERE task_id = ?');
  const conflict = db
    .prepare<[number], number>('UPDATE stream SET conflicts = conflicts + 1 WHERE task_id = ? RETURNING conflicts')
    .pluck();
  const frames = db.prepare<[number, number, number], StoredFrame>(
    'SELECT timestamp_us AS timestampUs, samples, crc32, payload FROM frame WHERE task_id = ? AND timestamp_us > ? ORDER BY timestamp_us LIMIT ?',
  );
  const dropFrames = db.prepare(
    'DELETE FROM frame WHERE rowid IN (SELECT rowid FROM frame WHERE task_id = ? ORDER BY timestamp_us LIMIT ?)',
  );
  const leftOver = db
    .prepare<[], number>(
      "SELECT stream.task_id FROM stream JOIN task ON task.id = stream.task_id WHERE stream.state = 'finished' AND task.recording_id IS NOT NULL",
    )
    .pluck();
  return {
    byId(taskId) {
      const row = byId.get(taskId);
      return row === undefined ? undefined : toStream(row);
    },
    open: () => open.all().map(toStream),
    countOpen: () => countOpen.get() ?? 0,
    add: (stream) => void add.run(stream.taskId, JSON.stringify(stream.parameters), stream.totalFrames, stream.startedMs),
    setTotalFrames: (taskId, totalFrames) => void setTotal.run(totalFrames, taskId),
    setState: (taskId, state) => void setState.run(state, taskId),
    remove: (taskId) => void remove.run(taskId),
    frameCrc32: (taskId, timestampUs) => crc.get(taskId, timestampUs),
    addFrame: (taskId, frame) => addFrame.run(taskId, frame.timestampUs, frame.samples, frame.crc32, frame.payload).changes === 1,
    countFrames: (taskId) => countFrames.get(taskId) ?? 0,
    noteActivity: (taskId, nowMs) => void note.run(nowMs, taskId),
    noteConflict: (taskId) => conflict.get(taskId) ?? 0,
    frames: (taskId, afterUs, limit) => frames.all(taskId, afterUs, limit),
    dropFrames: (taskId, limit) => dropFrames.run(taskId, limit).changes,
    withFramesLeftOver: () => leftOver.all(),
  };
}

interface LinkRow {
  task_id: number;
  device_state: DeviceLink['deviceState'] | null;
  heartbeat_ms: number | null;
  command: DeviceLink['command'] | null;
  command_ms: number | null;
  custom_duration_ms: number | null;
}

export function deviceStore(db: Db): DeviceStore {
  const byTask = db.prepare<[number], LinkRow>('SELECT * FROM device_link WHERE task_id = ?');
  const set = db.prepare(
    'INSERT OR REPLACE INTO device_link (task_id, device_state, heartbeat_ms, command, command_ms, custom_duration_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const withCommand = db.prepare<[], number>('SELECT task_id FROM device_link WHERE command IS NOT NULL').pluck();
  const start = db
    .prepare<[number, string], string>('SELECT delta_start FROM device_memory WHERE organization_id = ? AND device_id = ?')
    .pluck();
  const remember = db.prepare('INSERT OR REPLACE INTO device_memory (organization_id, device_id, delta_start) VALUES (?, ?, ?)');
  return {
    link(taskId) {
      const row = byTask.get(taskId);
      return {
        deviceState: row?.device_state ?? undefined,
        heartbeatMs: row?.heartbeat_ms ?? undefined,
        command: row?.command ?? undefined,
        commandMs: row?.command_ms ?? undefined,
        customDurationMs: row?.custom_duration_ms ?? undefined,
      };
    },
    setLink: (taskId, link) =>
      void set.run(
        taskId,
        link.deviceState ?? null,
        link.heartbeatMs ?? null,
        link.command ?? null,
        link.commandMs ?? null,
        link.customDurationMs ?? null,
      ),
    withCommand: () => withCommand.all(),
    deltaStart: (organizationId, deviceId) => start.get(organizationId, deviceId),
    rememberDeltaStart: (organizationId, deviceId, name) => void remember.run(organizationId, deviceId, name),
  };
}
