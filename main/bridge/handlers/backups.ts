// Backups and room.

import type { BACKUP_COMMANDS, BACKUP_QUERIES } from '../../../shared/bridge/contract/backups.ts';
import type { BackupSecret } from '../../clinic/backups/records.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Answers } from './caller.ts';

const secretOf = (passphrase: string | undefined): BackupSecret =>
  passphrase === undefined ? { kind: 'none' } : { kind: 'passphrase', passphrase };

export function backupAnswers({
  backups,
  storage,
}: Clinic): Answers<keyof typeof BACKUP_QUERIES | keyof typeof BACKUP_COMMANDS> {
  return {
    'backup.state': async () => backups.state(),
    'storage.state': () => storage.state(),
    'backup.setUp': async ({ folder, passphrase }, { actor }) => {
      await backups.setUp(folder, secretOf(passphrase), actor);
      return {};
    },
    'backup.restore': async ({ folder, passphrase }) => {
      await backups.restore(folder, secretOf(passphrase));
      return {};
    },
    'backup.stop': async (_none, { actor }) => {
      await backups.stop(actor);
      return {};
    },
    'backup.start': async ({ kind }, { actor }) => {
      backups.start(kind, actor);
      return {};
    },
  };
}
