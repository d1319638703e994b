// Archives and worklists of others, from Debian's packages orthanc and dcmtk, on free ports of this computer.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { archiveAt } from './made-connections.ts';
import { eventually, type RunningWorkstation } from './running-workstation.ts';

const ORTHANC = ['/usr/sbin/Orthanc', '/usr/bin/Orthanc'].find(existsSync);
const START_MS = 20_000;
const END_MS = 10_000;

export const hasOrthanc = ORTHANC !== undefined;
export const hasDcmtk = spawnSync('wlmscpfs', ['--version']).error === undefined;

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await exit;
  clearTimeout(late);
}

export interface Orthanc extends AsyncDisposable {
  readonly title: string;
  readonly dicomPort: number;
  start(): Promise<void>;
  /** @param signal SIGKILL: in the middle of whatever it does */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Other settings, from its next start on. */
  change(more: Readonly<Record<string, unknown>>): Promise<void>;
  /** Its own interface over HTTP. */
  get(path: string): Promise<Response>;
  json<T>(path: string): Promise<T>;
  remove(path: string): Promise<void>;
}

/**
 * An archive of its own for a test, with its data in this folder.
 * @param workstation that it may say to what it keeps
 */
export async function makeOrthanc(
  folder: string,
  workstation: { readonly title: string; readonly port: number },
  more: Readonly<Record<string, unknown>> = {},
): Promise<Orthanc> {
  if (ORTHANC === undefined) throw new Error('Orthanc is not installed');
  const [dicomPort, httpPort] = [await freePort(), await freePort()];
  const title = 'ORTHANC';
  await mkdir(folder, { recursive: true });
  const config = join(folder, 'orthanc.json');
  let settings: Record<string, unknown> = {
    Name: 'test',
    StorageDirectory: join(folder, 'storage'),
    IndexDirectory: join(folder, 'storage'),
    DicomAet: title,
    DicomPort: dicomPort,
    DicomCheckCalledAet: true,
    HttpPort: httpPort,
    RemoteAccessAllowed: false,
    AuthenticationEnabled: false,
    DicomModalities: { isoline: [workstation.title, '127.0.0.1', workstation.port] },
    ...more,
  };
  await writeFile(config, JSON.stringify(settings));
  let child: ChildProcess | undefined;
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${httpPort}${path}`);
  return {
    title,
    dicomPort,
    async start() {
      child = spawn(ORTHANC, [config], { stdio: 'ignore' });
      await eventually(
        async () => (await get('/system').catch(() => undefined))?.ok,
        'the archive answers',
        START_MS,
      );
    },
    async stop(signal = 'SIGTERM') {
      if (child !== undefined) await ended(child, signal);
      child = undefined;
    },
    get,
    async change(changes) {
      settings = { ...settings, ...changes };
      await writeFile(config, JSON.stringify(settings));
    },
    async remove(path) {
      await fetch(`http://127.0.0.1:${httpPort}${path}`, { method: 'DELETE' });
    },
    json: async <T>(path: string) => (await (await get(path)).json()) as T,
    async [Symbol.asyncDispose]() {
      if (child !== undefined) await ended(child, 'SIGKILL');
    },
  };
}

export interface Worklist extends AsyncDisposable {
  readonly title: string;
  readonly port: number;
  /** Adds an entry as `dump2dcm` reads it. */
  add(name: string, dump: string): Promise<void>;
}

/** A modality worklist out of files. @param more options: `+xi` takes implicit little endian alone */
export async function startWorklist(folder: string, ...more: readonly string[]): Promise<Worklist> {
  const [title, port] = ['WORKLIST', await freePort()];
  const entries = join(folder, title);
  await mkdir(entries, { recursive: true });
  await writeFile(join(entries, 'lockfile'), '');
  const child = spawn('wlmscpfs', [...more, '-dfp', folder, String(port)], { stdio: 'ignore' });
  await eventually(
    async () => spawnSync('echoscu', ['-aec', title, '127.0.0.1', String(port)]).status === 0 || undefined,
    'the worklist answers',
    START_MS,
  );
  return {
    title,
    port,
    async add(name, dump) {
      const path = join(folder, `${name}.dump`);
      await writeFile(path, dump);
      const made = spawnSync('dump2dcm', [path, join(entries, `${name}.wl`)]);
      if (made.status !== 0) throw new Error(`dump2dcm: ${made.stderr}`);
    },
    [Symbol.asyncDispose]: () => ended(child, 'SIGTERM'),
  };
}

/** Makes it known to a workstation. @returns its number there */
export async function addArchive(
  { bridge }: RunningWorkstation,
  { dicomPort, title }: Pick<Orthanc, 'dicomPort' | 'title'>,
): Promise<number> {
  const { connectionId } = await bridge.call('connection.add', {
    to: archiveAt(dicomPort, title),
    label: '',
    organization: 'clinic',
  });
  // These are approved by the rule that they came with.
  await bridge.call('connection.change', { connectionId, takesUnread: true });
  return connectionId;
}
