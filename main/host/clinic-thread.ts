// The clinic thread: entry of the worker that owns the data folder, and what it says to the main thread.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { type PlainError, toPlainError } from '../../shared/errors.ts';
import type { DeskSettings } from '../device/desk.ts';
import { toStorageError } from '../store/database.ts';
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

async function main(): Promise<void> {
  const parent = parentPort;
  assert(parent !== null, 'this file is the entry of a worker thread');
  const tell = (message: FromClinicThread): void => parent.postMessage(message);
  let running: RunningClinic;
  let isEnding = false;
  const end = (): void => {
    // Somebody may close the program while it restarts: the first end waits for everything.
    if (isEnding) return;
    isEnding = true;
    void running.close().finally(() => {
      tell({ kind: 'stopped' });
      parent.close();
      // Nothing may keep the thread alive once the folder is closed.
      process.exit(0);
    });
  };
  try {
    running = await runClinic(workerData as ClinicOptions, () => {
      tell({ kind: 'restarting' });
      end();
    });
  } catch (error) {
    // The border of the thread: the main thread says it to a person.
    tell({
      kind: 'failed',
      error: toPlainError(toStorageError(error)),
      stack: error instanceof Error ? error.stack : undefined,
    });
    return;
  }
  parent.on('message', (message: ToClinicThread) => {
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

void main();
