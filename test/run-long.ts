// `npm run test:long`: the tests of which `npm test` has a short form, with all that they try.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectRoot } from './support/test-data.ts';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const projects = ['unit', 'page', 'faults', 'e2e'].flatMap((name) => ['--project', name]);
const { status } = spawnSync(process.execPath, [vitest, 'run', ...projects, ...process.argv.slice(2)], {
  cwd: projectRoot,
  stdio: 'inherit',
  env: { ...process.env, ISOLINE_TEST_LONG: '1' },
});
process.exitCode = status ?? 1;
