// Has a large database looked through some time after the start; small ones were looked through at the start.

import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { IsolineError } from '../../shared/errors.ts';

/** Smaller ones are looked through at each start; it takes less than a second. */
export const LOOKED_THROUGH_BYTES = 64 << 20;
/** Whoever starts the program wants to record, or to read. */
export const LOOK_AFTER_MS = 300_000;

export interface LaterLook {
  /** The entry of the thread. */
  readonly entry: URL;
  /** The file of the database. */
  readonly path: string;
  readonly afterMs: number;
  onEnd(): void;
  onDamage(error: IsolineError): void;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export function lookThroughLater({ entry, path, afterMs, onEnd, onDamage }: LaterLook): AsyncDisposable {
  let worker: Worker | undefined;
  const look = (): void => {
    if (sizeOf(path) <= LOOKED_THROUGH_BYTES) return;
    worker = new Worker(entry, { workerData: { path }, name: 'look-through' });
    worker.once('message', ({ damagedTable }: { readonly damagedTable?: string }) => {
      if (damagedTable === undefined) return onEnd();
      onDamage(
        new IsolineError('database_damaged', 'The database is damaged. Restore the latest backup.', {
          table: damagedTable,
        }),
      );
    });
    // A thread that dies has found nothing; the next start looks again.
    worker.once('error', () => undefined);
    worker.unref();
  };
  const timer = setTimeout(look, afterMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await worker?.terminate();
    },
  };
}
