// The phrases of readers.

import type { Phrase } from '../../../shared/review/phrases.ts';
import type { PhraseStore } from '../../clinic/people/store.ts';
import type { Db } from '../database/database.ts';

interface Row {
  id: number;
  name: string;
  is_whole: 0 | 1;
  findings: string;
}

const toPhrase = ({ id, name, is_whole, findings }: Row): Phrase => ({
  phraseId: id,
  name,
  isWhole: is_whole === 1,
  findings: JSON.parse(findings) as Phrase['findings'],
});

export function phraseStore(db: Db): PhraseStore {
  const of = db.prepare<[string], Row>(
    'SELECT id, name, is_whole, findings FROM phrase WHERE owner = ? ORDER BY id',
  );
  const put = db
    .prepare<[string, string, number, string, number], number>(
      `INSERT INTO phrase (owner, name, is_whole, findings, made_ms) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (owner, name) DO UPDATE SET name = excluded.name, is_whole = excluded.is_whole, findings = excluded.findings, made_ms = excluded.made_ms
       RETURNING id`,
    )
    .pluck();
  const remove = db.prepare('DELETE FROM phrase WHERE owner = ? AND id = ?');
  return {
    of: (owner) => of.all(owner).map(toPhrase),
    put: (owner, { name, isWhole, findings }, nowMs) =>
      put.get(owner, name, isWhole ? 1 : 0, JSON.stringify(findings), nowMs) as number,
    remove: (owner, id) => remove.run(owner, id).changes > 0,
  };
}
