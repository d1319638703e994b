// All ways out of this workstation, and into it, beside each other; and what is not set up yet.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CentreView } from '../../../shared/bridge/sync-views.ts';
import type { SyncList } from '../../../shared/sync-state.ts';
import { useSession } from '../../bridge/use-session.ts';
import { Icon } from '../../parts/icon.tsx';
import { ArchiveForm } from './archive-form.tsx';
import { CentreCard } from './centre-card.tsx';
import { ConnectForm } from './connect-form.tsx';
import classes from './connections.module.css';
import { OrderCards, useOrderSources } from './order-cards.tsx';

interface NotSetUpProps {
  readonly name: string;
  readonly isOpen: boolean;
  /** One is set up already. */
  readonly isMore?: boolean;
  onOpen(): void;
  readonly children?: ReactNode;
}

function NotSetUp({ name, isOpen, isMore, onOpen, children }: NotSetUpProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.missing}>
      <div>
        <Icon name="plus" />
        <span>
          <b>{t(`sync.card.${name}`)}</b> ·{' '}
          {t(isMore === true ? `sync.card.${name}More` : `sync.card.${name}Text`)}
        </span>
        {!isOpen && (
          <Button h={40} variant="default" onClick={onOpen} aria-label={t(`sync.card.${name}SetUp`)}>
            {t('sync.card.setUp')}
          </Button>
        )}
      </div>
      {isOpen && children}
    </div>
  );
}

interface ConnectionsProps {
  readonly centres: readonly CentreView[];
  onOpen(centreId: number, list: SyncList): void;
}

export function Connections({ centres, onOpen }: ConnectionsProps): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const sources = useOrderSources();
  // Where there is nothing, the first form is open already.
  const [opened, setOpened] = useState<'central' | 'archive' | undefined>(
    centres.length === 0 ? 'central' : undefined,
  );
  const hasCentral = centres.some(({ archive }) => archive === undefined);
  const toggle = (which: 'central' | 'archive') => (): void => setOpened(which);
  return (
    <div className={classes.connections}>
      {centres.length === 0 && <p className={classes.alone}>{t('sync.alone')}</p>}
      <div className={classes.cards}>
        {centres.map((centre) => (
          <CentreCard
            key={centre.centreId}
            centre={centre}
            onOpen={(list) => onOpen(centre.centreId, list)}
          />
        ))}
        {sources !== undefined && <OrderCards sources={sources} />}
      </div>
      {!may('settings') && centres.length === 0 && <p role="status">{t('settings.readOnly')}</p>}
      {may('settings') && (
        <>
          {!hasCentral && (
            <NotSetUp name="central" isOpen={opened === 'central'} onOpen={toggle('central')}>
              <ConnectForm />
            </NotSetUp>
          )}
          <NotSetUp
            name="archive"
            isMore={centres.some(({ archive }) => archive !== undefined)}
            isOpen={opened === 'archive'}
            onOpen={toggle('archive')}
          >
            <ArchiveForm onAdded={() => setOpened(undefined)} />
          </NotSetUp>
          {sources?.worklist === '' && (
            <NotSetUp
              name="worklist"
              isOpen={false}
              onOpen={() => {
                location.hash = '#/settings/hospital';
              }}
            />
          )}
          {sources?.folder === '' && (
            <NotSetUp
              name="folder"
              isOpen={false}
              onOpen={() => {
                location.hash = '#/settings/orders';
              }}
            />
          )}
        </>
      )}
    </div>
  );
}
