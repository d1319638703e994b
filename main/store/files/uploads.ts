// Uploads under way, and which of their bytes are acknowledged (D40 to D46).

import type { ByteRange, Upload, UploadState } from '../../clinic/uploads/records.ts';
import type { UploadStore } from '../../clinic/uploads/store.ts';
import type { Db } from '../database/database.ts';

interface Row {
  id: string;
  organization_id: number;
  total_size_bytes: number;
  sha256: string;
  state: UploadState;
  created_ms: number;
  touched_ms: number;
}

const toUpload = (row: Row): Upload => ({
  id: row.id,
  organizationId: row.organization_id,
  totalSizeBytes: row.total_size_bytes,
  sha256: row.sha256,
  state: row.state,
  createdMs: row.created_ms,
  touchedMs: row.touched_ms,
});

export function uploadStore(db: Db): UploadStore {
  const byId = db.prepare<[string], Row>('SELECT * FROM upload WHERE id = ?');
  const countOpen = db
    .prepare<[number], number>(
      "SELECT count(*) FROM upload WHERE organization_id = ? AND state = 'receiving'",
    )
    .pluck();
  const touchedSince = db
    .prepare<[number], number>(
      "SELECT EXISTS (SELECT 1 FROM upload WHERE state = 'receiving' AND touched_ms >= ?)",
    )
    .pluck();
  const holdsContent = db
    .prepare<[string], number>("SELECT EXISTS (SELECT 1 FROM upload WHERE state = 'complete' AND sha256 = ?)")
    .pluck();
  const owed = db
    .prepare<[], number>(
      "SELECT coalesce((SELECT sum(total_size_bytes) FROM upload WHERE state = 'receiving'), 0) - coalesce((SELECT sum(end_byte - start_byte) FROM upload_range JOIN upload ON upload.id = upload_id WHERE state = 'receiving'), 0)",
    )
    .pluck();
  const add = db.prepare(
    'INSERT INTO upload (id, organization_id, total_size_bytes, sha256, state, created_ms, touched_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const setState = db.prepare('UPDATE upload SET state = ?, touched_ms = ? WHERE id = ?');
  const ranges = db.prepare<[string], { start_byte: number; end_byte: number }>(
    'SELECT start_byte, end_byte FROM upload_range WHERE upload_id = ? ORDER BY start_byte',
  );
  const touching = db.prepare<[string, number, number], { start_byte: number; end_byte: number }>(
    'SELECT start_byte, end_byte FROM upload_range WHERE upload_id = ? AND start_byte <= ? AND end_byte >= ? ORDER BY start_byte',
  );
  const countRanges = db
    .prepare<[string], number>('SELECT count(*) FROM upload_range WHERE upload_id = ?')
    .pluck();
  const dropRange = db.prepare('DELETE FROM upload_range WHERE upload_id = ? AND start_byte = ?');
  const dropRanges = db.prepare('DELETE FROM upload_range WHERE upload_id = ?');
  const addRange = db.prepare('INSERT INTO upload_range (upload_id, start_byte, end_byte) VALUES (?, ?, ?)');
  const touch = db.prepare('UPDATE upload SET touched_ms = ? WHERE id = ?');
  const stale = db.prepare<[number], Row>(
    "SELECT * FROM upload WHERE state IN ('receiving', 'complete') AND touched_ms < ?",
  );
  const remember = db.prepare(
    'INSERT OR REPLACE INTO upload_request (upload_id, body_hash, task_ids, created_ms) VALUES (?, ?, ?, ?)',
  );
  const earlier = db
    .prepare<[string, string, number], string>(
      'SELECT task_ids FROM upload_request WHERE upload_id = ? AND body_hash = ? AND created_ms >= ?',
    )
    .pluck();
  return {
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? undefined : toUpload(row);
    },
    countOpen: (organizationId) => countOpen.get(organizationId) ?? 0,
    isReceivingSince: (sinceMs) => touchedSince.get(sinceMs) === 1,
    holdsContent: (sha256) => holdsContent.get(sha256) === 1,
    bytesOwed: () => owed.get() ?? 0,
    add: (u) =>
      void add.run(u.id, u.organizationId, u.totalSizeBytes, u.sha256, u.state, u.createdMs, u.touchedMs),
    setState(id, state, nowMs) {
      setState.run(state, nowMs, id);
      // What isn't received any more needs no ranges: a complete upload is its file.
      if (state !== 'receiving') dropRanges.run(id);
    },
    ranges: (id) => ranges.all(id).map((row): ByteRange => [row.start_byte, row.end_byte]),
    rangesTouching: (id, [start, end]) =>
      touching.all(id, end, start).map((row): ByteRange => [row.start_byte, row.end_byte]),
    countRanges: (id) => countRanges.get(id) ?? 0,
    addRange(id, [start, end], nowMs) {
      const neighbours = touching.all(id, end, start);
      for (const neighbour of neighbours) dropRange.run(id, neighbour.start_byte);
      const from = Math.min(start, ...neighbours.map((row) => row.start_byte));
      const to = Math.max(end, ...neighbours.map((row) => row.end_byte));
      addRange.run(id, from, to);
      touch.run(nowMs, id);
    },
    staleSince: (limitMs) => stale.all(limitMs).map(toUpload),
    rememberRequest: (uploadId, bodyHash, taskIds, nowMs) =>
      void remember.run(uploadId, bodyHash, JSON.stringify(taskIds), nowMs),
    earlierRequest(uploadId, bodyHash, sinceMs) {
      const found = earlier.get(uploadId, bodyHash, sinceMs);
      return found === undefined ? undefined : (JSON.parse(found) as number[]);
    },
  };
}
