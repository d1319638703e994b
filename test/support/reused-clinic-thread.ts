// Entry of a clinic thread that serves one workstation after the other: what it and its workers have loaded and compiled
// for one, they need not for the next. The thread of the product ends with its workstation.

import { type MessagePort, parentPort } from 'node:worker_threads';
import { runInThread, type ToClinicThread } from '../../main/host/clinic-in-thread.ts';
import type { ClinicOptions } from '../../main/host/running-clinic.ts';
import { assert } from '../../shared/assert.ts';
import { openKeptWorkers } from './kept-workers.ts';

export interface OpenClinic {
  readonly main: MessagePort;
  readonly options: ClinicOptions;
}
/** The clinic is closed; nothing of it runs any more, and the thread can have another. */
export type FromReusedThread = 'closed' | 'free';

/** Of the thread itself and of its workers. */
const ALWAYS_THERE = ['MessagePort', 'Worker', 'Immediate'];
const isQuiet = (): boolean =>
  process.getActiveResourcesInfo().every((resource) => ALWAYS_THERE.includes(resource));

/** What a closed clinic leaves running ends within a second, or would run into the next one. */
const PATIENCE_MS = 2000;
const LOOK_MS = 20;

const parent = parentPort;
assert(parent !== null, 'this file is the entry of a worker thread');
const tell = (message: FromReusedThread): void => parent.postMessage(message);

function freeOrEnd(deadlineMs: number): void {
  if (isQuiet()) tell('free');
  else if (performance.now() < deadlineMs) setTimeout(freeOrEnd, LOOK_MS, deadlineMs).unref();
  else process.exit(0);
}

parent.on('message', ({ main, options }: OpenClinic) => {
  const ports = [main, options.sealPort, options.installerPort];
  main.on('message', (message: ToClinicThread) => {
    if (message.kind === 'connect') ports.push(message.port);
  });
  const onClosed = (): void => {
    // Those of a thread close with it.
    for (const port of ports) port?.close();
    tell('closed');
    freeOrEnd(performance.now() + PATIENCE_MS);
  };
  void runInThread(main, options, onClosed, openKeptWorkers);
});
