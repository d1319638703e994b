// The character sets that practice systems write (E10). Those of DOS are in no decoder of the language; iconv-lite has them.

import iconv from 'iconv-lite';

export const CHARACTER_SETS = ['cp437', 'cp850', 'iso-8859-1', 'iso-8859-15', 'utf-8'] as const;
export type CharacterSet = (typeof CHARACTER_SETS)[number];

export const decodeText = (bytes: Uint8Array, characterSet: CharacterSet): string => iconv.decode(bytes, characterSet, { stripBOM: true });

/** Letters that the set does not have become question marks. */
export const encodeText = (text: string, characterSet: CharacterSet): Uint8Array => iconv.encode(text, characterSet);

/** Whether the text was read in the wrong set: no one writes these. */
export const isSuspicious = (text: string): boolean => /[\ufffd\u0080-\u009f]/.test(text);
