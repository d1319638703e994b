// The audit trail: append-only rows, each bound to the one before by its hash, so that a changed, lost or
// swapped row shows (SEC72). hash = SHA-256(previous hash ‖ canonical JSON of the row).

import { createHash } from 'node:crypto';
import type { AuditEntry, AuditStore } from '../clinic/audit.ts';
import type { Db } from './database.ts';

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

const GENESIS = Buffer.alloc(32);

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
  const all = db.prepare<[], Row>('SELECT * FROM audit ORDER BY seq');
  return {
    append({ timeMs, actor, action, subject, detail }) {
      const previous = last.get();
      const prevHash = previous?.hash ?? GENESIS;
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
    of: (subject) =>
      of.all(subject).map(({ time_ms, actor, action, detail }) => ({
        timeMs: time_ms,
        actor,
        action,
        subject,
        detail: JSON.parse(detail) as AuditEntry['detail'],
      })),
    verify() {
      let prevHash: Buffer = GENESIS;
      let seq = 0;
      for (const row of all.iterate()) {
        seq++;
        if (row.seq !== seq || !row.prev_hash.equals(prevHash) || !row.hash.equals(hashOf(prevHash, row)))
          return { entries: seq, brokenAt: seq };
        prevHash = row.hash;
      }
      return { entries: seq, brokenAt: undefined };
    },
  };
}
