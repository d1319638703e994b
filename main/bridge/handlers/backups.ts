// Backups.

import type { BACKUP_COMMANDS, BACKUP_QUERIES } from '../../../shared/bridge/contract/backups.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Answers } from './caller.ts';

export function backupAnswers({
  backups,
}: Clinic): Answers<keyof typeof BACKUP_QUERIES | keyof typeof BACKUP_COMMANDS> {
  return {
    'backup.state': async () => backups.state(),
    'backup.setUp': async ({ folder, passphrase }, { actor }) => {
      const secret =
        passphrase === undefined
          ? ({ kind: 'none' } as const)
          : ({ kind: 'passphrase', passphrase } as const);
      await backups.setUp(folder, secret, actor);
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
