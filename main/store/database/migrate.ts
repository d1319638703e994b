// Brings a database to the newest version: all pending steps in one transaction, after a copy of the old
// file. A step is never changed once released.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { IsolineError } from '../../../shared/errors.ts';
import { FOUNDATION } from './migrations/010-foundation.ts';
import { STREAMS } from './migrations/020-streams.ts';
import { DESK_DEVICES } from './migrations/030-desk-devices.ts';
import { PATIENTS } from './migrations/040-patients.ts';
import { TASK_LISTING } from './migrations/050-task-listing.ts';
import { USERS } from './migrations/060-users.ts';
import { DESK_WORK } from './migrations/070-desk-work.ts';
import { ORDERS } from './migrations/080-orders.ts';
import { TASK_HISTORY } from './migrations/090-task-history.ts';
import { SYNC } from './migrations/100-sync.ts';
import { ERASURE } from './migrations/110-erasure.ts';
import { REVIEW } from './migrations/120-review.ts';
import { CRITICALS } from './migrations/130-criticals.ts';
import { BACKUPS } from './migrations/140-backups.ts';
import { LEGAL_HOLD } from './migrations/150-legal-hold.ts';
import { UPDATES } from './migrations/160-updates.ts';
import { TEMPORARY_SECRETS } from './migrations/170-temporary-secrets.ts';
import { ARCHIVES } from './migrations/180-archives.ts';
import { SEATS } from './migrations/190-seats.ts';
import { FHIR } from './migrations/200-fhir.ts';
import { WRONG_TRIES } from './migrations/210-wrong-tries.ts';
import { ANALYSIS_LANES } from './migrations/220-analysis-lanes.ts';
import { NUMBERS_AND_ISSUERS } from './migrations/230-numbers-and-issuers.ts';
import { DEVICE_NAMES } from './migrations/240-device-names.ts';
import { CONNECTIONS } from './migrations/250-connections.ts';
import { CHANNELS } from './migrations/260-channels.ts';
import { FIRST_FINDINGS } from './migrations/270-first-findings.ts';
import { PHRASES } from './migrations/280-phrases.ts';
import type { Migration } from './migrations/migration.ts';

export const MIGRATIONS: readonly Migration[] = [
  FOUNDATION,
  STREAMS,
  DESK_DEVICES,
  PATIENTS,
  TASK_LISTING,
  USERS,
  DESK_WORK,
  ORDERS,
  TASK_HISTORY,
  SYNC,
  ERASURE,
  REVIEW,
  CRITICALS,
  BACKUPS,
  LEGAL_HOLD,
  UPDATES,
  TEMPORARY_SECRETS,
  ARCHIVES,
  SEATS,
  FHIR,
  WRONG_TRIES,
  ANALYSIS_LANES,
  NUMBERS_AND_ISSUERS,
  DEVICE_NAMES,
  CONNECTIONS,
  CHANNELS,
  FIRST_FINDINGS,
  PHRASES,
];

/**
 * @param path where the file lies, for the copy before a change; undefined for a caller that must find the
 * newest version.
 */
export function migrate(
  db: Database.Database,
  path: string | undefined,
  nowMs: number,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  const newest = migrations.at(-1)?.id ?? 0;
  if (version > newest)
    throw new IsolineError(
      'database_newer',
      'The data folder was written by a newer version of Isoline. Install that version again; nothing was changed.',
      { version },
    );
  const pending = migrations.filter(({ id }) => id > version);
  if (pending.length === 0) return;
  if (path === undefined)
    throw new IsolineError(
      'data_folder_unusable',
      'The data folder is of an older version. Start Isoline once, which brings it up to date.',
      { version },
    );
  if (version > 0) {
    const folder = join(dirname(path), 'backups');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    db.prepare('VACUUM INTO ?').run(join(folder, `before-${newest}-${nowMs}.sqlite`));
  }
  db.pragma('foreign_keys = OFF');
  try {
    db.transaction(() => {
      for (const step of pending) {
        step.up(db);
        db.pragma(`user_version = ${step.id}`);
      }
      const broken = db.pragma('foreign_key_check') as unknown[];
      if (broken.length > 0) throw new Error(`migration leaves ${broken.length} broken references`);
    }).immediate();
  } finally {
    db.pragma('foreign_keys = ON');
  }
}
