// The lines of a table as text: what divides its columns, where its numbers begin, and what stands above them.

/** What can stand between columns; the first that makes the same number of columns of each line is it. */
const DELIMITERS: readonly (readonly [string, RegExp])[] = [
  ['tab', /\t/],
  ['semicolon', /\s*;\s*/],
  ['comma', /\s*,\s*/],
  ['blank', /\s+/],
];
/** So many lines of numbers in a row are a table. */
const LEAST_ROWS = 8;
const MOST_COLUMNS = 256;
const NUMBER = /^[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?$/;
const CLOCK = /^(?:(\d{4})[-/.](\d{2})[-/.](\d{2})[ T])?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?$/;

export interface Table {
  /** Everything above the numbers. */
  readonly head: readonly string[];
  /** The last line above them, divided as they are; empty where it has another number of columns. */
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const divided = (line: string, delimiter: RegExp): string[] =>
  line
    .trim()
    .split(delimiter)
    .map((field) =>
      field
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    );

const isValue = (field: string): boolean => field === '' || NUMBER.test(field) || CLOCK.test(field);

/** A line of numbers, of which some may be missing. */
const isRow = (fields: readonly string[]): boolean =>
  fields.length > 1 &&
  fields.length <= MOST_COLUMNS &&
  fields.every(isValue) &&
  fields.some((field) => field !== '');

interface Start {
  readonly delimiter: RegExp;
  readonly line: number;
  readonly columns: number;
}

/** Where numbers begin that go on for some lines; a comma in them may be a decimal mark, so it is tried behind the others. */
function startOf(lines: readonly string[]): Start | undefined {
  for (const [name, delimiter] of DELIMITERS) {
    let [first, columns] = [0, 0];
    for (const [i, line] of lines.entries()) {
      const fields = divided(line, delimiter);
      if (!isRow(fields)) columns = 0;
      else if (fields.length !== columns) [first, columns] = [i, fields.length];
      if (columns > 0 && i - first + 1 >= LEAST_ROWS) return { delimiter, line: first, columns };
    }
    if (name === 'comma' && lines.some((line) => line.includes(';'))) return undefined;
  }
  return undefined;
}

const linesOf = (bytes: Uint8Array): string[] => {
  const text = bytes[0] === 0xff && bytes[1] === 0xfe ? new TextDecoder('utf-16le').decode(bytes) : undefined;
  return (text ?? decodeLines(bytes)).replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
};

/** Letters stand in heads alone, and there as everywhere. */
function decodeLines(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** @returns undefined where the bytes are no table of numbers */
export function parseTable(bytes: Uint8Array): Table | undefined {
  const lines = linesOf(bytes);
  const start = startOf(lines.slice(0, 200));
  if (start === undefined) return undefined;
  const head = lines.slice(0, start.line);
  const last = divided(head.at(-1)?.replace(/^[#%]\s*/, '') ?? '', start.delimiter);
  const rows = lines
    .slice(start.line)
    .map((line) => divided(line, start.delimiter))
    .filter((fields) => fields.length === start.columns && isRow(fields));
  return { head, names: last.length === start.columns ? last : [], rows };
}

/** Seconds of a clock time, or of a day and a time; the day as milliseconds where it is there. */
export function clockSeconds(field: string): { readonly seconds: number; readonly day?: string } | undefined {
  const match = CLOCK.exec(field);
  if (match === null) return undefined;
  const [, year, month, day, hours, minutes, seconds = '0', fraction = ''] = match;
  return {
    seconds: 3600 * Number(hours) + 60 * Number(minutes) + Number(`${seconds}.${fraction || '0'}`),
    ...(year !== undefined && { day: `${year}-${month}-${day}` }),
  };
}

/** Whether a text in its first bytes can be a table at all. */
export const isPlainText = (head: Uint8Array): boolean =>
  !head.subarray(0, 2).some((byte, i) => byte !== [0xff, 0xfe][i]) ||
  head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
