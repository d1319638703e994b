// What is wrong with a connection that somebody sets up.

import { IsolineError } from '../errors.ts';

/** Words for the screens: `connection.wrong`. */
export const WRONG_FIELDS = [
  'url',
  'urlSecret',
  'urlPlain',
  'host',
  'port',
  'organizationThere',
  'title',
  'orders',
  'patientSystem',
  'client',
  'path',
  'secret',
] as const;
export type WrongField = (typeof WRONG_FIELDS)[number];

/** @param message for the command line */
export const wrong = (field: WrongField, message: string): IsolineError =>
  new IsolineError('invalid_request', message, { field });
