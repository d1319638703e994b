// Has a large database looked through some time after the start; small ones were looked through at the start.

import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import type { Log } from '../../clinic/ports.ts';

/** Smaller ones are looked through at each start; it takes less than a second. */
export const LOOKED_THROUGH_BYTES = 64 << 20;
/** Whoever starts the program wants to record, or to read. */
export const LOOK_AFTER_MS = 300_000;

export type LookAnswer =
  | { readonly kind: 'whole' }
  | { readonly kind: 'damaged'; readonly damagedTable: string }
  /** It could not be read, or not to its end; the next start looks again. */
  | { readonly kind: 'unread'; readonly reason: Reason };

export interface LaterLook {
  readonly entry: URL;
  /** The database file. */
  readonly path: string;
  readonly afterMs: number;
  readonly log: Log;
  onDamage(error: IsolineError): void;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export function lookThroughLater({ entry, path, afterMs, log, onDamage }: LaterLook): AsyncDisposable {
  let worker: Worker | undefined;
  const look = (): void => {
    if (sizeOf(path) <= LOOKED_THROUGH_BYTES) return;
    worker = new Worker(entry, { workerData: { path }, name: 'look-through' });
    worker.once('message', (answer: LookAnswer) => {
      if (answer.kind === 'whole') log('clinic.database_looked_through', {});
      else if (answer.kind === 'unread') log('clinic.database_unread', { reason: answer.reason });
      else
        onDamage(
          new IsolineError('database_damaged', 'The database is damaged. Restore the latest backup.', {
            table: answer.damagedTable,
          }),
        );
    });
    worker.once('error', () => log('clinic.database_unread', { reason: 'internal' }));
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
