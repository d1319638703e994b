// The files of one folder as a header refers to them.

import type { RecordFile } from './byte-source.ts';

/** Names are looked for as they are written first, then whatever the case. */
export class FilesByName {
  readonly #exact: ReadonlyMap<string, readonly RecordFile[]>;
  readonly #folded: ReadonlyMap<string, readonly RecordFile[]>;

  constructor(files: readonly RecordFile[]) {
    this.#exact = Map.groupBy(files, ({ name }) => name);
    this.#folded = Map.groupBy(files, ({ name }) => name.toLowerCase());
  }

  /**
   * All that the name could mean: several where files from different folders came together, or differ in case
   * alone.
   */
  candidates(name: string): readonly RecordFile[] {
    return this.#exact.get(name) ?? this.#folded.get(name.toLowerCase()) ?? [];
  }

  find(name: string): RecordFile | undefined {
    return this.candidates(name)[0];
  }
}
