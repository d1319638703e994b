// The worker pool behind the domain's `Pool`: piscina, behind turns by lane. A job that makes no progress is ended; a worker
// that dies is one failed job.

import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { AnalysisProgress } from '../../shared/analysis-stage.ts';
import { fromPlainError, IsolineError } from '../../shared/errors.ts';
import type { AnalysisOutput, Log, Pool } from '../clinic/ports.ts';
import { AWAITED, type Turn } from '../clinic/tasks/analysis-lanes.ts';
import { workerUrl } from '../product/product.ts';
import type { PoolAnswer, PoolRequest, ProgressMessage } from './jobs.ts';
import { type ProgressWatch, watchProgress } from './progress-watch.ts';
import { Turns } from './turns.ts';
import { WORKER_LIMITS } from './worker-limits.ts';

/** The most seconds of worker time (D55). */
const UNPACK_SECONDS = 120;
/** One for a long analysis, one for the short jobs that somebody waits for. */
const MIN_WORKERS = 2;

/** Threads that do jobs. */
export type Workers = Piscina<PoolRequest, PoolAnswer>;
export type OpenWorkers = (options: ConstructorParameters<typeof Piscina>[0]) => Workers;

export interface RunningPool extends Pool {
  close(): Promise<void>;
}

export interface PoolOptions {
  /** 0 = as many as processors. */
  readonly workers: number;
  readonly timeLimitSeconds: number;
  readonly log: Log;
  /** What must stay free on the disk while an archive is unpacked. */
  readonly reserveBytes?: () => number;
}

export function startPool(
  { workers, timeLimitSeconds, log, reserveBytes = () => 0 }: PoolOptions,
  openWorkers: OpenWorkers = (options) => new Piscina(options),
): RunningPool {
  const count = Math.max(MIN_WORKERS, workers > 0 ? workers : availableParallelism());
  const piscina = openWorkers({
    filename: workerUrl('pool/worker').href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: 60_000,
    resourceLimits: WORKER_LIMITS,
  });

  const turns = new Turns(count);
  const listeners = new Map<number, (progress: AnalysisProgress) => void>();
  let jobs = 0;
  piscina.on('message', ({ jobId, progress }: ProgressMessage) => listeners.get(jobId)?.(progress));

  const perform = async (
    request: PoolRequest,
    watch: ProgressWatch,
    signal: AbortSignal | undefined,
  ): Promise<unknown> => {
    let answer: PoolAnswer;
    try {
      answer = await piscina.run(request, {
        signal: signal === undefined ? watch.signal : AbortSignal.any([signal, watch.signal]),
      });
    } catch (error) {
      // The job threw nothing, so the worker died, ran out of memory, was cancelled, or made no progress.
      const isStalled = watch.signal.aborted;
      if (signal?.aborted !== true) log('pool.worker_lost', { job: request.job, isStalled });
      if (request.job === 'unpack' && isStalled)
        throw new IsolineError(
          'archive_too_large',
          'The archive takes too long to unpack. Send the recordings in smaller archives.',
        );
      throw new IsolineError(
        'analysis_crashed',
        'The analysis stopped unexpectedly; the recording is safe. Try again.',
        { job: request.job },
        { cause: error },
      );
    }
    if (answer.ok) return answer.value;
    if (answer.stack !== undefined) log('pool.job_failed', { job: request.job, stack: answer.stack });
    throw fromPlainError(answer.error);
  };

  const run = (request: PoolRequest, signal?: AbortSignal, turn: Turn = AWAITED): Promise<unknown> =>
    turns.take(
      turn,
      async () => {
        using watch = watchProgress(1000 * (request.job === 'unpack' ? UNPACK_SECONDS : timeLimitSeconds));
        return await perform(request, watch, signal);
      },
      signal,
    );

  const analyse: Pool['analyse'] = (input, signal, onProgress, turn = AWAITED) =>
    turns.take(
      turn,
      async () => {
        using watch = watchProgress(1000 * timeLimitSeconds);
        const jobId = jobs++;
        listeners.set(jobId, (progress) => {
          watch.note();
          onProgress?.(progress);
        });
        try {
          return (await perform({ job: 'analyse', input, jobId }, watch, signal)) as AnalysisOutput;
        } finally {
          listeners.delete(jobId);
        }
      },
      signal,
    );

  return {
    workers: count,
    describe: (files, signal) => run({ job: 'describe', files }, signal) as ReturnType<Pool['describe']>,
    unpack: (file, folder) =>
      run({ job: 'unpack', file, folder, reserveBytes: reserveBytes() }) as ReturnType<Pool['unpack']>,
    analyse,
    report: (input, signal) => run({ job: 'report', input }, signal) as ReturnType<Pool['report']>,
    signal: (input, range) => run({ job: 'signal', input, range }) as ReturnType<Pool['signal']>,
    strip: (input) => run({ job: 'strip', input }) as ReturnType<Pool['strip']>,
    exportRecording: (input) => run({ job: 'export', input }) as ReturnType<Pool['exportRecording']>,
    writeGdt: (result, characterSet) =>
      run({ job: 'gdt', result, characterSet }) as ReturnType<Pool['writeGdt']>,
    readWorklist: (entries, isImplicit) =>
      run({ job: 'worklist', entries, isImplicit }) as ReturnType<Pool['readWorklist']>,
    readHl7: (message) => run({ job: 'hl7', message }) as ReturnType<Pool['readHl7']>,
    readCommitment: (dataset, isImplicit) =>
      run({ job: 'commitment', dataset, isImplicit }) as ReturnType<Pool['readCommitment']>,
    marks: (resultJson) => run({ job: 'marks', resultJson }) as ReturnType<Pool['marks']>,
    pack: (input, signal, turn) => run({ job: 'pack', input }, signal, turn) as ReturnType<Pool['pack']>,
    checkFrame: (bytes) => run({ job: 'checkFrame', bytes }) as ReturnType<Pool['checkFrame']>,
    readOrders: (input) => run({ job: 'orders', input }) as ReturnType<Pool['readOrders']>,
    hash: (path) => run({ job: 'hash', path }) as ReturnType<Pool['hash']>,
    close: () => piscina.destroy(),
  };
}
