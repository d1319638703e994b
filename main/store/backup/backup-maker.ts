// Backups off the clinic thread: each piece of work has a thread of its own, which ends with it.

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fromPlainError, IsolineError, type PlainError } from '../../../shared/errors.ts';
import type { BackupRun, BackupTarget } from '../../clinic/backups/records.ts';
import type { BackupMaker } from '../../clinic/ports.ts';
import { WORK_FOLDER } from './make-backup.ts';
import { dropRestored } from './take-restored.ts';

export type BackupAnswer = Pick<BackupRun, 'files' | 'sizeBytes' | 'lost'>;

export interface BackupOrder extends BackupTarget {
  readonly job: 'open' | 'make' | 'verify' | 'restore';
  readonly dataDir: string;
  readonly productVersion: string;
  readonly workName: string;
}

interface FromThread {
  readonly answer?: BackupAnswer;
  readonly error?: PlainError;
  readonly progress?: { readonly done: number; readonly of: number };
}

const HEAP_MB = 512;

async function run(
  entry: URL,
  order: BackupOrder,
  onProgress: (done: number, of: number) => void,
  signal?: AbortSignal,
): Promise<BackupAnswer> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<BackupAnswer>();
  const worker = new Worker(entry, {
    workerData: order,
    name: 'backup',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.on('message', ({ answer, error, progress }: FromThread) => {
    if (progress !== undefined) onProgress(progress.done, progress.of);
    if (answer !== undefined) resolve(answer);
    if (error !== undefined) reject(fromPlainError(error));
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new IsolineError('internal', 'The backup ended too early.')));
  // Nothing is lost by it: a backup without its list is none.
  signal?.addEventListener('abort', () => void worker.terminate(), { once: true });
  // A thread that was ended has not cleared up behind itself.
  return promise.finally(() =>
    rm(join(order.dataDir, WORK_FOLDER, order.workName), { recursive: true, force: true }),
  );
}

export function backupMaker(entry: URL, dataDir: string, productVersion: string): BackupMaker {
  const work =
    (job: BackupOrder['job']) =>
    (
      target: BackupTarget,
      onProgress: (done: number, of: number) => void = () => undefined,
      signal?: AbortSignal,
    ): Promise<BackupAnswer> =>
      run(entry, { ...target, job, dataDir, productVersion, workName: randomUUID() }, onProgress, signal);
  return {
    open: async (target) => void (await work('open')(target)),
    make: work('make'),
    verify: work('verify'),
    restore: work('restore'),
    dropRestored: () => dropRestored(dataDir),
  };
}
