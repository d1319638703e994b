// A central service, an archive or a receiver of results as a card.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionKind } from '../../../shared/connections/connections.ts';
import type { SyncList } from '../../../shared/sync-state.ts';
import { useSession } from '../../bridge/use-session.ts';
import { CrowdedDoor } from '../../parts/crowded-door.tsx';
import { clockTime, dayOf, duration } from '../../parts/format-time.ts';
import type { IconName } from '../../parts/icon.tsx';
import { Card } from './card.tsx';
import { connectionNote, connectionState } from './connection-state.ts';
import { ConnectionTest } from './connection-test.tsx';
import { kindWords } from './connection-words.ts';

const ICONS: Partial<Readonly<Record<ConnectionKind, IconName>>> = {
  central: 'cloud',
  dicom: 'archive',
  hl7: 'code',
  fhir: 'flash',
};

interface CentreCardProps {
  readonly connection: ConnectionView;
  /** Shows one of its lists, with what can be done about the connection beside it. */
  onOpen(list: SyncList): void;
}

export function ConnectionCard({ connection, onOpen }: CentreCardProps): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const {
    connectionId,
    label,
    host,
    kind,
    facts: shown,
    isConfirming,
    waiting,
    atCentre,
    held,
    toDecide,
    lastDoneMs,
    oldestMs,
    doneToday,
  } = connection;
  const state = connectionState(connection);
  const facts: readonly (readonly [string, string])[] = [
    [
      t('sync.card.lastDone'),
      lastDoneMs === undefined
        ? t('sync.card.none')
        : `${clockTime(lastDoneMs).clock.slice(0, 5)}, ${dayOf(lastDoneMs)}`,
    ],
    [t('sync.fact.waiting'), waiting === 0 ? t('sync.card.none') : String(waiting)],
    oldestMs !== undefined && state === 'unreached'
      ? [t('sync.card.oldest'), duration(Date.now() - oldestMs)]
      : [t('sync.fact.doneToday'), String(doneToday)],
  ];
  return (
    <Card
      icon={ICONS[kind] ?? 'up'}
      title={kindWords(t, kind, 'title')}
      subtitle={[...new Set([label, ...(shown.title === undefined ? [] : [shown.title]), host])].join(' · ')}
      state={state}
      facts={facts}
      bars={connection.doneByHalfHour}
      note={connectionNote(t, connection)}
    >
      {isConfirming === true && <CrowdedDoor name="dicom" />}
      {toDecide > 0 && (
        <Button h={40} onClick={() => onOpen('decide')}>
          {t('sync.card.decide')}
        </Button>
      )}
      <Button
        h={40}
        variant="default"
        onClick={() => onOpen(waiting + atCentre + held > 0 ? 'queue' : 'done')}
      >
        {t('sync.card.details')}
      </Button>
      {may('sync') && <ConnectionTest connectionId={connectionId} kind={kind} buttonHeight={40} />}
    </Card>
  );
}
