// Organizations. A token belongs to exactly one (D33).

import type { Organization } from '../../clinic/people/records.ts';
import type { OrganizationStore } from '../../clinic/people/store.ts';
import type { Db } from '../database/database.ts';

export function organizationStore(db: Db): OrganizationStore {
  const byPath = db.prepare<[string], Organization>('SELECT id, path, name FROM organization WHERE path = ?');
  const all = db.prepare<[], Organization>('SELECT id, path, name FROM organization ORDER BY path');
  const byId = db.prepare<[number], Organization>('SELECT id, path, name FROM organization WHERE id = ?');
  const add = db.prepare<[string, string, number], Organization>(
    'INSERT INTO organization (path, name, created_ms) VALUES (?, ?, ?) RETURNING id, path, name',
  );
  return {
    all: () => all.all(),
    byPath: (path) => byPath.get(path),
    byId: (id) => byId.get(id),
    add: (path, name, createdMs) => add.get(path, name, createdMs) as Organization,
  };
}
