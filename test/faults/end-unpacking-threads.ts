// A process of its own, which a fault may end: starts threads that unpack frames and ends each of them at
// another moment.

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Compression } from '../../main/signal/compressed-delta/header.ts';
import { frameFault } from '../../main/signal/compressed-delta/read-frame.ts';
import { makeFrame } from '../support/make-frames.ts';

const THREADS = 60;
const AT_ONCE = 4;
const SPREAD_MS = 5;

async function endOne(index: number): Promise<void> {
  const compression: Compression = index % 2 === 0 ? 'zstd' : 'zlib';
  const frame = makeFrame({ leads: 1, samples: 10, compression });
  const thread = new Worker(new URL(import.meta.url), { workerData: frame });
  await once(thread, 'message');
  await pause((SPREAD_MS * index) / THREADS);
  await thread.terminate();
}

function unpackForEver(frame: Uint8Array): never {
  for (;;) {
    const fault = frameFault(frame);
    if (fault !== undefined) throw new Error(fault);
  }
}

if (isMainThread) {
  for (let index = 0; index < THREADS; index += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => endOne(index + i)));
} else {
  parentPort?.postMessage('unpacks');
  unpackForEver(workerData);
}
