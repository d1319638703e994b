// A new computer takes over from the one before: everything comes from a backup.

import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { goOn } from '../../parts/go-on.ts';
import { SecretInput } from '../../parts/secret-input.tsx';
import classes from './first-start.module.css';

export function RestorePage(): ReactNode {
  const { t } = useTranslation();
  const { data: backup } = useBridgeQuery('backup.state', {});
  const restore = useCommand('backup.restore');
  const queries = useQueryClient();
  const [folder, setFolder] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const from = location.hash;
    const done = await restore.run({
      folder: folder.trim(),
      ...(passphrase !== '' && { passphrase }),
    });
    if (done === undefined) return;
    goOn(from, '#/worklist');
    await queries.invalidateQueries();
  };
  const progress = backup?.progress;
  return (
    <>
      <h1>{t('start.restore.title')}</h1>
      <p className={classes.intro}>{t('start.restore.intro')}</p>
      <form onSubmit={(event) => void submit(event)}>
        <div className={classes.card}>
          <TextInput
            size="md"
            label={t('start.restore.folder')}
            value={folder}
            maxLength={1024}
            spellCheck={false}
            onChange={({ currentTarget }) => setFolder(currentTarget.value)}
          />
          <SecretInput
            label={t('start.restore.passphrase')}
            value={passphrase}
            error={restore.trouble}
            onType={setPassphrase}
          />
          <div className={classes.buttons}>
            <Button h={48} type="submit" disabled={folder.trim() === ''} loading={restore.isRunning}>
              {t('start.restore.do')}
            </Button>
            <Button h={48} variant="default" component="a" href="#/start/language">
              {t('start.back')}
            </Button>
          </div>
          {progress?.kind === 'restore' && (
            <p role="status">{t('backup.progress', { done: progress.done, of: progress.of })}</p>
          )}
        </div>
      </form>
    </>
  );
}
