// `isoline restore`: a data folder from a backup, into an empty place.

import { resolve } from 'node:path';
import { BackupFolder } from '../../store/backup/backup-folder.ts';
import { restoreBackup } from '../../store/backup/restore-backup.ts';
import { newestSnapshot } from '../../store/backup/verify-backup.ts';
import { KEY_OPTIONS, keySourceOf } from './backup-key-options.ts';
import { type Command, print } from './command.ts';

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FOLDER --data-dir D [--backup TIME] [--passphrase | --key-file F]',
  options: {
    'data-dir': { value: 'D', meaning: 'The new data folder; empty, or not there yet.' },
    backup: { value: 'TIME', meaning: 'Which backup, by the beginning of its name; the newest without it.' },
    ...KEY_OPTIONS,
  },
  notes:
    'A restored folder sends nothing to a central service by itself: what the lost computer has sent since is decided on the screen Sync. Tokens of central services are no part of a backup and are entered again.',
  positionals: [1, 1],
  outlivesItsReader: true,
  async run(args) {
    const dataDir = resolve(args.required('data-dir'));
    const source = (await keySourceOf(args)) ?? { kind: 'none' };
    const folder = await BackupFolder.open(resolve(args.positionals[0] as string), source);
    const { name, snapshot } = await newestSnapshot(folder, args.text('backup'));
    await restoreBackup(folder, snapshot, dataDir);
    print(
      `Backup ${name.slice(0, 17)} restored into "${dataDir}": ${snapshot.rows.task ?? 0} tasks, ${snapshot.files.length} files.`,
    );
    if (snapshot.missing.length > 0)
      print(
        `Lost before this backup was made: ${snapshot.missing.length} files, the first is ${snapshot.missing[0]}.`,
      );
  },
};
