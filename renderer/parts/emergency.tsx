// Record now, say later who it was: one key from every screen (screens, 1.9; E14).

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../bridge/use-command.ts';
import { useEntry } from '../entry/use-entry.tsx';
import classes from './emergency.module.css';
import { Icon } from './icon.tsx';
import { useDesk } from './use-desk.ts';

/** @returns what F9 does */
export function useEmergency(): { start(): Promise<void>; readonly trouble: string | undefined } {
  const { device, hasSignal } = useDesk();
  const { send, noteRecording } = useEntry();
  const record = useCommand('desk.record');
  return {
    trouble: record.trouble,
    async start() {
      // Whoever was being entered is not who lies there now.
      send({ kind: 'cleared' });
      noteRecording(undefined);
      location.hash = '#/live';
      if (device === undefined || !hasSignal || device.recording !== undefined) return;
      const begun = await record.run({ id: device.id });
      if (begun !== undefined) noteRecording({ kind: 'begun', taskId: begun.taskId });
    },
  };
}

export function EmergencyButton(): ReactNode {
  const { t } = useTranslation();
  const { start, trouble } = useEmergency();
  return (
    <>
      {trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {trouble}
        </p>
      )}
      <Button h={56} variant="emergency" className={classes.emergency ?? ''} onClick={() => void start()}>
        <Icon name="flash" />
        {t('entry.emergency')} <kbd>F9</kbd>
      </Button>
    </>
  );
}
