// Something outside the database that has to know how far the audit trail is: written where the trail has
// grown, at most once a second.

import type { ClinicContext } from '../../clinic/context.ts';
import { repeat } from '../../clinic/repeat.ts';

const KEEP_MS = 1000;

/**
 * Writes at once, and from then on; a failure is logged as `event` and tried again.
 * @param write is given the number of the last entry
 * @returns what ends it, after writing once more
 */
export async function followAudit(
  { store, log }: Pick<ClinicContext, 'store' | 'log'>,
  event: string,
  write: (seq: number) => Promise<void>,
): Promise<AsyncDisposable> {
  let written = -1;
  const keep = async (): Promise<void> => {
    const seq = store.audit.lastSeq();
    if (seq === written) return;
    await write(seq);
    written = seq;
  };
  await keep();
  const kept = (): Promise<void> =>
    keep().catch((error: unknown) => log(event, { reason: error instanceof Error ? error.name : 'unknown' }));
  const keeping = repeat(KEEP_MS, kept);
  return {
    async [Symbol.asyncDispose]() {
      await keeping[Symbol.asyncDispose]();
      await kept();
    },
  };
}
