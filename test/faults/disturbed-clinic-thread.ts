// The clinic thread, with faults on demand.

import { BroadcastChannel } from 'node:worker_threads';
import '../../main/host/clinic-thread.ts';
import { FAULT_CHANNEL, type ThreadFault } from './thread-faults.ts';

const BLOCKED_MS = 10_000;

function happen(fault: ThreadFault): void {
  if (fault === 'thrown') throw new Error('thrown for a test');
  if (fault === 'blocked') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  else for (const kept: number[][] = []; ; ) kept.push(new Array<number>(1 << 20).fill(kept.length));
}

const channel = new BroadcastChannel(FAULT_CHANNEL);
channel.onmessage = (message: unknown) => happen((message as MessageEvent).data as ThreadFault);
// It does not keep the thread alive.
channel.unref();
