// The recorder of one device: frames into the clinic's stream, one after the other, each counted as recorded
// when it is on the disk. Beginning, frames and end of a recording are jobs of one queue, so that nothing
// overtakes anything, whatever happens meanwhile.

import { setTimeout as wait } from 'node:timers/promises';
import type { RecordingNotice } from '../../../shared/bridge/views.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import type { RecordedDevice } from '../../../shared/signal/stream-file.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import type { Compressors } from '../../signal/compressed-delta/block.ts';
import type { ClockStep, HostClock } from '../link/host-clock.ts';
import type { LeadBatch, LeadScale } from '../link/lead-maker.ts';
import type { ClinicConnection } from './clinic-connection.ts';
import { type BuiltFrame, FrameBuilder } from './frame-builder.ts';
import { RecentPast } from './recent-past.ts';
import {
  type RecordingSummary,
  type RecordRequest,
  Session,
  summaryOf,
  type TaskSummary,
} from './session.ts';
import { SessionStore } from './session-store.ts';
import { SpaceWatch } from './space-watch.ts';

const PAST_MS = 10_000;
const MAX_WAITING_MS = 60_000;
const SLOW_MS = 5000;
const WARN_MINUTES = 5;
const STOP_MINUTES = 1;
/** Limits of a stream (D85), with room to end in order. */
const LONGEST_MS = 34.9 * 86_400_000;
const MOST_FRAMES = 15_900_000;
const NOTICE_MS = 60_000;
/** A second of signal is always waiting, because the next frame is on its way to the disk. */
const CAUGHT_UP_MS = 1000;

export interface RecorderOptions {
  readonly clinic: ClinicConnection;
  readonly clock: HostClock;
  readonly scale: LeadScale;
  /** Bits of electrodes without contact, at the beginning. */
  readonly electrodesOff: number;
  /** The device as it is now. */
  device(): RecordedDevice;
  readonly frameMs: number;
  readonly compressors: Compressors;
  /** A recording as long as this is followed by another one, without a sample between them. */
  readonly rollOverMs: number;
  onChange(): void;
  /** A frame is on the disk. */
  onRecorded?(taskId: number, frame: BuiltFrame): void;
  /** The recording ended by itself: its time is up, or there is no room. */
  onEnded(): void;
}

type Job =
  | { readonly kind: 'begin'; readonly session: Session }
  | { readonly kind: 'frame'; readonly session: Session; readonly frame: BuiltFrame }
  | { readonly kind: 'finish'; readonly session: Session; readonly device: RecordedDevice };

export interface RecordingStatus {
  readonly taskId: number;
  readonly startedMs: number;
  readonly recordedMs: number;
  readonly lostShare: number;
  readonly waitingMs: number;
  readonly isFinishing: boolean;
  readonly fixedDurationMs?: number;
  readonly notice?: RecordingNotice;
  readonly minutesLeft?: number;
}

