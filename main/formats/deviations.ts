// What a reader notes down while it reads a file that deviates from its format.

import type { Warning } from '../../shared/signal/recording.ts';
import { warning } from '../../shared/warnings/warning.ts';

/** A file of millions of small faults must not make a list of millions of warnings. */
const MAX_WARNINGS = 200;

/** Collects deviations once each, in the order in which they are met. */
export class Deviations {
  readonly #known = new Set<string>();
  readonly #list: Warning[] = [];

  get list(): readonly Warning[] {
    return this.#list;
  }

  add(...of: Parameters<typeof warning>): void {
    this.addAll([warning(...of)]);
  }

  addAll(warnings: readonly Warning[]): void {
    for (const each of warnings) {
      const key = `${each.code} ${each.message}`;
      if (this.#known.has(key) || this.#list.length >= MAX_WARNINGS) continue;
      this.#known.add(key);
      this.#list.push(each);
    }
  }
}
