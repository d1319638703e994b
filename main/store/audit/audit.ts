// The audit trail: append-only rows, each bound to the one before by its hash, so that a changed, lost or
// swapped row shows (SEC72). hash = SHA-256(previous hash ‖ canonical JSON of the row).

import { createHash } from 'node:crypto';
import { AUDIT_ACTIONS, type AuditAction } from '../../../shared/audit-actions.ts';
import {
  type AuditEntry,
  type AuditStore,
  CHAIN_START,
  type ChainEnd,
  type NumberedEntry,
} from '../../clinic/audit.ts';
import type { Db } from '../database/database.ts';
import { toMatch } from '../database/full-text.ts';

interface Row {
  seq: number;
  time_ms: number;
  actor: string;
  action: string;
  subject: string;
  detail: string;
  prev_hash: Buffer;
  hash: Buffer;
}

/** Keys in a fixed order, so that the same row always gives the same bytes. */
const canonicalDetail = (detail: AuditEntry['detail']): string =>
  JSON.stringify(Object.fromEntries(Object.entries(detail).sort(([a], [b]) => (a < b ? -1 : 1))));

function hashOf(
  prevHash: Uint8Array,
  row: Pick<Row, 'seq' | 'time_ms' | 'actor' | 'action' | 'subject' | 'detail'>,
): Buffer {
  const canonical = JSON.stringify([row.seq, row.time_ms, row.actor, row.action, row.subject, row.detail]);
  return createHash('sha256').update(prevHash).update(canonical).digest();
}

const toEntry = ({ seq, time_ms, actor, action, subject, detail }: Row): NumberedEntry => ({
  seq,
  timeMs: time_ms,
  actor,
  // What a program of before wrote may have no words here; it is shown as it stands.
  action: action as AuditAction,
  subject,
  detail: JSON.parse(detail) as AuditEntry['detail'],
});

const isNext = ({ seq, hash }: ChainEnd, row: Row): boolean =>
  row.seq === seq + 1 && row.prev_hash.equals(hash) && row.hash.equals(hashOf(hash, row));

/** A search through all of ten years would hold up what is being recorded. */
const PAGE_STRETCH = 20_000;
/** Checked in some ten milliseconds. */
const PART = 1000;

/** Stands in no index: an empty question is none. */
const NO_WORD = '""';

interface PageQuestion {
  readonly before: number;
  readonly least: number;
  readonly limit: number;
  readonly sinceMs: number | null;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly actions: string | null;
  readonly text: string | null;
  readonly orActions: string;
  readonly orMatch: string;
}

const PAGE = `
  SELECT * FROM audit WHERE seq < :before AND seq >= :least
    AND (:sinceMs IS NULL OR time_ms >= :sinceMs)
    AND (:actor IS NULL OR actor = :actor)
    AND (:subject IS NULL OR subject = :subject)
    AND (:actions IS NULL OR action IN (SELECT value FROM json_each(:actions)))
    AND (:text IS NULL OR action || ' ' || subject || ' ' || detail LIKE :text ESCAPE '\\'
      OR action IN (SELECT value FROM json_each(:orActions))
      OR subject IN (SELECT 'task:' || rowid FROM task_word WHERE task_word MATCH :orMatch))
  ORDER BY seq DESC LIMIT :limit
`;

export function auditStore(db: Db): AuditStore {
  const last = db.prepare<[], Row>('SELECT * FROM audit ORDER BY seq DESC LIMIT 1');
  const add = db.prepare(
    'INSERT INTO audit (seq, time_ms, actor, action, subject, detail, prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const of = db.prepare<[string], Row>('SELECT * FROM audit WHERE subject = ? ORDER BY seq');
  const hashAt = db.prepare<[number], Buffer>('SELECT hash FROM audit WHERE seq = ?').pluck();
  // In the order of the key, so that looking ends at the first one.
  const firstOf = db
    .prepare<[string], number>('SELECT seq FROM audit WHERE action = ? ORDER BY seq LIMIT 1')
    .pluck();
  const page = db.prepare<[PageQuestion], Row>(PAGE);
  const part = db.prepare<[number], Row>(`SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ${PART}`);
  return {
    append({ timeMs, actor, action, subject, detail }) {
      const previous = last.get();
      const prevHash = previous?.hash ?? Buffer.from(CHAIN_START.hash);
      const row = {
        seq: (previous?.seq ?? 0) + 1,
        time_ms: timeMs,
        actor,
        action,
        subject,
        detail: canonicalDetail(detail),
      };
      add.run(
        row.seq,
        row.time_ms,
        row.actor,
        row.action,
        row.subject,
        row.detail,
        prevHash,
        hashOf(prevHash, row),
      );
    },
    lastSeq: () => last.get()?.seq ?? 0,
    hashAt: (seq) => hashAt.get(seq)?.toString('hex'),
    firstOf: (action) => firstOf.get(action),
    of: (subject) => of.all(subject).map(toEntry),
    page(filter, beforeSeq, limit) {
      const before = Math.min(beforeSeq, (last.get()?.seq ?? 0) + 1);
      const least = Math.max(1, before - PAGE_STRETCH);
      const rows = page.all({
        before,
        least,
        limit,
        sinceMs: filter.sinceMs ?? null,
        actor: filter.actor ?? null,
        subject: filter.subject ?? null,
        actions: filter.kind === undefined ? null : JSON.stringify(AUDIT_ACTIONS[filter.kind]),
        orActions: JSON.stringify(filter.orActions ?? []),
        orMatch: (filter.orTerms ?? []).length === 0 ? NO_WORD : toMatch(filter.orTerms ?? []),
        text: filter.text === undefined ? null : `%${filter.text.replace(/[\\%_]/g, '\\$&')}%`,
      });
      const next = rows.length === limit ? (rows.at(-1) as Row).seq : least;
      return { entries: rows.map(toEntry), nextBeforeSeq: next <= 1 ? undefined : next };
    },
    verifyPart({ seq, hash }) {
      const rows = part.all(seq);
      if (rows.length === 0) return undefined;
      let end: ChainEnd = { seq, hash };
      for (const row of rows) {
        if (!isNext(end, row)) return { end, brokenAt: end.seq + 1 };
        end = { seq: row.seq, hash: row.hash };
      }
      return { end, brokenAt: undefined };
    },
    verify() {
      for (let end: ChainEnd = CHAIN_START; ; ) {
        const checked = this.verifyPart(end);
        if (checked === undefined) return { entries: end.seq, brokenAt: undefined };
        if (checked.brokenAt !== undefined) return { entries: checked.brokenAt, brokenAt: checked.brokenAt };
        end = checked.end;
      }
    },
  };
}
