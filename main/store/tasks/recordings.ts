// Recordings: which files they consist of and what the reader said of them. The bytes lie in the file store.

import type { RecordingFacts, RecordingRow, StoredFile } from '../../clinic/tasks/records.ts';
import type { RecordingStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';

interface Row {
  id: number;
  sha256: string;
  facts: string;
}

/** Their sizes stand for those of all. */
const NEWEST_RESULTS = 5;

export function recordingStore(db: Db): RecordingStore {
  const byId = db.prepare<[number], Row>('SELECT id, sha256, facts FROM recording WHERE id = ?');
  const bySha256 = db.prepare<[string], Row>('SELECT id, sha256, facts FROM recording WHERE sha256 = ?');
  const files = db.prepare<[number], StoredFile>(
    'SELECT name, sha256, size_bytes AS sizeBytes FROM recording_file WHERE recording_id = ? ORDER BY position',
  );
  const usesFile = db
    .prepare<[string], number>('SELECT EXISTS (SELECT 1 FROM recording_file WHERE sha256 = ?)')
    .pluck();
  // Newest first, until they are too old: however many there are, only those of the span are looked at.
  const newest = db.prepare<[], { createdMs: number; bytes: number; results: number }>(
    `SELECT created_ms AS createdMs,
      (SELECT coalesce(sum(size_bytes), 0) FROM recording_file WHERE recording_id = recording.id)
        + (SELECT coalesce(sum(size_bytes), 0) FROM report JOIN task ON task.id = task_id WHERE recording_id = recording.id)
        AS bytes,
      (SELECT count(*) FROM finding JOIN task ON task.id = task_id WHERE recording_id = recording.id) AS results
    FROM recording ORDER BY id DESC`,
  );
  const newestResults = db
    .prepare<[], string>(`SELECT result_sha256 FROM finding ORDER BY rowid DESC LIMIT ${NEWEST_RESULTS}`)
    .pluck();
  const add = db.prepare('INSERT INTO recording (sha256, facts, created_ms) VALUES (?, ?, ?)');
  const addFile = db.prepare(
    'INSERT INTO recording_file (recording_id, position, name, sha256, size_bytes) VALUES (?, ?, ?, ?, ?)',
  );
  const toRecording = (row: Row | undefined): RecordingRow | undefined =>
    row === undefined
      ? undefined
      : {
          id: row.id,
          sha256: row.sha256,
          facts: JSON.parse(row.facts) as RecordingFacts,
          files: files.all(row.id),
        };
  return {
    byId: (id) => toRecording(byId.get(id)),
    bySha256: (sha256) => toRecording(bySha256.get(sha256)),
    usesFile: (sha256) => usesFile.get(sha256) === 1,
    add(recording, createdMs) {
      const id = Number(
        add.run(recording.sha256, JSON.stringify(recording.facts), createdMs).lastInsertRowid,
      );
      for (const [position, file] of recording.files.entries())
        addFile.run(id, position, file.name, file.sha256, file.sizeBytes);
      return id;
    },
    keptSince(sinceMs) {
      let [firstMs, bytes, results]: [number | undefined, number, number] = [undefined, 0, 0];
      for (const row of newest.iterate()) {
        if (row.createdMs < sinceMs) break;
        firstMs = row.createdMs;
        bytes += row.bytes;
        results += row.results;
      }
      return { firstMs, bytes, results, newestResults: newestResults.all() };
    },
  };
}
