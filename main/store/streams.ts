// Streams and their frames (D70 to D85), and what is known of the devices behind them (D77 to D79).

import type {
  DeviceLink,
  DeviceName,
  KnownDevice,
  StoredFrame,
  StreamRow,
} from '../clinic/streams/records.ts';
import type { DeskDeviceStore, DeviceStore, StreamStore } from '../clinic/streams/store.ts';
import type { Db } from './database/database.ts';

interface Row {
  task_id: number;
  parameters: string;
  total_frames: number;
  started_ms: number;
  state: StreamRow['state'];
  last_frame_ms: number | null;
  conflicts: number;
  device: string | null;
}

const toStream = (row: Row): StreamRow => ({
  taskId: row.task_id,
  parameters: JSON.parse(row.parameters) as StreamRow['parameters'],
  totalFrames: row.total_frames,
  startedMs: row.started_ms,
  state: row.state,
  lastFrameMs: row.last_frame_ms ?? undefined,
  conflicts: row.conflicts,
  device: row.device === null ? undefined : (JSON.parse(row.device) as StreamRow['device']),
});

export function streamStore(db: Db): StreamStore {
  const byId = db.prepare<[number], Row>('SELECT * FROM stream WHERE task_id = ?');
  const open = db.prepare<[], Row>("SELECT * FROM stream WHERE state = 'open' ORDER BY task_id");
  const countOpen = db.prepare<[], number>("SELECT count(*) FROM stream WHERE state = 'open'").pluck();
  const add = db.prepare(
    "INSERT INTO stream (task_id, parameters, total_frames, started_ms, state, device) VALUES (?, ?, ?, ?, 'open', ?)",
  );
  const setTotal = db.prepare('UPDATE stream SET total_frames = ? WHERE task_id = ?');
  const setState = db.prepare('UPDATE stream SET state = ? WHERE task_id = ?');
  const setStarted = db.prepare('UPDATE stream SET started_ms = ? WHERE task_id = ?');
  const clockSet = db
    .prepare<[number], number>(
      "SELECT coalesce(sum(value), 0) FROM recording_event WHERE task_id = ? AND kind = 'clockSet'",
    )
    .pluck();
  const remove = db.prepare('DELETE FROM stream WHERE task_id = ?');
  const crc = db
    .prepare<[number, number], number>('SELECT crc32 FROM frame WHERE task_id = ? AND timestamp_us = ?')
    .pluck();
  const addFrame = db.prepare(
    'INSERT OR IGNORE INTO frame (task_id, timestamp_us, samples, crc32, payload) VALUES (?, ?, ?, ?, ?)',
  );
  const countFrames = db.prepare<[number], number>('SELECT count(*) FROM frame WHERE task_id = ?').pluck();
  const lastFrame = db.prepare<[number], Pick<StoredFrame, 'timestampUs' | 'samples'>>(
    'SELECT timestamp_us AS timestampUs, samples FROM frame WHERE task_id = ? ORDER BY timestamp_us DESC LIMIT 1',
  );
  const note = db.prepare('UPDATE stream SET last_frame_ms = ? WHERE task_id = ?');
  const conflict = db
    .prepare<[number], number>(
      'UPDATE stream SET conflicts = conflicts + 1 WHERE task_id = ? RETURNING conflicts',
    )
    .pluck();
  const frameAt = db.prepare<[number, number], StoredFrame>(
    'SELECT timestamp_us AS timestampUs, samples, crc32, payload FROM frame WHERE task_id = ? ORDER BY timestamp_us LIMIT 1 OFFSET ?',
  );
  const frames = db.prepare<[number, number, number], StoredFrame>(
    'SELECT timestamp_us AS timestampUs, samples, crc32, payload FROM frame WHERE task_id = ? AND timestamp_us > ? ORDER BY timestamp_us LIMIT ?',
  );
  const dropFrames = db.prepare(
    'DELETE FROM frame WHERE rowid IN (SELECT rowid FROM frame WHERE task_id = ? ORDER BY timestamp_us LIMIT ?)',
  );
  const removeEvents = db.prepare('DELETE FROM recording_event WHERE task_id = ?');
  const setDevice = db.prepare('UPDATE stream SET device = ? WHERE task_id = ?');
  const addEvent = db.prepare(
    'INSERT OR IGNORE INTO recording_event (task_id, sample, kind, value) VALUES (?, ?, ?, ?)',
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
    add: ({ taskId, parameters, totalFrames, startedMs, device }) =>
      void add.run(
        taskId,
        JSON.stringify(parameters),
        totalFrames,
        startedMs,
        device === undefined ? null : JSON.stringify(device),
      ),
    setDevice: (taskId, device) => void setDevice.run(JSON.stringify(device), taskId),
    addEvents(taskId, events) {
      for (const { sample, kind, value } of events) addEvent.run(taskId, sample, kind, value);
    },
    setTotalFrames: (taskId, totalFrames) => void setTotal.run(totalFrames, taskId),
    setStarted: (taskId, startedMs) => void setStarted.run(startedMs, taskId),
    clockSetByMs: (taskId) => clockSet.get(taskId) ?? 0,
    setState: (taskId, state) => void setState.run(state, taskId),
    remove(taskId) {
      removeEvents.run(taskId);
      remove.run(taskId);
    },
    frameCrc32: (taskId, timestampUs) => crc.get(taskId, timestampUs),
    addFrame: (taskId, frame) =>
      addFrame.run(taskId, frame.timestampUs, frame.samples, frame.crc32, frame.payload).changes === 1,
    lastFrame: (taskId) => lastFrame.get(taskId),
    countFrames: (taskId) => countFrames.get(taskId) ?? 0,
    noteActivity: (taskId, nowMs) => void note.run(nowMs, taskId),
    noteConflict: (taskId) => conflict.get(taskId) ?? 0,
    frames: (taskId, afterUs, limit) => frames.all(taskId, afterUs, limit),
    frameAt: (taskId, index) => frameAt.get(taskId, index),
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
  const withCommand = db
    .prepare<[], number>('SELECT task_id FROM device_link WHERE command IS NOT NULL')
    .pluck();
  const start = db
    .prepare<[number, string], string>(
      'SELECT delta_start FROM device_memory WHERE organization_id = ? AND device_id = ?',
    )
    .pluck();
  const remember = db.prepare(
    'INSERT OR REPLACE INTO device_memory (organization_id, device_id, delta_start) VALUES (?, ?, ?)',
  );
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

export function deskDeviceStore(db: Db): DeskDeviceStore {
  const get = db.prepare<[string], KnownDevice>(
    'SELECT identity, driver, variant, baud, lead_set AS leadSet FROM desk_device WHERE identity = ?',
  );
  const set = db.prepare(
    'INSERT OR REPLACE INTO desk_device (identity, driver, variant, baud, lead_set, used_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const names = db.prepare<[], DeviceName>('SELECT identity, name FROM device_name ORDER BY identity');
  const setName = db.prepare('INSERT OR REPLACE INTO device_name (identity, name) VALUES (?, ?)');
  const unname = db.prepare('DELETE FROM device_name WHERE identity = ?');
  return {
    names: () => names.all(),
    setName: (identity, name) =>
      void (name === undefined ? unname.run(identity) : setName.run(identity, name)),
    known: (identity) => get.get(identity),
    remember: ({ identity, driver, variant, baud, leadSet }, nowMs) =>
      void set.run(identity, driver, variant, baud, leadSet, nowMs),
  };
}
