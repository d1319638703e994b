// `isoline backup`: a backup of a data folder, also while the program works in it.

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import { PRODUCT_VERSION } from '../../product/product.ts';
import { BackupFolder } from '../../store/backup/backup-folder.ts';
import { type KeySource, makeKeyFile } from '../../store/backup/backup-key.ts';
import { requireOtherPlace } from '../../store/backup/backup-place.ts';
import { makeBackup } from '../../store/backup/make-backup.ts';
import { pruneBackups } from '../../store/backup/prune-backups.ts';
import { KEY_OPTIONS, keySourceOf } from './backup-key-options.ts';
import { type Arguments, type Command, print, usageError } from './command.ts';

const MEGA = 1_000_000;
export const megabytes = (bytes: number): string => `${(bytes / MEGA).toFixed(bytes < 10 * MEGA ? 1 : 0)} MB`;

async function writeKeyFile(path: string): Promise<void> {
  // Never over another key: what it opens could be lost with it.
  const file = await open(resolve(path), 'wx', 0o600).catch(() => {
    throw usageError(`"${path}" is there already, or cannot be written. Choose another name.`, backupCommand);
  });
  try {
    await file.writeFile(makeKeyFile());
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new backup without a key is only made by somebody who says so. */
async function openOrMake(
  folder: string,
  source: KeySource | undefined,
  args: Arguments,
): Promise<BackupFolder> {
  if (await BackupFolder.isOne(folder)) return BackupFolder.open(folder, source ?? { kind: 'none' });
  if (source !== undefined) return BackupFolder.make(folder, source);
  if (args.isOn('unencrypted')) return BackupFolder.make(folder, { kind: 'none' });
  throw usageError(
    'Whoever finds an unencrypted backup can read every ECG in it. Encrypt it with --passphrase or --key-file, or say --unencrypted.',
    backupCommand,
  );
}

export const backupCommand: Command = {
  name: 'backup',
  usage: 'FOLDER --data-dir D [--passphrase | --key-file F | --unencrypted]',
  options: {
    'data-dir': { value: 'D', meaning: 'The data folder.' },
    ...KEY_OPTIONS,
    unencrypted: { meaning: 'The backup can be read by anyone who has it.' },
    'make-key-file': { value: 'F', meaning: 'Write a new key file, and make the backup with it.' },
  },
  notes:
    'FOLDER keeps all backups; content is stored once, however many have it. The newest 14 are kept, and the last of each month for a year. A lost passphrase or key file cannot be replaced: keep it in another place than the backup.',
  positionals: [1, 1],
  outlivesItsReader: true,
  async run(args) {
    const dataDir = resolve(args.required('data-dir'));
    if (!existsSync(join(dataDir, 'isoline.sqlite')))
      throw new IsolineError('data_folder_unusable', `There is no data folder at "${dataDir}".`);
    const target = resolve(args.positionals[0] as string);
    await requireOtherPlace(target, dataDir);
    const newKey = args.text('make-key-file');
    if (newKey !== undefined) await writeKeyFile(newKey);
    const source = await keySourceOf(args, newKey);
    const folder = await openOrMake(target, source, args);
    const nowMs = Date.now();
    const made = await makeBackup(folder, { dataDir, productVersion: PRODUCT_VERSION, nowMs });
    print(
      `Backup ${made.name.slice(0, 17)} made and read back: ${made.files} files, ${megabytes(made.sizeBytes)}, of which ${made.newFiles} files and ${megabytes(made.newBytes)} are new.`,
    );
    // The new backup is good, whether or not the old ones could be removed.
    const gone = await pruneBackups(folder, nowMs).catch(() => undefined);
    if (gone === undefined) print('Old backups could not be removed. The next run tries again.');
    else if (gone > 0) print(`Old backups removed: ${gone}.`);
    const { lost, missing } = made;
    if (lost.length > 0)
      throw new IsolineError(
        'backup_damaged',
        `Files of the data folder that are lost or damaged: ${lost.length}, of which the backup still has ${lost.length - missing.length}. The first is ${lost[0]}.`,
      );
  },
};
