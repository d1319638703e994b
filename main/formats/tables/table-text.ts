// The lines of a table as text: what divides its columns, where its numbers begin, and what stands above them.

/** What can stand between columns; the first that makes the same number of columns of each line is it. */
const DELIMITERS = ['\t', ';', ',', ' '] as const;
type Delimiter = (typeof DELIMITERS)[number];
/** So many lines of numbers in a row are a table. */
const LEAST_ROWS = 8;
const LINES_LOOKED_AT = 200;
const MOST_COLUMNS = 256;
/** No line of a table is as long; a file of another kind may be one line. */
const MOST_LINE = 16_384;
const NUMBER = /^[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?$/;
/** What stands where there is no value. */
const NOTHING = /^(nan|na|n\/a|null|none|inf|-inf|-|--|\?)?$/i;
const CLOCK = /^(?:(\d{4})[-/.](\d{2})[-/.](\d{2})[ T])?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?$/;

export interface Table {
  /** Everything above the numbers. */
  readonly head: readonly string[];
  /** The last line above them, divided as they are; empty where it has another number of columns. */
  readonly names: readonly string[];
  readonly columns: number;
  /** A row that could not be read is empty. */
  readonly rows: readonly (readonly string[])[];
  readonly unreadable: number;
}

/** Blanks around a line say nothing; a tab at its end is an empty field. */
function divided(line: string, delimiter: Delimiter): string[] {
  const fields = delimiter === ' ' ? line.trim().split(/ +/) : line.split(delimiter);
  return fields.map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );
}

const isValue = (field: string): boolean => NUMBER.test(field) || NOTHING.test(field) || CLOCK.test(field);

/** A line of numbers, of which some may be missing. */
const isRow = (fields: readonly string[], leastColumns: number): boolean =>
  fields.length >= leastColumns &&
  fields.length <= MOST_COLUMNS &&
  fields.every(isValue) &&
  fields.some((field) => !NOTHING.test(field));

interface Start {
  readonly delimiter: Delimiter;
  readonly line: number;
  readonly columns: number;
}

/** Where numbers begin that go on for some lines. */
function startOf(lines: readonly string[], leastColumns: number): Start | undefined {
  for (const delimiter of DELIMITERS) {
    let [first, columns] = [0, 0];
    for (const [i, line] of lines.entries()) {
      const fields = divided(line, delimiter);
      if (!isRow(fields, leastColumns)) columns = 0;
      else if (fields.length !== columns) [first, columns] = [i, fields.length];
      if (columns > 0 && i - first + 1 >= LEAST_ROWS) return { delimiter, line: first, columns };
    }
  }
  return undefined;
}

/** Letters stand in heads alone, and there as everywhere. */
function decodeLines(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** A row with words behind it, as LabChart writes remarks, is the row. */
function fieldsOf(line: string, { delimiter, columns }: Start): readonly string[] | undefined {
  const fields = divided(line, delimiter);
  const own = fields.length > columns && fields.slice(columns).every((field) => !NUMBER.test(field));
  const row = own ? fields.slice(0, columns) : fields;
  return row.length === columns && row.every(isValue) ? row : undefined;
}

/**
 * Without points, and without names that say how many columns there are, nobody knows whether a comma divides columns or numbers:
 * `0,512`.
 */
const isDoubtful = ({ delimiter }: Start, names: readonly string[], rows: readonly string[]): boolean =>
  delimiter === ',' && names.length === 0 && !rows.some((line) => line.includes('.'));

/**
 * @param leastColumns 1 where a list of numbers is a table, too
 * @returns undefined where the bytes are no table of numbers
 */
export function parseTable(bytes: Uint8Array, leastColumns = 2): Table | undefined {
  const lines = decodeLines(bytes)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/);
  if (lines.some(({ length }) => length > MOST_LINE)) return undefined;
  const begin = lines.slice(0, LINES_LOOKED_AT);
  const start = startOf(begin, 2) ?? (leastColumns < 2 ? startOf(begin, leastColumns) : undefined);
  if (start === undefined) return undefined;
  const head = lines.slice(0, start.line);
  const last = divided((head.at(-1) ?? '').replace(/^\s*[#%]\s*/, ''), start.delimiter);
  const names = last.length === start.columns ? last : [];
  const below = lines.slice(start.line).filter((line) => line.trim() !== '');
  if (isDoubtful(start, names, below.slice(0, LINES_LOOKED_AT))) return undefined;
  let unreadable = 0;
  const rows = below.map((line): readonly string[] => {
    const fields = fieldsOf(line, start);
    if (fields === undefined) unreadable++;
    return fields ?? [];
  });
  return { head, names, columns: start.columns, rows, unreadable };
}

/** The seconds of a clock time, and its day where it has one; `decimals` of the second are written. */
export function clockSeconds(
  field: string,
): { readonly seconds: number; readonly decimals: number; readonly day?: string } | undefined {
  const match = CLOCK.exec(field);
  if (match === null) return undefined;
  const [, year, month, day, hours, minutes, seconds = '0', fraction = ''] = match;
  return {
    seconds: 3600 * Number(hours) + 60 * Number(minutes) + Number(`${seconds}.${fraction || '0'}`),
    decimals: fraction.length,
    ...(year !== undefined && { day: `${year}-${month}-${day}` }),
  };
}

/** Whether a text in its first bytes can be a table at all. */
export const isPlainText = (head: Uint8Array): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) ||
  head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
