// Tests in groups: `unit` (everything without a window), `contract` (a /v3 service from outside), `faults`
// (disks and ends that nobody wants), `e2e` (real Chromium), `package` (the packed program).

import { defineConfig } from 'vitest/config';

/** Groups that start workstations. */
const ON_BUILT_THREADS = {
  globalSetup: ['test/support/build-threads.ts'],
  env: { ISOLINE_TEST_BUILT_THREADS: '1' },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...ON_BUILT_THREADS,
          include: ['test/{shared,main,renderer,preload}/**/*.test.ts', 'test/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/v3/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'faults',
          ...ON_BUILT_THREADS,
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          ...ON_BUILT_THREADS,
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: [...ON_BUILT_THREADS.globalSetup, 'test/support/build-screens.ts'],
          // A browser on a busy machine loses a key now and then. Who needed it is named by `second-runs.ts`.
          retry: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
