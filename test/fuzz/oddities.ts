// Oddities that a text or an XML file may have and still say the same: another encoding, prefixes, comments, line ends, blanks. A reader
// reads the same of it, or says that it cannot.

import type { Chance } from './mutations.ts';

export type Oddity = (bytes: Uint8Array, chance: Chance) => Uint8Array;

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8').decode(bytes);
const DECLARATION = /^<\?xml[^>]*\?>/;

const withComments = (text: string, chance: Chance): string =>
  text.replace(/>(?=<[A-Za-z])/g, (end) => (chance.below(6) === 0 ? `${end}<!-- a > b, "c" -->` : end));
const withBlanks = (text: string, chance: Chance): string => {
  const blank = chance.pick(['\n', '\r\n', '\n\t', '  ']);
  return text.replace(/>(?=<[A-Za-z/])/g, (end) => (chance.below(3) === 0 ? `${end}${blank}` : end));
};
/** All names that have none get the same prefix. */
const withPrefix = (text: string): string =>
  text
    .replace(/<(\/?)([A-Za-z][\w.-]*)(?=[\s/>])/g, '<$1q:$2')
    .replace(/<q:([\w.-]+)/, '<q:$1 xmlns:q="urn:odd"');
const withSingleQuotes = (text: string): string => text.replace(/="([^"'<>]*)"/g, "='$1'");
const withSpacedTags = (text: string): string => text.replace(/<\/([\w.:-]+)>/g, '</$1 >');
const withReferences = (text: string, chance: Chance): string =>
  text.replace(/>([^<>&]{1,40})</g, (all, inner: string) =>
    chance.below(4) === 0 ? `>&#${inner.charCodeAt(0)};${inner.slice(1)}<` : all,
  );
const withSections = (text: string, chance: Chance): string =>
  text.replace(/>([^<>&\]]{2,})</g, (all, inner: string) =>
    chance.below(4) === 0 ? `><![CDATA[${inner}]]><` : all,
  );

const XML_STEPS: readonly ((text: string, chance: Chance) => string)[] = [
  withComments,
  withBlanks,
  withPrefix,
  withSingleQuotes,
  withSpacedTags,
  withReferences,
  withSections,
];

function encoded(text: string, chance: Chance): Uint8Array {
  const body = text.replace(DECLARATION, '');
  switch (chance.below(5)) {
    case 0:
      return Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?>${body}`, 'utf16le');
    case 1:
      return Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>${body}`, 'latin1');
    case 2:
      return Buffer.from(`\uFEFF${body}`, 'utf8');
    case 3:
      return Buffer.from(`<?xml version="1.0"?><!-- made elsewhere -->\n${body}\n`, 'utf8');
    default:
      return Buffer.from(text, 'utf8');
  }
}

/** The same document, written by another program. */
export const oddXml: Oddity = (bytes, chance) => {
  let text = decode(bytes);
  for (const step of XML_STEPS) if (chance.below(3) === 0) text = step(text, chance);
  return encoded(text, chance);
};

/** The same lines, saved by another program. */
export const oddText: Oddity = (bytes, chance) => {
  let text = decode(bytes);
  if (chance.below(2) === 0) text = text.replace(/\r?\n/g, '\r\n');
  if (chance.below(3) === 0)
    text = text.replace(/(\r?\n)/g, (end) => (chance.below(5) === 0 ? ` ${end}` : end));
  if (chance.below(3) === 0) text = `${text}${chance.pick(['\n', '\r\n', '\n\n', ''])}`;
  if (chance.below(3) === 0) text = `\uFEFF${text}`;
  return Buffer.from(text, 'utf8');
};
