// Before the tests that start workstations: the threads are built once, and again when somebody who watches the
// tests changes a source.

import type { TestProject } from 'vitest/node';
import { build } from './build.ts';
import { builtThreads } from './built-threads.ts';

const buildThreads = (): void => build('electron.config.ts', '--outDir', builtThreads);

export function setup(project: TestProject): void {
  buildThreads();
  project.onTestsRerun(async () => buildThreads());
}
