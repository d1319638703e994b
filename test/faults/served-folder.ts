// The service as a process of its own on a data folder, to be killed, traced, starved: what a fault does to
// it is then real.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { commandLine, sourceOfCommandLine } from '../support/built-program.ts';
import { V3Client } from '../support/v3-client.ts';

const SETTINGS = ['service.rate.enabled=false', 'storage.reserve=0'];

export interface ServeOptions {
  /** Program and arguments in front of node: strace, setpriv. */
  readonly wrapper?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Beside those of all tests. */
  readonly settings?: readonly string[];
  /** Another tree of the program than this one. */
  readonly root?: string;
  /** The Node.js that runs it. */
  readonly runtime?: string;
}

export interface ServedFolder extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  readonly closed: Promise<void>;
  client(token: string): V3Client;
  /** The end that nobody expects: of the whole process group, at once. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function serveFolder(
  dataDir: string,
  { wrapper = [], env = {}, root, runtime = process.execPath, settings = [] }: ServeOptions = {},
): Promise<ServedFolder> {
  const command = [
    ...wrapper,
    runtime,
    root === undefined ? commandLine : sourceOfCommandLine(root),
    'serve',
    '--data-dir',
    dataDir,
    '--port',
    '0',
    ...[...SETTINGS, ...settings].flatMap((set) => ['--set', set]),
  ];
  const child = spawn(command[0] as string, command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...env },
  });
  const { promise: line, resolve, reject } = Promise.withResolvers<string>();
  let [text, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    text += data;
    if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
  });
  child.stderr.on('data', (data) => (errors += data));
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  void closed.then(() => reject(new Error(`the service ended before it was ready: ${errors}`)));
  const url = (JSON.parse(await line) as { listening: string }).listening;
  const end = (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, signal);
    return closed;
  };
  return {
    url,
    child,
    closed,
    client: (token) => new V3Client(url, token),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

/** Made by the command line, beside a running service or before the first one. */
export function makeToken(dataDir: string): string {
  const made = spawnSync(
    process.execPath,
    [commandLine, 'token', 'create', '--data-dir', dataDir, '--label', 'faults'],
    {
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  return made.stdout.trim();
}
