// What became of updates of the program.

import { given } from '../../shared/given.ts';
import type { ProgramUpdate } from '../clinic/updates/records.ts';
import type { UpdateStore } from '../clinic/updates/store.ts';
import type { Db } from './database/database.ts';

interface Row {
  id: number;
  from_version: string;
  to_version: string;
  started_ms: number;
  outcome: 'installed' | 'failed' | null;
}

const toUpdate = ({ id, from_version, to_version, started_ms, outcome }: Row): ProgramUpdate => ({
  id,
  fromVersion: from_version,
  toVersion: to_version,
  startedMs: started_ms,
  ...given({ outcome: outcome ?? undefined }),
});

export function updateStore(db: Db): UpdateStore {
  const begin = db.prepare(
    'INSERT INTO program_update (from_version, to_version, started_ms) VALUES (?, ?, ?)',
  );
  const setOutcome = db.prepare('UPDATE program_update SET outcome = ? WHERE id = ?');
  const last = db.prepare<[], Row>('SELECT * FROM program_update ORDER BY id DESC LIMIT 1');
  const verified = db
    .prepare<[string], number>('SELECT verified_ms FROM update_source WHERE source = ?')
    .pluck();
  const noteVerified = db.prepare(
    'INSERT INTO update_source (source, verified_ms) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET verified_ms = excluded.verified_ms',
  );
  return {
    begin: ({ fromVersion, toVersion, startedMs }) => void begin.run(fromVersion, toVersion, startedMs),
    setOutcome: (id, outcome) => void setOutcome.run(outcome, id),
    last() {
      const row = last.get();
      return row && toUpdate(row);
    },
    verifiedMs: (source) => verified.get(source),
    noteVerified: (source, nowMs) => void noteVerified.run(source, nowMs),
  };
}
