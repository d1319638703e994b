// `isoline merge OUT PART…`: the tables of runs that shared recordings, as the one that a single run would have written.

import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { IsolineError } from '../../../shared/errors.ts';
import { type Part, partOfHead, withoutLastCell } from './analyse/shard.ts';
import { unwritable } from './analyse/write-whole.ts';
import { type Command, print, usageError } from './command.ts';

interface RawRow {
  /** As it stands in the file, with its end of line. */
  readonly raw: string;
  readonly record: readonly string[];
}

/** Why a file cannot be read, as a sentence with what to do. */
function unreadable(path: string, error: unknown): IsolineError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new IsolineError('file_not_found', `The file "${path}" is not there.`);
  if (code === 'EMFILE' || code === 'ENFILE')
    return new IsolineError(
      'usage',
      'There are more parts than files that a program may open here. Raise that limit (ulimit -n).',
    );
  const isTable = code?.startsWith('CSV_') === true;
  return new IsolineError(
    'record_unreadable',
    isTable ? `"${path}" is not a whole table.` : `The file "${path}" may not be read, or is none.`,
    {},
    { cause: error },
  );
}

/** @throws IsolineError `file_not_found`, `record_unreadable`, `usage` */
async function* rowsOf(path: string): AsyncGenerator<RawRow> {
  const parser = parse({ raw: true });
  // What happens to the file is thrown where the rows are read.
  pipeline(createReadStream(path), parser).catch(() => undefined);
  try {
    yield* parser as AsyncIterable<RawRow>;
  } catch (error) {
    throw unreadable(path, error);
  }
}

const incomplete = (reason: string): IsolineError =>
  new IsolineError('usage', `These parts do not make a whole: ${reason}. Name all of them, once each.`);

interface OpenPart {
  readonly part: Part;
  readonly head: string;
  readonly rows: AsyncGenerator<RawRow>;
}

async function openPart(path: string): Promise<OpenPart> {
  const rows = rowsOf(path);
  const { value } = await rows.next();
  const head = (value as RawRow | undefined)?.raw ?? '';
  const part = partOfHead(head);
  if (part === undefined) throw incomplete(`"${path}" is the table of no part`);
  return { part, head, rows };
}

/** In the order of their parts. @throws IsolineError where one is missing, twice, or of another whole */
async function openParts(paths: readonly string[]): Promise<readonly OpenPart[]> {
  const parts = await Promise.all(paths.map(openPart));
  parts.sort((a, b) => a.part.number - b.part.number);
  const first = parts[0]?.part;
  for (const [i, { part, head }] of parts.entries()) {
    if (part.of !== parts.length)
      throw incomplete(`one is part ${part.number}/${part.of}, and there are ${parts.length}`);
    if (part.number !== i + 1) throw incomplete(`part ${i + 1}/${part.of} is missing`);
    if (part.fingerprint !== first?.fingerprint || part.total !== first.total)
      throw incomplete(
        `part ${part.number}/${part.of} saw other recordings than part 1/${part.of}, or was asked for something else`,
      );
    if (withoutLastCell(head) !== withoutLastCell(parts[0]?.head ?? ''))
      throw incomplete('they have different columns');
  }
  return parts;
}

/** Row by row from each part in turn, as the recordings were dealt out. @throws IsolineError where a row is missing */
async function* mergedRows(parts: readonly OpenPart[]): AsyncGenerator<string> {
  yield withoutLastCell(parts[0]?.head ?? '');
  const total = parts[0]?.part.total ?? 0;
  for (let place = 0; place < total; place++) {
    const next = await parts[place % parts.length]?.rows.next();
    const row = next?.done === false ? next.value : undefined;
    if (row?.record.at(-1) !== String(place + 1))
      throw incomplete(`the row of recording ${place + 1} is missing`);
    yield withoutLastCell(row.raw);
  }
  for (const { part, rows } of parts)
    if ((await rows.next()).done !== true)
      throw incomplete(`part ${part.number}/${part.of} has more rows than recordings`);
}

export const mergeCommand: Command = {
  name: 'merge',
  usage: 'OUT PART…',
  options: {},
  notes: 'All parts of one whole, in any order.',
  positionals: [2, Number.POSITIVE_INFINITY],
  async run({ positionals }) {
    const [out, ...paths] = positionals as readonly [string, ...string[]];
    if (existsSync(out)) throw usageError(`"${out}" is already there. Choose another name.`, mergeCommand);
    // The parts are looked at before a file is opened: what is wrong with both is always said of the parts.
    const parts = await openParts(paths);
    const temporary = `${out}.${process.pid}.tmp`;
    try {
      await pipeline(mergedRows(parts), createWriteStream(temporary, { flags: 'wx', flush: true }));
      await rename(temporary, out);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error instanceof IsolineError ? error : unwritable(out, error);
    }
    print(`${parts.length} parts joined.`);
  },
};
