// Backups: set up once, then automatic: how old the last good one is, one now, and one that is read back.

import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupState } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { dayAndTime } from '../../parts/format-time.ts';
import { SecretInput } from '../../parts/secret-input.tsx';
import { sizeText } from '../../parts/size-text.ts';
import { errorText } from '../../text/text.ts';
import { SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';

/** Whoever finds an unencrypted backup can read it: that is asked twice. */
function SetUp(): ReactNode {
  const { t } = useTranslation();
  const setUp = useCommand('backup.setUp');
  const queries = useQueryClient();
  const [folder, setFolder] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [isPlain, setPlain] = useState(false);
  const [isSure, setSure] = useState(false);
  const isReady = folder.trim() !== '' && (isPlain ? isSure : passphrase !== '' && passphrase === again);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    await setUp.run({ folder: folder.trim(), ...(!isPlain && { passphrase }) });
    await queries.invalidateQueries({ queryKey: ['backup.state'] });
  };
  return (
    <form className={classes.padded} onSubmit={(event) => void submit(event)}>
      <strong>{t('backup.none')}</strong>
      <p className="quiet">{t('backup.noneText')}</p>
      <div className={classes.fields}>
        <TextInput
          size="md"
          label={t('backup.folder')}
          value={folder}
          maxLength={1024}
          spellCheck={false}
          onChange={({ currentTarget }) => setFolder(currentTarget.value)}
        />
        {!isPlain && (
          <>
            <SecretInput label={t('backup.passphrase')} value={passphrase} isNew onType={setPassphrase} />
            <SecretInput
              label={t('backup.again')}
              value={again}
              isNew
              error={
                again !== '' && again.length >= passphrase.length && again !== passphrase
                  ? t('backup.differs')
                  : undefined
              }
              onType={setAgain}
            />
            <p className="quiet">{t('backup.keep')}</p>
          </>
        )}
        <Checkbox
          label={t('backup.plain')}
          checked={isPlain}
          onChange={({ currentTarget }) => {
            setPlain(currentTarget.checked);
            setSure(false);
          }}
        />
        {isPlain && (
          <Checkbox
            label={t('backup.plainSure')}
            checked={isSure}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
        )}
        {setUp.trouble !== undefined && (
          <p role="alert" className={classes.trouble}>
            {setUp.trouble}
          </p>
        )}
        <Button type="submit" h={48} disabled={!isReady} loading={setUp.isRunning}>
          {t('backup.setUp')}
        </Button>
      </div>
    </form>
  );
}

function LastGood({ state }: { state: BackupState }): ReactNode {
  const { t } = useTranslation();
  const { lastGood, failed, isEncrypted, isLate } = state;
  return (
    <>
      {lastGood === undefined
        ? t('backup.notYet')
        : t('backup.lastGood', {
            time: dayAndTime(lastGood.atMs),
            size: sizeText(lastGood.sizeBytes),
            count: lastGood.files,
          })}{' '}
      {t(isEncrypted === true ? 'backup.isEncrypted' : 'backup.isPlain')}
      {isLate && <b className={classes.trouble}> {t('backup.late')}</b>}
      {failed !== undefined && (
        <b className={classes.trouble} role="alert">
          {' '}
          {t('backup.failed', { time: dayAndTime(failed.atMs), reason: errorText(failed) })}
        </b>
      )}
      {lastGood !== undefined && lastGood.lost > 0 && (
        <b className={classes.trouble}> {t('backup.lost', { count: lastGood.lost })}</b>
      )}
    </>
  );
}

function ReadBack({ state: { verified, damaged } }: { state: BackupState }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {t('backup.verifyText')}{' '}
      {verified !== undefined && t('backup.verified', { time: dayAndTime(verified.atMs) })}
      {damaged !== undefined && (
        <b className={classes.trouble} role="alert">
          {' '}
          {t('backup.damaged', { time: dayAndTime(damaged.atMs), reason: errorText(damaged) })}
        </b>
      )}
    </>
  );
}

export function BackupRows(): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const { data: state } = useBridgeQuery('backup.state', {});
  const start = useCommand('backup.start');
  const stop = useCommand('backup.stop');
  const [isStopping, setStopping] = useState(false);
  if (state === undefined) return null;
  const mayChange = may('settings');
  if (state.folder === undefined)
    return (
      <div className={classes.card}>
        {mayChange ? <SetUp /> : <SettingRow title={t('backup.none')}>{null}</SettingRow>}
      </div>
    );
  const { progress } = state;
  const running = (kind: 'make' | 'verify'): string | undefined =>
    progress?.kind === kind ? t('backup.progress', { done: progress.done, of: progress.of }) : undefined;
  const trouble = start.trouble ?? stop.trouble;
  return (
    <div className={classes.card}>
      <SettingRow title={t('backup.title', { folder: state.folder })} effect={<LastGood state={state} />}>
        <span className="quiet">{running('make')}</span>
        <Button
          h={44}
          disabled={!mayChange || state.isRunning}
          loading={progress?.kind === 'make'}
          onClick={() => void start.run({ kind: 'make' })}
        >
          {t('backup.now')}
        </Button>
      </SettingRow>
      <SettingRow title={t('backup.verifyTitle')} effect={<ReadBack state={state} />}>
        <span className="quiet">{running('verify')}</span>
        <Button
          h={44}
          variant="default"
          disabled={!mayChange || state.isRunning}
          loading={progress?.kind === 'verify'}
          onClick={() => void start.run({ kind: 'verify' })}
        >
          {t('backup.verify')}
        </Button>
      </SettingRow>
      <SettingRow title={t('backup.otherTitle')} effect={t('backup.otherText')}>
        <Button
          h={44}
          variant="default"
          disabled={!mayChange || state.isRunning}
          onClick={() => (isStopping ? void stop.run({}) : setStopping(true))}
        >
          {t(isStopping ? 'backup.stopSure' : 'backup.stop')}
        </Button>
      </SettingRow>
      {trouble !== undefined && (
        <p role="alert" className={classes.rowTrouble}>
          {trouble}
        </p>
      )}
    </div>
  );
}
