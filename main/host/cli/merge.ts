// `isoline merge OUT PART…`: the tables of runs that shared recordings, as the one that a single run would have written.

import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { parse } from 'csv-parse';
import { IsolineError } from '../../../shared/errors.ts';
import { partOfHead, type Shard, withoutLastCell } from './analyse/shard.ts';
import { type Command, print, usageError } from './command.ts';

interface RawRow {
  /** As it stands in the file, with its end of line. */
  readonly raw: string;
  readonly record: readonly string[];
}

/** @throws IsolineError `file_not_found`, `record_unreadable` */
async function* rowsOf(path: string): AsyncGenerator<RawRow> {
  if (!existsSync(path)) throw new IsolineError('file_not_found', `The file "${path}" is not there.`);
  try {
    yield* createReadStream(path).pipe(parse({ raw: true })) as AsyncIterable<RawRow>;
  } catch (error) {
    throw new IsolineError('record_unreadable', `"${path}" is not a whole table.`, {}, { cause: error });
  }
}

const incomplete = (reason: string): IsolineError =>
  new IsolineError('usage', `These parts do not make a whole: ${reason}. Name all of them, once each.`);

interface Part {
  readonly shard: Shard;
  readonly head: string;
  readonly rows: AsyncGenerator<RawRow>;
}

async function openPart(path: string): Promise<Part> {
  const rows = rowsOf(path);
  const { value } = await rows.next();
  const head = (value as RawRow | undefined)?.raw ?? '';
  const shard = partOfHead(head);
  if (shard === undefined) throw incomplete(`"${path}" is the table of no part`);
  return { shard, head, rows };
}

/** In the order of their parts. @throws IsolineError where one is missing or twice */
async function openParts(paths: readonly string[]): Promise<readonly Part[]> {
  const parts = await Promise.all(paths.map(openPart));
  parts.sort((a, b) => a.shard.number - b.shard.number);
  for (const [i, { shard, head }] of parts.entries()) {
    if (shard.of !== parts.length)
      throw incomplete(`one is part ${shard.number}/${shard.of}, and there are ${parts.length}`);
    if (shard.number !== i + 1) throw incomplete(`part ${i + 1}/${shard.of} is missing`);
    if (withoutLastCell(head) !== withoutLastCell(parts[0]?.head ?? ''))
      throw incomplete('they have different columns');
  }
  return parts;
}

/** Row by row from each part in turn, as the recordings were dealt out. @throws IsolineError where a row is missing */
async function* mergedRows(paths: readonly string[]): AsyncGenerator<string> {
  const parts = await openParts(paths);
  yield withoutLastCell(parts[0]?.head ?? '');
  let ended = 0;
  for (let place = 0; ended < parts.length; place++) {
    const { value, done } = (await parts[place % parts.length]?.rows.next()) ?? { done: true };
    if (done === true) {
      ended++;
      continue;
    }
    const { raw, record } = value as RawRow;
    // Whoever comes later has a row only where everybody before has.
    if (ended > 0 || record.at(-1) !== String(place + 1))
      throw incomplete(`the row of recording ${place + 1 - ended} is missing`);
    yield withoutLastCell(raw);
  }
}

export const mergeCommand: Command = {
  name: 'merge',
  summary:
    'Join the tables of "isoline analyse --shard" runs to the one that a single run would have written.',
  usage: 'OUT PART…',
  options: {},
  notes: 'All parts of one whole, in any order.',
  positionals: [2, Number.POSITIVE_INFINITY],
  async run({ positionals }) {
    const [out, ...paths] = positionals as readonly [string, ...string[]];
    if (existsSync(out)) throw usageError(`"${out}" is already there. Choose another name.`, mergeCommand);
    const temporary = `${out}.${process.pid}.tmp`;
    const file = await open(temporary, 'wx');
    let rows = -1;
    try {
      for await (const row of mergedRows(paths)) {
        await file.write(row);
        rows++;
      }
      await file.datasync();
      await rename(temporary, out);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    print(`${rows} rows of ${paths.length} parts.`);
  },
};
