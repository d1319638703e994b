// Clinic threads that go from one workstation of a test process to the next.

import { EventEmitter } from 'node:events';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  type Transferable,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads';
import type { ToClinicThread } from '../../main/host/clinic-in-thread.ts';
import type { ClinicThread, OpenThread } from '../../main/host/kept-thread.ts';
import { reusedClinicThread } from './built-program.ts';
import type { FromReusedThread, OpenClinic } from './reused-clinic-thread.ts';

/** One workstation's turn with a thread, which is to it as a thread of its own: it ends when the clinic is closed. */
export class Turn extends EventEmitter implements ClinicThread {
  readonly #worker: Worker;
  readonly #main: MessagePort;
  readonly #onError = (error: unknown): void => void this.emit('error', error);
  readonly #onExit = (code: number): void => this.#end(code);
  readonly #onMessage = (message: FromReusedThread): void => {
    if (message === 'closed') this.#end(0);
  };
  readonly threadId: number;

  constructor(worker: Worker, main: MessagePort) {
    super();
    this.#worker = worker;
    this.#main = main;
    this.threadId = worker.threadId;
    worker.ref();
    worker.on('error', this.#onError);
    worker.on('exit', this.#onExit);
    worker.on('message', this.#onMessage);
    main.on('message', (message: unknown) => this.emit('message', message));
  }

  postMessage(message: ToClinicThread, ports: readonly Transferable[] = []): void {
    this.#main.postMessage(message, ports);
  }

  terminate(): Promise<number> {
    return this.#worker.terminate();
  }

  #end(code: number): void {
    this.#worker.off('error', this.#onError);
    this.#worker.off('exit', this.#onExit);
    this.#worker.off('message', this.#onMessage);
    // What the clinic said last may come behind the word that it is closed.
    for (let last = receiveMessageOnPort(this.#main); last; last = receiveMessageOnPort(this.#main))
      this.emit('message', last.message);
    this.#main.close();
    // A thread that nobody has does not keep the process.
    this.#worker.unref();
    this.emit('exit', code);
  }
}

const free = new Set<Worker>();

function newThread(entry: URL, options: WorkerOptions): Worker {
  const worker = new Worker(entry, options);
  worker.once('exit', () => free.delete(worker));
  worker.on('message', (message: FromReusedThread) => {
    if (message === 'free') free.add(worker);
  });
  worker.on('error', (cause) => {
    free.delete(worker);
    // Only the turn that it has listens as well.
    if (worker.listenerCount('error') === 1)
      throw new Error('A closed clinic left something running, which failed.', { cause });
  });
  return worker;
}

const openReused =
  (entry: URL): OpenThread =>
  ({ workerData, transferList = [], ...options }) => {
    const [worker = newThread(entry, options)] = free;
    free.delete(worker);
    const { port1, port2 } = new MessageChannel();
    const turn = new Turn(worker, port1);
    worker.postMessage({ main: port2, options: workerData } satisfies OpenClinic, [port2, ...transferList]);
    return turn;
  };

/** Undefined where it is not built: then each workstation has a thread of its own. */
export const openReusedThread = reusedClinicThread && openReused(reusedClinicThread);
