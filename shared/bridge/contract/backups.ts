// Backups: how old the last good one is, and what can be done about it.

import { Type } from 'typebox';
import { closed, none, secret, text } from '../fields.ts';
import { BackupState, StorageState } from '../views.ts';
import type { Operation } from './operation.ts';

export const BACKUP_QUERIES = {
  'backup.state': { input: none, output: BackupState, right: 'signedIn' },
  'storage.state': { input: none, output: StorageState, right: 'signedIn' },
} as const satisfies Record<string, Operation>;

export const BACKUP_COMMANDS = {
  /** Makes the first one at once. @throws `backup_unusable`, `backup_key_wrong`, `storage_busy` */
  'backup.setUp': {
    input: Type.Object(
      {
        folder: text(1024),
        /** Absent: whoever has the backup can read it. */
        passphrase: Type.Optional(secret),
      },
      closed,
    ),
    output: none,
    right: 'settings',
    isDeskOnly: true,
  },
  /**
   * At the first start, before anything was recorded. Answers when everything is there; the workstation then restarts.
   * @throws `something_recorded`, `database_newer`, `backup_unusable`, `backup_key_wrong`, `backup_damaged`
   */
  'backup.restore': {
    input: Type.Object({ folder: text(1024), passphrase: Type.Optional(secret) }, closed),
    output: none,
    right: 'settings',
    isDeskOnly: true,
  },
  /** No more are made; those that are there stay. */
  'backup.stop': { input: none, output: none, right: 'settings', isDeskOnly: true },
  /** Returns at once. @throws `storage_busy` */
  'backup.start': {
    input: Type.Object({ kind: Type.Enum(['make', 'verify']) }, closed),
    output: none,
    right: 'settings',
    isDeskOnly: true,
  },
} as const satisfies Record<string, Operation>;
