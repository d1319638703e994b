// Clinic threads that go from one workstation of a test process to the next.

import { EventEmitter } from 'node:events';
import {
  MessageChannel,
  type MessagePort,
  type Transferable,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads';
import type { ClinicThread, OpenThread } from '../../main/host/kept-thread.ts';
import type { FromReusedThread, OpenClinic } from './reused-clinic-thread.ts';

const free = new Set<Worker>();

function newThread(entry: URL, options: WorkerOptions): Worker {
  const worker = new Worker(entry, options);
  worker.once('exit', () => free.delete(worker));
  worker.on('message', (message: FromReusedThread) => {
    if (message === 'free') free.add(worker);
  });
  return worker;
}

/** One workstation's turn with a thread, which is to it as a thread of its own: it ends when the clinic is closed. */
class Turn extends EventEmitter implements ClinicThread {
  readonly #worker: Worker;
  readonly #main: MessagePort;
  readonly #onError = (error: unknown): void => void this.emit('error', error);
  readonly #onExit = (code: number): void => this.#end(code);
  readonly #onMessage = (message: FromReusedThread): void => {
    if (message === 'closed') this.#end(0);
  };

  constructor(worker: Worker, main: MessagePort) {
    super();
    this.#worker = worker;
    this.#main = main;
    worker.ref();
    worker.on('error', this.#onError);
    worker.on('exit', this.#onExit);
    worker.on('message', this.#onMessage);
    main.on('message', (message: unknown) => this.emit('message', message));
  }

  postMessage(message: unknown, ports: readonly Transferable[] = []): void {
    this.#main.postMessage(message, ports);
  }

  terminate(): Promise<number> {
    return this.#worker.terminate();
  }

  #end(code: number): void {
    this.#worker.off('error', this.#onError);
    this.#worker.off('exit', this.#onExit);
    this.#worker.off('message', this.#onMessage);
    this.#main.close();
    // A thread that nobody has does not keep the process.
    this.#worker.unref();
    this.emit('exit', code);
  }
}

/** @param entry `reused-clinic-thread.ts`, as it was built */
export const reusedThreads =
  (entry: URL): OpenThread =>
  ({ workerData, transferList = [], ...options }) => {
    const [worker = newThread(entry, options)] = free;
    free.delete(worker);
    const { port1, port2 } = new MessageChannel();
    const turn = new Turn(worker, port1);
    worker.postMessage({ main: port2, options: workerData } satisfies OpenClinic, [port2, ...transferList]);
    return turn;
  };
