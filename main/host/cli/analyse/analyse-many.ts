// Many recordings after each other, as many at a time as there are processors. One that cannot be read is named and
// does not stop the others.

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnalysisResult } from '../../../../shared/analysis-result.ts';
import { csvText } from '../../../../shared/csv-field.ts';
import { IsolineError } from '../../../../shared/errors.ts';
import { SEVERITY_WORDS } from '../../../../shared/severity-words.ts';
import { isStorageError } from '../../../ground/storage-fault.ts';
import type { RunningPool } from '../../../pool/pool.ts';
import { print, warn } from '../command.ts';
import { analyseRecord, type Outputs, type ReportLook } from './analyse-record.ts';
import { progressLine } from './progress-line.ts';
import { type NamedRecord, recordGroups } from './record-groups.ts';
import { failedRow, resultRow } from './result-row.ts';
import { type Dealt, isIn, type Shard } from './shard.ts';
import type { DoneRow } from './table-file.ts';
import { makeFolder } from './write-whole.ts';

export interface ManyOptions {
  /** Folders that results go to; each is made where it is missing. */
  readonly folders: Outputs;
  /** Takes each row of the table, its head first. */
  readonly onRow: ((row: string) => void) | undefined;
  /** The rows are on the standard output, which must hold nothing else. */
  readonly isQuiet: boolean;
  readonly look: ReportLook;
  /** Undefined where this run does all of them. */
  readonly shard: Shard | undefined;
  /** What all runs of one whole have in common. */
  readonly asked: string;
  /** Rows of a run that was cut off, in their order. Its results are made again where their rows are missing. */
  readonly resumed: readonly DoneRow[] | undefined;
}

function shortly(name: string, { severity, statements, warnings }: AnalysisResult): string {
  const grade = severity === undefined ? 'severity not determined' : SEVERITY_WORDS.en[severity];
  const found = statements.map(({ text }) => text).join('; ');
  const warned =
    warnings.length === 0 ? '' : ` [${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}]`;
  return `${name}: ${grade} – ${found}${warned}`;
}

class Many {
  readonly #pool: RunningPool;
  readonly #options: ManyOptions;
  readonly #progress = progressLine();
  /** Names that results have: two recordings of one name get two. */
  readonly #taken = new Set<string>();
  readonly #names = createHash('sha256');
  #place = 0;
  #doneCount = 0;
  analysed = 0;
  failed = 0;
  ignored = 0;

  constructor(pool: RunningPool, options: ManyOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** Whether this run has to do it: not if another one has, or the run that was cut off. @throws IsolineError `usage` */
  #isToDo(name: string): boolean {
    const { shard, resumed = [] } = this.#options;
    this.#names.update(`${JSON.stringify(name)}\n`);
    const place = this.#place++;
    if (shard !== undefined && !isIn(shard, place)) return false;
    const done = resumed[this.#doneCount];
    if (done === undefined) return true;
    if (csvText(name) !== done.recording)
      throw new IsolineError(
        'usage',
        `The run that was cut off had "${done.recording}" where now "${name}" is. The recordings have changed: start over.`,
      );
    this.#doneCount++;
    done.isFailed ? this.failed++ : this.analysed++;
    return false;
  }

  #nameOf(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n++) name = `${wanted} (${n})`;
    this.#taken.add(name.toLowerCase());
    return name;
  }

  /** @throws IsolineError where something stands in the place of a result that it did not write */
  #outputsOf(name: string): Outputs {
    const place = (folder: string | undefined, ending: string): string | undefined => {
      if (folder === undefined) return undefined;
      const path = join(folder, `${name}.${ending}`);
      // Nothing that lies there is written over: it may be the reference that results are scored against.
      if (this.#options.resumed === undefined && statSync(path, { throwIfNoEntry: false }) !== undefined)
        throw new IsolineError('usage', `"${path}" is already there. Name an empty folder.`);
      makeFolder(dirname(path));
      return path;
    };
    const { json, pdf, atr } = this.#options.folders;
    return { json: place(json, 'json'), pdf: place(pdf, 'pdf'), atr: place(atr, 'atr') };
  }

  /** What is not readable becomes a sentence. @throws what hinders all others, too */
  async #analyse(record: NamedRecord, name: string): Promise<AnalysisResult | string> {
    if (record.fault !== undefined) return record.fault;
    const outputs = this.#outputsOf(name);
    try {
      return await analyseRecord(this.#pool, record.files, outputs, this.#options.look);
    } catch (error) {
      const isOfAll =
        isStorageError(error) || (error instanceof IsolineError && error.reason === 'folder_unusable');
      if (isOfAll || !(error instanceof IsolineError)) throw error;
      return error.message;
    }
  }

  addFailed(name: string, message: string): void {
    if (this.#isToDo(name)) this.#tell(name, message);
  }

  /** Named, and not counted: what lies beside recordings need not be one. */
  addIgnored(name: string, message: string): void {
    this.#progress.clear();
    this.ignored++;
    warn(`${name}: left out. ${message}`);
  }

  #tell(name: string, outcome: AnalysisResult | string): void {
    const { onRow, isQuiet } = this.#options;
    this.#progress.clear();
    if (typeof outcome === 'string') {
      this.failed++;
      warn(`${name}: ${outcome}`);
      onRow?.(failedRow(name, outcome));
    } else {
      this.analysed++;
      onRow?.(resultRow(name, outcome));
      if (!isQuiet) print(shortly(name, outcome));
    }
    this.#progress.show(`${this.analysed + this.failed} recordings so far`);
  }

  /** Several at a time, told in their order: the same recordings give the same output. */
  async add(records: readonly NamedRecord[], atATime: number): Promise<void> {
    const waiting = records.flatMap((record) => {
      const name = this.#nameOf(record.name);
      if (!this.#isToDo(name)) return [];
      return { record, name, outcome: Promise.withResolvers<AnalysisResult | string>() };
    });
    // One that hinders all others is heard where it is told; a later one must not end the program before that.
    for (const { outcome } of waiting) outcome.promise.catch(() => undefined);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let one = waiting[next++]; one !== undefined; one = waiting[next++])
        await this.#analyse(one.record, one.name).then(one.outcome.resolve, one.outcome.reject);
    };
    const workers = Array.from({ length: Math.min(atATime, waiting.length) }, work);
    try {
      for (const { name, outcome } of waiting) this.#tell(name, await outcome.promise);
    } catch (error) {
      // Nothing more is begun, and what was begun ends before its files are closed.
      next = waiting.length;
      await Promise.allSettled(workers);
      throw error;
    }
  }

  get dealt(): Dealt {
    const fingerprint = this.#names.copy().update(this.#options.asked).digest('hex').slice(0, 16);
    return { total: this.#place, fingerprint };
  }

  end(): void {
    this.#progress.clear();
  }
}

/** @returns how many were analysed, how many could not be, and how many files were no recordings */
export async function analyseMany(
  pool: RunningPool,
  paths: readonly string[],
  atATime: number,
  options: ManyOptions,
): Promise<{
  readonly analysed: number;
  readonly failed: number;
  readonly ignored: number;
  readonly dealt: Dealt;
}> {
  const many = new Many(pool, options);
  try {
    for await (const group of recordGroups(paths, {
      // Somebody who names channels may have named a rate with them.
      withUntimedTables: options.look.channels !== undefined,
    })) {
      using opened = group;
      for (const { name, message } of opened.failed) many.addFailed(name, message);
      await many.add(opened.records, atATime);
      for (const { name, message } of opened.ignored) many.addIgnored(name, message);
    }
  } finally {
    many.end();
  }
  return many;
}
