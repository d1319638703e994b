// Tests in groups: `unit` and `page` (everything without a window), `contract` (a /v3 service from outside), `faults`
// (disks and ends that nobody wants), `e2e` (real Chromium), `package` (the packed program).

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { keepCompiled } from './main/host/compile-cache.ts';

// For the programs and threads that tests start.
keepCompiled();

/** Node.js loads the sources itself, as it does when the program runs: analysis takes about a fifth less time. */
const WITHOUT_VITE = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/** One file after another in the same process: what one has loaded and compiled, the next ones need not. */
const IN_ONE_PROCESS = { isolate: false };

/** Groups that start workstations. */
const ON_BUILT_PROGRAM = {
  globalSetup: ['test/support/build-program.ts'],
  env: { ISOLINE_TEST_BUILT_PROGRAM: '1' },
};

/** What each file costs is noted where somebody asks for it. */
const NOTED = { setupFiles: ['test/support/processor-seconds.ts'] };

/** A busy machine takes longer than Vitest's one second; a test that asks for a time states it. */
const PATIENT_POLLS = { expect: { poll: { timeout: 15_000 } } };

/** Tests that use JSX or mock Electron. */
const PAGE = [
  'test/{renderer,preload}/**/*.test.ts',
  'test/main/host/electron/*.test.ts',
  'test/main/bridge/transports.test.ts',
];

/** Whose tests start one workstation after another, play many devices, or are few and long in a short file. */
const LONGEST = [
  '/test/faults/',
  '/test/main/connections/',
  '/test/main/host/',
  '/test/main/device/',
  '/test/package/',
  '/test/e2e/first-start',
  '/test/e2e/people',
  '/test/e2e/same-result',
  '/test/e2e/screens',
  '/test/e2e/seats',
];

/** So that none of the longest files is begun last, and runs on alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((path) => moduleId.includes(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...NOTED,
          name: 'unit',
          ...ON_BUILT_PROGRAM,
          ...PATIENT_POLLS,
          ...WITHOUT_VITE,
          include: ['test/{shared,main,journeys}/**/*.test.ts', 'test/*.test.ts'],
          exclude: PAGE,
          ...IN_ONE_PROCESS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Through Vite, which handles JSX and mocks.
        test: {
          ...NOTED,
          name: 'page',
          ...ON_BUILT_PROGRAM,
          ...PATIENT_POLLS,
          include: PAGE,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...NOTED,
          name: 'contract',
          ...WITHOUT_VITE,
          include: ['test/contract/v3/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...NOTED,
          name: 'faults',
          ...WITHOUT_VITE,
          ...ON_BUILT_PROGRAM,
          ...PATIENT_POLLS,
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...NOTED,
          name: 'e2e',
          ...WITHOUT_VITE,
          ...ON_BUILT_PROGRAM,
          ...PATIENT_POLLS,
          include: ['test/e2e/**/*.test.ts'],
          ...IN_ONE_PROCESS,
          globalSetup: [...ON_BUILT_PROGRAM.globalSetup, 'test/support/build-screens.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...NOTED,
          name: 'package',
          ...WITHOUT_VITE,
          include: ['test/package/**/*.test.ts'],
          globalSetup: ['test/support/build-screens.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
