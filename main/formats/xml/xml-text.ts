// The text of an XML file, whatever letters it is written in: what its first bytes show goes before what it says of itself, because files are
// copied from one encoding into another and keep their first line.

import type { ByteSource } from '../byte-source.ts';

export interface XmlText {
  readonly text: string;
  /** The file says wrongly how its letters are written; those beyond ASCII may be others. */
  readonly isGuessed: boolean;
}

const WESTERN = 'windows-1252';

function wideEncoding([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0 && third !== 0 && fourth === 0))
    return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return undefined;
}

const decodeAs = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Either the name stands for no encoding, or the bytes are not of it.
    return undefined;
  }
};

const hasUtf8Mark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf;
const isBeyondAscii = (bytes: Uint8Array): boolean => bytes.some((byte) => byte >= 0x80);

const FILLING = new Set(['\0', '\n', '\r', ' ', '\t']);

/** What stands around the document and is none of it: blanks and the declaration before it, zeros that fill a record behind it. */
function documentOf({ text, isGuessed }: XmlText): XmlText {
  const begin = /^\uFEFF?\s*(?:<\?xml\s[^>]*\?>)?/.exec(text)?.[0].length ?? 0;
  // A regular expression would look at each run of zeros again from each of its places.
  let end = text.length;
  while (end > begin && FILLING.has(text[end - 1] as string)) end--;
  return { text: text.slice(begin, end), isGuessed };
}

export const decodeXml = (bytes: Uint8Array): XmlText => documentOf(lettersOf(bytes));

function lettersOf(bytes: Uint8Array): XmlText {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), isGuessed: false };
  const first = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(first)?.[1]?.toLowerCase() ?? 'utf-8';
  // Letters of one byte hardly ever make up UTF-8 by chance.
  const utf8 = isBeyondAscii(bytes) ? decodeAs(bytes, 'utf-8') : undefined;
  if (utf8 !== undefined) return { text: utf8, isGuessed: !hasUtf8Mark(bytes) && !/^utf-?8$/.test(declared) };
  // Bytes that are not wide are not of a wide encoding, whatever the declaration says.
  const stated = /^(utf-?16|ucs-?2|iso-10646)/.test(declared) ? undefined : decodeAs(bytes, declared);
  if (stated !== undefined) return { text: stated, isGuessed: false };
  const plain = decodeAs(bytes, 'utf-8');
  return plain === undefined
    ? { text: new TextDecoder(WESTERN).decode(bytes), isGuessed: true }
    : { text: plain, isGuessed: false };
}

const PROLOG_BYTES = 1 << 20;
const BEFORE_ROOT =
  /^\uFEFF?\s*(?:<\?[\s\S]*?\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE(?:[^[>]|\[[^\]]*\])*>\s*)*/i;

/** The name of the root element without its prefix; undefined where a file is no XML. @param head the first bytes of the file */
export function rootName(head: Uint8Array, source: ByteSource): string | undefined {
  const { text } = decodeXml(head.subarray(0, head.length - (head.length % 2)));
  if (!/^\uFEFF?\s*</.test(text)) return undefined;
  const known = rootOf(text);
  if (known !== undefined || source.sizeBytes <= head.length) return known;
  // A comment or a document type may be longer than the first bytes.
  return rootOf(decodeXml(source.read(0, Math.min(PROLOG_BYTES, source.sizeBytes))).text);
}

function rootOf(text: string): string | undefined {
  const rest = text.slice(BEFORE_ROOT.exec(text)?.[0].length ?? 0);
  return /^<(?:[\w.-]+:)?([\w.-]+)[\s>/]/.exec(rest)?.[1];
}
