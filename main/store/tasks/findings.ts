// Findings and reports by task and revision. The whole result and the PDF are files; these rows name them.

import type { MadeCorrection } from '../../../shared/review/corrections.ts';
import type { Finding, FindingSummary, ReportLook, StoredReport } from '../../clinic/tasks/records.ts';
import type { FindingStore, ReportStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';

interface FindingRow {
  task_id: number;
  revision: number;
  analysis_version: string;
  result_sha256: string;
  summary: string;
  corrections: string | null;
  created_ms: number;
}

const toFinding = (row: FindingRow | undefined): Finding | undefined =>
  row && {
    taskId: row.task_id,
    revision: row.revision,
    analysisVersion: row.analysis_version,
    resultSha256: row.result_sha256,
    summary: JSON.parse(row.summary) as FindingSummary,
    corrections: row.corrections === null ? [] : (JSON.parse(row.corrections) as MadeCorrection[]),
    createdMs: row.created_ms,
  };

export function findingStore(db: Db): FindingStore {
  const latest = db.prepare<[number], FindingRow>(
    'SELECT * FROM finding WHERE task_id = ? ORDER BY revision DESC LIMIT 1',
  );
  const ofRevision = db.prepare<[number, number], FindingRow>(
    'SELECT * FROM finding WHERE task_id = ? AND revision = ?',
  );
  const add = db.prepare(
    'INSERT INTO finding (task_id, revision, analysis_version, result_sha256, summary, corrections, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    latest: (taskId) => toFinding(latest.get(taskId)),
    ofRevision: (taskId, revision) => toFinding(ofRevision.get(taskId, revision)),
    add: (f) =>
      void add.run(
        f.taskId,
        f.revision,
        f.analysisVersion,
        f.resultSha256,
        JSON.stringify(f.summary),
        f.corrections.length === 0 ? null : JSON.stringify(f.corrections),
        f.createdMs,
      ),
  };
}

interface ReportRow {
  task_id: number;
  revision: number;
  sha256: string;
  size_bytes: number;
  look: string;
}

const toReport = (row: ReportRow): StoredReport => ({
  taskId: row.task_id,
  revision: row.revision,
  sha256: row.sha256,
  sizeBytes: row.size_bytes,
  look: JSON.parse(row.look) as ReportLook,
});
const optional = (row: ReportRow | undefined): StoredReport | undefined => row && toReport(row);

export function reportStore(db: Db): ReportStore {
  const latest = db.prepare<[number], ReportRow>(
    'SELECT * FROM report WHERE task_id = ? ORDER BY revision DESC LIMIT 1',
  );
  const all = db.prepare<[number], ReportRow>(
    'SELECT * FROM report WHERE task_id = ? ORDER BY revision DESC',
  );
  const bySha256 = db.prepare<[string], ReportRow>('SELECT * FROM report WHERE sha256 = ? LIMIT 1');
  const add = db.prepare(
    'INSERT INTO report (task_id, revision, sha256, size_bytes, look) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    latest: (taskId) => optional(latest.get(taskId)),
    all: (taskId) => all.all(taskId).map(toReport),
    bySha256: (sha256) => optional(bySha256.get(sha256)),
    add: (r) => void add.run(r.taskId, r.revision, r.sha256, r.sizeBytes, JSON.stringify(r.look)),
  };
}
