// Whether a connection works, tried at the press of a button, and what that has shown.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView, TestOutcome } from '../../../shared/bridge/sync-views.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { Icon } from '../../parts/icon.tsx';
import { kindWords, troubleWords } from './connection-words.ts';
import classes from './sync.module.css';

function Granted({ what }: { what: readonly (readonly [name: string, isGranted: boolean])[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <ul className={classes.rights}>
      {what.map(([name, isGranted]) => (
        <li key={name} data-may={isGranted}>
          <Icon name={isGranted ? 'check' : 'cross'} size={17} /> {name}:{' '}
          {t(isGranted ? 'sync.may' : 'sync.mayNot')}
        </li>
      ))}
    </ul>
  );
}

/** What a test has shown. */
function Tested({ outcome, kind }: { outcome: TestOutcome } & Pick<ConnectionView, 'kind'>): ReactNode {
  const { t } = useTranslation();
  const { isReached, trouble = 'offline', tookMs, offers, notes = [] } = outcome;
  if (!isReached) return <p role="alert">{troubleWords(t, kind, trouble)}</p>;
  return (
    <div role="status">
      <p>{kindWords(t, kind, 'reached', { ms: Math.round(tookMs) })}</p>
      {offers !== undefined && (
        <Granted
          what={Object.entries(offers).map(([name, isGranted]) => [
            kindWords(t, kind, `offer.${name}`),
            isGranted,
          ])}
        />
      )}
      {notes.map((note) => (
        <p key={note}>{kindWords(t, kind, `note.${note}`)}</p>
      ))}
    </div>
  );
}

export function ConnectionTest({
  connectionId,
  kind,
  buttonHeight,
}: Pick<ConnectionView, 'connectionId' | 'kind'> & { buttonHeight: number }): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('connection.test');
  const [tested, setTested] = useState<TestOutcome | undefined>();
  return (
    <>
      <Button
        h={buttonHeight}
        variant="default"
        loading={isRunning}
        onClick={() => void run({ connectionId }).then(setTested)}
      >
        {t('sync.testNow')}
      </Button>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {tested !== undefined && <Tested outcome={tested} kind={kind} />}
    </>
  );
}
