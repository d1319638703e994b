import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { weightOf } from '../../../main/device/detection/detect.ts';
import { findDriver } from '../../../main/device/drivers/drivers.ts';
import { listFromKernel, listPorts } from '../../../main/device/transports/list-ports.ts';
import { identityOf } from '../../../main/device/transports/transport.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const port = (facts: object) => ({
  path: '/dev/ttyUSB0',
  manufacturer: undefined,
  serialNumber: undefined,
  pnpId: undefined,
  locationId: undefined,
  vendorId: undefined,
  productId: undefined,
  ...facts,
});

test('ports are known by what they are, in one spelling, USB first', async () => {
  const ports = await listPorts(async () => [
    port({ path: '/dev/ttyS0' }),
    port({
      vendorId: '0403',
      productId: '6015',
      serialNumber: 'D200',
      pnpId: 'usb-FTDI_FT231X_USB_UART_D200-if00-port0',
    }),
    port({ path: 'COM4', vendorId: '1A86', productId: '7523', friendlyName: 'USB-SERIAL CH340 (COM4)' }),
  ]);
  expect(ports.map(({ path }) => path)).toEqual(['/dev/ttyUSB0', 'COM4', '/dev/ttyS0']);
  expect(ports[0]).toMatchObject({ product: 'FTDI FT231X USB UART D200' });
  expect(weightOf(findDriver('cyton'), ports[0]!)).toBe(2);
  expect(weightOf(findDriver('chords'), ports[1]!)).toBe(2);
  expect(identityOf(ports[0]!)).toBe('usb:0403:6015:D200');
});

test('a program of the system that is missing, fails or hangs neither ends us nor hides ports', async () => {
  const missing = Object.assign(new Error('spawn udevadm ENOENT'), { code: 'ENOENT' });
  for (const list of [() => Promise.reject(missing), async () => []])
    expect(Array.isArray(await listPorts(list))).toBe(true);
  const startMs = performance.now();
  await listPorts(() => new Promise(() => undefined));
  expect(performance.now() - startMs).toBeLessThan(5000);
});

test.skipIf(process.platform === 'win32')(
  'the kernel’s own list tells the USB device some levels above',
  async () => {
    await using folder = await tempFolder();
    const usb = join(folder.path, 'usb1', '1-2');
    mkdirSync(join(usb, '1-2:1.0', 'ttyUSB7'), { recursive: true });
    for (const [name, text] of Object.entries({
      idVendor: '10c4',
      idProduct: 'ea60',
      serial: '0001',
      product: 'CP2102',
    }))
      writeFileSync(join(usb, name), `${text}\n`);
    const list = join(folder.path, 'class');
    mkdirSync(join(list, 'ttyUSB7'), { recursive: true });
    mkdirSync(join(list, 'tty3'), { recursive: true });
    symlinkSync(join(usb, '1-2:1.0', 'ttyUSB7'), join(list, 'ttyUSB7', 'device'));
    expect(await listFromKernel(list)).toMatchObject([
      { path: '/dev/ttyUSB7', vendorId: '10c4', productId: 'ea60', serialNumber: '0001', product: 'CP2102' },
    ]);
  },
);
