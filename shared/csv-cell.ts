// A cell of a table that other programs open.

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-\d+(\.\d+)?$/;

/** Quoted; what a table program would take for a formula becomes text (SEC36). */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Lines as table programs everywhere read them: UTF-8 with its mark, CRLF. */
export const csvTable = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;
