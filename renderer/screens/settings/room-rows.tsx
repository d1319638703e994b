// Room on the disk: how much, for how long, and whether somebody who takes the disk could read it.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StorageState } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { localNumber, sizeText } from '../../parts/size-text.ts';
import { SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';

/** Less than that, and somebody should do something about it now. */
const SOON_DAYS = 60;
/** Beyond that, a number would only seem to know. */
const FAR_DAYS = 3650;

function lasts(t: ReturnType<typeof useTranslation>['t'], { lastsDays }: StorageState): string {
  if (lastsDays === undefined) return '';
  return lastsDays > FAR_DAYS ? t('room.lastsLong') : t('room.lasts', { count: lastsDays });
}

export function RoomRows(): ReactNode {
  const { t } = useTranslation();
  const { data: state } = useBridgeQuery('storage.state', {});
  if (state === undefined) return null;
  const isShort = state.lastsDays !== undefined && state.lastsDays < SOON_DAYS;
  return (
    <div className={classes.card}>
      <SettingRow
        title={t('room.title')}
        effect={
          <>
            {t('room.hours', { hours: localNumber(state.roomHours) })}{' '}
            <b className={isShort ? classes.trouble : ''}>{lasts(t, state)}</b>
          </>
        }
      >
        <strong>{t('room.free', { size: sizeText(state.freeBytes) })}</strong>
      </SettingRow>
      <SettingRow title={t('room.encryption')} effect={t(`room.encryptionText.${state.encryption}`)}>
        <span className={classes.state} data-state={state.encryption}>
          <Icon name={state.encryption === 'on' ? 'check' : 'warning'} />
          {t(`room.encryptionState.${state.encryption}`)}
        </span>
      </SettingRow>
    </div>
  );
}
