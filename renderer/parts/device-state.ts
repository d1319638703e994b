// The state of a device in words, the same wherever it is said.

import { t } from 'i18next';
import type { DeskDevice } from '../../shared/bridge/views.ts';

type Stated = Pick<DeskDevice, 'state' | 'electrodesOff'>;

/** A device that could record, and has an electrode without contact, is not simply ready. */
export const deviceStateText = ({ state, electrodesOff }: Stated): string =>
  state === 'ready' && electrodesOff !== 0 ? t('devices.readyButOff') : t(`devices.state.${state}`);
