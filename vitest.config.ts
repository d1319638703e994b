// Tests in groups: `unit` (everything without a window), `page` (the page's and Electron's part of it), `contract` (a /v3
// service from outside), `faults` (disks and ends that nobody wants), `e2e` (real Chromium), `package` (the packed program).

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Programs and threads that tests start find what others have compiled, as the program itself does.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'isoline');

/** Node.js reads the sources itself, as where the program is run: an analysis takes a fifth less than through Vite. */
const AS_THEY_STAND = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/** Groups that start workstations. */
const ON_BUILT_THREADS = {
  globalSetup: ['test/support/build-threads.ts'],
  env: { ISOLINE_TEST_BUILT_THREADS: '1' },
};

/** A busy machine takes longer than Vitest's one second; a test that asks for a time states it. */
const PATIENT_POLLS = { expect: { poll: { timeout: 15_000 } } };

/** What reads JSX, or meets a stand-in for Electron. */
const PAGE = [
  'test/{renderer,preload}/**/*.test.ts',
  'test/main/host/electron/*.test.ts',
  'test/main/bridge/transports.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...ON_BUILT_THREADS,
          ...PATIENT_POLLS,
          ...AS_THEY_STAND,
          include: ['test/{shared,main}/**/*.test.ts', 'test/*.test.ts'],
          exclude: PAGE,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Through Vite, which knows both.
        test: {
          name: 'page',
          ...ON_BUILT_THREADS,
          ...PATIENT_POLLS,
          include: PAGE,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'contract',
          ...AS_THEY_STAND,
          include: ['test/contract/v3/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'faults',
          ...AS_THEY_STAND,
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
          ...AS_THEY_STAND,
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
          ...AS_THEY_STAND,
          include: ['test/package/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
