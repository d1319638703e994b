// The recorder of one device: frames into the clinic's stream, one after the other, each counted as recorded when it is on the disk.
// Beginning, frames and end of a recording are jobs of one queue, so that nothing overtakes anything, whatever happens meanwhile.

import { setTimeout as wait } from 'node:timers/promises';
import type { RecordingNotice } from '../../../shared/bridge/contract.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import type { Compressors } from '../../../shared/signal/compressed-delta.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import type { RecordedDevice } from '../../../shared/signal/stream-file.ts';
import type { RecordingEvent } from '../../clinic/ports.ts';
import type { ClockStep, HostClock } from '../link/host-clock.ts';
import type { LeadBatch, LeadScale } from '../link/lead-maker.ts';
import type { ClinicConnection } from './clinic-connection.ts';
import { type BuiltFrame, eventsLaterBy, FrameBuilder, firstSampleOf, laterBy } from './frame-builder.ts';

export const PAST_MS = 10_000;
const MAX_WAITING_MS = 60_000;
const SLOW_MS = 5000;
const SPACE_EVERY_MS = 10_000;
const WARN_MINUTES = 5;
const STOP_MINUTES = 1;
/** A stored frame is a row, later a piece of a file, for a moment both. */
const BYTES_ON_DISK = 2.5;
/** Limits of a stream (D85), with room to end in order. */
const LONGEST_MS = 34.9 * 86_400_000;
const MOST_FRAMES = 15_900_000;
const NOTICE_MS = 60_000;

export interface RecordRequest {
  /** Absent: a task is made for it. */
  readonly taskId?: number | undefined;
  readonly withPast?: boolean | undefined;
  /** Recorded time after which it ends by itself. */
  readonly durationMs?: number | undefined;
}

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

/** One recording, one task. */
class Session {
  readonly builder: FrameBuilder;
  readonly request: RecordRequest;
  readonly startedMs: number;
  readonly begun = Promise.withResolvers<number>();
  readonly ended = Promise.withResolvers<RecordingSummary>();
  taskId: number | undefined;
  /** Samples by which its task began later than it did: it was ended elsewhere, and goes on in another one. */
  laterBy = 0;
  /** Frames that the clinic would not have, and what it said of the last one. */
  refused = 0;
  refusal = '';
  failure: IsolineError | undefined;
  frames = 0;
  recordedSamples = 0;
  bytes = 0;
  readonly warnings: Warning[] = [];

  constructor(builder: FrameBuilder, request: RecordRequest, startedMs: number) {
    this.builder = builder;
    this.request = request;
    this.startedMs = startedMs;
    // Whoever waits for them hears of it; nobody has to.
    this.begun.promise.catch(() => undefined);
    this.ended.promise.catch(() => undefined);
  }
}

/** Bits of electrodes without contact behind a batch. */
const electrodesAfter = ({ events }: LeadBatch, before: number): number =>
  events.reduce((mask, event) => (event.kind === 'leadOff' ? event.electrodes : mask), before);

const lostShareOf = ({ builder: { lost, samples } }: Session): number => (lost === 0 ? 0 : lost / (lost + samples));

type Job =
  | { readonly kind: 'begin'; readonly session: Session }
  | { readonly kind: 'frame'; readonly session: Session; readonly frame: BuiltFrame }
  | { readonly kind: 'finish'; readonly session: Session; readonly events: readonly RecordingEvent[]; readonly device: RecordedDevice };

