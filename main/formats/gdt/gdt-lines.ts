// The lines of GDT (Gerätedatentransfer 2.1): three digits of length, four of the field, the value, CR LF.
// The length counts the whole line in bytes.

import { CHARACTER_SETS, type CharacterSet } from '../../../shared/character-set.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { decodeText, encodeText } from './character-sets.ts';
import { type GuessedSet, guessCharacterSet } from './guess-character-set.ts';

export interface GdtField {
  readonly id: string;
  readonly value: string;
}

export interface GdtLines {
  readonly fields: readonly GdtField[];
  readonly characterSet: CharacterSet;
  /** The file does not say its set, and its letters do not settle it. */
  readonly isSetUnsure: boolean;
  /** Lines whose length is not what they say, numbered from 1: many programs count letters, not bytes. */
  readonly wrongLengths: readonly number[];
}

const MOST_BYTES = 1 << 20;
const LENGTH_DIGITS = 3;
const HEAD_BYTES = 7;
const END_BYTES = 2;
export const CHARACTER_SET_FIELD = '9206';
/** What field 9206 says of each; DOS had two code pages and one number. */
export const CHARACTER_SET_CODES: Readonly<Record<CharacterSet, string>> = {
  cp437: '2',
  cp850: '2',
  'iso-8859-1': '3',
  'iso-8859-15': '4',
  'utf-8': '5',
};

/** With the code of seven bits, the old machines mean their code page. */
const setOfCode = (code: string): CharacterSet =>
  CHARACTER_SETS.find((set) => CHARACTER_SET_CODES[set] === code) ?? 'cp437';

const MARK = [0xef, 0xbb, 0xbf];
/** With which programs of DOS end a text file. */
const END_OF_FILE = 0x1a;

/** Without the mark of UTF-8 in front, and what stands behind the end of the text. */
function textBytes(file: Uint8Array): Uint8Array {
  const start = MARK.every((byte, i) => file[i] === byte) ? MARK.length : 0;
  const end = file.indexOf(END_OF_FILE);
  return file.subarray(start, end < 0 ? file.length : end);
}

/** Nothing but blanks and NULs, which fill what a program had left. */
const isBlank = (line: Uint8Array): boolean => line.every((byte) => byte <= 0x20);

/** Whether the letters of a file show that it is not in the set that it names. Sets of ISO 8859 hardly differ. */
function contradicts(guessed: GuessedSet, stated: CharacterSet, bytes: Uint8Array): boolean {
  const hasLetters = bytes.some((byte) => byte >= 0x80);
  if (!hasLetters) return false;
  if (stated === 'utf-8') return guessed.characterSet !== 'utf-8';
  const familyOf = (set: CharacterSet): string => (set.startsWith('cp') ? 'cp' : set.slice(0, 4));
  return !guessed.isUnsure && familyOf(guessed.characterSet) !== familyOf(stated);
}

function splitLines(file: Uint8Array): Uint8Array[] {
  const bytes = textBytes(file).filter((byte) => byte !== 0);
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(0x0a, from);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(from, bytes[end - 1] === 0x0d ? end - 1 : end);
    if (!isBlank(line)) lines.push(line);
    from = end + 1;
  }
  return lines;
}

const asciiOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/**
 * @param characterSet of the practice system where it is known; else what the file says, else what its
 * letters look like.
 * @throws IsolineError `unsupported_format` for what is no GDT
 */
export function readGdtLines(bytes: Uint8Array, characterSet?: CharacterSet): GdtLines {
  const lines = bytes.length > MOST_BYTES ? [] : splitLines(bytes);
  const heads = lines.map((line) => /^(\d{3})(\d{4})$/.exec(asciiOf(line.subarray(0, HEAD_BYTES))));
  if (lines.length === 0 || heads.some((head) => head === null))
    throw new IsolineError(
      'unsupported_format',
      'This is not a GDT file. Each line of a GDT file begins with seven digits.',
    );
  const said = heads.findIndex((head) => head?.[2] === CHARACTER_SET_FIELD);
  const code = said < 0 ? '' : asciiOf((lines[said] as Uint8Array).subarray(HEAD_BYTES)).trim();
  const text = textBytes(bytes);
  const guessed = guessCharacterSet(text);
  const stated = said < 0 ? undefined : setOfCode(code);
  const isContradicted = stated !== undefined && contradicts(guessed, stated, text);
  const chosen = characterSet ?? (isContradicted ? guessed.characterSet : (stated ?? guessed.characterSet));
  return {
    fields: lines.map((line, i) => ({
      id: heads[i]?.[2] as string,
      value: decodeText(line.subarray(HEAD_BYTES), chosen).trim(),
    })),
    characterSet: chosen,
    isSetUnsure: characterSet === undefined && (isContradicted || (stated === undefined && guessed.isUnsure)),
    wrongLengths: lines.flatMap((line, i) =>
      Number(heads[i]?.[1]) === line.length + END_BYTES ? [] : [i + 1],
    ),
  };
}

export const LENGTH_FIELD = '8100';

/** Field 8100, the length of all, is filled in. */
export function writeGdtLines(fields: readonly GdtField[], characterSet: CharacterSet): Uint8Array {
  const values = fields.map(({ value }) => encodeText(value.replace(/[\r\n]+/g, ' '), characterSet));
  const total = values.reduce((sum, value) => sum + HEAD_BYTES + value.length + END_BYTES, 0);
  const lines = fields.map(({ id }, i) => {
    const value =
      id === LENGTH_FIELD
        ? encodeText(String(total).padStart(5, '0'), characterSet)
        : (values[i] as Uint8Array);
    const length = HEAD_BYTES + value.length + END_BYTES;
    if (length >= 10 ** LENGTH_DIGITS)
      throw new IsolineError('invalid_request', `The GDT field ${id} is too long.`);
    return Buffer.concat([
      Buffer.from(`${String(length).padStart(LENGTH_DIGITS, '0')}${id}`),
      value,
      Buffer.from('\r\n'),
    ]);
  });
  return Buffer.concat(lines);
}
