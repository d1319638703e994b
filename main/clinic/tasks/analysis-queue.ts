// Takes queued tasks by lane into the worker pool and through to findings and report. A worker that
// dies costs a task one of three tries; input that can't be read ends it with a reason for people. D60, D106.

import { ANALYSIS_LANES, type AnalysisLane } from '../../../shared/analysis-lane.ts';
import type { AnalysisProgress } from '../../../shared/analysis-stage.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import { isStorageError } from '../../ground/storage-fault.ts';
import { type ClinicContext, change } from '../context.ts';
import type { AnalysisOutput } from '../ports.ts';
import { isLong, isLongRecording, type Turn } from './analysis-lanes.ts';
import type { RecordingFacts, StoredReport, Task } from './records.ts';
import type { Reports } from './reports.ts';
import type { QueuedTask } from './store.ts';
import { listTask } from './task-listing.ts';
import type { Tasks } from './tasks.ts';

const MAX_TRIES = 3;
const RETRY_MS = 10_000;

/** An analysis under way. */
interface Run {
  readonly turn: Turn;
  /** Ends it for another one that goes before it. */
  readonly yielding: AbortController;
  readonly ended: Promise<void>;
}

export class AnalysisQueue {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #reports: Reports;
  /** Gives a task that has none its recording. */
  readonly #assemble: (task: Task, signal: AbortSignal) => Promise<void>;
  readonly #running = new Map<number, Run>();
  /** Tasks that somebody has opened. */
  readonly #asked = new Set<number>();
  readonly #progress = new Map<number, AnalysisProgress>();
  readonly #stopped = new AbortController();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #filling: Promise<void> = Promise.resolve();
  /**
   * Tasks that a fault of the disk cut short: that was no try of theirs, also where the store could not even
   * take them back.
   */
  readonly #blameless = new Set<number>();

  constructor(
    context: ClinicContext,
    tasks: Tasks,
    reports: Reports,
    assemble: (task: Task, signal: AbortSignal) => Promise<void>,
  ) {
    this.#context = context;
    this.#tasks = tasks;
    this.#reports = reports;
    this.#assemble = assemble;
  }

  /** Begins with the tasks that the end of the last run cut short. */
  start(): void {
    this.#resume();
  }

  /** Looks for work as long as a worker is free. */
  wake(): void {
    this.#filling = this.#filling.then(() => this.#fill()).catch((error: unknown) => this.#putOff(error));
  }

  async #fill(): Promise<void> {
    if (!this.#stopped.signal.aborted && this.#retry === undefined) this.#makeRoom();
    // While the store can't be written to, nothing is begun.
    while (!this.#stopped.signal.aborted && this.#retry === undefined && this.#running.size < this.#places) {
      const next = await this.#take();
      if (next === undefined) return;
      this.#context.publish('task.changed', { taskId: next.task.id });
      this.#run(next);
    }
  }

