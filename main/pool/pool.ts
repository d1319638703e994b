// The worker pool behind the domain's `Pool`: piscina, behind turns by lane. A job that makes no progress is ended; a worker
// that dies is one failed job.

import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { AnalysisProgress } from '../../shared/analysis-stage.ts';
import { fromPlainError, IsolineError } from '../../shared/errors.ts';
import type { Log, Pool } from '../clinic/ports.ts';
import { AWAITED, type Turn } from '../clinic/tasks/analysis-lanes.ts';
import { workerUrl } from '../product/product.ts';
import type { JobInput, JobName, JobOutput, PoolAnswer, PoolRequest, ProgressMessage } from './jobs.ts';
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

  const run = <N extends JobName>(
    job: N,
    input: JobInput<N>,
    signal?: AbortSignal,
    turn: Turn = AWAITED,
  ): Promise<JobOutput<N>> =>
    turns.take<JobOutput<N>>(
      turn,
      async () => {
        using watch = watchProgress(1000 * (job === 'unpack' ? UNPACK_SECONDS : timeLimitSeconds));
        return (await perform({ job, input }, watch, signal)) as JobOutput<N>;
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
          return (await perform(
            { job: 'analyse', input: [input, jobId] },
            watch,
            signal,
          )) as JobOutput<'analyse'>;
        } finally {
          listeners.delete(jobId);
        }
      },
      signal,
    );

  return {
    workers: count,
    describe: (files, signal) => run('describe', [files], signal),
    unpack: (file, folder) => run('unpack', [file, folder, reserveBytes()]),
    analyse,
    report: (job, signal) => run('report', [job], signal),
    signal: (job, range) => run('signal', [job, range]),
    strip: (job) => run('strip', [job]),
    channels: (files) => run('channels', [files]),
    describeChosen: (recording) => run('describeChosen', [recording]),
    exportRecording: (job) => run('export', [job]),
    writeGdt: (result, characterSet) => run('gdt', [result, characterSet]),
    readWorklist: (entries, isImplicit) => run('worklist', [entries, isImplicit]),
    readHl7: (message) => run('hl7', [message]),
    readCommitment: (dataset, isImplicit) => run('commitment', [dataset, isImplicit]),
    marks: (resultJson) => run('marks', [resultJson]),
    day: (resultJson) => run('day', [resultJson]),
    beatPictures: (job, wanted) => run('beatPictures', [job, wanted]),
    rows: (job, wanted) => run('rows', [job, wanted]),
    pack: (job, signal, turn) => run('pack', [job], signal, turn),
    checkFrame: (bytes) => run('checkFrame', [bytes]),
    readOrders: (job) => run('orders', [job]),
    hash: (path) => run('hash', [path]),
    close: () => piscina.destroy(),
  };
}
