// The thread that looks through a large database in the background: entry of a worker.

import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { toPlainError } from '../../../shared/errors.ts';
import type { LookAnswer } from './later-look.ts';
import { lookThrough } from './look-through.ts';

const { path } = workerData as { readonly path: string };
const answer = (said: LookAnswer): void => parentPort?.postMessage(said);

// It rests for as long as it has read, so that half of the time the disk is left to others.
void lookThrough(path, (tookMs) => wait(tookMs)).then(
  (damagedTable) =>
    answer(damagedTable === undefined ? { kind: 'whole' } : { kind: 'damaged', damagedTable }),
  (error: unknown) => answer({ kind: 'unread', reason: toPlainError(error).reason }),
);
