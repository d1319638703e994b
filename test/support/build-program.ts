// Before the tests that start workstations: the program is built once, and again when somebody who watches the
// tests changes a source.

import type { TestProject } from 'vitest/node';
import { build } from './build.ts';
import { builtProgram } from './built-program.ts';

const buildProgram = (): void => build('command-line.config.ts', '--outDir', builtProgram);

/** Inherited by the processes that this one starts: each group of tests calls `setup`. */
const DONE = 'ISOLINE_TEST_PROGRAM_IS_BUILT';

/** @returns whether this call built it */
export function buildOnce(): boolean {
  if (process.env[DONE] === '1') return false;
  buildProgram();
  process.env[DONE] = '1';
  return true;
}

export function setup(project: TestProject): void {
  if (buildOnce()) project.onTestsRerun(async () => buildProgram());
}
