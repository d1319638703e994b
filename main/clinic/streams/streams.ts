// Real-time streams: found, started, fed with frames, finished. D70 to D76, D81, D83 to D85.

import { crc32 } from 'node:zlib';
import type { DeviceView } from '../../../shared/bridge/views.ts';
import type { DeviceState } from '../../../shared/device-state.ts';
import { IsolineError } from '../../../shared/errors.ts';
import {
  blockBytes,
  type DeltaHeader,
  HEADER_BYTES,
  parseDeltaHeader,
} from '../../../shared/signal/compressed-delta/header.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import { MAX_STREAM_FRAMES, type RecordedDevice } from '../../../shared/signal/stream-file.ts';
import { nextStreamState, type StreamEvent } from '../../../shared/stream-state.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { type ClinicContext, change, type Note } from '../context.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Task } from '../tasks/records.ts';
import { listTask } from '../tasks/task-listing.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { DeviceLinks } from './device-links.ts';
import { FrameLog } from './frame-log.ts';
import type {
  DeskFacts,
  DeviceOrders,
  RecordingEvent,
  StreamParameters,
  StreamRow,
  StreamStart,
} from './records.ts';
import { dropStoredFrames } from './stream-assembly.ts';
import { haveSameParameters } from './stream-parameters.ts';

const MAX_OPEN = 64;
const MAX_SECONDS = 35 * 86_400;
const MAX_DECODED_BYTES = 16 << 20;
/** So much is unpacked on the spot; more goes to a worker. */
const INLINE_BYTES = 65_536;
const RATE_TOLERANCE = 1e-6;
/** A device that asks by its name for a stream with frames must have been heard of so lately (D71). */
const RECENT_MS = 600_000;
const HOUR_MS = 3_600_000;
const CONFLICTS_THAT_ALARM = 3;
/** What goes beyond is counted and not told one by one. */
const CONFLICTS_TOLD = 100;

/** What a recording of this workstation knows of its beginning. */
export interface DeskStart {
  /** When its first sample was, by the clock of this computer. */
  readonly startedMs: number;
  readonly device: RecordedDevice;
}

/** A stream as it is held in memory while it is open. */
interface OpenStream {
  readonly organizationId: number;
  readonly parameters: StreamParameters;
  frameCount: number;
  /**
   * While its end is being tried: whoever comes waits for the outcome, because 404 means that it succeeded.
   */
  finishing: Promise<void> | undefined;
  /** Frames whose commit is under way, by timestamp. */
  readonly pending: Map<number, Promise<boolean>>;
}

/** What is known of a stream when it ends. */
export interface StreamEnd {
  readonly warnings?: readonly Warning[];
  /** What no frame took along. */
  readonly events?: readonly RecordingEvent[];
  /** The device on the desk as it was at the end. */
  readonly device?: RecordedDevice | undefined;
}

const notFound = (): IsolineError => new IsolineError('stream_not_found', 'This stream does not exist.');

export class Streams {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #links: DeviceLinks;
  readonly #outbox: Outbox;
  readonly #log: FrameLog;
  readonly #open = new Map<number, OpenStream>();

  constructor(context: ClinicContext, tasks: Tasks, links: DeviceLinks, outbox: Outbox) {
    this.#context = context;
    this.#tasks = tasks;
    this.#links = links;
    this.#outbox = outbox;
    this.#log = new FrameLog(context, links);
  }

  /** The stream of a device that knows only itself (D70). */
  find(organizationId: number, deviceId: string): number {
    const { store } = this.#context;
    const found = (['WAITING', 'RECEIVING'] as const)
      .map((state) => store.tasks.latestOfDevice(organizationId, deviceId.trim(), state)?.id ?? 0)
      .reduce((a, b) => Math.max(a, b));
    if (found === 0) throw notFound();
    return found;
  }

