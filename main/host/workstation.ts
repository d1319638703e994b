// The workstation of one data folder as the doors see it: starts the clinic thread, starts it again if it
// dies, connects bridges to it. Runs on the main thread and never touches the disk.

import { randomUUID } from 'node:crypto';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { BridgePort } from '../../shared/bridge/messages.ts';
import { fromPlainError, IsolineError } from '../../shared/errors.ts';
import { overMessagePort } from '../bridge/message-port.ts';
import type { DeskSettings } from '../device/desk.ts';
import { workerUrl } from '../product/product.ts';
import { offerSeal, type Seal } from '../sync/key-store.ts';
import type { BridgeRole, ClinicThreadOptions, FromClinicThread, ToClinicThread } from './clinic-thread.ts';

/** Many times what it needs: where this is not enough something is wrong, and it is started again. */
const CLINIC_HEAP_MB = 1024;
const RESTART_PAUSE_MS = 50;
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;

export interface WorkstationOptions
  extends Omit<ClinicThreadOptions, 'isDemo' | 'overrides' | 'host' | 'sealPort'> {
  /** Overrides the setting. */
  readonly host?: string;
  readonly overrides?: ClinicThreadOptions['overrides'];
  readonly isDemo?: boolean;
  /** The key store of the system, where this host has one. */
  readonly seal?: Seal;
  /** Another entry of the clinic thread: for tests of faults inside it. */
  readonly threadEntry?: URL;
  /** Hears of a clinic thread that died and was started again, or of one that could not be. */
  readonly onTrouble?: (sentence: string, cause: unknown) => void;
}

export interface Workstation extends AsyncDisposable {
  readonly serviceUrl: string;
  /** SHA-256 of the service's certificate, where it has one. */
  readonly fingerprint: string | undefined;
  readonly deskSettings: DeskSettings;
  /**
   * A new bridge connection to the clinic. It closes when the clinic thread dies; the caller then connects
   * again.
   * @param session tells pages apart: who is signed in at one is so there alone.
   */
  connect(role?: BridgeRole, session?: string): BridgePort;
  /** Ends the clinic thread as a fault would: for tests of what happens then. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

interface RunningThread {
  readonly worker: Worker;
  readonly serviceUrl: string;
  readonly fingerprint: string | undefined;
  readonly desk: DeskSettings;
}

function startThread(
  entry: URL,
  options: ClinicThreadOptions,
  seal: Seal | undefined,
): Promise<RunningThread> {
  const { promise, resolve, reject } = Promise.withResolvers<RunningThread>();
  const sealPort = seal === undefined ? undefined : offerSeal(seal);
  const worker = new Worker(entry, {
    workerData: { ...options, sealPort },
    ...(sealPort !== undefined && { transferList: [sealPort] }),
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

export async function startWorkstation(options: WorkstationOptions): Promise<Workstation> {
  // Whatever is written from here on is the data of patients (SEC62). Threads take this over from the
  // process.
  process.umask(0o077);
  const {
    onTrouble = () => undefined,
    threadEntry = workerUrl('host/clinic-thread'),
    seal,
    ...rest
  } = options;
  const threadOptions: ClinicThreadOptions = { overrides: [], isDemo: false, host: undefined, ...rest };
  let isClosing = false;
  let restartTimes: number[] = [];
  let current: RunningThread | undefined = await startThread(threadEntry, threadOptions, seal);
  const { serviceUrl, fingerprint, desk } = current;
  const port = serviceUrl === '' ? threadOptions.port : Number(new URL(serviceUrl).port);

  let lastFault: unknown;
  let restartTimer: ReturnType<typeof setTimeout> | undefined;
  let restarting: Promise<void> = Promise.resolve();

  const restartIn = (pauseMs: number): void => {
    if (isClosing) return;
    restartTimer = setTimeout(() => {
      restarting = restart();
    }, pauseMs);
  };
  const watch = (thread: RunningThread): void => {
    current = thread;
    // Kept for the sentence that follows; without a listener it would end the process.
    thread.worker.on('error', (error) => {
      lastFault = error;
    });
    thread.worker.once('exit', () => {
      current = undefined;
      restartIn(RESTART_PAUSE_MS);
    });
  };
  const restart = async (): Promise<void> => {
    const now = performance.now();
    restartTimes = [...restartTimes.filter((time) => now - time < RESTART_WINDOW_MS), now];
    if (restartTimes.length > MAX_RESTARTS) {
      onTrouble(
        'The store keeps stopping. Nothing recorded is lost; close Isoline and start it again.',
        lastFault,
      );
      return;
    }
    try {
      const thread = await startThread(threadEntry, { ...threadOptions, port }, seal);
      watch(thread);
      if (!isClosing)
        onTrouble('The store stopped and was started again. Nothing recorded is lost.', lastFault);
    } catch (error) {
      onTrouble(
        error instanceof IsolineError
          ? error.message
          : 'The store stopped and could not be started again. Close Isoline and start it again.',
        error,
      );
      restartIn(1000);
    }
  };
  watch(current);

  const close = async (): Promise<void> => {
    isClosing = true;
    clearTimeout(restartTimer);
    await restarting;
    const thread: RunningThread | undefined = current;
    if (thread === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    thread.worker.once('exit', () => resolve());
    thread.worker.postMessage({ kind: 'stop' } satisfies ToClinicThread);
    await promise;
  };
  return {
    serviceUrl,
    fingerprint,
    deskSettings: desk,
    connect(role = 'page', session = randomUUID()) {
      const { port1, port2 } = new MessageChannel();
      if (current === undefined) port2.close();
      else
        current.worker.postMessage({ kind: 'connect', port: port2, role, session } satisfies ToClinicThread, [
          port2,
        ]);
      return overMessagePort(port1 satisfies MessagePort);
    },
    async crash() {
      await current?.worker.terminate();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Joins two ports: what comes in on one goes out on the other, and both end together. */
export function joinPorts(a: BridgePort, b: BridgePort): void {
  a.onMessage((message) => b.post(message));
  b.onMessage((message) => a.post(message));
  a.onClose(() => b.close());
  b.onClose(() => a.close());
}
