// Central services that recordings go to.

import type { Archive, Connection, FhirServer, ResultsReceiver } from '../clinic/outbox/records.ts';
import type { ConnectionStore } from '../clinic/outbox/store.ts';
import type { Upstream } from '../clinic/outbox/upstream.ts';
import type { Db } from './database.ts';

interface CentreRow {
  id: number;
  label: string;
  url: string;
  organization_id: number;
  organization_path: string;
  certificates: string | null;
  takes_unread: 0 | 1;
  is_idempotent: 0 | 1;
  is_stream_proven: 0 | 1;
  archive: string | null;
  results: string | null;
  fhir: string | null;
  upstream: string;
  last_contact_ms: number | null;
}

const toCentre = (row: CentreRow): Connection => ({
  id: row.id,
  label: row.label,
  url: row.url,
  organizationId: row.organization_id,
  organizationPath: row.organization_path,
  certificates: row.certificates ?? undefined,
  takesUnread: row.takes_unread === 1,
  isIdempotent: row.is_idempotent === 1,
  isStreamProven: row.is_stream_proven === 1,
  archive: row.archive === null ? undefined : (JSON.parse(row.archive) as Archive),
  results: row.results === null ? undefined : (JSON.parse(row.results) as ResultsReceiver),
  fhir: row.fhir === null ? undefined : (JSON.parse(row.fhir) as FhirServer),
  upstream: JSON.parse(row.upstream) as Upstream,
  lastContactMs: row.last_contact_ms ?? undefined,
});

const kept = (facts: object | undefined): string | null =>
  facts === undefined ? null : JSON.stringify(facts);

export function connectionStore(db: Db): ConnectionStore {
  const all = db.prepare<[], CentreRow>('SELECT * FROM centre WHERE is_removed = 0 ORDER BY id');
  const removed = db.prepare<[], CentreRow>('SELECT * FROM centre WHERE is_removed = 1 ORDER BY id');
  const revive = db.prepare(
    'UPDATE centre SET is_removed = 0, label = ?, certificates = ?, fhir = ?, upstream = ? WHERE id = ?',
  );
  const byId = db.prepare<[number], CentreRow>('SELECT * FROM centre WHERE id = ?');
  const ofOrganization = db.prepare<[number], CentreRow>(
    'SELECT * FROM centre WHERE organization_id = ? AND is_removed = 0 ORDER BY id',
  );
  const add = db.prepare(
    'INSERT INTO centre (label, url, organization_id, organization_path, certificates, archive, results, fhir, upstream, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const setUpstream = db.prepare(
    'UPDATE centre SET upstream = ?, last_contact_ms = coalesce(?, last_contact_ms) WHERE id = ?',
  );
  const setProven = db.prepare('UPDATE centre SET is_idempotent = ?, is_stream_proven = ? WHERE id = ?');
  const setTakesUnread = db.prepare('UPDATE centre SET takes_unread = ? WHERE id = ?');
  const setArchive = db.prepare('UPDATE centre SET archive = ? WHERE id = ?');
  const remove = db.prepare('UPDATE centre SET is_removed = 1 WHERE id = ?');
  return {
    all: () => all.all().map(toCentre),
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? undefined : toCentre(row);
    },
    ofOrganization: (organizationId) => ofOrganization.all(organizationId).map(toCentre),
    add: (
      { label, url, organizationId, organizationPath, certificates = null, archive, results, fhir, upstream },
      nowMs,
    ) => {
      const values = [
        label,
        url,
        organizationId,
        organizationPath,
        certificates,
        kept(archive),
        kept(results),
        kept(fhir),
      ] as const;
      return Number(add.run(...values, JSON.stringify(upstream), nowMs).lastInsertRowid);
    },
    setUpstream: (id, upstream, lastContactMs) =>
      void setUpstream.run(JSON.stringify(upstream), lastContactMs ?? null, id),
    setProven: (id, { isIdempotent, isStreamProven }) =>
      void setProven.run(isIdempotent ? 1 : 0, isStreamProven ? 1 : 0, id),
    setTakesUnread: (id, takesUnread) => void setTakesUnread.run(takesUnread ? 1 : 0, id),
    setArchive: (id, archive) => void setArchive.run(JSON.stringify(archive), id),
    remove: (id) => void remove.run(id),
    removed: () => removed.all().map(toCentre),
    revive: (id, { label, certificates = null, fhir, upstream }) =>
      void revive.run(label, certificates, kept(fhir), JSON.stringify(upstream), id),
  };
}
