// Which character set a file means that does not say it (field 9206 is missing): by the letters that its
// bytes would be. Umlauts and accents lie below 0xA0 in the code pages of DOS, where the sets of ISO 8859
// have no letters at all, and above it there.

import { isUtf8 } from 'node:buffer';
import type { CharacterSet } from '../../../shared/character-set.ts';

export interface GuessedSet {
  readonly characterSet: CharacterSet;
  /** The bytes would be letters in another set, too: a person has to look. */
  readonly isUnsure: boolean;
}

/** Behind it the code pages of DOS have frames and signs. */
const LAST_DOS_LETTER = 0xa5;
/** Byte of ß in the code pages of DOS, and of á in ISO 8859. */
const SHARP_S_OR_A = 0xe1;

export function guessCharacterSet(bytes: Uint8Array): GuessedSet {
  const high = bytes.filter((byte) => byte >= 0x80);
  if (high.length === 0) return { characterSet: 'cp437', isUnsure: false };
  if (isUtf8(bytes)) return { characterSet: 'utf-8', isUnsure: false };
  const dos = high.filter((byte) => byte <= LAST_DOS_LETTER).length;
  const iso = high.filter((byte) => byte >= 0xc0 && byte !== SHARP_S_OR_A).length;
  if (iso > 0 && dos === 0) return { characterSet: 'iso-8859-1', isUnsure: false };
  return { characterSet: 'cp437', isUnsure: dos === 0 || iso > 0 };
}
