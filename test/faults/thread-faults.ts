// Faults that a test makes inside the clinic thread, and the channel on which it asks for them.

import { BroadcastChannel } from 'node:worker_threads';
import { threadOf } from '../../main/host/kept-thread.ts';

/** An error that nobody catches, no memory left, ten seconds of something else. */
export type ThreadFault = 'thrown' | 'outOfHeap' | 'blocked';

export const FAULT_CHANNEL = 'isoline.clinic-thread.fault';

/** The clinic thread that can be asked. */
export const disturbedThread = threadOf(new URL('./disturbed-clinic-thread.ts', import.meta.url));

export function disturb(fault: ThreadFault): void {
  const channel = new BroadcastChannel(FAULT_CHANNEL);
  channel.postMessage(fault);
  channel.close();
}
