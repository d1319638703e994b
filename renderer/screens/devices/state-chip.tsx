// The state of a device in a word, a shape and a colour.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { deviceStateText } from '../../parts/device-state.ts';
import { clockTime } from '../../parts/format-time.ts';
import classes from './state-chip.module.css';

export function StateChip({
  device,
}: {
  device: Pick<DeskDevice, 'state' | 'lostSinceMs' | 'electrodesOff'>;
}): ReactNode {
  const { t } = useTranslation();
  const { state, lostSinceMs } = device;
  const text =
    state === 'lost' && lostSinceMs !== undefined
      ? t('devices.lostSince', { time: clockTime(lostSinceMs).clock })
      : deviceStateText(device);
  return (
    <span className={`${classes.chip} ${classes[state]}`}>
      <i aria-hidden="true" />
      {text}
    </span>
  );
}
