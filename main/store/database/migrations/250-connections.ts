// Every connection is a kind and its configuration, instead of a column for each kind.

import type { Migration } from './migration.ts';

const COLUMNS = `
ALTER TABLE centre RENAME TO connection;
ALTER TABLE outbox RENAME COLUMN centre_id TO connection_id;
ALTER TABLE connection ADD COLUMN kind TEXT NOT NULL DEFAULT '';
/* JSON, as the kind has it. */
ALTER TABLE connection ADD COLUMN config TEXT NOT NULL DEFAULT '{}';
/* JSON: what tests of it have shown. */
ALTER TABLE connection ADD COLUMN proven TEXT NOT NULL DEFAULT '{}';
`;

const AFTER = `
ALTER TABLE connection DROP COLUMN url;
ALTER TABLE connection DROP COLUMN organization_path;
ALTER TABLE connection DROP COLUMN certificates;
ALTER TABLE connection DROP COLUMN is_idempotent;
ALTER TABLE connection DROP COLUMN is_stream_proven;
ALTER TABLE connection DROP COLUMN archive;
ALTER TABLE connection DROP COLUMN results;
ALTER TABLE connection DROP COLUMN fhir;
`;

interface OldRow {
  id: number;
  url: string;
  organization_path: string;
  certificates: string | null;
  is_idempotent: 0 | 1;
  is_stream_proven: 0 | 1;
  archive: string | null;
  results: string | null;
  fhir: string | null;
}

type Facts = Readonly<Record<string, unknown>>;

/** `dicom://10.0.4.20:104`, `mllps://[::1]:2575` */
function portOf(url: string): Facts {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    isTls: protocol === 'dicoms:' || protocol === 'mllps:',
  };
}

function convert(row: OldRow): readonly [kind: string, config: Facts, proven: Facts] {
  const trusted = row.certificates === null ? {} : { certificates: row.certificates };
  if (row.archive !== null) {
    const { title, ...proven } = JSON.parse(row.archive) as Facts;
    return ['dicom', { ...portOf(row.url), title, ...trusted }, proven];
  }
  if (row.results !== null)
    return ['hl7', { ...portOf(row.url), ...(JSON.parse(row.results) as Facts), ...trusted }, {}];
  if (row.fhir !== null) {
    const fhir = JSON.parse(row.fhir) as Facts;
    // Addresses that were made known earlier may end with a slash.
    return ['fhir', { url: row.url.replace(/\/+$/, ''), orders: '', ...fhir, ...trusted }, {}];
  }
  return [
    'central',
    { url: row.url, organizationThere: row.organization_path, ...trusted },
    { isIdempotent: row.is_idempotent === 1, isStreamProven: row.is_stream_proven === 1 },
  ];
}

export const CONNECTIONS: Migration = {
  id: 250,
  name: 'connections',
  up(db) {
    db.exec(COLUMNS);
    const set = db.prepare('UPDATE connection SET kind = ?, config = ?, proven = ? WHERE id = ?');
    for (const row of db.prepare<[], OldRow>('SELECT * FROM connection').all()) {
      const [kind, config, proven] = convert(row);
      set.run(kind, JSON.stringify(config), JSON.stringify(proven), row.id);
    }
    db.exec(AFTER);
  },
};
