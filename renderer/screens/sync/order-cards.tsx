// Where orders come from, as cards: the folder of the practice software, the worklist of the hospital, its messages, its FHIR
// server.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView } from '../../../shared/bridge/sync-views.ts';
import type { OrderFacts, OrderTrouble } from '../../../shared/order.ts';
import type { SettingKey } from '../../../shared/settings.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { CrowdedDoor } from '../../parts/crowded-door.tsx';
import { clockTime } from '../../parts/format-time.ts';
import { Card } from './card.tsx';

const LOOK_MS = 5000;

export const toSettings = (group: string) => (): void => {
  location.hash = `#/settings/${group}`;
};

/** The sources that are set up in the settings. */
const SETTING_KINDS = ['worklist', 'hl7', 'folder'] as const;
/** A FHIR server is set up for results, too. */
const KINDS = [...SETTING_KINDS, 'fhirOrders'] as const;
export type SettingSource = (typeof SETTING_KINDS)[number];
type SourceKind = (typeof KINDS)[number];

const TROUBLES: Readonly<Record<SourceKind, readonly OrderTrouble[]>> = {
  folder: ['unreadable'],
  worklist: ['worklist'],
  hl7: ['hl7'],
  fhirOrders: ['fhir', 'fhirPart'],
};
const ICONS = { folder: 'folder', worklist: 'worklist', hl7: 'code', fhirOrders: 'flash' } as const;
export const SETTINGS_OF = { folder: 'orders', worklist: 'hospital', hl7: 'hospital' } as const;

const sourceOf = (format: OrderFacts['format']): SourceKind =>
  (({ gdt: 'folder', csv: 'folder', dicom: 'worklist', hl7: 'hl7', fhir: 'fhirOrders' }) as const)[format];

/** What is set up, in words; empty where it is not. */
export type OrderSources = Readonly<Record<SourceKind, string>>;

export function useOrderSources(connections: readonly ConnectionView[]): OrderSources | undefined {
  const { data } = useBridgeQuery('setting.list', {});
  if (data === undefined) return undefined;
  const value = (key: SettingKey): string => data.values[key] ?? '';
  return {
    folder: value('orders.folder'),
    worklist: value('worklist.host') === '' ? '' : `${value('worklist.title')} · ${value('worklist.host')}`,
    hl7:
      value('hl7.port') === '0'
        ? ''
        : `MLLP${value('hl7.tls') === 'true' ? ' · TLS' : ''} · ${value('hl7.host')}:${value('hl7.port')}`,
    fhirOrders: connections
      .filter(({ takesOrders }) => takesOrders)
      .map(({ label, host }) => (label === host ? host : `${label} · ${host}`))
      .join(', '),
  };
}

function SourceCard({ kind, subtitle }: { kind: SourceKind; subtitle: string }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const { data } = useBridgeQuery('order.list', { limit: 0 }, { everyMs: () => LOOK_MS });
  if (data === undefined) return null;
  const trouble = TROUBLES[kind].find((each) => data.troubles.includes(each));
  const sources = data.sources.filter(({ format }) => sourceOf(format) === kind);
  const last = Math.max(...sources.map(({ lastMs }) => lastMs));
  const [count, open] = [
    sources.reduce((sum, source) => sum + source.count, 0),
    sources.reduce((sum, source) => sum + source.open, 0),
  ];
  const unread = kind === 'folder' ? data.unreadTotal : 0;
  return (
    <Card
      icon={ICONS[kind]}
      title={t(`sync.card.${kind}`)}
      subtitle={subtitle}
      state={
        trouble === 'fhirPart'
          ? 'attention'
          : trouble !== undefined
            ? 'unreached'
            : unread > 0
              ? 'attention'
              : 'working'
      }
      facts={[
        [t('sync.card.lastOrder'), count === 0 ? t('sync.card.none') : clockTime(last).clock.slice(0, 5)],
        [t('sync.card.openOrders'), open === 0 ? t('sync.card.none') : String(open)],
        [t('sync.card.orders'), String(count)],
      ]}
      note={
        trouble !== undefined
          ? t(`order.trouble.${trouble}`)
          : unread > 0
            ? t('order.unread', { count: unread })
            : t(`sync.card.${kind}Works`)
      }
    >
      {kind === 'hl7' && <CrowdedDoor name="hl7" />}
      {kind !== 'fhirOrders' && may('settings') && (
        <Button h={40} variant="default" onClick={toSettings(SETTINGS_OF[kind])}>
          {t('sync.card.settings')}
        </Button>
      )}
    </Card>
  );
}

export const OrderCards = ({ sources }: { sources: OrderSources }): ReactNode =>
  KINDS.map((kind) => sources[kind] !== '' && <SourceCard key={kind} kind={kind} subtitle={sources[kind]} />);

/** The sources that are not set up. */
export const missingSources = (sources: OrderSources): readonly SettingSource[] =>
  SETTING_KINDS.filter((kind) => sources[kind] === '');
