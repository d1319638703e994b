// The worker pool behind the domain's `Pool`: piscina, with a time limit a job. A worker that dies is one
// failed job.

import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { AnalysisProgress } from '../../shared/analysis-stage.ts';
import { fromPlainError, IsolineError } from '../../shared/errors.ts';
import type { AnalysisOutput, Log, Pool } from '../clinic/ports.ts';
import { workerUrl } from '../product/product.ts';
import type { PoolAnswer, PoolRequest, ProgressMessage } from './jobs.ts';
import { WORKER_LIMITS } from './worker-limits.ts';

/** Of worker time (D55). */
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

  const run = async (request: PoolRequest, signal?: AbortSignal): Promise<unknown> => {
    const limit = AbortSignal.timeout((request.job === 'unpack' ? UNPACK_SECONDS : timeLimitSeconds) * 1000);
    let answer: PoolAnswer;
    try {
      answer = await piscina.run(request, {
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
    } catch (error) {
      // The job threw nothing, so the worker died, ran out of memory or was stopped for time.
      log('pool.worker_lost', { job: request.job, isTimeLimit: limit.aborted });
      if (request.job === 'unpack' && limit.aborted)
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

  const listeners = new Map<number, (progress: AnalysisProgress) => void>();
  let jobs = 0;
  piscina.on('message', ({ jobId, progress }: ProgressMessage) => listeners.get(jobId)?.(progress));

  const analyse: Pool['analyse'] = async (input, signal, onProgress) => {
    const jobId = jobs++;
    if (onProgress !== undefined) listeners.set(jobId, onProgress);
    try {
      return (await run({ job: 'analyse', input, jobId }, signal)) as AnalysisOutput;
    } finally {
      listeners.delete(jobId);
    }
  };

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
    pack: (input, signal) => run({ job: 'pack', input }, signal) as ReturnType<Pool['pack']>,
    checkFrame: (bytes) => run({ job: 'checkFrame', bytes }) as ReturnType<Pool['checkFrame']>,
    readOrders: (input) => run({ job: 'orders', input }) as ReturnType<Pool['readOrders']>,
    hash: (path) => run({ job: 'hash', path }) as ReturnType<Pool['hash']>,
    close: () => piscina.destroy(),
  };
}
