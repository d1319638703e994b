// Text and numbers in headers, read as tolerantly as the formats reference (sections 0 and 1.2) asks and no
// further.

import { civilDateMs, monthOfLetters } from '../../shared/civil-time.ts';

const LATIN_1 = new TextDecoder('windows-1252');
const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true });

export interface TextField {
  readonly text: string;
  readonly isAscii: boolean;
}

/**
 * Header text: ASCII, else UTF-8 if the whole field is valid UTF-8, else Windows-1252. Control bytes count as
 * blanks.
 * @param named character set where the file names one that is not told apart so
 */
export function decodeField(bytes: Uint8Array, named?: string): TextField {
  const isAscii = bytes.every((byte) => byte < 0x80);
  let text: string;
  try {
    text = named === undefined ? STRICT_UTF_8.decode(bytes) : new TextDecoder(named).decode(bytes);
  } catch {
    // Not UTF-8: older programs write the code page of their machine, which is nearly always this one.
    text = LATIN_1.decode(bytes);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being removed
  return { text: text.replace(/[\u0000-\u001f\u007f]/g, ' ').trim(), isAscii };
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * A finite decimal number; a comma counts as the point where there is no point. Undefined for anything else.
 */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  const written = trimmed.includes('.') ? trimmed : trimmed.replace(',', '.');
  if (!NUMBER.test(written)) return undefined;
  const value = Number(written);
  return Number.isFinite(value) ? value : undefined;
}

/** An integer, also when written `256.0`. */
export function parseInteger(text: string): number | undefined {
  const value = parseDecimal(text);
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined;
}

/** `dd-MMM-yyyy` of EDF+ in any case. */
export function parseLetterDate(text: string): { ms: number; iso: string } | undefined {
  const match = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text);
  if (match === null) return undefined;
  const month = monthOfLetters(match[2] as string);
  const ms = civilDateMs(Number(match[3]), month, Number(match[1]));
  return ms === undefined ? undefined : { ms, iso: new Date(ms).toISOString().slice(0, 10) };
}
