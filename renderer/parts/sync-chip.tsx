// How the way to the central service is, on every screen. To be without a network is usual, and never red.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView } from '../../shared/bridge/sync-views.ts';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { useSession } from '../bridge/use-session.ts';
import { Icon } from './icon.tsx';
import classes from './top-bar.module.css';

type ChipState = 'stopped' | 'decide' | 'paused' | 'offline' | 'unproven' | 'sending' | 'done';

/** Where there are several connections, the chip tells of the one that most needs somebody. */
const ORDER: readonly ChipState[] = ['stopped', 'decide', 'paused', 'offline', 'unproven', 'sending', 'done'];

/** "All sent" is said only of a centre that has answered. */
export function chipStateOf({ stop, trouble, toDecide, waiting, lastContactMs }: ConnectionView): ChipState {
  if (stop === 'person') return 'paused';
  if (stop !== undefined) return 'stopped';
  if (toDecide > 0) return 'decide';
  if (trouble !== undefined && waiting > 0) return 'offline';
  if (lastContactMs === undefined) return 'unproven';
  return waiting > 0 ? 'sending' : 'done';
}

export function SyncChip(): ReactNode {
  const { t } = useTranslation();
  const { isLocked } = useSession();
  const { data } = useBridgeQuery('sync.overview', {}, { isEnabled: !isLocked });
  const connections = data?.connections ?? [];
  if (connections.length === 0) return null;
  const states = connections.map(chipStateOf);
  const state = ORDER.find((each) => states.includes(each)) ?? 'done';
  const sum = (count: (connection: ConnectionView) => number): number =>
    connections.reduce((all, connection) => all + count(connection), 0);
  const count = state === 'decide' ? sum(({ toDecide }) => toDecide) : sum(({ waiting }) => waiting);
  return (
    <a className={classes.chip} data-state={`sync-${state}`} href="#/sync">
      <Icon name="sync" size={17} />
      {t(`sync.chip.${state}`, { count })}
    </a>
  );
}
