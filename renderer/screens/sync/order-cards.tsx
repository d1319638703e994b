// Where orders come from, as cards: the folder of the practice software, and the worklist of the hospital.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { clockTime } from '../../parts/format-time.ts';
import { Card } from './card.tsx';

const LOOK_MS = 5000;

const toSettings = (group: string) => (): void => {
  location.hash = `#/settings/${group}`;
};

/** What is set up, by the settings. */
export interface OrderSources {
  readonly folder: string;
  readonly worklist: string;
}

export function useOrderSources(): OrderSources | undefined {
  const { data } = useBridgeQuery('setting.list', {});
  if (data === undefined) return undefined;
  const { values } = data;
  return {
    folder: values['orders.folder'] ?? '',
    worklist:
      (values['worklist.host'] ?? '') === ''
        ? ''
        : `${values['worklist.title']} · ${values['worklist.host']}`,
  };
}

function SourceCard({ kind, subtitle }: { kind: 'folder' | 'worklist'; subtitle: string }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const { data } = useBridgeQuery('order.list', {}, { everyMs: () => LOOK_MS });
  if (data === undefined) return null;
  const isTroubled = data.trouble === (kind === 'folder' ? 'unreadable' : 'worklist');
  const orders = data.orders.filter(({ facts }) => (facts.format === 'dicom') === (kind === 'worklist'));
  const last = Math.max(...orders.map(({ readMs }) => readMs));
  const open = orders.filter(({ state }) => state === 'new').length;
  const unread = kind === 'folder' ? data.unread.length : 0;
  return (
    <Card
      icon={kind === 'folder' ? 'folder' : 'worklist'}
      title={t(`sync.card.${kind}`)}
      subtitle={subtitle}
      state={isTroubled ? 'unreached' : unread > 0 ? 'attention' : 'working'}
      facts={[
        [
          t('sync.card.lastOrder'),
          orders.length === 0 ? t('sync.card.none') : clockTime(last).clock.slice(0, 5),
        ],
        [t('sync.card.openOrders'), open === 0 ? t('sync.card.none') : String(open)],
        [t('sync.card.orders'), String(orders.length)],
      ]}
      note={
        isTroubled
          ? t(`order.trouble.${kind === 'folder' ? 'unreadable' : 'worklist'}`)
          : unread > 0
            ? t('order.unread', { count: unread })
            : t(`sync.card.${kind}Works`)
      }
    >
      {may('settings') && (
        <Button h={40} variant="default" onClick={toSettings(kind === 'folder' ? 'orders' : 'hospital')}>
          {t('sync.card.settings')}
        </Button>
      )}
    </Card>
  );
}

export const OrderCards = ({ sources }: { sources: OrderSources }): ReactNode => (
  <>
    {sources.worklist !== '' && <SourceCard kind="worklist" subtitle={sources.worklist} />}
    {sources.folder !== '' && <SourceCard kind="folder" subtitle={sources.folder} />}
  </>
);
