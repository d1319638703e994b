// What must be known on every screen: a recording that runs elsewhere, a device that is lost in the middle of
// one, data of nobody's (screens,
// 4.1). It stands under the top bar and covers nothing.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceTrouble, StorageTrouble } from '../../shared/bridge/views.ts';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { useCommand } from '../bridge/use-command.ts';
import { useSession } from '../bridge/use-session.ts';
import { errorText } from '../text/text.ts';
import { AlarmBar } from './alarms/alarm-bar.tsx';
import { ConsultationNotice } from './consultation-notice.tsx';
import { CriticalNotice } from './critical-notice.tsx';
import { clockTime, dayOf, runningTime } from './format-time.ts';
import { Icon } from './icon.tsx';
import { Key } from './key.tsx';
import { nameOf } from './patient-line.tsx';
import classes from './standing-banner.module.css';
import { useDesk } from './use-desk.ts';

interface StandingBannersProps {
  /** The live leads say it themselves. */
  readonly isLive: boolean;
  readonly isDemo: boolean;
  readonly serviceTrouble: ServiceTrouble | undefined;
  readonly storageTrouble: StorageTrouble | undefined;
  /** Why an emergency recording did not begin. */
  readonly trouble: string | undefined;
}

export function StandingBanners({
  isLive,
  isDemo,
  serviceTrouble,
  storageTrouble,
  trouble,
}: StandingBannersProps): ReactNode {
  const { t } = useTranslation();
  const { device } = useDesk();
  const recording = device?.recording;
  const isElsewhere = !isLive && recording !== undefined && !recording.isFinishing;
  const { may, isLocked } = useSession();
  const { data: sync } = useBridgeQuery('sync.overview', {}, { isEnabled: !isLocked });
  const { data: backup } = useBridgeQuery('backup.state', {}, { isEnabled: !isLocked });
  const raised = isLocked ? undefined : sync?.raised[0];
  const asked = sync?.asked[0];
  const seen = useCommand('sync.seen');
  const changeSetting = useCommand('setting.change');
  const [isPortChanged, setPortChanged] = useState(false);
  const takePort = async (port: number): Promise<void> => {
    if ((await changeSetting.run({ key: 'service.port', text: String(port) })) !== undefined)
      setPortChanged(true);
  };
  return (
    <div className={classes.banners}>
      <AlarmBar />
      <CriticalNotice />
      <ConsultationNotice />
      {storageTrouble !== undefined && (
        <p className={classes.trouble} role="alert">
          <Icon name="storage" />
          <span>{t(`banner.storage.${storageTrouble}`)}</span>
          {!isLocked && may('settings') && (
            <a href={storageTrouble === 'databaseDamaged' ? '#/start/restore' : '#/settings/storage'}>
              {t(storageTrouble === 'databaseDamaged' ? 'banner.restore' : 'banner.look')}
            </a>
          )}
        </p>
      )}
      {raised !== undefined && (
        <p className={classes.trouble} role="alert">
          <Icon name="bell" />
          <span>
            {t('banner.raised', { name: nameOf(raised.patient), severity: t(`severity.${raised.severity}`) })}
          </span>
          <a href={`#/worklist/${raised.taskId}`} onClick={() => void seen.run({ itemId: raised.itemId })}>
            {t('banner.look')}
          </a>
        </p>
      )}
      {asked !== undefined && (
        <p className={classes.recording} role="status">
          <i aria-hidden="true" />
          <span>
            {t(`banner.asked.${asked.command}`)} {asked.isObeyed && t('banner.askedObeyed')}
          </span>
          <a href="#/live">{t('banner.goBack')}</a>
        </p>
      )}
      {trouble !== undefined && (
        <p className={classes.trouble} role="alert">
          <Icon name="warning" />
          <span>{trouble}</span>
        </p>
      )}
      {isElsewhere && (
        <p className={classes.recording} role="status">
          <i aria-hidden="true" />
          <span>
            {device?.lostSinceMs === undefined
              ? t('banner.recording', { time: runningTime(recording.recordedMs) })
              : t('devices.lostNotice', { time: clockTime(device.lostSinceMs).clock })}
          </span>
          <a href="#/live">
            {t('banner.goBack')} <Key of="everywhere.toLive" />
          </a>
        </p>
      )}
      {serviceTrouble !== undefined && (
        <p className={classes.trouble} role="status">
          <Icon name="warning" />
          <span>
            {t(isPortChanged ? 'banner.servicePortChanged' : 'banner.serviceOff', {
              port: serviceTrouble.port,
            })}
          </span>
          {serviceTrouble.freePort !== undefined && !isPortChanged && !isLocked && may('settings') && (
            <Button
              size="compact-md"
              variant="default"
              onClick={() => void takePort(serviceTrouble.freePort as number)}
            >
              {t('banner.usePort', { port: serviceTrouble.freePort })}
            </Button>
          )}
        </p>
      )}
      {!isLocked && may('settings') && backup?.isLate === true && (
        <p className={classes.trouble} role="status">
          <Icon name="storage" />
          <span>
            {backup.lastGood === undefined
              ? t('backup.bannerNever')
              : t('backup.banner', { day: dayOf(backup.lastGood.atMs) })}{' '}
            {backup.failed !== undefined && errorText(backup.failed)}
          </span>
          <a href="#/settings/storage">{t('backup.look')}</a>
        </p>
      )}
      {isDemo && (
        <p className={classes.demo}>
          <Icon name="warning" />
          <span>{t('banner.demo')}</span>
        </p>
      )}
    </div>
  );
}
