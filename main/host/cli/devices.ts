// `isoline devices`: the ports of this computer, and what their adapters suggest.

import { adapterOf, nameOfPort } from '../../device/desk-device.ts';
import { weightOf } from '../../device/detection/detect.ts';
import { DRIVERS } from '../../device/drivers/drivers.ts';
import { findLslStreams } from '../../device/transports/find-lsl-streams.ts';
import { listPorts } from '../../device/transports/list-ports.ts';
import { writeLslPath } from '../../device/transports/lsl-path.ts';
import { type Arguments, type Command, print } from './command.ts';

const SEARCH_MS = 2000;

async function printStreams(args: Arguments): Promise<void> {
  const host = args.text('host');
  const streams = await findLslStreams(host, SEARCH_MS);
  for (const { info, address } of streams) {
    const { name, type, channelCount, rateHz } = info;
    const row = { path: writeLslPath(info, host), name, type, channels: channelCount, rateHz, address };
    print(
      args.isOn('json')
        ? JSON.stringify(row)
        : `${row.path}  ${name} (${type}, ${channelCount} channels, ${rateHz} Hz, ${address})`,
    );
  }
  if (streams.length === 0 && !args.isOn('json'))
    print('No streams. Start the other program, or name its computer with --host.');
}

export const devicesCommand: Command = {
  name: 'devices',
  usage: '[--json] [--streams [--host HOST]]',
  options: {
    json: { meaning: 'One JSON object per line.' },
    streams: { meaning: 'Look for streams of other programs on the network (LSL) instead.' },
    host: { value: 'HOST', meaning: 'Ask this computer alone for streams.' },
  },
  positionals: [0, 0],
  async run(args) {
    if (args.isOn('streams')) return printStreams(args);
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
