// The clinic thread as the main thread keeps it: started, started again when it dies, stopped in order.

import type { EventEmitter } from 'node:events';
import { type MessagePort, type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';
import { fromPlainError, IsolineError } from '../../shared/errors.ts';
import { type HostInstaller, offerInstaller } from '../bridge/installer-link.ts';
import { offerSeal, type Seal } from '../connections/key-store.ts';
import type { DeskSettings } from '../device/desk.ts';
import type { FromClinicThread, ToClinicThread } from './clinic-in-thread.ts';
import type { BridgeRole } from './page-bridges.ts';
import type { ClinicOptions } from './running-clinic.ts';

/** Many times what it needs: where this is not enough something is wrong, and it is started again. */
const CLINIC_HEAP_MB = 1024;
const RESTART_PAUSE_MS = 50;
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;

/** What the main thread needs of the clinic thread. */
export interface ClinicThread extends EventEmitter, Pick<Worker, 'terminate'> {
  postMessage(message: ToClinicThread, ports?: readonly Transferable[]): void;
}
export type OpenThread = (options: WorkerOptions) => ClinicThread;

export const threadOf =
  (entry: URL): OpenThread =>
  (options) =>
    new Worker(entry, options);

interface RunningThread {
  readonly worker: ClinicThread;
  readonly serviceUrl: string;
  readonly fingerprint: string | undefined;
  readonly desk: DeskSettings;
}

/** What only the main thread of some hosts can reach. */
export interface HostParts {
  /** The key store of the system. */
  readonly seal?: Seal;
  readonly installer?: HostInstaller;
}

function startThread(
  open: OpenThread,
  options: ClinicOptions,
  { seal, installer }: HostParts,
  onTrouble: OnTrouble,
): Promise<RunningThread> {
  const { promise, resolve, reject } = Promise.withResolvers<RunningThread>();
  const sealPort = seal && offerSeal(seal);
  const installerPort =
    installer && offerInstaller(installer, (error) => onTrouble('The update did not work.', error));
  const worker = open({
    workerData: { ...options, sealPort, installerPort },
    transferList: [sealPort, installerPort].filter((port) => port !== undefined),
    name: 'clinic',
    resourceLimits: { maxOldGenerationSizeMb: CLINIC_HEAP_MB },
  });
  worker.once('message', (message: FromClinicThread) => {
    if (message.kind === 'ready')
      resolve({
        worker,
        serviceUrl: message.serviceUrl,
        fingerprint: message.fingerprint,
        desk: message.desk,
      });
    else if (message.kind === 'failed') {
      const cause = message.stack === undefined ? {} : { cause: message.stack };
      reject(
        message.error.reason === 'internal'
          ? new Error('the clinic thread could not start', cause)
          : fromPlainError(message.error),
      );
      void worker.terminate();
    }
  });
  worker.once('error', reject);
  worker.once('exit', (code) =>
    reject(new Error(`the clinic thread ended with code ${code} before it was ready`)),
  );
  return promise;
}

/** @param port that the one before had, if any */
type Start = (port: number | undefined) => Promise<RunningThread>;

/** What a person has to know, and what caused it. */
export type OnTrouble = (sentence: string, cause: unknown) => void;

export class KeptThread {
  readonly #start: Start;
  readonly #onTrouble: OnTrouble;
  #current: RunningThread | undefined;
  #isClosing = false;
  /** It ends to be started again at once: nobody has to hear of it. */
  #isPlanned = false;
  #restartTimes: number[] = [];
  #restartTimer: ReturnType<typeof setTimeout> | undefined;
  #restarting: Promise<void> = Promise.resolve();
  #lastFault: unknown;
  readonly serviceUrl: string;
  readonly fingerprint: string | undefined;
  readonly desk: DeskSettings;

  private constructor(start: Start, onTrouble: OnTrouble, first: RunningThread) {
    this.#start = start;
    this.#onTrouble = onTrouble;
    this.serviceUrl = first.serviceUrl;
    this.fingerprint = first.fingerprint;
    this.desk = first.desk;
    this.#watch(first);
  }

  /** @throws IsolineError where the data folder or the service cannot be opened */
  static async start(
    open: OpenThread,
    options: ClinicOptions,
    parts: HostParts,
    onTrouble: OnTrouble,
  ): Promise<KeptThread> {
    const start: Start = (port) =>
      startThread(open, { ...options, port: port ?? options.port }, parts, onTrouble);
    return new KeptThread(start, onTrouble, await start(undefined));
  }

  /** A port to a bridge of the thread; closed at once where there is no thread. */
  connect(port: MessagePort, role: BridgeRole, session: string, seatId: number | undefined): void {
    const thread = this.#current;
    if (thread === undefined) port.close();
    else thread.worker.postMessage({ kind: 'connect', port, role, session, seatId }, [port]);
  }

  /** As if it had died. */
  async crash(): Promise<void> {
    await this.#current?.worker.terminate();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restartTimer);
    await this.#restarting;
    const thread = this.#current;
    if (thread === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    thread.worker.once('exit', () => resolve());
    thread.worker.postMessage({ kind: 'stop' });
    await promise;
  }

  #watch(thread: RunningThread): void {
    this.#current = thread;
    // Kept for the sentence that follows; without a listener it would end the process.
    thread.worker.on('error', (error) => {
      this.#lastFault = error;
    });
    thread.worker.on('message', ({ kind }: FromClinicThread) => {
      this.#isPlanned ||= kind === 'restarting';
    });
    thread.worker.once('exit', () => {
      this.#current = undefined;
      this.#restartIn(RESTART_PAUSE_MS);
    });
  }

  #restartIn(pauseMs: number): void {
    if (this.#isClosing) return;
    this.#restartTimer = setTimeout(() => {
      this.#restarting = this.#restart();
    }, pauseMs);
  }

  async #restart(): Promise<void> {
    const now = performance.now();
    this.#restartTimes = [...this.#restartTimes.filter((time) => now - time < RESTART_WINDOW_MS), now];
    if (this.#restartTimes.length > MAX_RESTARTS) {
      this.#onTrouble(
        'The store keeps stopping. Close Isoline and start it again; send the log if it stays so.',
        this.#lastFault,
      );
      return;
    }
    try {
      this.#watch(
        await this.#start(this.serviceUrl === '' ? undefined : Number(new URL(this.serviceUrl).port)),
      );
      if (!this.#isClosing && !this.#isPlanned)
        this.#onTrouble(
          'The store stopped and was started again. Nothing recorded is lost.',
          this.#lastFault,
        );
      this.#isPlanned = false;
    } catch (error) {
      const sentence =
        error instanceof IsolineError
          ? error.message
          : 'The store stopped and could not be started again. Close Isoline and start it again.';
      this.#onTrouble(sentence, error);
      this.#restartIn(1000);
    }
  }
}
