// Whose leads are on the screen: the name of the device, and the others that could be shown instead.

import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { useChosenDevice } from '../../entry/chosen-device.tsx';
import { Icon } from '../../parts/icon.tsx';
import { hasSignal, useDesk } from '../../parts/use-desk.ts';
import classes from './live.module.css';
import { releaseFocus } from './release-focus.ts';

/** `Isoline simulator 2 · Recording` */
function useDeviceWords(): (device: DeskDevice) => string {
  const { t } = useTranslation();
  return ({ name, state, recording }) => {
    const isRecording = recording !== undefined && !recording.isFinishing && state !== 'lost';
    return t('top.device', { name, state: t(`devices.state.${isRecording ? 'recording' : state}`) });
  };
}

export function DeviceSwitch({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const { devices = [] } = useDesk();
  const { choose } = useChosenDevice();
  const words = useDeviceWords();
  const shown = devices.filter(hasSignal);
  if (!shown.some(({ id }) => id !== device.id)) return <span data-testid="live-device">{device.name}</span>;
  return (
    <Menu position="bottom-end" width={320} returnFocus={false} onClose={releaseFocus}>
      <Menu.Target>
        <button
          type="button"
          className={classes.tool}
          data-testid="live-device"
          aria-label={t('live.deviceIs', { name: device.name })}
        >
          <Icon name="devices" size={17} />
          {device.name}
          <Icon name="down" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={device.id} onChange={choose}>
          {shown.map((each) => (
            <Menu.RadioItem key={each.id} value={each.id}>
              {words(each)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
