// Numbers in paths and queries, by the patterns of D10 and D11 and not by anyone's coercion.

import { IsolineError, type Reason } from '../../shared/errors.ts';
import { ORGANIZATION_PATH } from '../../shared/token-scopes.ts';

const MAX_INT64 = 9_223_372_036_854_775_807n;

/** An id in a path. Above 2^53 − 1 it is a number that no task has: NaN, which no lookup finds. */
export function parsePathId(text: string | undefined, reason: Reason): number {
  // Nearly all are short, and no number beyond what is exact.
  if (text !== undefined && /^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  const isInRange =
    text !== undefined && /^[0-9]{1,19}$/.test(text) && BigInt(text) >= 1n && BigInt(text) <= MAX_INT64;
  if (!isInRange) throw new IsolineError(reason, 'The id in the path must be a whole number from 1.');
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : Number.NaN;
}

/** Chunks of a download are counted from 0 (D48). */
export function parseChunkIndex(text: string): number {
  if (!/^[0-9]{1,10}$/.test(text))
    throw new IsolineError('invalid_chunk_index', 'The chunk index must be a whole number from 0.');
  return Number(text);
}

/** A query number given exactly once. */
export function parseQueryNumber(value: unknown, name: string, reason: Reason): number {
  const number = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number))
    throw new IsolineError(reason, `The query needs "${name}" once, as a whole number.`);
  return number;
}

export function requireOrganizationPath(path: string): void {
  if (!ORGANIZATION_PATH.test(path))
    throw new IsolineError(
      'invalid_organization_path',
      'The organization path can only contain letters, digits, dots, dashes and underscores.',
    );
}
