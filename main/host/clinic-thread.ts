// The clinic thread: entry of the worker that owns the data folder.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../ground/assert.ts';
import { runInThread } from './clinic-in-thread.ts';
import type { ClinicOptions } from './running-clinic.ts';

const main = parentPort;
assert(main !== null, 'this file is the entry of a worker thread');
void runInThread(main, workerData as ClinicOptions, () => {
  main.close();
  // Nothing may keep the thread alive once the folder is closed.
  process.exit(0);
});
