// Why somebody did what can't be undone: asked for, kept in the audit.

import { IsolineError } from '../../shared/errors.ts';
import { isPlain } from '../../shared/plain-text.ts';

const LEAST_CHARACTERS = 3;

/** @returns it without blanks at its ends. @throws IsolineError `reason_missing` */
export function checkReason(reason: string): string {
  const said = reason.trim();
  if ([...said].length >= LEAST_CHARACTERS && isPlain(said)) return said;
  throw new IsolineError('reason_missing', `Enter a reason of at least ${LEAST_CHARACTERS} characters.`);
}
