// The letters of XML files that say wrongly, or not at all, how they are written.

import { expect, test } from 'vitest';
import { decodeXml } from '../../../main/formats/xml/xml-text.ts';

const BODY = '<a name="Jörg"/>';
const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>`;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

test('a long run of zeros in the middle is looked at once', () => {
  const text = `<a/>${'\0'.repeat(1_000_000)}x`;
  expect(decodeXml(utf8(text)).text).toBe(text);
});

test.each([
  ['UTF-8 as it says', utf8(declared('UTF-8') + BODY), false],
  ['UTF-8 with a mark, whatever it says', utf8(`\uFEFF${declared('ISO-8859-1')}${BODY}`), false],
  ['UTF-8 that says Latin-1', utf8(declared('ISO-8859-1') + BODY), true],
  ['Latin-1 as it says', latin1(declared('ISO-8859-1') + BODY), false],
  ['Latin-1 that says UTF-8', latin1(declared('UTF-8') + BODY), true],
  ['without a name of its letters, as XML means it', utf8(declared('') + BODY), false],
  ['behind a blank line', latin1(`\n  ${declared('ISO-8859-1')}${BODY}`), false],
  ['with zeros behind it', latin1(`${declared('ISO-8859-1')}${BODY}\0\0\0`), false],
  ['without a declaration', utf8(BODY), false],
])('%s', (_how, bytes, isGuessed) => {
  expect(decodeXml(bytes)).toEqual({ text: BODY, isGuessed });
});