/** A recording that is on the disk and closed. */
export interface RecordingSummary {
  readonly taskId: number;
  readonly recordedMs: number;
  readonly lostShare: number;
}

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

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #abort = new AbortController();
  #past: LeadBatch[] = [];
  #current: Session | undefined;
  #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #waitingSamples = 0;
  #notice: { readonly kind: RecordingNotice; readonly sinceMs: number } | undefined;
  #minutesLeft: number | undefined;
  #spaceTimer: ReturnType<typeof setInterval> | undefined;
  readonly #stopListening: () => void;
  #nextSample = 0;
  /** The last one that was recorded, until the next one begins: it may be finishing. */
  #last: Session | undefined;
  /** Electrodes without contact: now, and before the first of the past batches. */
  #electrodesOff: number;
  #electrodesBefore: number;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#electrodesOff = options.electrodesOff;
    this.#electrodesBefore = options.electrodesOff;
    this.#stopListening = options.clock.onStep((step) => this.#noteClockStep(step));
  }

  get isRecording(): boolean {
    return this.#current !== undefined;
  }

  /** The next samples of the device. */
  take(batch: LeadBatch): void {
    this.#nextSample = batch.firstSample + batch.count;
    this.#electrodesOff = electrodesAfter(batch, this.#electrodesOff);
    const session = this.#current;
    if (session !== undefined) {
      if (batch.gap?.kind === 'disconnect' || batch.gap?.kind === 'restart') this.#anchor(session, batch.firstSample);
      this.#feed(session, batch);
    }
    this.#remember(batch);
  }

  #feed(session: Session, batch: LeadBatch): void {
    const most = session.request.durationMs === undefined ? undefined : this.#samplesOf(session.request.durationMs);
    session.builder.add(batch, most);
    if (most !== undefined && session.builder.samples >= most) {
      this.#end(session);
      this.#options.onEnded();
    } else if (this.#mustRollOver(session)) this.#rollOver(session);
  }

  #remember(batch: LeadBatch): void {
    this.#past.push(batch);
    const oldest = this.#nextSample - this.#samplesOf(PAST_MS);
    while (this.#past[0] !== undefined && this.#past[0].firstSample + this.#past[0].count <= oldest)
      this.#electrodesBefore = electrodesAfter(this.#past.shift() as LeadBatch, this.#electrodesBefore);
  }

  #samplesOf(ms: number): number {
    return Math.round((ms * this.#options.scale.rateHz) / 1000);
  }

  #ms(samples: number): number {
    return (1000 * samples) / this.#options.scale.rateHz;
  }

  /** @returns the task, when the clinic has opened its stream. @throws IsolineError where it can't be recorded */
  async record(request: RecordRequest): Promise<number> {
    if (this.#current !== undefined) throw new IsolineError('device_busy', 'The device is being recorded already.');
    const past = request.withPast === true ? this.#pastBatches() : [];
    const base = past[0] === undefined ? this.#nextSample : Math.max(past[0].firstSample, this.#nextSample - this.#samplesOf(PAST_MS));
    const session = this.#open(request, base, past.length > 0 ? this.#electrodesBefore : this.#electrodesOff);
    this.#current = session;
    this.#notice = undefined;
    this.#watchSpace();
    for (const batch of past) if (this.#current === session) this.#feed(session, batch);
    this.#options.onChange();
    return session.begun.promise;
  }

  /** The last ten seconds as a recording of their own. @returns its task */
  async saveLast(): Promise<number> {
    const past = this.#pastBatches();
    const [first] = past;
    if (first === undefined) throw new IsolineError('device_not_ready', 'The device has sent nothing yet: wait for its signal.');
    const base = Math.max(first.firstSample, this.#nextSample - this.#samplesOf(PAST_MS));
    const session = this.#open({}, base, this.#electrodesBefore);
    for (const batch of past) session.builder.add(batch);
    this.#finish(session);
    return session.begun.promise;
  }

  /** Gaps before the first of them belong to nothing. */
  #pastBatches(): LeadBatch[] {
    return this.#past.map((batch, i) => (i === 0 ? { ...batch, gap: undefined } : batch));
  }

  #open(request: RecordRequest, base: number, electrodesOff: number): Session {
    const { scale, frameMs, clock, compressors } = this.#options;
    const startedMs = clock.wallMs - this.#ms(this.#nextSample - base);
    const builder = new FrameBuilder({ scale, frameMs, base, compressors, onFrame: (frame) => this.#enqueueFrame(session, frame) });
    const session: Session = new Session(builder, request, startedMs);
    builder.note('anchor', base, startedMs);
    if (electrodesOff !== 0) builder.note('leadOff', base, electrodesOff);
    this.#enqueue({ kind: 'begin', session });
    return session;
  }

  /** Ends the recording. Returns when everything is on the disk. */
  async stop(): Promise<RecordingSummary> {
    const ended = this.untilEnded();
    if (this.#current !== undefined) this.#end(this.#current);
    return ended;
  }

  /** Returns when the recording is over and everything is on the disk. */
  async untilEnded(): Promise<RecordingSummary> {
    const session = this.#current ?? this.#last;
    if (session === undefined) throw new IsolineError('recording_not_found', 'Nothing is being recorded.');
    return session.ended.promise;
  }

  #end(session: Session): void {
    this.#current = undefined;
    this.#last = session;
    clearInterval(this.#spaceTimer);
    this.#finish(session);
    void session.ended.promise
      .catch(() => undefined)
      .then(() => {
        if (this.#last === session) this.#last = undefined;
        this.#options.onChange();
      });
    this.#options.onChange();
  }

  #finish(session: Session): void {
    session.builder.cut();
    this.#enqueue({ kind: 'finish', session, events: session.builder.takeEvents(), device: this.#options.device() });
  }

  #mustRollOver({ builder, frames }: Session): boolean {
    const limitMs = Math.min(LONGEST_MS, this.#options.rollOverMs);
    return this.#ms(builder.samples + builder.lost) >= limitMs || frames >= MOST_FRAMES;
  }

  #rollOver(session: Session): void {
    const { durationMs } = session.request;
    const rest = durationMs === undefined ? {} : { durationMs: durationMs - this.#ms(session.builder.samples) };
    session.warnings.push({ code: 'continued', message: 'The recording goes on in the next task, without a sample between them.' });
    this.#finish(session);
    this.#current = this.#open(rest, this.#nextSample, this.#electrodesOff);
  }

  /** A remark of the technician's at the newest sample. */
  mark(): void {
    if (this.#current === undefined) throw new IsolineError('recording_not_found', 'Nothing is being recorded.');
    this.#current.builder.note('mark', this.#nextSample, 1);
  }

  #anchor(session: Session, deviceSample: number): void {
    session.builder.note('anchor', deviceSample, this.#options.clock.wallMs);
  }

  #noteClockStep({ kind, byMs }: ClockStep): void {
    const session = this.#current;
    if (session === undefined) return;
    session.builder.note(kind, this.#nextSample, Math.round(byMs));
    this.#anchor(session, this.#nextSample);
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
    if (this.#ms(this.#waitingSamples) > SLOW_MS && this.#notice?.kind !== 'storeFull') this.#tell('storeSlow');
  }

  #enqueue(job: Job): void {
    this.#jobs.push(job);
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  async #work(): Promise<void> {
    // Whoever put the first job in goes on first.
    await Promise.resolve();
    for (let job = this.#jobs[0]; job !== undefined && !this.#abort.signal.aborted; job = this.#jobs[0]) {
      await this.#do(job);
      this.#jobs.shift();
      if (job.kind === 'frame') this.#waitingSamples -= job.frame.samples;
      this.#options.onChange();
    }
  }

  async #do(job: Job): Promise<void> {
    const { session } = job;
    try {
      if (session.failure !== undefined) throw session.failure;
      if (job.kind === 'begin') await this.#begin(session);
      else if (job.kind === 'frame') await this.#store(session, job.frame);
      else await this.#close(session, job.events, job.device);
    } catch (error) {
      this.#fail(session, error);
    }
  }

  #patiently = (reason: Reason): void => {
    if (reason === 'storage_full') this.#tell('storeFull');
    else if (reason === 'bridge_closed') this.#tell('storeRestarted');
  };

  async #begin(session: Session): Promise<void> {
    const { clinic, scale } = this.#options;
    const { leadCodes, rateHz, lsbUv, digitalMinimum, digitalMaximum } = scale;
    const { taskId } = await clinic.callPatiently(
      'recorder.begin',
      {
        ...(session.request.taskId !== undefined && session.taskId === undefined && { taskId: session.request.taskId }),
        sampleRateHz: rateHz,
        leadCodes: [...leadCodes],
        scale: {
          digitalMinimum,
          digitalMaximum,
          physicalMinimumMv: (digitalMinimum * lsbUv) / 1000,
          physicalMaximumMv: (digitalMaximum * lsbUv) / 1000,
        },
        device: this.#options.device(),
        startedMs: session.startedMs + this.#ms(session.laterBy),
      },
      this.#abort.signal,
      this.#patiently,
    );
    session.taskId = taskId;
    session.begun.resolve(taskId);
  }

  async #store(session: Session, frame: BuiltFrame): Promise<void> {
    const { onRecorded } = this.#options;
    try {
      await this.#append(session, frame).catch(async (error: unknown) => {
        if (!(error instanceof IsolineError) || error.reason !== 'stream_not_found') throw error;
        await this.#goOnInAnother(session, frame);
        await this.#append(session, frame);
      });
    } catch (error) {
      if (!(error instanceof IsolineError) || error.reason === 'stream_not_found') throw error;
      // Stored by a try whose answer was lost, or not to be stored at all: said, counted, and a gap in the recording.
      if (error.reason !== 'frame_already_exists') {
        session.refused++;
        session.refusal = error.message;
        session.builder.dropped(frame);
        this.#tell('storeFull');
        return;
      }
    }
    session.recordedSamples += frame.samples;
    session.bytes += frame.bytes.length;
    onRecorded?.(session.taskId as number, frame);
  }

  async #append(session: Session, frame: BuiltFrame): Promise<void> {
    const { clinic, scale } = this.#options;
    const { timestampUs, bytes, events } = laterBy(session.laterBy, frame, scale.rateHz);
    // What is sent may be moved to the other thread, and the frame may have to be sent again.
    const message = { taskId: session.taskId as number, timestampUs, bytes: bytes.slice(), events: [...events] };
    await clinic.callPatiently('recorder.append', message, this.#abort.signal, this.#patiently);
  }

  /** Somebody ended the recording while frames of it were waiting: these and what comes are the next task's. */
  async #goOnInAnother(session: Session, frame: BuiltFrame): Promise<void> {
    session.laterBy = firstSampleOf(frame, this.#options.scale.rateHz);
    await this.#begin(session);
    session.warnings.push({
      code: 'continued',
      message: 'Another task holds what was recorded before: it was ended while the device was recorded.',
    });
  }

  async #close(session: Session, events: readonly RecordingEvent[], device: RecordedDevice): Promise<void> {
    const { clinic } = this.#options;
    const taskId = session.taskId as number;
    const { signal } = this.#abort;
    const { refused, refusal } = session;
    if (refused > 0) session.warnings.push({ code: 'frames_refused', message: `${refused} parts of it could not be stored: ${refusal}` });
    if (session.recordedSamples === 0)
      await clinic.callPatiently('recorder.discard', { taskId, isTaskOurs: session.request.taskId === undefined }, signal, this.#patiently);
    else
      await clinic
        .callPatiently(
          'recorder.finish',
          { taskId, device, events: eventsLaterBy(session.laterBy, events), warnings: session.warnings },
          signal,
          this.#patiently,
        )
        .catch((error: unknown) => {
          // Finished by a try whose answer was lost.
          if (!(error instanceof IsolineError) || error.reason !== 'stream_not_found') throw error;
        });
    session.ended.resolve({ taskId, recordedMs: this.#ms(session.recordedSamples), lostShare: lostShareOf(session) });
  }

  /** The clinic refuses the recording as a whole. */
  #fail(session: Session, error: unknown): void {
    const failure =
      error instanceof IsolineError ? error : new IsolineError('internal', 'The recording could not be stored.', {}, { cause: error });
    const isFirst = session.failure === undefined;
    session.failure = failure;
    session.begun.reject(failure);
    session.ended.reject(failure);
    if (!isFirst || this.#current !== session) return;
    this.#current = undefined;
    clearInterval(this.#spaceTimer);
    this.#options.onEnded();
  }

  #watchSpace(): void {
    clearInterval(this.#spaceTimer);
    this.#spaceTimer = setInterval(() => void this.#lookAtSpace(), SPACE_EVERY_MS).unref();
    void this.#lookAtSpace();
  }

  async #lookAtSpace(): Promise<void> {
    const session = this.#current;
    if (session === undefined) return;
    const space = await this.#options.clinic.call('recorder.space', {}).catch(() => undefined);
    if (space === undefined || this.#current !== session) return;
    const { rateHz, leadCodes } = this.#options.scale;
    const perSecond = session.recordedSamples > rateHz ? session.bytes / (session.recordedSamples / rateHz) : 2 * rateHz * leadCodes.length;
    this.#minutesLeft = space.freeBytes / (perSecond * BYTES_ON_DISK) / 60;
    if (this.#minutesLeft < STOP_MINUTES) {
      session.warnings.push({ code: 'stopped_for_space', message: 'The disk was nearly full: the recording was ended in order.' });
      this.#end(session);
      this.#tell('stoppedForSpace');
      this.#options.onEnded();
    } else if (this.#minutesLeft < WARN_MINUTES) this.#tell('nearlyFull');
    else if (this.#notice?.kind === 'nearlyFull') this.#notice = undefined;
  }

  get status(): RecordingStatus | undefined {
    const session = this.#current ?? this.#last;
    if (session?.taskId === undefined) return undefined;
    const { request } = session;
    const minutesLeft = this.#minutesLeft;
    const { notice } = this;
    return {
      taskId: session.taskId,
      startedMs: session.startedMs,
      recordedMs: this.#ms(session.recordedSamples),
      lostShare: lostShareOf(session),
      waitingMs: this.#ms(this.#waitingSamples),
      isFinishing: session !== this.#current,
      ...(request.durationMs !== undefined && { fixedDurationMs: request.durationMs }),
      ...(notice !== undefined && { notice }),
      ...(minutesLeft !== undefined && minutesLeft < WARN_MINUTES && { minutesLeft }),
    };
  }

  /** What the technician was told stays for a minute; what is still so is told again. */
  get notice(): RecordingNotice | undefined {
    const notice = this.#notice;
    if (notice === undefined || performance.now() - notice.sinceMs > NOTICE_MS) return undefined;
    return notice.kind;
  }

  /** Tasks that are not closed yet: those being recorded, and those of which something waits to be stored. */
  get openTasks(): number[] {
    const sessions = [this.#current, ...this.#jobs.map(({ session }) => session)];
    return sessions.flatMap((session) => session?.taskId ?? []);
  }

  /**
   * Ends what is being recorded, and waits until it is on the disk.
   * @param limitMs after which what is not on the disk is given up; without it, never.
   */
  async close(limitMs?: number): Promise<void> {
    if (this.#current !== undefined) this.#end(this.#current);
    clearInterval(this.#spaceTimer);
    this.#stopListening();
    if (limitMs === undefined) await this.#running;
    else await Promise.race([this.#running, wait(limitMs, undefined, { ref: false }).then(() => this.#abandon())]);
  }

  #abandon(): void {
    this.#abort.abort();
    const failure = new IsolineError('storage_full', 'The program ended before all of the recording could be stored.');
    for (const { session } of this.#jobs) session.ended.reject(failure);
  }
}