  /** Tasks that nobody works on although they are marked so go back to the queue. */
  #resume(): void {
    this.#retry = undefined;
    this.#filling = this.#filling
      .then(async () => {
        for (const task of this.#context.store.tasks.inState('PROCESSING'))
          if (!this.#running.has(task.id)) await this.#giveBack(task);
        for (const taskId of await this.#context.files.unfinishedTasks()) await this.#tidy(taskId);
      })
      .catch((error: unknown) => this.#putOff(error));
    this.wake();
  }

  #run({ task: { id: taskId }, lane, leadSeconds }: QueuedTask): void {
    const turn: Turn = { lane, isLong: isLong(leadSeconds) };
    const yielding = new AbortController();
    const ended = this.#process(taskId, turn, yielding.signal)
      .then(() => (turn.isLong ? this.#tidy(taskId) : undefined))
      .catch((error: unknown) => this.#putOff(error))
      .finally(() => {
        this.#running.delete(taskId);
        if (!yielding.signal.aborted) this.#asked.delete(taskId);
        this.#progress.delete(taskId);
        this.wake();
      });
    this.#running.set(taskId, { turn, yielding, ended });
  }

  /** Removes what was laid aside of an analysis that will not be gone on with. */
  async #tidy(taskId: number): Promise<void> {
    const state = this.#context.store.tasks.byId(taskId)?.state;
    if (state !== 'QUEUED' && state !== 'PROCESSING') await this.#context.files.removeUnfinished(taskId);
  }

  get #long(): [number, Run][] {
    return [...this.#running].filter(([, { turn }]) => turn.isLong);
  }

  /** A long analysis makes room for one of a lane before it, and goes on later where it was. */
  #makeRoom(): void {
    const next = this.#context.store.tasks.nextQueued([...this.#asked], () => true);
    if (next === undefined || this.#isFit(next)) return;
    const rank = (lane: AnalysisLane): number => ANALYSIS_LANES.indexOf(lane);
    const last = this.#long
      .map(([, run]) => run)
      .reduce((a, b) => (rank(b.turn.lane) > rank(a.turn.lane) ? b : a));
    if (rank(last.turn.lane) > rank(next.lane)) last.yielding.abort();
  }

  /** What the analysis of a task is at; undefined where it is not under way. */
  progressOf(taskId: number): AnalysisProgress | undefined {
    return this.#progress.get(taskId);
  }

  #enter(taskId: number, progress: AnalysisProgress): void {
    this.#progress.set(taskId, progress);
    this.#context.publish('task.stage', { taskId, progress });
  }

  /** A store that can't be written to is tried again later; the tasks wait meanwhile. */
  #putOff(error: unknown): void {
    this.#context.log('queue.put_off', { reason: error instanceof IsolineError ? error.reason : 'internal' });
    if (!this.#stopped.signal.aborted) this.#retry ??= setTimeout(() => this.#resume(), RETRY_MS);
  }

  get #places(): number {
    return this.#context.pool.workers;
  }

  /** Long analyses always leave one worker for the short ones. */
  #isFit = ({ leadSeconds }: QueuedTask): boolean => !isLong(leadSeconds) || !this.#isLongFull;

  get #isLongFull(): boolean {
    return this.#long.length >= Math.max(1, this.#places - 1);
  }

  /** Whether a recording that is queued waits for another long one, whoever is ahead of it. */
  waitsForLong(recording: RecordingFacts): boolean {
    return isLongRecording(recording) && this.#isLongFull;
  }

  isAwaited(taskId: number): boolean {
    return this.#asked.has(taskId);
  }

  /** Somebody has opened it: its analysis goes before those that nobody waits for. */
  await(taskId: number): void {
    this.#asked.add(taskId);
  }

  /** Ends the work under way; what isn't done is taken up again at the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#retry);
    await this.#filling;
    await Promise.allSettled([...this.#running.values()].map(({ ended }) => ended));
  }

  #next(): QueuedTask | undefined {
    return this.#context.store.tasks.nextQueued([...this.#asked], this.#isFit);
  }

  async #take(): Promise<QueuedTask | undefined> {
    if (this.#next() === undefined) return undefined;
    return change(this.#context, (tx) => {
      const next = this.#next();
      if (next === undefined) return { result: undefined, notes: [] };
      const { task } = next;
      const attempt = task.attempts + 1;
      this.#tasks.move(tx, task.id, 'taken', { attempts: attempt });
      return {
        result: next,
        notes: [{ actor: 'program', action: 'task.taken', subject: `task:${task.id}`, detail: { attempt } }],
      };
    });
  }

  async #giveBack(task: Task): Promise<void> {
    const attempts = this.#blameless.has(task.id) ? Math.max(0, task.attempts - 1) : task.attempts;
    if (attempts >= MAX_TRIES) return this.#fail(task, 'analysis_crashed');
    await change(this.#context, (tx) => {
      this.#tasks.move(tx, task.id, 'crashed', { attempts });
      return {
        result: undefined,
        notes: [
          { actor: 'program', action: 'task.given_back', subject: `task:${task.id}`, detail: { attempts } },
        ],
      };
    });
    this.#blameless.delete(task.id);
    this.#context.publish('task.changed', { taskId: task.id });
  }

  async #fail(task: Task, reason: Reason): Promise<void> {
    await change(this.#context, (tx) => {
      this.#tasks.move(tx, task.id, 'unreadable', { failureReason: reason });
      return {
        result: undefined,
        notes: [{ actor: 'program', action: 'task.failed', subject: `task:${task.id}`, detail: { reason } }],
      };
    });
    this.#context.publish('task.changed', { taskId: task.id });
  }

  /** @param yielding ends it for another one that goes before it */
  async #process(taskId: number, turn: Turn, yielding: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, yielding]);
    try {
      await this.#assemble(this.#tasks.find(undefined, taskId), signal);
      signal.throwIfAborted();
      const task = this.#tasks.find(undefined, taskId);
      const { files, pool } = this.#context;
      const output = await pool.analyse(
        {
          ...this.#tasks.jobOf(task),
          ...(turn.isLong && { unfinishedFolder: files.unfinishedFolder(taskId) }),
        },
        signal,
        (progress) => this.#enter(taskId, progress),
        turn,
      );
      const resultSha256 = await files.put(output.resultJson);
      this.#enter(taskId, { stage: 'report' });
      const report = task.isAutoComplete
        ? await this.#reports.make(
            task,
            output.resultJson,
            [],
            this.#nextRevision(taskId),
            { kind: 'automatic' },
            signal,
          )
        : undefined;
      if (await this.#storeFindings(task, output, resultSha256, report)) return;
      // Somebody chose other channels meanwhile: what was found is of a reading that nobody wants any more.
      this.#blameless.add(taskId);
      await this.#giveBack(this.#tasks.find(undefined, taskId));
    } catch (error) {
      await this.#settle(taskId, error, signal);
    }
  }

