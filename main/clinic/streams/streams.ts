// Real-time streams: found, started, fed with frames, finished. D70 to D76, D81, D83 to D85.

import { crc32 } from 'node:zlib';
import type { DeviceView } from '../../../shared/bridge/views.ts';
import type { DeviceState } from '../../../shared/device-state.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import type { RecordedDevice } from '../../../shared/signal/stream-file.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import {
  blockBytes,
  type DeltaHeader,
  HEADER_BYTES,
  parseDeltaHeader,
} from '../../signal/compressed-delta/header.ts';
import { frameFault } from '../../signal/compressed-delta/read-frame.ts';
import { type ClinicContext, change, type Note, type Tx } from '../context.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Task } from '../tasks/records.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { DeviceLinks } from './device-links.ts';
import { FrameLog } from './frame-log.ts';
import { IdleWatch } from './idle-watch.ts';
import type {
  DeskFacts,
  DeviceOrders,
  RecordingEvent,
  StreamParameters,
  StreamRow,
  StreamStart,
} from './records.ts';
import { dropStoredFrames } from './stream-assembly.ts';
import { invalidFrame, notFound, requireFits, step, warn } from './stream-rules.ts';
import { type DeskStart, StreamStarts } from './stream-starts.ts';

/** So much is unpacked on the spot; more goes to a worker. */
const INLINE_BYTES = 65_536;
const HOUR_MS = 3_600_000;
/** What is smaller is drift. */
const LEAST_CORRECTION_MS = 2000;
const CONFLICTS_THAT_ALARM = 3;
/** What goes beyond is counted and not told one by one. */
const CONFLICTS_TOLD = 100;

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

export class Streams {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #links: DeviceLinks;
  readonly #outbox: Outbox;
  readonly #starts: StreamStarts;
  readonly #log: FrameLog;
  readonly #idle: IdleWatch;
  readonly #open = new Map<number, OpenStream>();

  constructor(context: ClinicContext, tasks: Tasks, links: DeviceLinks, outbox: Outbox) {
    this.#context = context;
    this.#tasks = tasks;
    this.#links = links;
    this.#outbox = outbox;
    this.#starts = new StreamStarts(context, tasks, links);
    this.#log = new FrameLog(context, links);
    this.#idle = new IdleWatch(context.clock, () => context.settings()['streams.idleHours'] * HOUR_MS);
  }

  /** The stream of a device that knows only itself (D70). */
  find(organizationId: number, deviceId: string): number {
    return this.#starts.find(organizationId, deviceId);
  }

  /** Opens a stream, or goes on with one that was opened in the same way (D71, D72). @returns its id. */
  start(organizationId: number, start: StreamStart, actor: string, desk?: DeskStart): Promise<number> {
    return this.#starts.start(organizationId, start, actor, desk);
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
      requireFits(stream, timestampUs, header);
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
    const { pool } = this.#context;
    const fault = blockBytes(header) <= INLINE_BYTES ? frameFault(payload) : await pool.checkFrame(payload);
    if (fault !== undefined) throw invalidFrame(fault);
    return this.#log.append(
      streamId,
      { timestampUs, samples: header.samples, crc32: crc32(payload), payload },
      desk,
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
      await change(this.#context, (tx) => {
        const conflicts = store.streams.noteConflict(streamId);
        if (conflicts === CONFLICTS_THAT_ALARM) warn(tx, store, streamId, warning('conflicting_frames'));
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
    await change(this.#context, (tx) => {
      if (device !== undefined) store.streams.setDevice(streamId, device);
      store.streams.addEvents(streamId, events);
      return this.#close(tx, streamId, actor, warnings);
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
    tx: Tx,
    streamId: number,
    actor: string,
    warnings: readonly Warning[],
  ): { result: undefined; notes: Note[] } {
    const { store } = this.#context;
    const row = store.streams.byId(streamId);
    const frameCount = this.#open.get(streamId)?.frameCount ?? 0;
    if (row === undefined || frameCount === 0)
      throw new IsolineError('stream_empty', 'The stream has no frames yet. Send some before you finish it.');
    step(row.state, 'finished');
    this.#correctStart(tx, row);
    store.streams.setState(streamId, 'finished');
    this.#tasks.move(tx, streamId, 'dataComplete');
    this.#links.note(tx, streamId, 'finished');
    for (const reported of warnings) warn(tx, store, streamId, reported);
    if (frameCount < row.totalFrames)
      warn(tx, store, streamId, warning('frames_missing', { present: frameCount, stated: row.totalFrames }));
    return {
      result: undefined,
      notes: [
        { actor, action: 'stream.finished', subject: `task:${streamId}`, detail: { frames: frameCount } },
      ],
    };
  }

  /** Where the clock of this computer was set meanwhile, it is the later one that is believed. */
  #correctStart(tx: Tx, { taskId, startedMs }: StreamRow): void {
    const { store } = this.#context;
    const byMs = store.streams.clockSetByMs(taskId);
    if (Math.abs(byMs) < LEAST_CORRECTION_MS) return;
    store.streams.setStarted(taskId, startedMs + byMs);
    const said = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    warn(
      tx,
      store,
      taskId,
      warning('start_corrected', { was: said(startedMs), now: said(startedMs + byMs) }),
    );
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
    const { store } = this.#context;
    const open = store.streams.open();
    for (const stream of open) {
      const heartbeatMs = store.devices.link(stream.taskId).heartbeatMs ?? 0;
      const lastMs = Math.max(stream.startedMs, stream.lastFrameMs ?? 0, heartbeatMs);
      if (!this.#idle.isIdle(stream.taskId, lastMs)) continue;
      const task = this.#tasks.find(undefined, stream.taskId);
      if (store.streams.countFrames(stream.taskId) > 0)
        await this.finish(task.organizationId, task.id, 'program', {
          warnings: [warning('finished_by_timeout')],
        });
      else await this.closeEmpty(task.id);
    }
    this.#idle.keep(open.map(({ taskId }) => taskId));
    for (const taskId of store.streams.withFramesLeftOver()) await dropStoredFrames(this.#context, taskId);
  }

  /** Closes a stream that nothing came for; its task waits again. */
  async closeEmpty(taskId: number): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, (tx) => {
      // A frame may have come, or be on its way.
      if (store.streams.countFrames(taskId) > 0 || (this.#open.get(taskId)?.pending.size ?? 0) > 0)
        return { result: undefined, notes: [] };
      step('open', 'emptied');
      this.#tasks.move(tx, taskId, 'streamEmptied');
      store.streams.remove(taskId);
      tx.after(() => void this.#open.delete(taskId));
      return {
        result: undefined,
        notes: [{ actor: 'program', action: 'stream.emptied', subject: `task:${taskId}`, detail: {} }],
      };
    });
    this.#context.publish('task.changed', { taskId });
  }
}
