// Whether a connection works, tried at the press of a button, and what that has shown.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView, TestOutcome } from '../../../shared/bridge/sync-views.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { Icon } from '../../parts/icon.tsx';
import { troubleWords, WORDS_OF } from './connection-words.ts';
import classes from './sync.module.css';

const RIGHTS = ['read', 'upload', 'create', 'stream'] as const;
const OFFERS = ['ecg', 'longEcg', 'report', 'findings', 'confirmation'] as const;

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
function Tested({ test, kind }: { test: TestOutcome } & Pick<ConnectionView, 'kind'>): ReactNode {
  const { t } = useTranslation();
  const { rights, archive: offers } = test;
  if (!test.isReached) return <p role="alert">{troubleWords(t, kind, test.trouble ?? 'offline')}</p>;
  const ms = Math.round(test.tookMs);
  if (kind === 'results' || kind === 'fhir')
    return <p role="status">{t(`${WORDS_OF[kind]}.reached`, { ms })}</p>;
  if (offers !== undefined)
    return (
      <div role="status">
        <p>{t('sync.archive.reached', { ms })}</p>
        <Granted what={OFFERS.map((offer) => [t(`sync.archive.offer.${offer}`), offers[offer]])} />
      </div>
    );
  return (
    <div role="status">
      <p>{t('sync.test.reached', { ms })}</p>
      {rights !== undefined && (
        <Granted what={RIGHTS.map((right) => [t(`sync.right.${right}`), rights[right]])} />
      )}
      <p>{t(test.isStreamProven ? 'sync.test.streams' : 'sync.test.files')}</p>
    </div>
  );
}

export function ConnectionTest({
  connectionId,
  kind,
  buttonHeight,
}: Pick<ConnectionView, 'connectionId' | 'kind'> & { buttonHeight: number }): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('centre.test');
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
      {tested !== undefined && <Tested test={tested} kind={kind} />}
    </>
  );
}