  #nextRevision(taskId: number): number {
    return (this.#context.store.findings.latest(taskId)?.revision ?? 0) + 1;
  }

  /** @returns false, with nothing stored, where the task is read otherwise by now */
  async #storeFindings(
    { id: taskId, channels }: Pick<Task, 'id' | 'channels'>,
    output: AnalysisOutput,
    resultSha256: string,
    report: Omit<StoredReport, 'taskId' | 'revision'> | undefined,
  ): Promise<boolean> {
    const { store, clock } = this.#context;
    const isStored = await change(this.#context, (tx) => {
      const now = this.#tasks.find(undefined, taskId).channels;
      if (JSON.stringify(now) !== JSON.stringify(channels)) return { result: false, notes: [] };
      const revision = this.#nextRevision(taskId);
      store.findings.add({
        taskId,
        revision,
        analysisVersion: output.analysisVersion,
        resultSha256,
        summary: output.summary,
        corrections: [],
        createdMs: clock.nowMs(),
      });
      listTask(tx, store, taskId);
      if (report !== undefined) store.reports.add({ taskId, revision, ...report });
      const state = this.#tasks.move(tx, taskId, report === undefined ? 'findingsStored' : 'reportStored');
      return {
        result: true,
        notes: [
          {
            actor: 'program',
            action: 'task.analysed',
            subject: `task:${taskId}`,
            detail: { revision, state },
          },
        ],
      };
    });
    if (isStored) this.#context.publish('task.changed', { taskId });
    return isStored;
  }

  async #settle(taskId: number, error: unknown, signal: AbortSignal): Promise<void> {
    const task = this.#context.store.tasks.byId(taskId);
    // A person cancelled or deleted it meanwhile: there is nothing left to settle.
    if (task === undefined || task.state !== 'PROCESSING') return;
    // Ended on purpose: that is no try of the task's.
    if (signal.aborted) {
      this.#blameless.add(taskId);
      return this.#giveBack(task);
    }
    const reason = error instanceof IsolineError ? error.reason : 'internal';
    this.#context.log('task.analysis_failed', { taskId, reason });
    // The disk's fault is no fault of the recording: it is tried again when there is room.
    if (isStorageError(error)) {
      this.#blameless.add(taskId);
      this.#putOff(error);
      return this.#giveBack(task);
    }
    const isWorkersFault = reason === 'analysis_crashed' || reason === 'internal';
    await (isWorkersFault ? this.#giveBack(task) : this.#fail(task, reason));
  }
}
