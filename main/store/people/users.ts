// People who work at this workstation.

import type { Role } from '../../../shared/roles.ts';
import type { User, WrongTries } from '../../clinic/people/records.ts';
import type { UserStore } from '../../clinic/people/store.ts';
import type { Db } from '../database/database.ts';

interface Row {
  id: number;
  name: string;
  role: Role;
  secret: string;
  is_temporary: 0 | 1;
  is_active: 0 | 1;
}

const toUser = (row: Row): User => ({
  id: row.id,
  name: row.name,
  role: row.role,
  secret: row.secret,
  isTemporary: row.is_temporary === 1,
  isActive: row.is_active === 1,
});

/** Seats count from 1. */
const WORKSTATION = 0;

export function userStore(db: Db): UserStore {
  const all = db.prepare<[], Row>('SELECT * FROM user ORDER BY name COLLATE NOCASE');
  const byId = db.prepare<[number], Row>('SELECT * FROM user WHERE id = ?');
  const byName = db.prepare<[string], Row>('SELECT * FROM user WHERE name = ? COLLATE NOCASE');
  const add = db.prepare('INSERT INTO user (name, role, secret, created_ms) VALUES (?, ?, ?, ?)');
  const set = db.prepare(
    'UPDATE user SET name = ?, role = ?, secret = ?, is_temporary = ?, is_active = ? WHERE id = ?',
  );
  const wrongTries = db.prepare<[number, number], WrongTries>(
    'SELECT tries, blocked_until_ms AS blockedUntilMs FROM wrong_tries WHERE user_id = ? AND seat_id = ?',
  );
  const setWrongTries = db.prepare('INSERT OR REPLACE INTO wrong_tries VALUES (?, ?, ?, ?)');
  const forgetAt = db.prepare('DELETE FROM wrong_tries WHERE user_id = ? AND seat_id = ?');
  const forget = db.prepare('DELETE FROM wrong_tries WHERE user_id = ?');
  const optional = (row: Row | undefined): User | undefined => (row === undefined ? undefined : toUser(row));
  return {
    all: () => all.all().map(toUser),
    byId: (id) => optional(byId.get(id)),
    byName: (name) => optional(byName.get(name)),
    add: ({ name, role, secret }, nowMs) => Number(add.run(name, role, secret, nowMs).lastInsertRowid),
    set: ({ id, name, role, secret, isTemporary, isActive }) =>
      void set.run(name, role, secret, isTemporary ? 1 : 0, isActive ? 1 : 0, id),
    wrongTries: (id, seatId = WORKSTATION) => wrongTries.get(id, seatId) ?? { tries: 0, blockedUntilMs: 0 },
    setWrongTries: (id, seatId = WORKSTATION, { tries, blockedUntilMs }) =>
      void (tries === 0 ? forgetAt.run(id, seatId) : setWrongTries.run(id, seatId, tries, blockedUntilMs)),
    forgetWrongTries: (id) => void forget.run(id),
  };
}
