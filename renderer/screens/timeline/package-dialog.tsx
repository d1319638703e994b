// Hands over everything that is kept of a patient: says what it is before it is made, and how far it is.

import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IsolineError } from '../../../shared/errors.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { saveBlob } from '../../parts/save-file.ts';
import { errorText } from '../../text/text.ts';
import { packPatient } from './patient-package.ts';
import classes from './timeline.module.css';

export function PackageDialog({ taskId, onClose }: { taskId: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const bridge = useBridge();
  const { data } = useBridgeQuery('patient.recordings', { taskId }, { keptMs: 0 });
  const [done, setDone] = useState<number | undefined>();
  const [trouble, setTrouble] = useState<string | undefined>();
  const recordings = data?.recordings ?? [];
  const save = async (): Promise<void> => {
    setTrouble(undefined);
    setDone(0);
    try {
      saveBlob(
        `patient-of-task-${taskId}.zip`,
        await packPatient(bridge, recordings, t('package.readMe'), setDone),
      );
      onClose();
    } catch (error) {
      if (!(error instanceof IsolineError)) throw error;
      setTrouble(errorText(error));
      setDone(undefined);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t('package.title')} centered size="md">
      <p>{t('package.text', { count: recordings.length })}</p>
      <p className="quiet">{t('package.plain')}</p>
      {trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {trouble}
        </p>
      )}
      <div className={classes.buttons}>
        <span role="status" className="quiet">
          {done !== undefined && t('package.progress', { done, of: recordings.length })}
        </span>
        <Button h={48} variant="default" data-autofocus onClick={onClose}>
          {t('reason.cancel')}
        </Button>
        <Button
          h={48}
          disabled={recordings.length === 0}
          loading={done !== undefined}
          onClick={() => void save()}
        >
          {t('package.save')}
        </Button>
      </div>
    </Modal>
  );
}
