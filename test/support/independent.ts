// Programs of others that read and write the same formats, from Debian's packages: libedf-dev, libbiosig-dev,
// flac. What is not there is left out by the tests, with a line that says so.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './test-data.ts';

const BUILD_FOLDER = join(projectRoot, '.cache', 'independent');
const TIME_LIMIT_MS = 20_000;
const LARGE_OUTPUT = 1 << 28;

export interface IndependentSignal {
  readonly label: string;
  readonly unit: string;
  readonly physicalMinimum: number;
  readonly physicalMaximum: number;
  readonly digitalMinimum: number;
  readonly digitalMaximum: number;
  readonly rateHz: number;
  readonly scale: number;
  readonly offset: number;
  readonly samples: readonly number[];
}

export interface IndependentReading {
  readonly rateHz: number;
  readonly signals: readonly IndependentSignal[];
  readonly annotations: readonly { readonly onsetSeconds: number; readonly text: string }[];
  readonly startSubsecond: number;
}

/** Builds a reader; undefined where its library or a compiler is missing. */
export function buildReader(name: 'read-edflib' | 'read-biosig', library: string): string | undefined {
  mkdirSync(BUILD_FOLDER, { recursive: true });
  const program = join(BUILD_FOLDER, name);
  // Another test file may be running it already.
  const fresh = `${program}-${process.pid}`;
  const source = join(projectRoot, 'test', 'support', 'c', `${name}.c`);
  const built = spawnSync('gcc', ['-O2', source, '-o', fresh, `-l${library}`, '-lm'], { encoding: 'utf8' });
  if (built.status !== 0 || !existsSync(fresh)) return undefined;
  renameSync(fresh, program);
  return program;
}

/** @returns what the program found, or why it gave up. */
export function readWith(program: string, path: string): IndependentReading | string {
  const run = spawnSync(program, [path], {
    encoding: 'utf8',
    timeout: TIME_LIMIT_MS,
    maxBuffer: LARGE_OUTPUT,
  });
  if (run.error !== undefined) return run.error.message;
  return run.status === 0
    ? (JSON.parse(run.stdout) as IndependentReading)
    : run.stderr.trim() || `ended with ${run.status}`;
}

export const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;

export function run(
  program: string,
  args: readonly string[],
): { status: number | null; stdout: Buffer; stderr: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    timeout: TIME_LIMIT_MS,
    maxBuffer: LARGE_OUTPUT,
  });
  return { status, stdout, stderr: stderr.toString() };
}
