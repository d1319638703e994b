// Numbers and names in lines of text: what a sketch prints for a person or a plotter.

export interface Field {
  readonly name: string | undefined;
  /** NaN where the field is no number. */
  readonly value: number;
  /** The value means "no contact" (`!`). */
  readonly isLeadOff: boolean;
}

const NUMBER = /^[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})(e[+-]?\d{1,2})?$/i;
const NAMED = /^([\p{L}_][\p{L}\p{N}_ /%()-]{0,31})\s*[:=]\s*(.+)$/u;

export const SEPARATORS = ['\t', ';', ',', ' '] as const;
export type Separator = (typeof SEPARATORS)[number] | '';

export function splitLine(line: string, separator: Separator): string[] {
  if (separator === '') return [line.trim()];
  if (separator === ' ') return line.trim().split(/ +/);
  return line.split(separator).map((part) => part.trim());
}

/** Decimal commas only where the comma separates nothing. */
export function readField(text: string, separator: Separator): Field {
  if (text === '!') return { name: undefined, value: Number.NaN, isLeadOff: true };
  const named = NAMED.exec(text);
  const body = (named?.[2] ?? text).trim();
  const plain = separator === ';' || separator === '\t' ? body.replace(',', '.') : body;
  return {
    name: named?.[1]?.trim(),
    value: NUMBER.test(plain) ? Number(plain) : Number.NaN,
    isLeadOff: false,
  };
}
