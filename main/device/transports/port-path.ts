// Which paths a page may have opened as a device. A serial port, or a pseudo-terminal, and nothing else:
// opening sets a terminal's modes and can block on a named pipe, so that a page must not be able to point at
// any file (SEC14).

import { realpath, stat } from 'node:fs/promises';
import { IsolineError } from '../../../shared/errors.ts';

/** After all links are followed. */
const SERIAL_DEVICES = /^\/dev\/(tty[A-Za-z][\w.-]*|cu\.[\w.-]+|pts\/\d+|rfcomm\d+|ttys\d+)$/;
const WINDOWS_PORTS = /^(\\\\\.\\)?COM\d{1,3}$/i;

/** @throws IsolineError `device_not_found`, `device_not_serial` */
export async function requireSerialPath(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const notSerial = (): IsolineError =>
    new IsolineError('device_not_serial', 'This is not a serial port. Choose a device from the list.');
  if (platform === 'win32') {
    if (!WINDOWS_PORTS.test(path)) throw notSerial();
    return;
  }
  if (!path.startsWith('/') || path.includes('\0')) throw notSerial();
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined)
    throw new IsolineError(
      'device_not_found',
      'This port does not exist. Plug the device in, or choose a port from the list.',
    );
  const facts = await stat(real).catch(() => undefined);
  if (!SERIAL_DEVICES.test(real) || facts?.isCharacterDevice() !== true) throw notSerial();
}
