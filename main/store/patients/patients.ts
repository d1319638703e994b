// Known patients and the words that they are found by.

import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { LegalHold, Merge, Patient } from '../../clinic/patients/records.ts';
import type { PatientStore } from '../../clinic/patients/store.ts';
import type { Db } from '../database/database.ts';
import { toMatch } from '../database/full-text.ts';

interface Row {
  id: number;
  organization_id: number;
  facts: string;
  measured_ms: number | null;
  seen_ms: number;
  merged_into: number | null;
}

interface MergeRow {
  id: number;
  kept_id: number;
  gone_id: number;
  kept_facts: string;
  task_ids: string;
  merged_ms: number;
  undone_ms: number | null;
}

const toMerge = (row: MergeRow): Merge => ({
  id: row.id,
  keptId: row.kept_id,
  goneId: row.gone_id,
  keptFacts: JSON.parse(row.kept_facts) as PatientFacts,
  taskIds: JSON.parse(row.task_ids) as number[],
  mergedMs: row.merged_ms,
  isUndone: row.undone_ms !== null,
});

const toPatient = (row: Row): Patient => ({
  id: row.id,
  organizationId: row.organization_id,
  facts: JSON.parse(row.facts) as PatientFacts,
  measuredMs: row.measured_ms ?? undefined,
  seenMs: row.seen_ms,
  mergedInto: row.merged_into ?? undefined,
});

/** Patients of one organization are told apart by a word that nobody can type. */
const wordOfOrganization = (organizationId: number): string => `_${organizationId}`;

export function patientStore(db: Db): PatientStore {
  const byId = db.prepare<[number], Row>('SELECT * FROM patient WHERE id = ?');
  const byNumber = db.prepare<[number, string], Row>(
    'SELECT * FROM patient WHERE organization_id = ? AND number = ? ORDER BY id',
  );
  const byBirthDate = db.prepare<[number, string], Row>(
    'SELECT * FROM patient WHERE organization_id = ? AND birth_date = ? ORDER BY id',
  );
  const add = db.prepare(
    'INSERT INTO patient (organization_id, number, birth_date, facts, measured_ms, seen_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const set = db.prepare(
    'UPDATE patient SET number = ?, birth_date = ?, facts = ?, measured_ms = ?, seen_ms = ? WHERE id = ?',
  );
  const addWords = db.prepare('INSERT INTO patient_word (rowid, words) VALUES (?, ?)');
  const removeWords = db.prepare('DELETE FROM patient_word WHERE rowid = ?');
  const count = db
    .prepare<[string], number>('SELECT count(*) FROM patient_word WHERE patient_word MATCH ?')
    .pluck();
  const find = db.prepare<[string, number], Row>(
    'SELECT patient.* FROM patient_word JOIN patient ON patient.id = patient_word.rowid WHERE patient_word MATCH ? ORDER BY patient_word.rowid DESC LIMIT ?',
  );
  const setMergedInto = db.prepare('UPDATE patient SET merged_into = ? WHERE id = ?');
  const organizationOf = db
    .prepare<[number], number>('SELECT organization_id FROM patient WHERE id = ?')
    .pluck();
  const addMerge = db.prepare(
    'INSERT INTO patient_merge (kept_id, gone_id, kept_facts, task_ids, merged_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const merge = db.prepare<[number], MergeRow>('SELECT * FROM patient_merge WHERE id = ?');
  const merges = db.prepare<[number], MergeRow>(
    'SELECT * FROM patient_merge WHERE merged_ms >= ? AND undone_ms IS NULL ORDER BY id DESC',
  );
  // A chart that became another one, which became another one, is this patient, too.
  const charts = `(WITH RECURSIVE chart (id) AS (
    VALUES (:id) UNION SELECT patient.id FROM patient JOIN chart ON patient.merged_into = chart.id
  ) SELECT id FROM chart)`;
  const hold = db.prepare<{ id: number }, LegalHold>(
    `SELECT reason, since_ms AS sinceMs FROM legal_hold WHERE patient_id IN ${charts} ORDER BY since_ms LIMIT 1`,
  );
  const setHold = db.prepare(
    'INSERT INTO legal_hold (patient_id, reason, since_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const removeHold = db.prepare<{ id: number }>(`DELETE FROM legal_hold WHERE patient_id IN ${charts}`);
  const setUndone = db.prepare('UPDATE patient_merge SET undone_ms = ? WHERE id = ?');
  const indexWords = (id: number, organizationId: number, words: readonly string[]): void =>
    void addWords.run(id, [wordOfOrganization(organizationId), ...words].join(' '));
  return {
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? undefined : toPatient(row);
    },
    byNumber: (organizationId, number) => byNumber.all(organizationId, number).map(toPatient),
    byBirthDate: (organizationId, birthDate) => byBirthDate.all(organizationId, birthDate).map(toPatient),
    add({ organizationId, facts, measuredMs, seenMs }, words) {
      const { id: number = null, birthDate = null } = facts;
      const id = Number(
        add.run(organizationId, number, birthDate, JSON.stringify(facts), measuredMs ?? null, seenMs)
          .lastInsertRowid,
      );
      indexWords(id, organizationId, words);
      return id;
    },
    set({ id, organizationId, facts, measuredMs, seenMs }, words) {
      const { id: number = null, birthDate = null } = facts;
      set.run(number, birthDate, JSON.stringify(facts), measuredMs ?? null, seenMs, id);
      removeWords.run(id);
      indexWords(id, organizationId, words);
    },
    setMergedInto(id, into, words) {
      setMergedInto.run(into ?? null, id);
      removeWords.run(id);
      if (words.length > 0) indexWords(id, organizationOf.get(id) as number, words);
    },
    addMerge: ({ keptId, goneId, keptFacts, taskIds, mergedMs }) =>
      Number(
        addMerge.run(keptId, goneId, JSON.stringify(keptFacts), JSON.stringify(taskIds), mergedMs)
          .lastInsertRowid,
      ),
    merge(id) {
      const row = merge.get(id);
      return row === undefined ? undefined : toMerge(row);
    },
    mergesSince: (ms) => merges.all(ms).map(toMerge),
    setUndone: (mergeId, nowMs) => void setUndone.run(nowMs, mergeId),
    legalHold: (id) => hold.get({ id }),
    setLegalHold: (id, { reason, sinceMs }) => void setHold.run(id, reason, sinceMs),
    removeLegalHold: (id) => void removeHold.run({ id }),
    search(organizationId, terms, limit) {
      const match = toMatch(terms, wordOfOrganization(organizationId));
      return { patients: find.all(match, limit).map(toPatient), total: count.get(match) ?? 0 };
    },
  };
}
