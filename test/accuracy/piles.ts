// Which patients a learned decision is trained with, and which it is judged by: a fifth of each database's patients, chosen by a hash of
// their names for good, is never trained with and read once per landing (the check pile); the others go into five folds.

export const FOLDS = 5;
/** One in so many. */
const CHECKED = 5;

/** FNV-1a, 32 bits, mixed once more: neighbouring names must not land side by side. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** @param patient the record’s name where the database names no patient */
export const isChecked = (database: string, patient: string): boolean =>
  hashOf(`${database}/${patient}`) % CHECKED === 0;

/** The fold, from 0, in which a patient is judged; of one who is not checked. */
export const foldOf = (database: string, patient: string): number =>
  Math.floor(hashOf(`${database}/${patient}`) / CHECKED) % FOLDS;
