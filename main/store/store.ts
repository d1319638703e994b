// The store of a data folder: every aggregate over one connection. Implements the interfaces that the domain
// declares.

import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { IsolineError } from '../../shared/errors.ts';
import type { SettingStore, Store } from '../clinic/store.ts';
import { toStorageError } from '../ground/storage-fault.ts';
import { auditStore } from './audit/audit.ts';
import { backupStore } from './backup/backup-runs.ts';
import { BUSY_TIMEOUT_MS, type Db, openDatabase } from './database/database.ts';
import { LOOKED_THROUGH_BYTES } from './database/later-look.ts';
import { downloadStore } from './files/downloads.ts';
import { uploadStore } from './files/uploads.ts';
import { connectionStore } from './outbox/connections.ts';
import { outboxStore } from './outbox/outbox.ts';
import { erasureStore } from './patients/erasure.ts';
import { orderStore } from './patients/orders.ts';
import { patientStore } from './patients/patients.ts';
import { organizationStore } from './people/organizations.ts';
import { phraseStore } from './people/phrases.ts';
import { seatStore } from './people/seats.ts';
import { tokenStore } from './people/tokens.ts';
import { userStore } from './people/users.ts';
import { updateStore } from './program-updates.ts';
import { deskDeviceStore, deviceStore, streamStore } from './streams.ts';
import { channelChoiceStore } from './tasks/channel-choices.ts';
import { consultationStore } from './tasks/consultations.ts';
import { findingStore, reportStore } from './tasks/findings.ts';
import { recordingStore } from './tasks/recordings.ts';
import { reviewDraftStore } from './tasks/review-drafts.ts';
import { taskStore } from './tasks/tasks.ts';

const READ_TIMEOUT_MS = 2000;

export interface OpenStore extends Store, Disposable {
  close(): void;
}

function settingStore(db: Db): SettingStore {
  const all = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM setting');
  const set = db.prepare(
    'INSERT INTO setting (key, value, changed_ms) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, changed_ms = excluded.changed_ms',
  );
  return {
    all: () => new Map(all.all().map((row) => [row.key, row.value])),
    set: (key, text, nowMs) => void set.run(key, text, nowMs),
  };
}

/**
 * The settings of a database as it lies there, of whatever version; none where there is none that can be read
 * yet.
 */
export function readSettings(path: string): ReadonlyMap<string, string> {
  if (!existsSync(path)) return new Map();
  let db: Db | undefined;
  try {
    db = new Database(path, { readonly: true, timeout: READ_TIMEOUT_MS });
    return settingStore(db).all();
  } catch {
    // A file that is no database, or one without its tables: opening it in earnest says so.
    return new Map();
  } finally {
    db?.close();
  }
}

/**
 * Eight base32 characters, fixed when the folder is first used, and new in a restored copy (D122). Empty
 * where none is given yet.
 */
const readInstallationId = (db: Db): string =>
  db.prepare<[], string>('SELECT installation_id FROM installation').pluck().get() ?? '';

function addInstallation(db: Db, id: string, nowMs: number): void {
  db.prepare('INSERT INTO installation (id, installation_id, created_ms, is_closed) VALUES (1, ?, ?, 1)').run(
    id,
    nowMs,
  );
}

export interface StoreOptions {
  readonly path: string;
  readonly role: 'writer' | 'command';
  readonly nowMs: number;
  readonly makeInstallationId: () => string;
  /** Hears of a database that turns out to be damaged, each time that somebody meets it. */
  readonly onDamage?: (error: IsolineError) => void;
  /** Somebody has met damage in it. */
  readonly isSuspect?: boolean;
}

