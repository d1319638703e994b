// `npm run test:faults`: the faults in full, 100 kills and 5,000 traced acknowledgements. `npm test` has a
// short version.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/test-data.ts';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'faults', '--no-file-parallelism', ...process.argv.slice(2)],
  {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, ISOLINE_FAULTS_FULL: '1' },
  },
);
process.exitCode = status ?? 1;
