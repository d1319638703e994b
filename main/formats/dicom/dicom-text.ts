// Text of a DICOM dataset in the character sets that it names, with their code extensions (PS3.3, C.12.1.1.2; PS3.5, 6.1.2.5 and annexes
// H to K: ISO/IEC 2022 as names in Japanese, Korean and Chinese use it).

import { decodeField } from '../text-field.ts';

/** Defined terms of sets that are not told apart without being named. */
const DECODERS: Readonly<Record<string, string>> = {
  'ISO_IR 101': 'iso-8859-2',
  'ISO_IR 109': 'iso-8859-3',
  'ISO_IR 110': 'iso-8859-4',
  'ISO_IR 144': 'iso-8859-5',
  'ISO_IR 127': 'iso-8859-6',
  'ISO_IR 126': 'iso-8859-7',
  'ISO_IR 138': 'iso-8859-8',
  'ISO_IR 148': 'windows-1254',
  'ISO_IR 166': 'windows-874',
  'ISO_IR 203': 'iso-8859-15',
  // The right half holds the katakana, as in Shift JIS.
  'ISO_IR 13': 'shift_jis',
  GB18030: 'gb18030',
  GBK: 'gbk',
};

/** The decoder that a defined term names; undefined for those of the West and for UTF-8. */
const decoderOf = (term: string): string | undefined =>
  DECODERS[term.trim().replace(/^ISO 2022 IR /, 'ISO_IR ')];

const ESCAPE = 0x1b;

interface CodeElement {
  readonly decoder: string;
  /** Bytes of seven bits are moved into the right half, or put behind the escape of ISO 2022-JP. */
  readonly is7Bit?: 'jis' | 'jisSupplement';
}

/** By what stands behind the escape (PS3.3, tables C.12-3 and C.12-4). */
const ELEMENTS: Readonly<Record<string, CodeElement>> = {
  '(B': { decoder: 'windows-1252' },
  '(J': { decoder: 'shift_jis' },
  ')I': { decoder: 'shift_jis' },
  $B: { decoder: 'iso-2022-jp', is7Bit: 'jis' },
  '$@': { decoder: 'iso-2022-jp', is7Bit: 'jis' },
  '$(D': { decoder: 'euc-jp', is7Bit: 'jisSupplement' },
  '$)C': { decoder: 'euc-kr' },
  '$)A': { decoder: 'gbk' },
  '-A': { decoder: 'windows-1252' },
  '-B': { decoder: 'iso-8859-2' },
  '-C': { decoder: 'iso-8859-3' },
  '-D': { decoder: 'iso-8859-4' },
  '-L': { decoder: 'iso-8859-5' },
  '-G': { decoder: 'iso-8859-6' },
  '-F': { decoder: 'iso-8859-7' },
  '-H': { decoder: 'iso-8859-8' },
  '-M': { decoder: 'windows-1254' },
  '-T': { decoder: 'windows-874' },
  '-b': { decoder: 'iso-8859-15' },
};
const LONGEST_ESCAPE = 3;

function elementAt(bytes: Uint8Array, at: number): { element: CodeElement; length: number } | undefined {
  for (let length = 2; length <= LONGEST_ESCAPE; length++) {
    const element = ELEMENTS[String.fromCharCode(...bytes.subarray(at + 1, at + 1 + length))];
    if (element !== undefined) return { element, length: length + 1 };
  }
  return undefined;
}

function decodeElement(bytes: Uint8Array, { decoder, is7Bit }: CodeElement): string {
  if (is7Bit === 'jis') {
    const escaped = Uint8Array.of(ESCAPE, 0x24, 0x42, ...bytes);
    return new TextDecoder(decoder).decode(escaped);
  }
  if (is7Bit === 'jisSupplement') {
    const pairs = Array.from({ length: Math.floor(bytes.length / 2) }, (_, i) => [
      0x8f,
      (bytes[2 * i] as number) | 0x80,
      (bytes[2 * i + 1] as number) | 0x80,
    ]);
    return new TextDecoder(decoder).decode(Uint8Array.from(pairs.flat()));
  }
  return new TextDecoder(decoder).decode(bytes);
}

/** The parts of a name and its values each begin in the first set again (PS3.5, 6.1.2.5.3). */
const DELIMITERS = new Set(['^', '=', '\\'].map((letter) => letter.charCodeAt(0)));

function decodeExtended(bytes: Uint8Array, first: string): string {
  const start: CodeElement = { decoder: first };
  let element = start;
  let text = '';
  let from = 0;
  const flush = (to: number): void => {
    text += decodeElement(bytes.subarray(from, to), element);
  };
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    if (byte === ESCAPE) {
      flush(at);
      const next = elementAt(bytes, at);
      element = next?.element ?? element;
      at += next?.length ?? 1;
      from = at;
      // In a set of two bytes, a byte that looks like a delimiter may be half a letter.
    } else if (DELIMITERS.has(byte) && element.is7Bit === undefined) {
      flush(at);
      element = start;
      text += String.fromCharCode(byte);
      from = ++at;
    } else at += element.is7Bit === undefined ? 1 : 2;
  }
  flush(bytes.length);
  return text;
}

/** @param terms of the attribute Specific Character Set, in its order */
export function decodeDicomText(bytes: Uint8Array, terms: readonly string[]): string {
  const first = decoderOf(terms[0] ?? '');
  if (!bytes.includes(ESCAPE)) return decodeField(bytes, first).text;
  return decodeExtended(bytes, first ?? 'windows-1252')
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}
