// All ways out of this workstation, and into it, beside each other; and what is not set up yet.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView } from '../../../shared/bridge/sync-views.ts';
import {
  CONNECTION_KINDS,
  CONNECTIONS,
  type ConnectionKind,
} from '../../../shared/connections/connections.ts';
import type { SyncList } from '../../../shared/sync-state.ts';
import { useSession } from '../../bridge/use-session.ts';
import { Icon } from '../../parts/icon.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { kindWords } from './connection-words.ts';
import classes from './connections.module.css';
import { missingSources, OrderCards, SETTINGS_OF, toSettings, useOrderSources } from './order-cards.tsx';

interface NotSetUpProps {
  readonly title: string;
  readonly text: string;
  /** What the button does, for those who cannot see what it stands beside. */
  readonly setUp: string;
  onOpen(): void;
  /** The form, once it is open. */
  readonly children?: ReactNode;
}

function NotSetUp({ title, text, setUp, onOpen, children }: NotSetUpProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.missing}>
      <div>
        <Icon name="plus" />
        <span>
          <b>{title}</b> · {text}
        </span>
        {children === undefined && (
          <Button h={40} variant="default" onClick={onOpen} aria-label={setUp}>
            {t('sync.card.setUp')}
          </Button>
        )}
      </div>
      {children}
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
  // To a second central service every recording would go twice.
  const offered = CONNECTION_KINDS.filter((kind) => CONNECTIONS[kind].takes === 'results' || !has(kind));
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
          {offered.map((kind) => (
            <NotSetUp
              key={kind}
              title={kindWords(t, kind, 'title')}
              text={kindWords(t, kind, has(kind) ? 'more' : 'text')}
              setUp={kindWords(t, kind, 'setUp')}
              onOpen={() => setOpened(kind)}
            >
              {opened === kind ? (
                <ConnectionForm kind={kind} onAdded={() => setOpened(undefined)} />
              ) : undefined}
            </NotSetUp>
          ))}
          {sources !== undefined &&
            missingSources(sources).map((kind) => (
              <NotSetUp
                key={kind}
                title={t(`sync.card.${kind}`)}
                text={t(`sync.card.${kind}Text`)}
                setUp={t(`sync.card.${kind}SetUp`)}
                onOpen={toSettings(SETTINGS_OF[kind])}
              />
            ))}
        </>
      )}
    </div>
  );
}
