// Connections that recordings and results go to.

import type { Proven } from '../../../shared/connections/connection-facts.ts';
import type { ConnectionTo } from '../../../shared/connections/connections.ts';
import type { Connection } from '../../clinic/outbox/records.ts';
import type { ConnectionStore } from '../../clinic/outbox/store.ts';
import type { Upstream } from '../../clinic/outbox/upstream.ts';
import type { Db } from '../database/database.ts';

interface ConnectionRow {
  id: number;
  label: string;
  kind: ConnectionTo['kind'];
  config: string;
  organization_id: number;
  takes_unread: 0 | 1;
  proven: string;
  upstream: string;
  last_contact_ms: number | null;
}

const toConnection = (row: ConnectionRow): Connection => ({
  id: row.id,
  label: row.label,
  to: { kind: row.kind, config: JSON.parse(row.config) } as ConnectionTo,
  organizationId: row.organization_id,
  takesUnread: row.takes_unread === 1,
  proven: JSON.parse(row.proven) as Proven,
  upstream: JSON.parse(row.upstream) as Upstream,
  lastContactMs: row.last_contact_ms ?? undefined,
});

export function connectionStore(db: Db): ConnectionStore {
  const all = db.prepare<[], ConnectionRow>('SELECT * FROM connection WHERE is_removed = 0 ORDER BY id');
  const removed = db.prepare<[], ConnectionRow>('SELECT * FROM connection WHERE is_removed = 1 ORDER BY id');
  const revive = db.prepare(
    'UPDATE connection SET is_removed = 0, label = ?, config = ?, upstream = ? WHERE id = ?',
  );
  const byId = db.prepare<[number], ConnectionRow>('SELECT * FROM connection WHERE id = ?');
  const upstreamOf = db.prepare<[number], string>('SELECT upstream FROM connection WHERE id = ?').pluck();
  const ofOrganization = db.prepare<[number], ConnectionRow>(
    'SELECT * FROM connection WHERE organization_id = ? AND is_removed = 0 ORDER BY id',
  );
  const add = db.prepare(
    'INSERT INTO connection (label, kind, config, organization_id, upstream, created_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const setUpstream = db.prepare(
    'UPDATE connection SET upstream = ?, last_contact_ms = coalesce(?, last_contact_ms) WHERE id = ?',
  );
  const setProven = db.prepare('UPDATE connection SET proven = ? WHERE id = ?');
  const setTakesUnread = db.prepare('UPDATE connection SET takes_unread = ? WHERE id = ?');
  const remove = db.prepare('UPDATE connection SET is_removed = 1 WHERE id = ?');
  return {
    all: () => all.all().map(toConnection),
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? undefined : toConnection(row);
    },
    upstreamOf(id) {
      const upstream = upstreamOf.get(id);
      return upstream === undefined ? undefined : (JSON.parse(upstream) as Upstream);
    },
    ofOrganization: (organizationId) => ofOrganization.all(organizationId).map(toConnection),
    add: ({ label, to: { kind, config }, organizationId, upstream }, nowMs) =>
      Number(
        add.run(label, kind, JSON.stringify(config), organizationId, JSON.stringify(upstream), nowMs)
          .lastInsertRowid,
      ),
    setUpstream: (id, upstream, lastContactMs) =>
      void setUpstream.run(JSON.stringify(upstream), lastContactMs ?? null, id),
    setProven: (id, proven) => void setProven.run(JSON.stringify(proven), id),
    setTakesUnread: (id, takesUnread) => void setTakesUnread.run(takesUnread ? 1 : 0, id),
    remove: (id) => void remove.run(id),
    removed: () => removed.all().map(toConnection),
    revive: (id, { label, to, upstream }) =>
      void revive.run(label, JSON.stringify(to.config), JSON.stringify(upstream), id),
  };
}