  /** Opens a stream, or goes on with one that was opened in the same way (D71, D72). @returns its id. */
  async start(organizationId: number, start: StreamStart, actor: string, desk?: DeskStart): Promise<number> {
    const taskId = await change(this.#context, () => {
      const task = this.#taskToStart(organizationId, start);
      const stream = this.#context.store.streams.byId(task.id);
      if (stream?.state === 'open' && desk !== undefined) this.#requireSameStart(stream, desk);
      const notes =
        stream?.state === 'open' ? this.#startAgain(stream, start) : this.#startNew(task, start, actor, desk);
      if (start.deviceState !== undefined) this.#links.note(task.id, start.deviceState);
      this.#links.note(task.id, 'started');
      return { result: task.id, notes };
    });
    this.#context.publish('task.changed', { taskId });
    return taskId;
  }

  #taskToStart(organizationId: number, start: StreamStart): Task {
    const { store, clock } = this.#context;
    if (start.taskId !== undefined) {
      const task = store.tasks.byId(start.taskId);
      if (task === undefined || task.organizationId !== organizationId || task.state === 'DELETED')
        throw new IsolineError('unknown_task', 'The task for this stream does not exist.');
      return task;
    }
    const deviceId = start.deviceId?.trim() ?? '';
    if (deviceId === '')
      throw new IsolineError('invalid_task_id', 'Name the task by "task_id", or the device by "device_id".');
    const waiting = store.tasks.latestOfDevice(organizationId, deviceId, 'WAITING');
    if (waiting !== undefined) return waiting;
    const receiving = store.tasks.latestOfDevice(organizationId, deviceId, 'RECEIVING');
    const stream = receiving === undefined ? undefined : store.streams.byId(receiving.id);
    const isOurs = stream !== undefined && haveSameParameters(stream.parameters, start.parameters);
    const isRecent = stream?.lastFrameMs === undefined || clock.nowMs() - stream.lastFrameMs < RECENT_MS;
    if (receiving === undefined || !isOurs || !isRecent)
      throw new IsolineError(
        'no_waiting_task',
        'No task is waiting for this device. Create one for the patient first.',
      );
    return receiving;
  }

  #startNew(task: Task, start: StreamStart, actor: string, desk: DeskStart | undefined): Note[] {
    const { store, clock } = this.#context;
    // What was interrupted at this workstation must never keep the next patient from being recorded.
    if (desk === undefined && store.streams.countOpen() >= MAX_OPEN)
      throw new IsolineError('task_state_conflict', `${MAX_OPEN} streams are open. Finish one first.`);
    this.#step('absent', 'started');
    this.#tasks.move(task.id, 'streamStarted');
    const { startedMs = clock.nowMs(), device } = desk ?? {};
    const { parameters, totalFrames = 0, deviceId } = start;
    store.streams.add({ taskId: task.id, parameters, totalFrames, startedMs, device });
    if (task.fields.deviceId === undefined && deviceId !== undefined)
      store.tasks.setFields(task.id, { ...task.fields, deviceId });
    listTask(store, task.id);
    this.#tasks.consider(task.id);
    if (start.isScalePartial === true) this.#warn(task.id, warning('scaling_incomplete'));
    return [
      {
        actor,
        action: 'stream.started',
        subject: `task:${task.id}`,
        detail: { leads: parameters.leadCodes.length },
      },
    ];
  }

  /**
   * The desk begins a recording a second time where the first answer was lost; never does it go on in one
   * that holds something.
   */
  #requireSameStart({ taskId, startedMs }: StreamRow, desk: DeskStart): void {
    if (startedMs === desk.startedMs && this.#context.store.streams.countFrames(taskId) === 0) return;
    throw new IsolineError(
      'stream_already_started',
      `Task ${taskId} holds a recording that was not ended: finish it, and record into another task.`,
    );
  }

  #startAgain(stream: StreamRow, { parameters, totalFrames }: StreamStart): Note[] {
    if (!haveSameParameters(stream.parameters, parameters))
      throw new IsolineError(
        'stream_already_started',
        'The stream was started with other parameters. Finish it first.',
      );
    this.#step(stream.state, 'startedAgain');
    if (totalFrames !== undefined) this.#context.store.streams.setTotalFrames(stream.taskId, totalFrames);
    return [];
  }

  #step(state: 'absent' | StreamRow['state'], event: StreamEvent): void {
    if (nextStreamState(state, event) === undefined) throw notFound();
  }

  #warn(taskId: number, added: Warning): void {
    const { store } = this.#context;
    const warnings = store.tasks.byId(taskId)?.warnings ?? [];
    if (!warnings.some(({ code }) => code === added.code))
      store.tasks.setWarnings(taskId, [...warnings, added]);
  }

  /** An open stream of the organization. @throws IsolineError `stream_not_found` */
  #require(organizationId: number, streamId: number): OpenStream {
    const stream = this.#open.get(streamId) ?? this.#load(streamId);
    if (stream === undefined || stream.organizationId !== organizationId) throw notFound();
    return stream;
  }

  #load(streamId: number): OpenStream | undefined {
    const { store } = this.#context;
    const row = store.streams.byId(streamId);
    const task = store.tasks.byId(streamId);
    if (row?.state !== 'open' || task?.state !== 'RECEIVING') return undefined;
    const { organizationId } = task;
    const stream: OpenStream = {
      organizationId,
      parameters: row.parameters,
      frameCount: store.streams.countFrames(streamId),
      finishing: undefined,
      pending: new Map(),
    };
    this.#open.set(streamId, stream);
    return stream;
  }

  /** Whether frames may come now: what needs no body is said before one is read (D3). */
  requireOpen(organizationId: number, streamId: number): void {
    this.#require(organizationId, streamId);
  }

  /**
   * Stores one frame, and acknowledges it by returning.
   * @param bytes of the frame as received; they are kept as they are.
   * @param desk of the device on the desk: the frame goes before all others, its events are stored with it.
   */
  async append(
    organizationId: number,
    streamId: number,
    timestampUs: number,
    bytes: Uint8Array,
    actor: string,
    desk?: DeskFacts,
  ): Promise<void> {
    const parsed = parseDeltaHeader(bytes.subarray(0, HEADER_BYTES), bytes.length);
    let stream = this.#require(organizationId, streamId);
    if (!parsed.ok) throw invalidFrame(parsed.message);
    // While the first of two is on its way, the second waits: it is a repeat only if the first arrives. What
    // is wrong with the first is no fault of the second.
    for (;;) {
      const before = stream.finishing ?? stream.pending.get(timestampUs);
      if (before === undefined) break;
      await before.catch(() => undefined);
      stream = this.#require(organizationId, streamId);
    }
    const stored = this.#check(stream, streamId, timestampUs, bytes, parsed.header, desk);
    stream.pending.set(timestampUs, stored);
    let isNew: boolean;
    try {
      isNew = await stored;
    } finally {
      stream.pending.delete(timestampUs);
    }
    if (!isNew) await this.#refuseRepeat(streamId, timestampUs, bytes, actor);
    stream.frameCount++;
    this.#outbox.noteFrames(streamId);
  }

  /**
   * @returns false for a repeat: of these no more than the header counts (D75), so whatever else is wrong
   * with them comes second.
   */
  async #check(
    stream: OpenStream,
    streamId: number,
    timestampUs: number,
    bytes: Uint8Array,
    header: DeltaHeader,
    desk: DeskFacts | undefined,
  ): Promise<boolean> {
    try {
      this.#checkAgainstStart(stream, timestampUs, header);
      return await this.#store(streamId, timestampUs, bytes, header, desk);
    } catch (error) {
      if (this.#context.store.streams.frameCrc32(streamId, timestampUs) !== undefined) return false;
      throw error;
    }
  }

  async #store(
    streamId: number,
    timestampUs: number,
    payload: Uint8Array,
    header: DeltaHeader,
    desk: DeskFacts | undefined,
  ): Promise<boolean> {
    const { checkFrame, pool } = this.#context;
    const fault = blockBytes(header) <= INLINE_BYTES ? checkFrame(payload) : await pool.checkFrame(payload);
    if (fault !== undefined) throw invalidFrame(fault);
    return this.#log.append(
      streamId,
      { timestampUs, samples: header.samples, crc32: crc32(payload), payload },
      desk,
    );
  }

  #checkAgainstStart(
    { parameters, frameCount, pending }: OpenStream,
    timestampUs: number,
    header: DeltaHeader,
  ): void {
    if (header.channels !== parameters.leadCodes.length)
      throw new IsolineError(
        'frame_mismatch',
        `The frame has ${header.channels} channels, the stream was started with ${parameters.leadCodes.length} leads.`,
      );
    if (Math.abs(header.sampleRateHz - parameters.sampleRateHz) > RATE_TOLERANCE * parameters.sampleRateHz)
      throw new IsolineError(
        'frame_mismatch',
        'The sample rate of the frame differs from that of the stream.',
      );
    if (blockBytes(header) > MAX_DECODED_BYTES)
      throw invalidFrame(`It states more than ${MAX_DECODED_BYTES} bytes of samples.`);
    if (timestampUs / 1e6 + header.samples / header.sampleRateHz > MAX_SECONDS)
      throw new IsolineError(
        'frame_out_of_range',
        'The frame ends more than 35 days after the start of the stream.',
      );
    if (frameCount + pending.size >= MAX_STREAM_FRAMES)
      throw new IsolineError(
        'frame_out_of_range',
        `The stream already has ${MAX_STREAM_FRAMES} frames and accepts no more.`,
      );
  }

  /**
   * A device that set its clock back sends other samples under used timestamps: that must not stay unseen
   * (D75).
   */
  async #refuseRepeat(
    streamId: number,
    timestampUs: number,
    bytes: Uint8Array,
    actor: string,
  ): Promise<never> {
    const { store } = this.#context;
    const isSame = store.streams.frameCrc32(streamId, timestampUs) === crc32(bytes);
    if (!isSame) {
      await change(this.#context, () => {
        const conflicts = store.streams.noteConflict(streamId);
        if (conflicts === CONFLICTS_THAT_ALARM) this.#warn(streamId, warning('conflicting_frames'));
        const note: Note = {
          actor,
          action: 'frame.conflicting',
          subject: `task:${streamId}`,
          detail: { timestampUs },
        };
        return { result: undefined, notes: conflicts <= CONFLICTS_TOLD ? [note] : [] };
      });
      this.#context.publish('task.changed', { taskId: streamId });
    }
    throw new IsolineError('frame_already_exists', 'A frame with this timestamp is already stored.', {
      isSame,
    });
  }

  /** Ends a stream and queues its recording for analysis (D81). @throws IsolineError `stream_empty` */
  async finish(organizationId: number, streamId: number, actor: string, end: StreamEnd = {}): Promise<void> {
    const stream = await this.#decided(organizationId, streamId);
    if (stream.frameCount === 0 && stream.pending.size === 0)
      throw new IsolineError('stream_empty', 'The stream has no frames yet. Send some before you finish it.');
    const finishing = this.#finishNow(streamId, stream, actor, end);
    stream.finishing = finishing;
    try {
      await finishing;
    } finally {
      stream.finishing = undefined;
    }
    this.#tasks.announceQueued(streamId);
  }

  async #finishNow(
    streamId: number,
    stream: OpenStream,
    actor: string,
    { warnings = [], events = [], device }: StreamEnd,
  ): Promise<void> {
    const { store } = this.#context;
    await Promise.allSettled(stream.pending.values());
    await change(this.#context, () => {
      if (device !== undefined) store.streams.setDevice(streamId, device);
      store.streams.addEvents(streamId, events);
      return this.#close(streamId, actor, warnings);
    });
    this.#open.delete(streamId);
    this.#log.forget(streamId);
  }

  /** The open stream, once nobody is trying to finish it. @throws IsolineError `stream_not_found` */
  async #decided(organizationId: number, streamId: number): Promise<OpenStream> {
    for (;;) {
      const stream = this.#require(organizationId, streamId);
      if (stream.finishing === undefined) return stream;
      await stream.finishing.catch(() => undefined);
    }
  }

  #close(
    streamId: number,
    actor: string,
    warnings: readonly Warning[],
  ): { result: undefined; notes: Note[] } {
    const { store } = this.#context;
    const row = store.streams.byId(streamId);
    const frameCount = this.#open.get(streamId)?.frameCount ?? 0;
    if (row === undefined || frameCount === 0)
      throw new IsolineError('stream_empty', 'The stream has no frames yet. Send some before you finish it.');
    this.#step(row.state, 'finished');
    store.streams.setState(streamId, 'finished');
    this.#tasks.move(streamId, 'dataComplete');
    this.#links.note(streamId, 'finished');
    for (const reported of warnings) this.#warn(streamId, reported);
    if (frameCount < row.totalFrames)
      this.#warn(streamId, warning('frames_missing', { present: frameCount, stated: row.totalFrames }));
    return {
      result: undefined,
      notes: [
        { actor, action: 'stream.finished', subject: `task:${streamId}`, detail: { frames: frameCount } },
      ],
    };
  }

  /** What a screen shows of the device of a task. */
  deviceView(task: Task): DeviceView | undefined {
    const row = task.state === 'RECEIVING' ? this.#context.store.streams.byId(task.id) : undefined;
    const frameCount =
      row === undefined ? 0 : ((this.#open.get(task.id) ?? this.#load(task.id))?.frameCount ?? 0);
    return this.#links.view(task, row, frameCount);
  }

  isDeviceLost(taskId: number): boolean {
    const task = this.#context.store.tasks.byId(taskId);
    return task?.state === 'RECEIVING' && this.deviceView(task)?.isLost === true;
  }

  /** A task whose device may ask and report: it waits for it, or receives from it (D77). */
  async #taskOfDevice(organizationId: number, streamId: number): Promise<Task> {
    await this.#open.get(streamId)?.finishing?.catch(() => undefined);
    const task = this.#context.store.tasks.byId(streamId);
    const isThere =
      task?.organizationId === organizationId && (task.state === 'WAITING' || task.state === 'RECEIVING');
    if (task === undefined || !isThere) throw notFound();
    return task;
  }

  async params(organizationId: number, streamId: number): Promise<DeviceOrders> {
    return this.#links.params(await this.#taskOfDevice(organizationId, streamId));
  }

  async report(organizationId: number, streamId: number, state: DeviceState): Promise<void> {
    await this.#links.report((await this.#taskOfDevice(organizationId, streamId)).id, state);
  }

  /**
   * Streams that nobody feeds any more are finished, or closed where nothing came (D83). Called now and then.
   */
  async closeIdle(): Promise<void> {
    const { store, clock } = this.#context;
    const limitMs = clock.nowMs() - this.#context.settings()['streams.idleHours'] * HOUR_MS;
    for (const stream of store.streams.open()) {
      const heartbeatMs = store.devices.link(stream.taskId).heartbeatMs ?? 0;
      if (Math.max(stream.startedMs, stream.lastFrameMs ?? 0, heartbeatMs) >= limitMs) continue;
      const task = this.#tasks.find(undefined, stream.taskId);
      if (store.streams.countFrames(stream.taskId) > 0)
        await this.finish(task.organizationId, task.id, 'program', {
          warnings: [warning('finished_by_timeout')],
        });
      else await this.closeEmpty(task.id);
    }
    for (const taskId of store.streams.withFramesLeftOver()) await dropStoredFrames(this.#context, taskId);
  }

  /** Closes a stream that nothing came for; its task waits again. */
  async closeEmpty(taskId: number): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, () => {
      // A frame may have come, or be on its way.
      if (store.streams.countFrames(taskId) > 0 || (this.#open.get(taskId)?.pending.size ?? 0) > 0)
        return { result: undefined, notes: [] };
      this.#step('open', 'emptied');
      this.#tasks.move(taskId, 'streamEmptied');
      store.streams.remove(taskId);
      this.#open.delete(taskId);
      return {
        result: undefined,
        notes: [{ actor: 'program', action: 'stream.emptied', subject: `task:${taskId}`, detail: {} }],
      };
    });
    this.#context.publish('task.changed', { taskId });
  }
}

const invalidFrame = (why: string): IsolineError =>
  new IsolineError('invalid_frame', `The frame is not a valid Compressed Delta frame. ${why}`);
