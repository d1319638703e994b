// Seats, found by the hash of what their browser shows.

import type { Seat } from '../../clinic/seats/records.ts';
import type { SeatStore } from '../../clinic/seats/store.ts';
import type { Db } from '../database/database.ts';

interface Row {
  id: number;
  name: string;
  made_ms: number;
  seen_ms: number | null;
  removed_ms: number | null;
}

const toSeat = ({ id, name, made_ms, seen_ms, removed_ms }: Row): Seat => ({
  id,
  name,
  madeMs: made_ms,
  seenMs: seen_ms ?? undefined,
  removedMs: removed_ms ?? undefined,
});

export function seatStore(db: Db): SeatStore {
  const byId = db.prepare<[number], Row>('SELECT * FROM seat WHERE id = ?');
  const byHash = db.prepare<[Uint8Array], Row>('SELECT * FROM seat WHERE secret_hash = ?');
  const all = db.prepare<[], Row>('SELECT * FROM seat WHERE removed_ms IS NULL ORDER BY id');
  const add = db.prepare('INSERT INTO seat (name, secret_hash, made_ms) VALUES (?, ?, ?)');
  const rename = db.prepare('UPDATE seat SET name = ? WHERE id = ?');
  const touch = db.prepare('UPDATE seat SET seen_ms = ? WHERE id = ?');
  const remove = db.prepare('UPDATE seat SET removed_ms = ? WHERE id = ?');
  const optional = (row: Row | undefined): Seat | undefined => (row === undefined ? undefined : toSeat(row));
  return {
    byId: (id) => optional(byId.get(id)),
    byHash: (secretHash) => optional(byHash.get(secretHash)),
    all: () => all.all().map(toSeat),
    add: ({ name, madeMs }, secretHash) => Number(add.run(name, secretHash, madeMs).lastInsertRowid),
    rename: (id, name) => void rename.run(name, id),
    touch: (id, seenMs) => void touch.run(seenMs, id),
    remove: (id, removedMs) => void remove.run(removedMs, id),
  };
}
