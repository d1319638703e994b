// A clinic as its thread runs it, and what it says to the main thread.

import type { MessagePort } from 'node:worker_threads';
import { type PlainError, toPlainError } from '../../shared/errors.ts';
import type { DeskSettings } from '../device/desk.ts';
import { toStorageError } from '../ground/storage-fault.ts';
import type { OpenWorkers } from '../pool/pool.ts';
import type { BridgeRole } from './page-bridges.ts';
import { type ClinicOptions, type RunningClinic, runClinic } from './running-clinic.ts';

export type ToClinicThread =
  | {
      readonly kind: 'connect';
      readonly port: MessagePort;
      readonly role: BridgeRole;
      readonly session: string;
      readonly seatId: number | undefined;
    }
  | { readonly kind: 'stop' };
export type FromClinicThread =
  | {
      readonly kind: 'ready';
      readonly serviceUrl: string;
      readonly fingerprint: string | undefined;
      readonly desk: DeskSettings;
    }
  | { readonly kind: 'failed'; readonly error: PlainError; readonly stack: string | undefined }
  /** The thread ends, and is to be started again. */
  | { readonly kind: 'restarting' }
  | { readonly kind: 'stopped' };

/**
 * Opens the clinic, connects bridges to it, and closes it when it is told to.
 * @param main the main thread's end
 * @param onClosed all of it is closed; not called where it could not be opened, which is `failed`
 */
export async function runInThread(
  main: MessagePort,
  options: ClinicOptions,
  onClosed: () => void,
  openWorkers?: OpenWorkers,
): Promise<void> {
  const tell = (message: FromClinicThread): void => main.postMessage(message);
  let running: RunningClinic;
  let isEnding = false;
  const end = (): void => {
    // Somebody may close the program while it restarts: the first end waits for everything.
    if (isEnding) return;
    isEnding = true;
    void running.close().finally(() => {
      tell({ kind: 'stopped' });
      onClosed();
    });
  };
  const restart = (): void => {
    tell({ kind: 'restarting' });
    end();
  };
  try {
    running = await runClinic(options, restart, openWorkers);
  } catch (error) {
    // The border of the thread: the main thread says it to a person.
    tell({
      kind: 'failed',
      error: toPlainError(toStorageError(error)),
      stack: error instanceof Error ? error.stack : undefined,
    });
    return;
  }
  main.on('message', (message: ToClinicThread) => {
    if (message.kind === 'connect')
      running.connect(message.port, message.role, message.session, message.seatId);
    else end();
  });
  tell({
    kind: 'ready',
    serviceUrl: running.serviceUrl,
    fingerprint: running.fingerprint,
    desk: running.desk,
  });
}
