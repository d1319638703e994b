// Names in the character sets of DICOM: the examples of PS3.5, annexes H to J, and sets of one byte.

import { expect, test } from 'vitest';
import { decodeDicomText } from '../../../main/formats/dicom/dicom-text.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test.each([
  [
    'Japanese (H.3.1)',
    ['', 'ISO 2022 IR 87'],
    'Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B=\x1b$B$d$^$@\x1b(B^\x1b$B$?$m$&\x1b(B',
    'Yamada^Tarou=山田^太郎=やまだ^たろう',
  ],
  [
    'Japanese (H.3.2)',
    ['ISO 2022 IR 13', 'ISO 2022 IR 87'],
    '\xd4\xcf\xc0\xde^\xc0\xdb\xb3=\x1b$B;3ED\x1b(J^\x1b$BB@O:\x1b(J=\x1b$B$d$^$@\x1b(J^\x1b$B$?$m$&\x1b(J',
    'ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎=やまだ^たろう',
  ],
  [
    'Korean (I.2)',
    ['', 'ISO 2022 IR 149'],
    'Hong^Gildong=\x1b$)C\xfb\xf3^\x1b$)C\xd1\xce\xd4\xd7=\x1b$)C\xc8\xab^\x1b$)C\xb1\xe6\xb5\xbf',
    'Hong^Gildong=洪^吉洞=홍^길동',
  ],
  [
    'Chinese (K.2)',
    ['', 'ISO 2022 IR 58'],
    'Zhang^XiaoDong=\x1b$)A\xd5\xc5^\x1b$)A\xd0\xa1\xb6\xab=',
    'Zhang^XiaoDong=张^小东=',
  ],
  ['Greek', ['ISO_IR 126'], '\xc4\xe9\xef\xed\xf5\xf3\xe9\xef\xf2', 'Διονυσιος'],
  [
    'Cyrillic behind Latin',
    ['ISO 2022 IR 6', 'ISO 2022 IR 144'],
    'Luxemburg=\x1b-L\xbb\xee\xda\xe1\xd5\xdc\xd1\xe3\xe0\xd3',
    'Luxemburg=Люксембург',
  ],
  ['the West, not named', [], 'J\xe4ger', 'Jäger'],
])('%s', (_, terms, text, expected) => {
  expect(decodeDicomText(bytes(text), terms)).toBe(expected);
});
