// What is said of a recording that cannot be sent, because it is not here as it was.

import { IsolineError } from '../../../shared/errors.ts';

export const missing = (): IsolineError =>
  new IsolineError('record_unreadable', 'The recording is missing or damaged and cannot be sent.');
