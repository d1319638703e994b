// One of several runs that share recordings between them: the first of three takes the first, the fourth, the seventh. The
// table of each has one column more, by which "isoline merge" knows what belongs together.

export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** All recordings that a run was given, its own and those of others. */
export interface Dealt {
  readonly total: number;
  /** The fingerprint of the names in order and of what was asked: the same for all runs of one whole. */
  readonly fingerprint: string;
}

export interface Part extends Shard, Dealt {}

const MOST = 100_000;

/** `3/64` @returns undefined where it is none */
export function parseShard(text: string): Shard | undefined {
  const [, number, of] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (number === undefined || of === undefined) return undefined;
  return number >= 1 && number <= of && of <= MOST ? { number, of } : undefined;
}

/** @param place of a recording among all, from 0 */
export const isIn = ({ number, of }: Shard, place: number): boolean => place % of === number - 1;

/** The name of the last column, known when all recordings have been seen. */
export const partHead = ({ number, of }: Shard, { total, fingerprint }: Dealt): string =>
  `,part ${number}/${of} of ${total} ${fingerprint}`;

/** The place of a row's recording among all, from 1. @param row of the part, from 0 */
export const partCell = ({ number, of }: Shard, row: number): string => `,${row * of + number}`;

/** The part that a table is of, by its head. */
export function partOfHead(head: string): Part | undefined {
  const [, text = '', total, fingerprint] =
    /,part (\d+\/\d+) of (\d+) ([0-9a-f]{16})\r?\n?$/.exec(head) ?? [];
  const shard = parseShard(text);
  return shard === undefined || fingerprint === undefined
    ? undefined
    : { ...shard, total: Number(total), fingerprint };
}

export const withoutLastCell = (line: string): string => line.replace(/,[^,"\n]*(\r?\n)?$/, '$1');
