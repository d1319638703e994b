// `isoline devices`: the ports of this computer, and what their adapters suggest.

import { adapterOf, nameOfPort } from '../../device/desk-device.ts';
import { weightOf } from '../../device/detection/detect.ts';
import { DRIVERS } from '../../device/drivers/drivers.ts';
import { listPorts } from '../../device/transports/list-ports.ts';
import { type Command, print } from './command.ts';

export const devicesCommand: Command = {
  name: 'devices',
  usage: '[--json]',
  options: { json: { meaning: 'One JSON object per line.' } },
  positionals: [0, 0],
  async run(args) {
    const ports = await listPorts();
    const rows = ports.map((port) => ({
      path: port.path,
      name: nameOfPort(port),
      adapter: adapterOf(port),
      serialNumber: port.serialNumber,
      drivers: DRIVERS.filter((driver) => weightOf(driver, port) > 0)
        .sort((a, b) => weightOf(b, port) - weightOf(a, port))
        .map(({ id }) => id),
    }));
    if (args.isOn('json')) {
      for (const row of rows) print(JSON.stringify(row));
      return;
    }
    if (rows.length === 0)
      print('No serial ports. Plug a device in; a pseudo-terminal is named by its path.');
    const width = Math.max(0, ...rows.map(({ path }) => path.length)) + 2;
    for (const { path, name, drivers } of rows)
      print(`${path.padEnd(width)}${name}${drivers.length === 0 ? '' : ` (may be: ${drivers.join(', ')})`}`);
    print(`Drivers: ${DRIVERS.map(({ id }) => id).join(', ')}.`);
  },
};
