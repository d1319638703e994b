// `isoline start`: the workstation. In Electron where its program is there or can be had, else in a browser
// on this computer.

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { BridgePort } from '../../../shared/bridge/messages.ts';
import { rendererFolder } from '../../product/product.ts';
import { startBrowserHost } from '../browser/browser.ts';
import { defaultDataFolder } from '../default-data-folder.ts';
import { threadOf } from '../kept-thread.ts';
import { type AttachDesk, joinPage } from '../page/page-bridge.ts';
import { loadRenderer } from '../page/renderer-files.ts';
import { keepSeatDoor } from '../seats/seat-door.ts';
import { startWorkstation, type Workstation } from '../workstation.ts';
import { buildElectron, buildRenderer, buildThread } from './build.ts';
import { type Command, parsePort, print, usageError, warn } from './command.ts';
import { findElectron } from './electron-program.ts';
import { openInBrowser } from './open-browser.ts';
import { untilSignal } from './until-signal.ts';

interface StartOptions {
  readonly dataDir: string;
  readonly port: number | undefined;
  readonly servicePort: number | undefined;
  readonly withSeats: boolean;
}

const SEATS_ON = [['seats.on', 'true']] as const;
/** The worklist is what people look for first; the devices are looked for a moment later. */
const DESK_PAUSE_MS = 700;

interface Opened extends AsyncDisposable {
  readonly workstation: Workstation;
  readonly attach: Promise<AttachDesk>;
  connect(): BridgePort;
}

/** The workstation at once, the devices on its desk when that stands. */
async function openAll({ dataDir, servicePort, withSeats }: StartOptions): Promise<Opened> {
  const workstation = await startWorkstation({
    dataDir,
    port: servicePort,
    isServiceOptional: true,
    hasFirstStart: true,
    ...(withSeats && { overrides: SEATS_ON }),
    openThread: threadOf(buildThread(print)),
    onTrouble: warn,
  });
  const opening = wait(DESK_PAUSE_MS).then(async () => {
    const { attachDesk, openDesk } = await import('../desk-host.ts');
    const desk = await openDesk(workstation);
    return { desk, attach: attachDesk(desk) };
  });
  opening.catch((error: unknown) => warn(error instanceof Error ? error.message : String(error)));
  const attach = opening.then((opened) => opened.attach);
  attach.catch(() => undefined);
  return {
    workstation,
    attach,
    connect: () => joinPage(workstation, attach),
    async [Symbol.asyncDispose]() {
      // What is being recorded is ended in order before the store closes.
      await opening.then(({ desk }) => desk.close()).catch(() => undefined);
      await workstation.close();
    },
  };
}

/** The browser loads the screens while the workstation starts; whichever is first waits for the other. */
async function startInBrowser(options: StartOptions): Promise<void> {
  const stopped = untilSignal();
  const opening = openAll(options);
  opening.catch(() => undefined);
  const pages = loadRenderer(rendererFolder);
  await using host = await startBrowserHost(async () => (await opening).connect(), pages, options.port);
  // The address is of use only when somebody answers there.
  await using opened = await opening;
  await using _seats = keepSeatDoor(opened.workstation, opened.attach, pages);
  const link = host.newLink();
  print(`Isoline is open at ${link}`);
  print('The link works once, within a minute. Press Enter for a new one, Ctrl+C to close Isoline.');
  void openInBrowser(link);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => print(`Isoline is open at ${host.newLink()}`));
  await stopped;
  lines.close();
}

async function startInElectron(
  program: string,
  { dataDir, servicePort, withSeats }: StartOptions,
): Promise<void> {
  const entry = buildElectron(print);
  const args = [
    entry,
    `--data-dir=${dataDir}`,
    ...(servicePort === undefined ? [] : [`--service-port=${servicePort}`]),
    ...(withSeats ? ['--seats'] : []),
  ];
  const child = spawn(program, args, { stdio: 'inherit' });
  const stop = (): void => void child.kill();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('exit', done);
    child.once('error', fail);
  });
  if (code !== 0 && code !== null) process.exitCode = 1;
}

export const startCommand: Command = {
  name: 'start',
  usage: '[--data-dir D] [--browser] [--port P] [--service-port P] [--seats]',
  options: {
    'data-dir': { value: 'D', meaning: `The data folder. Default: ${defaultDataFolder()}.` },
    browser: { meaning: 'Open in a browser on this computer, even if Electron is installed.' },
    port: { value: 'P', meaning: 'Port for the browser; 0 (default) for any free port.' },
    'service-port': { value: 'P', meaning: 'Port of the /v3 service. Default: the setting service.port.' },
    seats: {
      meaning: 'Let other computers and tablets of the clinic work here, as with the setting seats.on.',
    },
  },
  positionals: [0, 0],
  async run(args) {
    const options: StartOptions = {
      dataDir: resolve(args.text('data-dir') ?? defaultDataFolder()),
      port: parsePort(args.text('port'), startCommand),
      servicePort: parsePort(args.text('service-port'), startCommand),
      withSeats: args.isOn('seats'),
    };
    if (options.port !== undefined && !args.isOn('browser'))
      throw usageError('--port goes with --browser.', startCommand);
    await buildRenderer(print);
    const electron = args.isOn('browser') ? undefined : findElectron(print);
    if (electron === undefined) await startInBrowser(options);
    else await startInElectron(electron, options);
  },
};
