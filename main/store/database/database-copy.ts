// A copy of the database as it is at one moment, while others go on writing (durability reference, section 2.2), and what a
// copy says of itself.

import Database from 'better-sqlite3';
import { IsolineError } from '../../../shared/errors.ts';

/** All that is left in one step: a copy in several would start again with each commit of another connection. */
const ALL_PAGES = 2_147_483_647;

/** Without a write ahead log beside it: the copy is this one file. @param to must not be there */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const db = new Database(from, { readonly: true, fileMustExist: true });
  try {
    await db.backup(to, { progress: () => ALL_PAGES });
  } finally {
    db.close();
  }
  const copy = new Database(to, { fileMustExist: true });
  try {
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}

export interface DatabaseFacts {
  readonly installationId: string;
  /** The number of rows in each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The last entry of the audit trail. */
  readonly audit: { readonly seq: number; readonly hash: string };
  /** Content of all files that a row or a setting names. */
  readonly named: ReadonlySet<string>;
}

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite%' ORDER BY name`;
/** Gone on purpose, still on their way, or the digest of several files together. */
const WITHOUT_FILES: ReadonlySet<string> = new Set(['erased_file', 'upload', 'download', 'recording']);

/** @throws IsolineError `database_damaged` where SQLite finds a fault in the copy */
export function readDatabaseFacts(path: string): DatabaseFacts {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const check = db.pragma('quick_check(1)', { simple: true });
    if (check !== 'ok') throw new IsolineError('database_damaged', 'The copy of the database is damaged.');
    const tables = db.prepare<[], string>(TABLES).pluck().all();
    const rows: Record<string, number> = {};
    const named = new Set<string>();
    for (const table of tables) {
      rows[table] = db.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0;
      const columns = db.pragma(`table_info("${table}")`) as { readonly name: string }[];
      for (const { name } of columns)
        if (name.endsWith('sha256') && !WITHOUT_FILES.has(table))
          for (const sha256 of db
            .prepare<[], string>(`SELECT DISTINCT "${name}" FROM "${table}"`)
            .pluck()
            .all())
            named.add(sha256);
    }
    const logo = db.prepare<[], string>(`SELECT value FROM setting WHERE key = 'report.logo'`).pluck().get();
    if (logo !== undefined && logo !== '') named.add(logo);
    const last = db
      .prepare<[], { seq: number; hash: Buffer }>('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1')
      .get();
    const installationId =
      db.prepare<[], string>('SELECT installation_id FROM installation').pluck().get() ?? '';
    return {
      installationId,
      rows,
      audit: { seq: last?.seq ?? 0, hash: last?.hash.toString('hex') ?? '' },
      named,
    };
  } finally {
    db.close();
  }
}
