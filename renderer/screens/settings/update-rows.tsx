// New versions of Isoline: what runs, what there is, and getting it. Nothing is fetched or installed before somebody says
// so.

import { Button, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LookOutcome, UpdateState } from '../../../shared/bridge/contract/updates.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { dayAndTime } from '../../parts/format-time.ts';
import { sizeText } from '../../parts/size-text.ts';
import { errorText } from '../../text/text.ts';
import { SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';

const HINDRANCE_MS = 5000;

interface RowProps {
  readonly state: UpdateState;
  readonly mayChange: boolean;
}

function Trouble({ children }: { children: ReactNode }): ReactNode {
  return (
    <p role="alert" className={classes.rowTrouble}>
      {children}
    </p>
  );
}

function Last({ state: { last } }: Pick<RowProps, 'state'>): ReactNode {
  const { t } = useTranslation();
  if (last === undefined) return null;
  const facts = { version: last.version, from: last.fromVersion, time: dayAndTime(last.atMs) };
  if (!last.isInstalled) return <b className={classes.trouble}>{t('update.lastFailed', facts)}</b>;
  return (
    <>
      {t('update.lastInstalled', facts)}{' '}
      {last.wayBack !== undefined && t('update.wayBack', { ...facts, path: last.wayBack })}
    </>
  );
}

function Running({ state, mayChange }: RowProps): ReactNode {
  const { t } = useTranslation();
  const { data: settings } = useBridgeQuery('setting.list', {});
  const look = useCommand('update.look');
  const hasServer = (settings?.values['updates.server'] ?? '') !== '';
  const { unavailable, verifiedMs, outcome, work, failed } = state;
  const effect =
    unavailable !== undefined ? (
      t(`update.unavailable.${unavailable}`)
    ) : (
      <>
        {verifiedMs === undefined
          ? t('update.neverVerified')
          : t('update.verified', { time: dayAndTime(verifiedMs) })}{' '}
        {outcome !== undefined && outcome !== 'newer' && t(`update.${outcome}`)} <Last state={state} />
        {failed !== undefined && (
          <b className={classes.trouble} role="alert">
            {' '}
            {t('update.failed', { time: dayAndTime(failed.atMs), reason: errorText(failed) })}
          </b>
        )}
      </>
    );
  return (
    <>
      <SettingRow title={t('update.running', { version: state.version })} effect={effect}>
        {unavailable === undefined && hasServer && (
          <Button
            h={44}
            variant="default"
            disabled={!mayChange || work !== undefined}
            loading={look.isRunning}
            onClick={() => void look.run({})}
          >
            {t('update.look')}
          </Button>
        )}
      </SettingRow>
      {look.trouble !== undefined && <Trouble>{look.trouble}</Trouble>}
    </>
  );
}

/** What it is at, in words. */
function WorkWord({ work }: { work: NonNullable<UpdateState['work']> }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className="quiet" role="status">
      {work.kind === 'fetching' && work.of > 0
        ? t('update.fetching', { done: sizeText(work.done), of: sizeText(work.of) })
        : t(`update.work.${work.kind}`)}
    </span>
  );
}

function NewVersion({
  state,
  release,
  mayChange,
}: RowProps & { release: NonNullable<UpdateState['release']> }): ReactNode {
  const { t, i18n } = useTranslation();
  const fetchIt = useCommand('update.fetch');
  const install = useCommand('update.install');
  const [isSure, setSure] = useState(false);
  const { work, hindrance } = state;
  // A download waits for a recording alone.
  const isHeldUp = hindrance !== undefined && (release.isFetched || hindrance === 'recording');
  const trouble = fetchIt.trouble ?? install.trouble;
  const notes = i18n.language === 'es' ? release.notes.es : release.notes.en;
  const effect = (
    <>
      {notes !== '' && <span className={classes.notes}>{notes}</span>}
      {isHeldUp
        ? t(`update.hindrance.${hindrance}`)
        : release.isFetched && t(state.makesBackup ? 'update.whatHappens' : 'update.noBackup')}
    </>
  );
  return (
    <>
      <SettingRow
        title={t('update.there', { version: release.version, size: sizeText(release.sizeBytes) })}
        effect={effect}
      >
        {work !== undefined && <WorkWord work={work} />}
        {release.isFetched ? (
          <Button
            h={44}
            disabled={!mayChange || work !== undefined || isHeldUp}
            loading={work?.kind === 'preparing' || work?.kind === 'installing'}
            onClick={() => {
              if (isSure) void install.run({});
              setSure(!isSure);
            }}
          >
            {t(isSure ? 'update.installSure' : 'update.install')}
          </Button>
        ) : (
          <Button
            h={44}
            disabled={!mayChange || work !== undefined || isHeldUp}
            loading={work?.kind === 'fetching'}
            onClick={() => void fetchIt.run({})}
          >
            {t('update.fetch')}
          </Button>
        )}
      </SettingRow>
      {trouble !== undefined && <Trouble>{trouble}</Trouble>}
    </>
  );
}

/** For a clinic without a network. */
function FromFolder({ state, mayChange }: RowProps): ReactNode {
  const { t } = useTranslation();
  const look = useCommand('update.look');
  const [folder, setFolder] = useState('');
  const [outcome, setOutcome] = useState<LookOutcome | undefined>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (folder.trim() === '') return;
    setOutcome(undefined);
    setOutcome((await look.run({ folder: folder.trim() }))?.outcome);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <SettingRow title={t('update.fromFolder')} effect={t('update.fromFolderText')} isWide>
        <TextInput
          size="md"
          className={classes.grow ?? ''}
          aria-label={t('update.folder')}
          placeholder={t('update.folder')}
          value={folder}
          maxLength={1024}
          spellCheck={false}
          disabled={!mayChange}
          onChange={({ currentTarget }) => setFolder(currentTarget.value)}
        />
        <Button
          type="submit"
          h={44}
          variant="default"
          disabled={!mayChange || folder.trim() === '' || state.work !== undefined}
          loading={look.isRunning}
        >
          {t('update.lookThere')}
        </Button>
      </SettingRow>
      {outcome !== undefined && outcome !== 'newer' && (
        <p role="status" className={classes.rowNote}>
          {t(`update.folderOutcome.${outcome}`)}
        </p>
      )}
      {look.trouble !== undefined && <Trouble>{look.trouble}</Trouble>}
    </form>
  );
}

export function UpdateRows(): ReactNode {
  const { may } = useSession();
  // That an upload has come to rest is no event.
  const everyMs = ({ hindrance }: UpdateState): number | undefined =>
    hindrance === undefined ? undefined : HINDRANCE_MS;
  const { data: state } = useBridgeQuery('update.state', {}, { everyMs });
  if (state === undefined) return null;
  const row = { state, mayChange: may('settings') };
  return (
    <div className={classes.card}>
      <Running {...row} />
      {state.release !== undefined && <NewVersion {...row} release={state.release} />}
      {state.unavailable === undefined && <FromFolder {...row} />}
    </div>
  );
}
