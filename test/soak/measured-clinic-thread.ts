// The clinic thread, telling now and then how much memory its own heap holds.

import { BroadcastChannel } from 'node:worker_threads';
import '../../main/host/clinic-thread.ts';

const TELL_MS = 1000;

const channel = new BroadcastChannel('isoline.soak.clinic-heap');
channel.unref();
setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  channel.postMessage({ heapUsed, external });
}, TELL_MS).unref();
