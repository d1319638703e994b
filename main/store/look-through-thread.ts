// The thread that looks through a large database in the background: entry of a worker.

import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { lookThrough } from './look-through.ts';

const { path } = workerData as { readonly path: string };
// Half of the time the disk is left to others.
void lookThrough(path, (tookMs) => wait(tookMs)).then(
  (damagedTable) => parentPort?.postMessage({ damagedTable }),
  // What cannot be read now is looked at after the next start.
  () => parentPort?.postMessage({}),
);
