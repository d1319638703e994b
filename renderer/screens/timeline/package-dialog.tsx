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
  const [stop] = useState(() => new AbortController());
  const [damaged, setDamaged] = useState(0);
  // Whoever closes the dialog gets no file.
  const close = (): void => {
    stop.abort();
    onClose();
  };
  const save = async (): Promise<void> => {
    setTrouble(undefined);
    setDone(0);
    try {
      const packed = await packPatient(bridge, recordings, t('package.readMe'), setDone, stop.signal);
      stop.signal.throwIfAborted();
      saveBlob(`patient-of-task-${taskId}.zip`, packed.file);
      setDone(undefined);
      setDamaged(packed.damaged);
      if (packed.damaged === 0) onClose();
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof IsolineError)) throw error;
      setTrouble(errorText(error));
      setDone(undefined);
    }
  };
  return (
    <Modal opened onClose={close} title={t('package.title')} centered size="md">
      <p>{t('package.text', { count: recordings.length })}</p>
      <p className="quiet">{t('package.plain')}</p>
      {damaged > 0 && (
        <p role="alert" className={classes.trouble}>
          {t('package.damaged', { count: damaged })}
        </p>
      )}
      {trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {trouble}
        </p>
      )}
      <div className={classes.buttons}>
        <span role="status" className="quiet">
          {done !== undefined && t('package.progress', { done, of: recordings.length })}
        </span>
        <Button h={48} variant="default" data-autofocus onClick={close}>
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
