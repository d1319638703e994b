// Looks through a whole database, a table at a time, while others work with it: a page that went bad in a corner where nobody
// reads is found before it is needed (durability reference, section 2.2).

import Database from 'better-sqlite3';
import { IsolineError } from '../../../shared/errors.ts';
import { toStorageError } from '../../ground/storage-fault.ts';

const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name`;

const isWhole = (db: Database.Database, table: string): boolean =>
  db.pragma(`quick_check("${table.replaceAll('"', '""')}")`, { simple: true }) === 'ok';

/**
 * @param rest waits after each table, given the milliseconds that it took: the disk belongs to those who record
 * @returns the table, with its indices, in which a fault was found first; undefined where all of it is whole
 * @throws IsolineError where the database cannot be read for another reason than damage
 */
export async function lookThrough(
  path: string,
  rest: (tookMs: number) => Promise<void>,
): Promise<string | undefined> {
  let table = 'sqlite_schema';
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      for (const name of db.prepare<[], string>(TABLES).pluck().all()) {
        table = name;
        const startMs = performance.now();
        if (!isWhole(db, name)) return name;
        await rest(performance.now() - startMs);
      }
      return undefined;
    } finally {
      db.close();
    }
  } catch (error) {
    const known = toStorageError(error);
    if (known instanceof IsolineError && known.reason === 'database_damaged') return table;
    throw known;
  }
}
