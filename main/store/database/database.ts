// Opens the database of a data folder the one way in which it may be opened: durability reference, section
// 2.1.

import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { IsolineError } from '../../../shared/errors.ts';
import { assert } from '../../ground/assert.ts';
import { isStorageError, toStorageError } from '../../ground/storage-fault.ts';
import { migrate } from './migrate.ts';

export type Db = Database.Database;

const APPLICATION_ID = 0x49_53_4f_4c;
/**
 * How long another process is waited for. Once it serves, the writer waits without blocking its thread
 * instead: `transact`.
 */
export const BUSY_TIMEOUT_MS = 5000;

/** What a statement does with the database. */
const STATEMENT_CALLS = ['get', 'all', 'run'] as const;

/**
 * Faults of the disk that a statement meets leave it as errors of ours, whoever asked.
 * @param onDamage hears of a database that is damaged
 */
function classify(db: Db, onDamage: (error: IsolineError) => void): void {
  const onDisk = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw heard(error);
    }
  };
  const heard = (error: unknown): unknown => {
    const known = toStorageError(error);
    if (known instanceof IsolineError && known.reason === 'database_damaged') onDamage(known);
    return known;
  };
  const prepare = db.prepare.bind(db) as (sql: string) => Database.Statement;
  db.prepare = ((sql: string) => {
    const statement = onDisk(() => prepare(sql));
    for (const name of STATEMENT_CALLS) {
      const call = statement[name].bind(statement) as (...values: unknown[]) => unknown;
      statement[name] = ((...values: unknown[]) => onDisk(() => call(...values))) as never;
    }
    const iterate = statement.iterate.bind(statement);
    statement.iterate = function* (...values: unknown[]) {
      try {
        yield* iterate(...values);
      } catch (error) {
        throw heard(error);
      }
    };
    return statement;
  }) as Db['prepare'];
}

/**
 * @param role `writer` is the one clinic thread of a folder; `command` is a short command line call beside
 * it.
 */
export function openDatabase(
  path: string,
  role: 'writer' | 'command',
  nowMs: number,
  onDamage: (error: IsolineError) => void = () => undefined,
): Db {
  if (role === 'command' && !existsSync(path))
    throw new IsolineError(
      'data_folder_unusable',
      'There is no Isoline data in this folder. "isoline serve --data-dir …" makes it.',
    );
  let db: Db;
  try {
    db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    const known = toStorageError(error);
    // Not there, or no folder: that it may not be written to says no more than that.
    if (isStorageError(known) && known.reason !== 'storage_read_only') throw known;
    throw new IsolineError(
      'data_folder_unusable',
      'The database in the data folder cannot be opened. Check that the folder exists and may be written to.',
      {},
      { cause: error },
    );
  }
  try {
    configure(db, role, nowMs, path);
    classify(db, onDamage);
    return db;
  } catch (error) {
    db.close();
    throw toStorageError(error);
  }
}

function configure(db: Db, role: 'writer' | 'command', nowMs: number, path: string): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal')
    throw new IsolineError(
      'data_folder_unusable',
      'The data folder cannot hold the database: use a folder on a disk of this computer that may be written to.',
    );
  // better-sqlite3 is built with NORMAL for WAL: a commit could be lost at a power cut.
  db.pragma('synchronous = FULL');
  if (process.platform === 'darwin') {
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
  }
  db.pragma('foreign_keys = ON');
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  // What was deleted is overwritten (SEC54).
  db.pragma('secure_delete = ON');
  db.pragma('journal_size_limit = 67108864');
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -65536');
  assert(db.pragma('synchronous', { simple: true }) === 2, 'every commit is synced');
  const applicationId = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true });
  const isNew = version === 0 && applicationId === 0;
  if (!isNew && applicationId !== APPLICATION_ID)
    throw new IsolineError(
      'data_folder_unusable',
      'The file isoline.sqlite in the data folder is not a database of Isoline. Choose another folder.',
    );
  if (role === 'writer') {
    if (isNew) db.pragma(`application_id = ${APPLICATION_ID}`);
    migrate(db, path, nowMs);
  } else assertCurrent(db);
}

/** A short command never migrates: the program that runs the clinic does. */
function assertCurrent(db: Db): void {
  migrate(db, undefined, 0);
}
