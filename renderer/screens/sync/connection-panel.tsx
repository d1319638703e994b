// A central service or an archive itself: what it is, whether it can be used, another token, and the end of it.

import { Button, PasswordInput, Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView } from '../../../shared/bridge/sync-views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { sizeText } from '../../parts/size-text.ts';
import { ConnectionTest } from './connection-test.tsx';
import { kindWords } from './connection-words.ts';
import classes from './sync.module.css';

/** What is deleted or kept back meanwhile changes it; to count is dear. */
const EARLIER_MS = 15_000;

function NewSecret({ connectionId, kind }: Pick<ConnectionView, 'connectionId' | 'kind'>): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('connection.change');
  const [secret, setSecret] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if ((await run({ connectionId, secret })) !== undefined) setSecret('');
  };
  return (
    <form className={classes.question} onSubmit={(event) => void submit(event)}>
      <PasswordInput
        size="md"
        label={kindWords(t, kind, 'newSecret')}
        value={secret}
        autoComplete="off"
        maxLength={4096}
        error={trouble}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <Button type="submit" h={44} variant="default" disabled={secret.trim() === ''} loading={isRunning}>
        {kindWords(t, kind, 'saveSecret')}
      </Button>
    </form>
  );
}

/**
 * What was recorded before the central service was known here goes when somebody wants it: all with one
 * answer.
 */
function Earlier({ connectionId, kind }: Pick<ConnectionView, 'connectionId' | 'kind'>): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('sync.earlier', { connectionId }, { everyMs: () => EARLIER_MS });
  const { run, isRunning, trouble } = useCommand('sync.sendEarlier');
  const queries = useQueryClient();
  const count = data?.count ?? 0;
  if (count === 0) return null;
  const send = async (): Promise<void> => {
    await run({ connectionId });
    await queries.invalidateQueries({ queryKey: ['sync.earlier'] });
  };
  return (
    <div className={classes.question}>
      <p>{kindWords(t, kind, 'earlier', { count })}</p>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      <Button h={48} loading={isRunning} onClick={() => void send()}>
        {t('sync.sendEarlier', { count })}
      </Button>
    </div>
  );
}

export function ConnectionPanel({ connection }: { connection: ConnectionView }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const remove = useCommand('connection.remove');
  const unread = useCommand('connection.change');
  const [isRemoving, setRemoving] = useState(false);
  const {
    connectionId,
    label,
    host,
    kind,
    facts: shown,
    organization,
    hasCredential,
    takesResults,
    isConfirming,
    isSealed,
    waitingBytes,
    bytesPerSecond,
    doneToday,
  } = connection;
  const facts: readonly (readonly [string, string])[] = [
    [t('sync.fact.host'), host],
    [t('sync.fact.organization'), organization],
    ...Object.entries(shown).map(([name, value]) => [kindWords(t, kind, `field.${name}`), value] as const),
    [t('sync.fact.doneToday'), String(doneToday)],
    [t('sync.fact.waiting'), sizeText(waitingBytes)],
    ...(bytesPerSecond === undefined
      ? []
      : [[t('sync.fact.speed'), `${sizeText(bytesPerSecond)}/s`] as const]),
    ...(hasCredential
      ? [[kindWords(t, kind, 'secret'), t(isSealed ? 'sync.tokenSealed' : 'sync.tokenFile')] as const]
      : []),
    ...(isConfirming === undefined
      ? []
      : [[kindWords(t, kind, 'confirms.label'), kindWords(t, kind, `confirms.${isConfirming}`)] as const]),
  ];
  return (
    <aside className={classes.panel} aria-label={t('sync.panel')}>
      <h2>{label}</h2>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {takesResults && may('settings') && (
        <Switch
          className={classes.unread ?? ''}
          label={t('sync.takesUnread')}
          description={t('sync.takesUnreadText')}
          checked={connection.takesUnread}
          onChange={({ currentTarget }) =>
            void unread.run({ connectionId, takesUnread: currentTarget.checked })
          }
        />
      )}
      {may('sync') && <Earlier connectionId={connectionId} kind={kind} />}
      {may('sync') && <ConnectionTest connectionId={connectionId} kind={kind} buttonHeight={48} />}
      {may('settings') && (
        <>
          {hasCredential && <NewSecret connectionId={connectionId} kind={kind} />}
          <p>
            <a href={takesResults ? '#/settings/hospital' : '#/settings/sync'}>{t('sync.settings')}</a>
          </p>
          {isRemoving ? (
            <div className={classes.question} role="alertdialog" aria-label={t('sync.remove')}>
              <p>{t('sync.removeText')}</p>
              <Button h={48} color="red" onClick={() => void remove.run({ connectionId })}>
                {t('sync.removeNow')}
              </Button>
              <Button h={48} variant="default" onClick={() => setRemoving(false)}>
                {t('sync.removeNot')}
              </Button>
            </div>
          ) : (
            <Button h={44} variant="subtle" onClick={() => setRemoving(true)}>
              {t('sync.remove')}
            </Button>
          )}
        </>
      )}
    </aside>
  );
}