export interface EndedRecording {
  readonly taskId: number;
  /** Another one where it rolled over. */
  readonly firstTaskId: number;
  /** How long the last task is. */
  readonly recordedMs: number;
  /** What is missing between its samples, and the longest stretch without a gap; absent where nothing is missing. */
  readonly lostMs?: number;
  readonly longestMs?: number;
  /** Why the program ended it; absent where a person did, or its time was over. */
  readonly notice?: RecordingNotice;
  /** Why nothing of it could be stored any more. */
  readonly trouble?: { readonly reason: Reason; readonly message: string };
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #abort = new AbortController();
  readonly #past: RecentPast;
  readonly #store: SessionStore;
  readonly #space: SpaceWatch;
  #current: Session | undefined;
  /** The last one that was recorded, until the next one begins: it may be finishing. */
  #last: Session | undefined;
  /** The last one that ended. */
  ended: EndedRecording | undefined;
  #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #waitingSamples = 0;
  #notice: { readonly kind: RecordingNotice; readonly sinceMs: number } | undefined;
  readonly #stopListening: () => void;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#past = new RecentPast(this.#samplesOf(PAST_MS), options.electrodesOff);
    this.#store = new SessionStore({
      ...options,
      signal: this.#abort.signal,
      tell: (kind) => this.#tell(kind),
      onStopAsked: (session) => this.#stopAsked(session),
    });
    this.#space = new SpaceWatch(options.clinic);
    this.#stopListening = options.clock.onStep((step) => this.#noteClockStep(step));
  }

  get isRecording(): boolean {
    return this.#current !== undefined;
  }

  /** The next samples of the device. */
  take(batch: LeadBatch): void {
    this.#past.add(batch);
    const session = this.#current;
    if (session === undefined) return;
    if (batch.gap?.kind === 'disconnect' || batch.gap?.kind === 'restart')
      this.#anchor(session, batch.firstSample);
    this.#feed(session, batch);
  }

  #feed(session: Session, batch: LeadBatch): void {
    const most =
      session.request.durationMs === undefined ? undefined : this.#samplesOf(session.request.durationMs);
    session.builder.add(batch, most);
    if (most !== undefined && session.builder.samples >= most) {
      this.#end(session);
      this.#options.onEnded();
    } else if (this.#mustRollOver(session)) this.#rollOver(session);
  }

  #samplesOf(ms: number): number {
    return Math.round((ms * this.#options.scale.rateHz) / 1000);
  }

  #ms(samples: number): number {
    return (1000 * samples) / this.#options.scale.rateHz;
  }

  /**
   * @returns the task, when the clinic has opened its stream. @throws IsolineError where it can't be recorded
   */
  async record(request: RecordRequest): Promise<number> {
    if (this.#current !== undefined)
      throw new IsolineError('device_busy', 'This device is already recording.');
    const { nextSample, electrodesOff } = this.#past;
    const past = (request.withPast === true ? this.#past.take() : undefined) ?? {
      base: nextSample,
      batches: [],
      electrodesOff,
    };
    const session = this.#open(request, past.base, past.electrodesOff);
    this.#current = session;
    this.#notice = undefined;
    this.#watchSpace();
    for (const batch of past.batches) if (this.#current === session) this.#feed(session, batch);
    this.#options.onChange();
    return session.begun.promise;
  }

  /**
   * The last ten seconds as a recording of their own: while something is recorded, of the same patient as
   * that. @returns its task
   */
  async saveLast(request: Pick<RecordRequest, 'entry' | 'session'> = {}): Promise<number> {
    const past = this.#past.take();
    if (past === undefined)
      throw new IsolineError('device_not_ready', 'The device has not sent a signal yet. Wait for it.');
    const session = this.#open(request, past.base, past.electrodesOff, this.#current);
    for (const batch of past.batches) session.builder.add(batch);
    this.#finish(session);
    return session.begun.promise;
  }

  #open(request: RecordRequest, base: number, electrodesOff: number, previous?: Session): Session {
    const { scale, frameMs, clock, compressors } = this.#options;
    const startedMs = Math.round(clock.wallMs - this.#ms(this.#past.nextSample - base));
    const builder = new FrameBuilder({
      scale,
      frameMs,
      base,
      compressors,
      onFrame: (frame) => this.#enqueueFrame(session, frame),
    });
    const session: Session = new Session(builder, request, startedMs, previous);
    builder.note('anchor', base, startedMs);
    if (electrodesOff !== 0) builder.note('leadOff', base, electrodesOff);
    this.#enqueue({ kind: 'begin', session });
    return session;
  }

  /**
   * Ends the recording. Returns when everything is on the disk.
   * @param by who asked for it, for the audit; undefined where nobody did, or that cannot be known
   */
  async stop(by?: Promise<string | undefined>): Promise<RecordingSummary> {
    const ended = this.untilEnded();
    if (this.#current !== undefined) {
      this.#current.stoppedBy = by;
      this.#end(this.#current);
    }
    return ended;
  }

  /** Returns when the recording is over and everything is on the disk, in however many tasks. */
  async untilEnded(): Promise<RecordingSummary> {
    let session = this.#current ?? this.#last;
    if (session === undefined) throw new IsolineError('recording_not_found', 'Nothing is being recorded.');
    const parts: TaskSummary[] = [];
    for (; session !== undefined; session = session.next) parts.push(await session.ended.promise);
    return summaryOf(parts);
  }

  #stopAsked(session: Session): void {
    if (this.#current !== session) return;
    session.warnings.push(warning('stopped_by_centre'));
    this.#end(session, 'stoppedByCentre');
    this.#tell('stoppedByCentre');
    this.#options.onEnded();
  }

  #end(session: Session, notice?: RecordingNotice): void {
    this.#current = undefined;
    this.#last = session;
    this.#space.stop();
    this.#finish(session);
    void session.ended.promise
      .then(
        ({ taskId, recordedMs }) =>
          this.#noteEnd(session, taskId, recordedMs, notice !== undefined ? { notice } : {}),
        // What of it is on the disk has been noted where it failed.
        () => undefined,
      )
      .then(() => {
        if (this.#last === session) this.#last = undefined;
        this.#options.onChange();
      });
    this.#options.onChange();
  }

  #noteEnd(
    session: Session,
    taskId: number,
    recordedMs: number,
    why: Pick<EndedRecording, 'notice' | 'trouble'>,
  ): void {
    const loss = session.lossOf(this.#options.scale.rateHz);
    this.ended = { taskId, firstTaskId: session.firstTaskId ?? taskId, recordedMs, ...loss, ...why };
  }

  #finish(session: Session): void {
    session.builder.cut();
    this.#enqueue({ kind: 'finish', session, device: this.#options.device() });
  }

  #mustRollOver({ builder, frames }: Session): boolean {
    const limitMs = Math.min(LONGEST_MS, this.#options.rollOverMs);
    return this.#ms(builder.samples + builder.lost) >= limitMs || frames >= MOST_FRAMES;
  }

  #rollOver(session: Session): void {
    const { durationMs } = session.request;
    const rest =
      durationMs === undefined ? {} : { durationMs: durationMs - this.#ms(session.builder.samples) };
    session.warnings.push(warning('continued'));
    this.#finish(session);
    session.next = this.#open(rest, this.#past.nextSample, this.#past.electrodesOff, session);
    this.#current = session.next;
  }

  /** How much `saveLast` would hold. */
  get pastMs(): number {
    return this.#ms(this.#past.length);
  }

  /** What came before now is another patient's. */
  forgetPast(): void {
    this.#past.forget();
  }

  /** A remark of the technician's at the newest sample. */
  mark(): void {
    if (this.#current === undefined)
      throw new IsolineError('recording_not_found', 'Nothing is being recorded.');
    this.#current.builder.note('mark', this.#past.nextSample, 1);
  }

  #anchor(session: Session, deviceSample: number): void {
    session.builder.note('anchor', deviceSample, this.#options.clock.wallMs);
  }

  #noteClockStep({ kind, byMs }: ClockStep): void {
    const session = this.#current;
    if (session === undefined) return;
    session.builder.note(kind, this.#past.nextSample, Math.round(byMs));
    this.#anchor(session, this.#past.nextSample);
    this.#tell(kind);
  }

  #tell(kind: RecordingNotice): void {
    this.#notice = { kind, sinceMs: performance.now() };
    this.#options.onChange();
  }

  #enqueueFrame(session: Session, frame: BuiltFrame): void {
    if (this.#ms(this.#waitingSamples) > MAX_WAITING_MS) {
      // There is no room left to keep it: said, counted, and a gap in the recording.
      session.builder.dropped(frame);
      this.#tell('storeFull');
      return;
    }
    session.frames++;
    this.#waitingSamples += frame.samples;
    this.#enqueue({ kind: 'frame', session, frame });
    if (this.#ms(this.#waitingSamples) > SLOW_MS && this.#notice?.kind !== 'storeFull')
      this.#tell('storeSlow');
  }

  #enqueue(job: Job): void {
    this.#jobs.push(job);
    this.#running ??= this.#work();
  }

  async #work(): Promise<void> {
    // Whoever put the first job in goes on first.
    await Promise.resolve();
    try {
      for (let job = this.#jobs[0]; job !== undefined && !this.#abort.signal.aborted; job = this.#jobs[0]) {
        await this.#do(job);
        this.#jobs.shift();
        if (job.kind === 'frame') this.#waitingSamples -= job.frame.samples;
        this.#options.onChange();
      }
    } finally {
      // In the same turn in which no job was found: a job that comes a moment later would wait for nobody.
      this.#running = undefined;
    }
  }

  async #do(job: Job): Promise<void> {
    const { session } = job;
    try {
      if (session.failure !== undefined) throw session.failure;
      if (job.kind === 'begin') await this.#store.begin(session);
      else if (job.kind === 'finish') await this.#store.close(session, job.device);
      else if (await this.#store.add(session, job.frame))
        this.#options.onRecorded?.(session.taskId as number, job.frame);
    } catch (error) {
      this.#fail(session, error);
    }
  }

  /** The clinic refuses the recording as a whole. */
  #fail(session: Session, error: unknown): void {
    const failure =
      error instanceof IsolineError
        ? error
        : new IsolineError('internal', 'The recording could not be stored.', {}, { cause: error });
    const isFirst = session.failure === undefined;
    session.failure = failure;
    const { taskId, recordedSamples } = session;
    const isTold = session === this.#current || session === this.#last;
    if (isFirst && isTold && taskId !== undefined)
      this.#noteEnd(session, taskId, this.#ms(recordedSamples), {
        trouble: { reason: failure.reason, message: failure.message },
      });
    session.begun.reject(failure);
    session.ended.reject(failure);
    if (!isFirst || this.#current !== session) return;
    this.#current = undefined;
    this.#space.stop();
    this.#options.onEnded();
  }

  #watchSpace(): void {
    const { rateHz, leadCodes } = this.#options.scale;
    const bytesPerSecond = (): number => {
      const { recordedSamples = 0, bytes = 0 } = this.#current ?? {};
      return recordedSamples > rateHz ? bytes / (recordedSamples / rateHz) : 2 * rateHz * leadCodes.length;
    };
    this.#space.start(bytesPerSecond, (minutesLeft) => this.#mindSpace(minutesLeft));
  }

  #mindSpace(minutesLeft: number): void {
    const session = this.#current;
    if (session === undefined) return;
    if (minutesLeft < STOP_MINUTES) {
      session.warnings.push(warning('stopped_for_space'));
      this.#end(session, 'stoppedForSpace');
      this.#tell('stoppedForSpace');
      this.#options.onEnded();
    } else if (minutesLeft < WARN_MINUTES) this.#tell('nearlyFull');
    else if (this.#notice?.kind === 'nearlyFull') this.#notice = undefined;
  }

  get status(): RecordingStatus | undefined {
    const session = this.#current ?? this.#last;
    if (session?.taskId === undefined) return undefined;
    const { request } = session;
    const { minutesLeft } = this.#space;
    const { notice } = this;
    return {
      taskId: session.taskId,
      startedMs: session.startedMs,
      recordedMs: this.#ms(session.recordedSamples),
      lostShare: session.lostShare,
      waitingMs: this.#ms(this.#waitingSamples),
      isFinishing: session !== this.#current,
      ...(request.durationMs !== undefined && { fixedDurationMs: request.durationMs }),
      ...(notice !== undefined && { notice }),
      ...(minutesLeft !== undefined && minutesLeft < WARN_MINUTES && { minutesLeft }),
    };
  }

  /**
   * What the technician was told stays for a minute; what is still so is told again. That the disk is slow is
   * over once it caught up.
   */
  get notice(): RecordingNotice | undefined {
    const notice = this.#notice;
    if (notice === undefined || performance.now() - notice.sinceMs > NOTICE_MS) return undefined;
    if (notice.kind === 'storeSlow' && this.#ms(this.#waitingSamples) < CAUGHT_UP_MS) return undefined;
    return notice.kind;
  }

  /** Tasks that are not closed yet: those being recorded, and those of which something waits to be stored. */
  async openTasks(): Promise<number[]> {
    const sessions = new Set(this.#jobs.map(({ session }) => session));
    if (this.#current !== undefined) sessions.add(this.#current);
    // One that is just being begun has its task in a moment.
    await Promise.allSettled([...sessions].map(({ begun }) => begun.promise));
    return [...sessions].flatMap(({ taskId }) => taskId ?? []);
  }

  /**
   * Ends what is being recorded, and waits until it is on the disk.
   * @param limitMs after which what is not on the disk is given up; without it, never.
   */
  async close(limitMs?: number): Promise<void> {
    if (this.#current !== undefined) this.#end(this.#current);
    this.#space.stop();
    this.#stopListening();
    if (limitMs === undefined) await this.#running;
    else
      await Promise.race([
        this.#running,
        wait(limitMs, undefined, { ref: false }).then(() => this.#abandon()),
      ]);
  }

  #abandon(): void {
    this.#abort.abort();
    const failure = new IsolineError(
      'shutting_down',
      'Isoline closed before the whole recording could be stored.',
    );
    for (const { session } of this.#jobs) session.ended.reject(failure);
  }
}
