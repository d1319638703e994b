// Who asks, as the handlers of a page get it: found, and found to be allowed, before a handler runs.

import type { CallInput, CallOutput, ClinicCall } from '../../../shared/bridge/contract.ts';
import type { Caller } from '../../clinic/people/sessions.ts';

/** Answers to operations whose rights have been checked. They translate; the clinic decides. */
export type Answers<N extends ClinicCall> = {
  readonly [K in N]: (input: CallInput<K>, caller: Caller) => Promise<CallOutput<K>>;
};
