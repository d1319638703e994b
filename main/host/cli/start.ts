// `isoline start`: the workstation. In Electron where its program is there or can be had, else in a browser on this computer.

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { startBrowserHost } from '../browser.ts';
import { defaultDataFolder } from '../data-folder.ts';
import { connectPage, openDesk } from '../desk-host.ts';
import { rendererFolder } from '../product.ts';
import { loadRenderer } from '../renderer-files.ts';
import { startWorkstation } from '../workstation.ts';
import { buildElectron, buildRenderer } from './build.ts';
import { type Command, parsePort, print, usageError } from './command.ts';
import { findElectron } from './electron-program.ts';
import { untilSignal } from './serve.ts';

/** Never as root, and only where there is a screen to open it on. */
function openInBrowser(address: string): void {
  const isRoot = process.getuid?.() === 0;
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
  if (isRoot || !hasDisplay) return;
  const [program, args] =
    process.platform === 'darwin'
      ? ['open', [address]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', address]]
        : ['xdg-open', [address]];
  // No browser to be found is no fault: the address stands in the terminal.
  spawn(program as string, args as string[], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

interface StartOptions {
  readonly dataDir: string;
  readonly port: number | undefined;
  readonly servicePort: number | undefined;
}

async function startInBrowser({ dataDir, port, servicePort }: StartOptions): Promise<void> {
  const stopped = untilSignal();
  const pages = loadRenderer(rendererFolder);
  await using workstation = await startWorkstation({
    dataDir,
    port: servicePort,
    onTrouble: (sentence) => void process.stderr.write(`isoline: ${sentence}\n`),
  });
  const desk = await openDesk(workstation);
  await using host = await startBrowserHost(() => connectPage(workstation, desk), pages, port);
  const link = host.newLink();
  print(`Isoline is open at ${link}`);
  print('The link works once, within a minute. Press Enter for a new one, Ctrl+C to close Isoline.');
  openInBrowser(link);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => print(`Isoline is open at ${host.newLink()}`));
  await stopped;
  lines.close();
  // What is being recorded is ended in order before the store closes.
  await desk.close();
}

async function startInElectron(program: string, { dataDir, servicePort }: StartOptions): Promise<void> {
  const entry = buildElectron();
  const args = [entry, `--data-dir=${dataDir}`, ...(servicePort === undefined ? [] : [`--service-port=${servicePort}`])];
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
  summary: 'Run the workstation.',
  usage: '[--data-dir D] [--browser] [--port P] [--service-port P]',
  options: {
    'data-dir': { value: 'D', meaning: `The data folder. Default: ${defaultDataFolder()}.` },
    browser: { meaning: 'Run in a browser on this computer, even where Electron is there.' },
    port: { value: 'P', meaning: 'Port of the screens in the browser; 0 (default) takes any free one.' },
    'service-port': { value: 'P', meaning: 'Port of the /v3 service. Default: the setting service.port.' },
  },
  positionals: [0, 0],
  async run(args) {
    const options: StartOptions = {
      dataDir: resolve(args.text('data-dir') ?? defaultDataFolder()),
      port: parsePort(args.text('port'), startCommand),
      servicePort: parsePort(args.text('service-port'), startCommand),
    };
    if (options.port !== undefined && !args.isOn('browser')) throw usageError('--port goes with --browser.', startCommand);
    await buildRenderer(print);
    const electron = args.isOn('browser') ? undefined : findElectron(print);
    if (electron === undefined) await startInBrowser(options);
    else await startInElectron(electron, options);
  },
};
