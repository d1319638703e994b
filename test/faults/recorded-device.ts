// `isoline record` as a process of its own on a device at a pseudo-terminal: to be killed, traced, unplugged.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { commandLine, sourceOfCommandLine } from '../support/built-program.ts';

export interface ShownFrame {
  readonly taskId: number;
  readonly timestampUs: number;
  readonly samples: number;
}

export interface RecordingProcess {
  readonly child: ChildProcess;
  /** What it showed as recorded, as it grows. */
  readonly shown: ShownFrame[];
  readonly firstFrame: Promise<void>;
  readonly closed: Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface RecordOptions {
  readonly dataDir: string;
  readonly port: string;
  readonly driver: string;
  readonly seconds?: number;
  readonly wrapper?: readonly string[];
  readonly root?: string;
}

export function recordDevice({
  dataDir,
  port,
  driver,
  seconds = 10_000,
  wrapper = [],
  root,
}: RecordOptions): RecordingProcess {
  const entry = root === undefined ? commandLine : sourceOfCommandLine(root);
  const command = [
    ...wrapper,
    process.execPath,
    entry,
    'record',
    ...[
      '--data-dir',
      dataDir,
      '--port',
      port,
      '--driver',
      driver,
      '--seconds',
      String(seconds),
      '--json',
      '-',
    ],
    ...['--set', 'recorder.frameMs=250', '--set', 'storage.reserve=0'],
  ];
  const child = spawn(command[0] as string, command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const shown: ShownFrame[] = [];
  const { promise: firstFrame, resolve, reject } = Promise.withResolvers<void>();
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const facts = JSON.parse(line) as ShownFrame & { isFinished?: boolean };
    if (facts.isFinished === undefined) shown.push(facts);
    resolve();
  });
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  void closed.then(() => reject(new Error(`the recording ended before its first frame: ${errors}`)));
  firstFrame.catch(() => undefined);
  const end = (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, signal);
    return closed;
  };
  return { child, shown, firstFrame, closed, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
