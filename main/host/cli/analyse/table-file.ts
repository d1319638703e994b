// A table that grows row by row in a file of its own, `OUT.part`, until it is whole: a run that was cut off goes on behind
// its last whole row. The first line of that file says what was asked for.

import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse/sync';
import { IsolineError } from '../../../../shared/errors.ts';
import { unwritable } from './write-whole.ts';

/** The row of a recording that need not be analysed again. */
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

interface Part {
  readonly rows: readonly DoneRow[];
  /** With its first line; empty where nothing is to be gone on with. */
  readonly text: string;
}

/** Behind the first line, whose letters are no table's. */
function readPart(part: string, { head, asked, path }: TableRun): Part {
  const firstLine = `${asked}\n`;
  const whole = part.startsWith(firstLine) ? wholeRows(part.slice(firstLine.length)) : '';
  // It was cut off before its first row.
  if (firstLine.startsWith(part) || (part.startsWith(firstLine) && whole === ''))
    return { rows: [], text: '' };
  if (!whole.startsWith(`${head}\n`))
    throw new IsolineError(
      'usage',
      `"${partOf(path)}" is of a run that was asked for something else, or of another version. Remove it to start over.`,
    );
  // The rows of a part have one cell more: the name of its column is known at the end.
  const rows = parse(whole, { columns: true, relax_column_count_more: true }) as {
    recording: string;
    error: string;
  }[];
  return {
    rows: rows.map(({ recording, error }) => ({ recording, isFailed: error !== '' })),
    text: `${firstLine}${whole}`,
  };
}

export class TableFile {
  readonly done: readonly DoneRow[];
  /** A run that was cut off left a table; what lies there of its results is made again. */
  readonly isResumed: boolean;
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
    const { rows, text } = isThere ? readPart(readFileSync(part, 'utf8'), run) : { rows: [], text: '' };
    this.done = rows;
    this.isResumed = isThere;
    const begun = text === '' ? `${run.asked}\n${run.head}\n` : text;
    const temporary = `${part}.${process.pid}.tmp`;
    try {
      this.#descriptor = openSync(temporary, 'ax+');
      this.#write(begun);
      fdatasyncSync(this.#descriptor);
      // A file of its own: what another run still does with the one before it changes nothing here.
      renameSync(temporary, part);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw unwritable(part, error);
    }
  }

  /** All of it: a disk that is nearly full takes a part. */
  #write(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
  }

  get #isNamed(): boolean {
    const named = statSync(partOf(this.#run.path), { throwIfNoEntry: false });
    return named?.ino === fstatSync(this.#descriptor).ino;
  }

  /** Another run that goes on with this table has put a file of its own in the place of this one. */
  #requireAlone(): void {
    const part = partOf(this.#run.path);
    if (!this.#isNamed)
      throw new IsolineError(
        'usage',
        `Another run writes "${part}" at the same time, or has removed it. Let only one run go on with it.`,
      );
  }

  /** It is on the disk when this returns. */
  add(row: string): void {
    this.#requireAlone();
    try {
      this.#write(`${row}\n`);
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      throw unwritable(partOf(this.#run.path), error);
    }
  }

  /** The rows under the name that they were asked for, with what is known only now behind their head. */
  async finish(behindHead: string): Promise<void> {
    const { path, asked, head } = this.#run;
    this.#requireAlone();
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      const target = createWriteStream(temporary, { flush: true });
      target.write(`${head}${behindHead}\n`);
      const start = Buffer.byteLength(`${asked}\n${head}\n`);
      await pipeline(createReadStream('', { fd: this.#descriptor, start, autoClose: false }), target);
      await rename(temporary, path);
      if (this.#isNamed) await rm(partOf(path));
    } catch (error) {
      await rm(temporary, { force: true });
      throw unwritable(path, error);
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
