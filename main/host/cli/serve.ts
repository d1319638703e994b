// `isoline serve`: the /v3 service of a data folder without a window, until it is told to stop.

import { resolve } from 'node:path';
import { startWorkstation } from '../workstation.ts';
import { type Command, parseOverrides, parsePort, print, warn } from './command.ts';
import { untilSignal } from './until-signal.ts';

export const serveCommand: Command = {
  name: 'serve',
  usage: '--data-dir D [--port P] [--host H] [--tls HOW] [--set KEY=VALUE]…',
  options: {
    'data-dir': { value: 'D', meaning: 'The data folder; created if missing.' },
    port: { value: 'P', meaning: 'Port; 0 for any free port. Default: the setting service.port.' },
    host: {
      value: 'H',
      meaning:
        'Address to listen on; anything but loopback requires --tls. Default: the setting service.host.',
    },
    tls: {
      value: 'HOW',
      meaning:
        'off, self-signed, or files (settings service.tlsCertificate, service.tlsKey). Default: the setting service.tls.',
    },
    set: { value: 'KEY=VALUE', isRepeatable: true, meaning: 'Override a setting for this run.' },
  },
  positionals: [0, 0],
  async run(args) {
    const stopped = untilSignal();
    const tls = args.text('tls');
    const host = args.text('host');
    await using workstation = await startWorkstation({
      dataDir: resolve(args.required('data-dir')),
      ...(host !== undefined && { host }),
      port: parsePort(args.text('port'), serveCommand),
      overrides: parseOverrides(
        [...args.list('set'), ...(tls === undefined ? [] : [`service.tls=${tls}`])],
        serveCommand,
      ),
      onTrouble: warn,
    });
    print(JSON.stringify({ listening: workstation.serviceUrl, fingerprint: workstation.fingerprint }));
    await stopped;
  },
};
