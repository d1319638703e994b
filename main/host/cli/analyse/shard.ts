// One of several runs that share recordings between them: the first of three takes the first, the fourth, the seventh.

export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

export const WHOLE: Shard = { number: 1, of: 1 };
const MOST = 100_000;

/** `3/64` @returns undefined where it is none */
export function parseShard(text: string): Shard | undefined {
  const [, number, of] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (number === undefined || of === undefined) return undefined;
  return number >= 1 && number <= of && of <= MOST ? { number, of } : undefined;
}

/** @param place of a recording among all, from 0 */
export const isIn = ({ number, of }: Shard, place: number): boolean => place % of === number - 1;

/** In the last column of a part's table stands the place of each recording among all, from 1; its name says which part it is. */
export const partHead = ({ number, of }: Shard): string => (of === 1 ? '' : `,part ${number}/${of}`);

/** @param row of the table, from 0 */
export const partCell = ({ number, of }: Shard, row: number): string =>
  of === 1 ? '' : `,${row * of + number}`;

/** The part that a table is of, by its head. */
export function partOfHead(head: string): Shard | undefined {
  const [, text] = /,part (\d+\/\d+)\r?\n?$/.exec(head) ?? [];
  return text === undefined ? undefined : parseShard(text);
}

export const withoutLastCell = (line: string): string => line.replace(/,[^,"\n]*(\r?\n)?$/, '$1');
