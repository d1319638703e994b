// What a reader notes down while it reads a file that deviates from its format.

import type { Warning } from '../../shared/signal/recording.ts';

/** A file of millions of small faults must not make a list of millions of warnings. */
const MAX_WARNINGS = 200;

/** Collects deviations once each, in the order in which they are met. */
export class Deviations {
  readonly #known = new Set<string>();
  readonly #list: Warning[] = [];

  get list(): readonly Warning[] {
    return this.#list;
  }

  add(code: string, message: string): void {
    const key = `${code} ${message}`;
    if (this.#known.has(key) || this.#list.length >= MAX_WARNINGS) return;
    this.#known.add(key);
    this.#list.push({ code, message });
  }

  addAll(warnings: readonly Warning[]): void {
    for (const { code, message } of warnings) this.add(code, message);
  }
}
