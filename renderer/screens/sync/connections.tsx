// All ways out of this workstation, and into it, beside each other; and what is not set up yet.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionKind, SyncList } from '../../../shared/sync-state.ts';
import { useSession } from '../../bridge/use-session.ts';
import { Icon } from '../../parts/icon.tsx';
import { ConnectForm } from './connect-form.tsx';
import { ConnectionCard } from './connection-card.tsx';
import classes from './connections.module.css';
import { FhirForm } from './fhir-form.tsx';
import { HospitalForm } from './hospital-form.tsx';
import { missingSources, OrderCards, SETTINGS_OF, toSettings, useOrderSources } from './order-cards.tsx';

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
  readonly connections: readonly ConnectionView[];
  onOpen(connectionId: number, list: SyncList): void;
}

export function Connections({ connections, onOpen }: ConnectionsProps): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const sources = useOrderSources(connections);
  // Where there is nothing, the first form is open already.
  const [opened, setOpened] = useState<ConnectionKind | undefined>(
    connections.length === 0 ? 'central' : undefined,
  );
  const has = (wanted: ConnectionKind): boolean => connections.some(({ kind }) => kind === wanted);
  const toggle = (which: ConnectionKind) => (): void => setOpened(which);
  return (
    <div className={classes.connections}>
      {connections.length === 0 && <p className={classes.alone}>{t('sync.alone')}</p>}
      <div className={classes.cards}>
        {connections.map((connection) => (
          <ConnectionCard
            key={connection.connectionId}
            connection={connection}
            onOpen={(list) => onOpen(connection.connectionId, list)}
          />
        ))}
        {sources !== undefined && <OrderCards sources={sources} />}
      </div>
      {!may('settings') && connections.length === 0 && <p role="status">{t('settings.readOnly')}</p>}
      {may('settings') && (
        <>
          {!has('central') && (
            <NotSetUp name="central" isOpen={opened === 'central'} onOpen={toggle('central')}>
              <ConnectForm />
            </NotSetUp>
          )}
          <NotSetUp
            name="archive"
            isMore={has('archive')}
            isOpen={opened === 'archive'}
            onOpen={toggle('archive')}
          >
            <HospitalForm kind="archive" onAdded={() => setOpened(undefined)} />
          </NotSetUp>
          <NotSetUp
            name="results"
            isMore={has('results')}
            isOpen={opened === 'results'}
            onOpen={toggle('results')}
          >
            <HospitalForm kind="results" onAdded={() => setOpened(undefined)} />
          </NotSetUp>
          <NotSetUp name="fhir" isMore={has('fhir')} isOpen={opened === 'fhir'} onOpen={toggle('fhir')}>
            <FhirForm onAdded={() => setOpened(undefined)} />
          </NotSetUp>
          {sources !== undefined &&
            missingSources(sources).map((kind) => (
              <NotSetUp key={kind} name={kind} isOpen={false} onOpen={toSettings(SETTINGS_OF[kind])} />
            ))}
        </>
      )}
    </div>
  );
}
