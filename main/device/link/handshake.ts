// Carries out the steps of a driver's handshake on an open port.

import { setTimeout as wait } from 'node:timers/promises';
import { IsolineError } from '../../../shared/errors.ts';
import type { Answer, Step } from '../driver.ts';
import type { Transport } from '../transports/transport.ts';

const LOOK_MS = 10;

/**
 * @param signal ends it between two looks at what was heard.
 * @param heard all that arrived since `forget` was called, one character a byte.
 * @throws IsolineError `device_silent` with the sentence of the step.
 */
export async function runStep(
  transport: Transport,
  step: Step,
  heard: () => string = () => '',
  forget: () => void = () => undefined,
  signal?: AbortSignal,
): Promise<Answer> {
  const { send, quietMs, expect } = step;
  if (expect === undefined) {
    if (send !== undefined) await transport.write(send);
    if (quietMs !== undefined) {
      await wait(quietMs);
      await transport.discard();
      forget();
    }
    return {};
  }
  for (let attempt = 0; attempt < expect.tries; attempt++) {
    forget();
    if (send !== undefined) await transport.write(send);
    for (const endMs = performance.now() + expect.withinMs; performance.now() < endMs; ) {
      const answer = expect.read(heard());
      if (answer !== undefined) return answer;
      await wait(LOOK_MS, undefined, { signal });
    }
  }
  throw new IsolineError('device_silent', expect.silence);
}
