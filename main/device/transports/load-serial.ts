// Serial ports need a native part, which not every start of the program needs and not every system has.

import { IsolineError } from '../../../shared/errors.ts';
import type { OpenTransport, PortInfo } from './transport.ts';

export interface SerialDoor {
  readonly openSerial: OpenTransport;
  listPorts(): Promise<PortInfo[]>;
}

/**
 * Where the native part can't be loaded, the simulator is still there, and a port says why it can't be
 * opened.
 */
export async function loadSerial(): Promise<SerialDoor> {
  try {
    const [{ openSerial }, { listPorts }] = await Promise.all([
      import('./serial.ts'),
      import('./list-ports.ts'),
    ]);
    return { openSerial, listPorts: () => listPorts() };
  } catch {
    const openSerial: OpenTransport = () =>
      Promise.reject(
        new IsolineError(
          'device_not_found',
          'Serial ports are not available. Install the version of Isoline for this operating system.',
        ),
      );
    return { openSerial, listPorts: async () => [] };
  }
}
