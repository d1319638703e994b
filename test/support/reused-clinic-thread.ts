// Entry of a clinic thread that serves one workstation after the other: what it and its workers have loaded and compiled
// for one, they need not for the next. The thread of the product ends with its workstation.

import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { assert } from '../../main/ground/assert.ts';
import { runInThread, type ToClinicThread } from '../../main/host/clinic-in-thread.ts';
import type { ClinicOptions } from '../../main/host/running-clinic.ts';
import { openKeptWorkers } from './kept-workers.ts';

export interface OpenClinic {
  readonly main: MessagePort;
  readonly options: ClinicOptions;
}
/** The clinic is closed; nothing of it runs any more, and the thread can have another. */
export type FromReusedThread = 'closed' | 'free';

/** The handles of the thread itself, of its workers, and of the question what is there. */
const ALWAYS_THERE = ['MessagePort', 'Worker', 'Immediate'];
/** What would keep the thread alive. Timers that would not are not seen. */
const running = (): string[] =>
  process.getActiveResourcesInfo().filter((resource) => !ALWAYS_THERE.includes(resource));

/** Connections that were cut, and the last writes, take a few turns. */
const WORK_MS = 100;
/** Most timers run out within a second. */
const TIMERS_MS = 2000;
const LOOK_MS = 5;

/** What goes on for longer would run into the next clinic, so the thread ends. */
async function endUnless(isSo: () => boolean, patienceMs: number): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!isSo()) {
    if (performance.now() >= deadlineMs) process.exit(0);
    await wait(LOOK_MS, undefined, { ref: false });
  }
}

const parent = parentPort;
assert(parent !== null, 'this file is the entry of a worker thread');
const tell = (message: FromReusedThread): void => parent.postMessage(message);

async function leave(): Promise<void> {
  // An error while the clinic closed ends the thread first.
  await nextTurn();
  await endUnless(() => running().every((resource) => resource === 'Timeout'), WORK_MS);
  tell('closed');
  await endUnless(() => running().length === 0, TIMERS_MS);
  tell('free');
}

parent.on('message', ({ main, options }: OpenClinic) => {
  const ports = [main, options.sealPort, options.installerPort];
  // The main thread says nothing before the clinic is ready, and then both hear it.
  main.on('message', (message: ToClinicThread) => {
    if (message.kind === 'connect') ports.push(message.port);
  });
  const onClosed = (): void => {
    // A thread that ends closes its ports; this one goes on.
    for (const port of ports) port?.close();
    void leave();
  };
  void runInThread(main, options, onClosed, openKeptWorkers);
});
