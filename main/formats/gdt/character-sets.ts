// Text of practice systems to bytes and back. The character sets of DOS are in no decoder of the language;
// iconv-lite has them.

import iconv from 'iconv-lite';
import type { CharacterSet } from '../../../shared/character-set.ts';

export const decodeText = (bytes: Uint8Array, characterSet: CharacterSet): string =>
  iconv.decode(bytes, characterSet, { stripBOM: true });

/** Letters that the set does not have become question marks. */
export const encodeText = (text: string, characterSet: CharacterSet): Uint8Array =>
  iconv.encode(text, characterSet);

/** Whether the text was read in the wrong set: no one writes these. */
export const isSuspicious = (text: string): boolean => /[\ufffd\u0080-\u009f]/.test(text);
