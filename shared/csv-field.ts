// Tables as text, for programs of others.

/** What a spreadsheet would take for a formula gets an apostrophe before it (SEC36). */
export function csvText(text: string): string {
  const isFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^-?\d+([.,]\d+)?$/.test(text);
  return isFormula ? `'${text}` : text;
}

/** A field as RFC 4180 has it. */
export function csvField(text: string): string {
  const safe = csvText(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table that spreadsheets open by a double click: UTF-8 with its mark, lines that end as RFC 4180 has it. */
export const csvTable = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map((fields) => fields.map(csvField).join(',')).join('\r\n')}\r\n`;
