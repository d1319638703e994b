// Tests in groups: `unit` (everything without a window), `contract` (a /v3 service from outside), `faults`
// (disks and ends that nobody wants), `e2e` (real Chromium), `package` (the packed program).

import { defineConfig } from 'vitest/config';

/** Groups that start workstations. */
const ON_BUILT_THREADS = {
  globalSetup: ['test/support/build-threads.ts'],
  env: { ISOLINE_TEST_BUILT_THREADS: '1' },
};

/** A busy machine takes longer than Vitest's one second; a test that asks for a time states it. */
const PATIENT_POLLS = { expect: { poll: { timeout: 15_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...ON_BUILT_THREADS,
          ...PATIENT_POLLS,
          include: ['test/{shared,main,renderer,preload}/**/*.test.ts', 'test/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
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
          ...PATIENT_POLLS,
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          ...ON_BUILT_THREADS,
          ...PATIENT_POLLS,
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: [...ON_BUILT_THREADS.globalSetup, 'test/support/build-screens.ts'],
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
