// How much room there is, whether the disk is encrypted, and where the daily backups go.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { BackupRows } from '../settings/backup-rows.tsx';
import { RoomRows } from '../settings/room-rows.tsx';
import classes from './first-start.module.css';
import type { StepProps } from './step-props.ts';

export function StorageStep({ formId, onSubmit }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { data: backup } = useBridgeQuery('backup.state', {});
  const isSetUp = backup?.folder !== undefined;
  return (
    <>
      <RoomRows />
      <BackupRows />
      {/* Without backups only "Do this later" goes on: nobody passes by in the belief that there are some. */}
      <form id={formId} onSubmit={(event) => onSubmit(event, async () => isSetUp)}>
        {!isSetUp && <p className={classes.hint}>{t('start.storage.first')}</p>}
      </form>
    </>
  );
}
