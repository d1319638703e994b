// A table that grows row by row in a file of its own, `OUT.part`, until it is whole: a run that was cut off goes on behind
// its last whole row. The first line of that file says what was asked for.

import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse/sync';
import { IsolineError } from '../../../../shared/errors.ts';

/** Of a recording that needs not be analysed again. */
export interface DoneRow {
  /** As the table has it. */
  readonly recording: string;
  readonly isFailed: boolean;
}

export interface TableRun {
  readonly path: string;
  readonly head: string;
  /** What was asked for: only the same goes on. */
  readonly asked: string;
  readonly mayResume: boolean;
}

const partOf = (path: string): string => `${path}.part`;

/** A row that was being written when the run was cut off is no row. */
function wholeRows(text: string): string {
  for (let end = text.lastIndexOf('\n'); end >= 0; end = text.lastIndexOf('\n', end - 1)) {
    const rows = text.slice(0, end + 1);
    if (rows.split('"').length % 2 === 1) return rows;
    if (end === 0) break;
  }
  return '';
}

function doneRows(part: string, { head, asked, path }: TableRun): { rows: DoneRow[]; bytes: number } {
  const whole = wholeRows(part);
  const preamble = `${asked}\n${head}\n`;
  if (whole === '') return { rows: [], bytes: 0 };
  if (!whole.startsWith(preamble))
    throw new IsolineError(
      'usage',
      `"${partOf(path)}" is of a run that was asked for something else, or of another version. Remove it to start over.`,
    );
  const rows = parse(whole.slice(asked.length + 1), { columns: true }) as {
    recording: string;
    error: string;
  }[];
  return {
    rows: rows.map(({ recording, error }) => ({ recording, isFailed: error !== '' })),
    bytes: Buffer.byteLength(whole),
  };
}

export class TableFile {
  readonly done: readonly DoneRow[];
  readonly #run: TableRun;
  readonly #descriptor: number;

  /** @throws IsolineError where there is a run that was cut off, and this one does not go on with it */
  constructor(run: TableRun) {
    this.#run = run;
    const part = partOf(run.path);
    const isThere = existsSync(part);
    if (isThere && !run.mayResume)
      throw new IsolineError(
        'usage',
        `"${part}" is of a run that was cut off. Add --resume to go on with it, or remove it.`,
      );
    const { rows, bytes } = isThere ? doneRows(readFileSync(part, 'utf8'), run) : { rows: [], bytes: 0 };
    this.done = rows;
    try {
      this.#descriptor = openSync(part, 'a');
      ftruncateSync(this.#descriptor, bytes);
    } catch (error) {
      throw this.#unwritable(error);
    }
    if (bytes === 0) this.add(`${run.asked}\n${run.head}`);
  }

  #unwritable(cause: unknown): IsolineError {
    return new IsolineError(
      'storage_full',
      `"${partOf(this.#run.path)}" could not be written. Check that its folder exists and may be written to.`,
      {},
      { cause },
    );
  }

  /** It is on the disk when this returns. */
  add(row: string): void {
    try {
      writeSync(this.#descriptor, `${row}\n`);
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  /** The rows without what was asked for, under the name that they were asked for. */
  async finish(): Promise<void> {
    const { path, asked } = this.#run;
    const temporary = `${path}.${process.pid}.tmp`;
    await pipeline(
      createReadStream(partOf(path), { start: Buffer.byteLength(asked) + 1 }),
      createWriteStream(temporary, { flush: true }),
    );
    await rename(temporary, path);
    await rm(partOf(path));
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