/** Reads the first entry of each table and index: a page that everything of them hangs on. */
function readRoots(db: Db): void {
  const parts = db
    .prepare<[], { type: string; name: string; tbl_name: string }>(
      "SELECT type, name, tbl_name FROM sqlite_schema WHERE rootpage > 0 AND name NOT LIKE 'sqlite_autoindex%'",
    )
    .all();
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  for (const { type, name, tbl_name: table } of parts) {
    const by = type === 'index' ? ` INDEXED BY ${quoted(name)}` : '';
    try {
      db.prepare(`SELECT 1 FROM ${quoted(table)}${by} LIMIT 1`).get();
    } catch (error) {
      if (error instanceof IsolineError) throw error;
      // An index of some rows alone cannot be read without a condition.
    }
  }
}

/**
 * The database is looked through before it is used: all of it after an end that was not orderly and where it is small,
 * else where everything hangs on (durability reference, 2.2).
 */
function assertWhole(db: Db, isSuspect: boolean): void {
  const bytes =
    (db.pragma('page_count', { simple: true }) as number) *
    (db.pragma('page_size', { simple: true }) as number);
  const isClosed = db.prepare('SELECT is_closed FROM installation').pluck().get() === 1;
  const isLookedThrough = !isClosed || isSuspect || bytes <= LOOKED_THROUGH_BYTES;
  if (isLookedThrough && db.pragma('quick_check(1)', { simple: true }) !== 'ok')
    throw new IsolineError(
      'database_damaged',
      'The database is damaged. Nothing was changed. Restore the latest backup, or ask for help.',
    );
  readRoots(db);
  db.exec('UPDATE installation SET is_closed = 0');
}

export function openStore(options: StoreOptions): OpenStore {
  const { path, role, nowMs, onDamage } = options;
  const db = openDatabase(path, role, nowMs, onDamage);
  try {
    return storeOf(db, options);
  } catch (error) {
    db.close();
    throw toStorageError(error);
  }
}

function storeOf(db: Db, { role, nowMs, makeInstallationId, isSuspect = false }: StoreOptions): OpenStore {
  if (readInstallationId(db) === '') addInstallation(db, makeInstallationId(), nowMs);
  if (role === 'writer') {
    assertWhole(db, isSuspect);
    db.pragma('busy_timeout = 0');
  }
  const close = (): void => {
    // Folds the log into the file, so that an orderly end leaves one file.
    if (role === 'writer' && db.open) {
      db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
      db.exec('UPDATE installation SET is_closed = 1');
      db.pragma('wal_checkpoint(TRUNCATE)');
    }
    db.close();
  };
  return {
    organizations: organizationStore(db),
    seats: seatStore(db),
    tokens: tokenStore(db),
    uploads: uploadStore(db),
    patients: patientStore(db),
    recordings: recordingStore(db),
    tasks: taskStore(db),
    streams: streamStore(db),
    devices: deviceStore(db),
    deskDevices: deskDeviceStore(db),
    channelChoices: channelChoiceStore(db),
    downloads: downloadStore(db),
    findings: findingStore(db),
    reports: reportStore(db),
    reviewDrafts: reviewDraftStore(db),
    consultations: consultationStore(db),
    phrases: phraseStore(db),
    users: userStore(db),
    orders: orderStore(db),
    backups: backupStore(db),
    updates: updateStore(db),
    settings: settingStore(db),
    connections: connectionStore(db),
    outbox: outboxStore(db),
    audit: auditStore(db),
    erasure: erasureStore(db),
    get installationId() {
      return readInstallationId(db);
    },
    nonce: () => db.prepare<[], string | null>('SELECT nonce FROM installation').pluck().get() ?? undefined,
    setNonce(nonce, installationId) {
      db.prepare('UPDATE installation SET nonce = ?, installation_id = coalesce(?, installation_id)').run(
        nonce,
        installationId ?? null,
      );
    },
    transaction(change) {
      try {
        return db.transaction(change).immediate();
      } catch (error) {
        throw toStorageError(error);
      }
    },
    dataVersion: () => db.pragma('data_version', { simple: true }) as number,
    close,
    [Symbol.dispose]: close,
  };
}
