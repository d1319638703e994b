// The picture itself, with what has to stand on every strip: whose it is, and how it is drawn (screens, 2.2).

import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { useCalibration } from '../../trace/calibration.ts';
import { DISPLAY_FILTERS, type DisplayFilter } from '../../trace/display-filter.ts';
import { missingWords } from '../../trace/missing-words.ts';
import { useLiveView } from '../../trace/use-live-view.ts';
import classes from './live.module.css';
import type { LiveSettings } from './live-settings.ts';
import { useFilterWords } from './live-toolbar.tsx';

interface LiveFieldProps {
  readonly device: DeskDevice;
  readonly settings: LiveSettings;
  readonly filter: DisplayFilter;
  readonly isFrozen: boolean;
  /** The lead of the layout with one. */
  readonly lead: number;
  /** Whose signal it is. */
  readonly whose: string;
  /** Said of the picture to those who don't see it. */
  readonly description: string;
}

export function LiveField({
  device,
  settings,
  filter,
  isFrozen,
  lead,
  whose,
  description,
}: LiveFieldProps): ReactNode {
  const { t } = useTranslation();
  const field = useRef<HTMLDivElement>(null);
  const calibration = useCalibration();
  const { speedMmPerS, gainMmPerMv, kind, mode, order } = settings;
  useLiveView(field, {
    device,
    filter,
    order,
    picture: { kind, lead, mode, speedMmPerS, gainMmPerMv, pxPerMm: calibration.pxPerMm, isFrozen },
    simulated: t('devices.simulated'),
    missing: missingWords,
  });
  const words = useFilterWords(filter);
  const isUsual = speedMmPerS === 25 && gainMmPerMv === 10 && DISPLAY_FILTERS[filter.name].isDiagnostic;
  const facts = [
    `${speedMmPerS} mm/s`,
    `${gainMmPerMv} mm/mV`,
    words,
    calibration.isTrue ? t('live.trueMm') : t('live.notCalibrated'),
    ...(isFrozen ? [t('live.frozenTag')] : []),
  ];
  return (
    <div
      className={classes.field}
      data-recording={device.recording !== undefined && !device.recording.isFinishing ? true : undefined}
    >
      <div
        ref={field}
        className={classes.canvas}
        role="img"
        aria-label={description}
        data-testid="live-picture"
      />
      <p className={classes.caption}>
        <span>{whose}</span>
        <span className={isUsual ? undefined : classes.unusualText}>{facts.join(' · ')}</span>
      </p>
      {isFrozen && (
        <p role="status" className={classes.frozen}>
          {t(
            device.recording !== undefined && !device.recording.isFinishing
              ? 'live.frozen'
              : 'live.frozenIdle',
          )}
        </p>
      )}
    </div>
  );
}
