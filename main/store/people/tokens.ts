// Service tokens, found by the hash of their text (D30).

import type { Scope } from '../../../shared/token-scopes.ts';
import type { Token } from '../../clinic/people/records.ts';
import type { TokenStore } from '../../clinic/people/store.ts';
import type { Db } from '../database/database.ts';

interface Row {
  id: number;
  organization_id: number;
  organization_path: string;
  hash: Buffer;
  prefix: string;
  label: string;
  scopes: string;
  creator: string;
  created_ms: number;
  expires_ms: number | null;
  revoked_ms: number | null;
  last_used_ms: number | null;
}

const toToken = (row: Row): Token => ({
  id: row.id,
  organizationId: row.organization_id,
  organizationPath: row.organization_path,
  hash: row.hash,
  prefix: row.prefix,
  label: row.label,
  scopes: JSON.parse(row.scopes) as Scope[],
  creator: row.creator,
  createdMs: row.created_ms,
  expiresMs: row.expires_ms ?? undefined,
  revokedMs: row.revoked_ms ?? undefined,
  lastUsedMs: row.last_used_ms ?? undefined,
});

const SELECT =
  'SELECT token.*, organization.path AS organization_path FROM token JOIN organization ON organization.id = token.organization_id';

export function tokenStore(db: Db): TokenStore {
  const byHash = db.prepare<[Uint8Array], Row>(`${SELECT} WHERE hash = ?`);
  const list = db.prepare<[], Row>(`${SELECT} ORDER BY token.id`);
  const add = db.prepare(
    'INSERT INTO token (organization_id, hash, prefix, label, scopes, creator, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const revoke = db.prepare('UPDATE token SET revoked_ms = ? WHERE id = ? AND revoked_ms IS NULL');
  const touch = db.prepare('UPDATE token SET last_used_ms = ? WHERE id = ?');
  return {
    byHash(hash) {
      const row = byHash.get(hash);
      return row === undefined ? undefined : toToken(row);
    },
    list: () => list.all().map(toToken),
    add: (token) =>
      Number(
        add.run(
          token.organizationId,
          token.hash,
          token.prefix,
          token.label,
          JSON.stringify(token.scopes),
          token.creator,
          token.createdMs,
          token.expiresMs ?? null,
        ).lastInsertRowid,
      ),
    revoke: (id, nowMs) => void revoke.run(nowMs, id),
    touch: (id, nowMs) => void touch.run(nowMs, id),
  };
}
