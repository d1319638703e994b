// `node test/bench/analysis-long.ts HOURS LEADS HZ`: one analysis of a long recording in a worker with the limits of
// the product's, in a process of its own, and what it took: seconds, peak memory of the process, and what one zero-phase
// filter over the same leads takes beside it. The signal is record 100 over and over, at the rate and with as many leads
// as are asked for.

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WORKER_LIMITS } from '../../main/pool/worker-limits.ts';

new Worker(join(import.meta.dirname, 'analysis-long-worker.ts'), {
  argv: process.argv.slice(2),
  resourceLimits: WORKER_LIMITS,
});
