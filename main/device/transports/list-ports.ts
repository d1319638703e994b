// The ports of this computer. The package asks a program of the system for them, which may be missing, slow,
// or fail without a word; on Linux the kernel's own list stands in for it. Device protocols reference, 1.1.

import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SerialPort } from 'serialport';
import type { PortInfo } from './transport.ts';

const LIMIT_MS = 3000;
const LEVELS_UP = 8;

type ListedPort = Awaited<ReturnType<typeof SerialPort.list>>[number] & { readonly friendlyName?: string };

const hex4 = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text.toLowerCase().padStart(4, '0');
type Facts = Omit<PortInfo, 'path'>;
/** Without those that nobody knows. */
const given = (facts: { readonly [K in keyof Facts]: Facts[K] | undefined }): Facts =>
  Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''),
  ) as Facts;

/** Linux writes the product into the middle of this: `usb-FTDI_FT231X_USB_UART_D200PMA1-if00-port0`. */
const productOf = ({ friendlyName, pnpId }: ListedPort): string | undefined =>
  friendlyName ?? /^usb-(.+?)(?:-if\d+.*)?$/.exec(pnpId ?? '')?.[1]?.replaceAll('_', ' ');

function toPortInfo(port: ListedPort): PortInfo {
  // The other name waits for a carrier when it is opened.
  const path = process.platform === 'darwin' ? port.path.replace('/dev/tty.', '/dev/cu.') : port.path;
  return {
    path,
    ...given({
      vendorId: hex4(port.vendorId),
      productId: hex4(port.productId),
      serialNumber: port.serialNumber,
      manufacturer: port.manufacturer,
      product: productOf(port),
      location: port.locationId ?? port.pnpId,
    }),
  };
}

async function read(folder: string, name: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, name), 'utf8')).trim();
  } catch {
    // Not every level of the tree tells it.
    return undefined;
  }
}

/** Real devices have a link to their driver; the USB device is some levels above. */
async function fromKernel(root: string, name: string): Promise<PortInfo | undefined> {
  let folder: string;
  try {
    folder = await realpath(join(root, name, 'device'));
  } catch {
    return undefined;
  }
  for (let level = 0; level < LEVELS_UP; level++, folder = dirname(folder)) {
    const vendorId = await read(folder, 'idVendor');
    if (vendorId === undefined) continue;
    const [productId, serialNumber, manufacturer, product] = await Promise.all(
      ['idProduct', 'serial', 'manufacturer', 'product'].map((each) => read(folder, each)),
    );
    return {
      path: `/dev/${name}`,
      ...given({
        vendorId: hex4(vendorId),
        productId: hex4(productId),
        serialNumber,
        manufacturer,
        product,
        location: folder,
      }),
    };
  }
  return { path: `/dev/${name}` };
}

/** @param root of the kernel's list of terminals. */
export async function listFromKernel(root = '/sys/class/tty'): Promise<PortInfo[]> {
  const names = await readdir(root).catch(() => []);
  const ports = await Promise.all(names.map((name) => fromKernel(root, name)));
  return ports.filter((port) => port !== undefined);
}

const expired = (): Promise<PortInfo[]> =>
  new Promise((resolve) => setTimeout(resolve, LIMIT_MS, []).unref());

/**
 * USB devices first, UARTs of the board last. Never rejects: where nothing can be found out there are no
 * ports.
 */
export async function listPorts(list: () => Promise<ListedPort[]> = SerialPort.list): Promise<PortInfo[]> {
  const listed = await Promise.race([list().then((ports) => ports.map(toPortInfo)), expired()]).catch(
    () => [],
  );
  const ports = listed.length === 0 && process.platform === 'linux' ? await listFromKernel() : listed;
  const rank = ({ vendorId }: PortInfo): number => (vendorId === undefined ? 1 : 0);
  return ports.sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
}
