// Where a device is, as a person knows it: its adapter and port, or what its way here is called.

import type { DeskDevice } from '../../../shared/bridge/views.ts';

/** Paths that name a stream or a Bluetooth device say the same as what stands beside them. */
const SAYS_ITSELF = /^(lsl|brainflow|bluetooth):/;

export const placeOf = ({ adapter, port }: Pick<DeskDevice, 'adapter' | 'port'>): string =>
  adapter === undefined ? port : SAYS_ITSELF.test(port) ? adapter : `${adapter} · ${port}`;
