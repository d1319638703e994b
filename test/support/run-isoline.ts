// Runs the command line as a person does, in a process of its own.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { commandLine } from './built-program.ts';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function isoline(...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [commandLine, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', (data) => (stderr += data));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

export interface RunningCommand extends AsyncDisposable {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly firstLine: Promise<string>;
  /** The first match in what it prints. */
  match(pattern: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<number | null>;
}

/** A command that goes on until it is told to stop. */
export function startIsoline(...args: string[]): RunningCommand {
  const child = spawn(process.execPath, [commandLine, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise: firstLine, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  let errors = '';
  const awaited = new Set<() => void>();
  child.stdout.on('data', (data) => {
    text += data;
    for (const look of awaited) look();
    const end = text.indexOf('\n');
    if (end >= 0) resolve(text.slice(0, end));
  });
  child.stderr.on('data', (data) => (errors += data));
  const closed = new Promise<number | null>((done) => child.on('close', done));
  void closed.then(() => reject(new Error(`ended before its first line: ${errors}`)));
  firstLine.catch(() => undefined);
  const stop = (): Promise<number | null> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    return closed;
  };
  const match = (pattern: RegExp): Promise<RegExpExecArray> => {
    const found = Promise.withResolvers<RegExpExecArray>();
    const look = (): void => {
      const match = pattern.exec(text);
      if (match !== null) found.resolve(match);
    };
    awaited.add(look);
    look();
    void closed.then(() => found.reject(new Error(`ended before it printed ${pattern}: ${errors}`)));
    return found.promise.finally(() => awaited.delete(look));
  };
  return { child, firstLine, match, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
