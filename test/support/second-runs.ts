// A reporter of Vitest's: names the tests that passed only when they were run a second time, so that nobody takes them for sound.

import type { Reporter, TestCase } from 'vitest/node';

export default class SecondRuns implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#names.push(`${test.module.moduleId}: ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) process.stdout.write(`\nPassed only when run again: ${name}\n`);
  }
}
