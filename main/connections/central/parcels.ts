// What of a task goes to a central service, made ready: the file, the archive, or the frames, and what the
// calls say of them.

import { createHash } from 'node:crypto';
import { IsolineError } from '../../../shared/errors.ts';
import type { StartRequest, TaskRequest } from '../../../shared/v3/v3.ts';
import type { ClinicContext } from '../../clinic/context.ts';
import type { Load } from '../../clinic/outbox/item.ts';
import type { Outbox } from '../../clinic/outbox/outbox.ts';
import type { OutboxEntry } from '../../clinic/outbox/records.ts';
import type { IncomingFile, Packed } from '../../clinic/ports.ts';
import type { StreamParameters } from '../../clinic/streams/records.ts';
import type { RecordingRow, StoredFile, Task } from '../../clinic/tasks/records.ts';
import { writeTaskRequest } from '../../v3/task-fields.ts';
import { missing } from '../packing/missing.ts';
import { packInto } from '../packing/pack-into.ts';
import { whoseIs } from '../packing/whose.ts';
import type { PackedParcel } from '../sender-loop.ts';
import { NO_STREAM, type Parcel } from './central-requests.ts';
import { frameIn } from './frame-file.ts';
import { LiveFrames } from './live-frames.ts';
import { readAhead } from './read-ahead.ts';

/** A file of this size is held in memory while it is sent. */
const SMALL_BYTES = 256 << 10;

/** For a central service. */
export type CentralParcel = PackedParcel & Parcel;

/** What the calls of either way say of a recording. */
interface ParcelFacts {
  task(): TaskRequest;
  /** False where it was packed under another name than it has by now. */
  isCurrent(): boolean;
  readonly deviceId: string;
  readonly stream: Parcel['stream'];
}

const startOf = ({
  sampleRateHz,
  leadCodes,
  scale,
}: StreamParameters): Omit<StartRequest, 'task_id' | 'device_id'> => ({
  processing_mode: 'PROCESS_ON_FINISH',
  frame_format: 'COMPRESSED_DELTA',
  sample_rate: sampleRateHz,
  lead_codes: [...leadCodes],
  ...(scale !== undefined && {
    digital_minimum: scale.digitalMinimum,
    digital_maximum: scale.digitalMaximum,
    physical_minimum: scale.physicalMinimumMv,
    physical_maximum: scale.physicalMaximumMv,
  }),
  device_state: 'UPLOADING',
});

const notPacked = (): never => {
  throw new Error('this is not sent of it');
};

export class Parcels {
  readonly #context: ClinicContext;
  readonly #outbox: Outbox;

  constructor(context: ClinicContext, outbox: Outbox) {
    this.#context = context;
    this.#outbox = outbox;
  }

  /** @throws IsolineError where it can't be made ready */
  async pack(entry: OutboxEntry, signal: AbortSignal): Promise<CentralParcel> {
    const { store } = this.#context;
    const task = store.tasks.byId(entry.taskId);
    if (task === undefined) throw missing();
    const recording = task.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId);
    const stream = store.streams.byId(task.id);
    const facts: ParcelFacts = {
      task: () => this.#requestOf(entry.item.id),
      isCurrent: () => true,
      deviceId: entry.deviceId,
      stream: stream === undefined ? NO_STREAM : startOf(stream.parameters),
    };
    if (entry.item.isLive) return this.#live(task, facts);
    if (recording === undefined)
      throw new IsolineError('task_state_conflict', 'The recording is not completely stored yet.');
    if (entry.item.way === 'stream') return this.#frames(task, recording, facts, signal);
    // The files as they came would be read otherwise there than the person wants them read who chose the channels.
    if (stream !== undefined || task.channels !== undefined) {
      // Whose name stands in a file that is made of it.
      const whose = whoseIs(this.#context, task.id);
      const named: ParcelFacts = { ...facts, isCurrent: () => whoseIs(this.#context, task.id) === whose };
      return this.#packedFile(task, recording, named, 'edf', signal);
    }
    const asCame: ParcelFacts = {
      ...facts,
      isCurrent: () => store.tasks.byId(task.id)?.channels === undefined,
    };
    return recording.files.length === 1
      ? this.#storedFile(recording, asCame)
      : this.#packedFile(task, recording, asCame, 'zip', signal);
  }

  /** What was written down with the intent to send it. */
  #requestOf(itemId: number): TaskRequest {
    const stated = this.#context.store.outbox.byId(itemId)?.stated;
    if (stated === undefined) throw missing();
    return writeTaskRequest(stated);
  }

  /** Sends the file as it was received. */
  async #storedFile({ files }: RecordingRow, facts: ParcelFacts): Promise<CentralParcel> {
    const [file] = files;
    const { files: stored, pool } = this.#context;
    const open = file === undefined ? undefined : await stored.openStored(file.sha256);
    if (file === undefined || open === undefined) throw missing();
    if (file.sizeBytes <= SMALL_BYTES) return this.#smallFile(open, file, facts);
    // What the disk has changed meanwhile goes nowhere: looked at while it is sent, and known before its last
    // piece is.
    const isWhole = pool.hash(stored.path(file.sha256)).then((sha256) => sha256 === file.sha256);
    isWhole.catch(() => undefined);
    const checked: Pick<IncomingFile, 'read'> = {
      async read(offset, length) {
        if (offset + length >= file.sizeBytes && !(await isWhole)) throw missing();
        return open.read(offset, length);
      },
    };
    return this.#fileParcel(checked, file, facts, () => open.close());
  }

  /** Read once, and looked at before anything is sent. */
  async #smallFile(
    open: Pick<IncomingFile, 'read' | 'close'>,
    { sizeBytes, sha256 }: Pick<StoredFile, 'sizeBytes' | 'sha256'>,
    facts: ParcelFacts,
  ): Promise<CentralParcel> {
    let bytes: Uint8Array;
    try {
      bytes = await open.read(0, sizeBytes);
    } finally {
      await open.close();
    }
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw missing();
    const kept: Pick<IncomingFile, 'read'> = {
      read: async (offset, length) => bytes.subarray(offset, offset + length),
    };
    return this.#fileParcel(kept, { sizeBytes, sha256 }, facts, async () => undefined);
  }

  async #packedFile(
    task: Task,
    recording: RecordingRow,
    facts: ParcelFacts,
    into: 'edf' | 'zip',
    signal: AbortSignal,
  ): Promise<CentralParcel> {
    const { packed, file, close } = await packInto(this.#context, task, recording, { into }, signal);
    return this.#fileParcel(file, packed, facts, close);
  }

  #fileParcel(
    file: Pick<IncomingFile, 'read'>,
    { sizeBytes, sha256 }: Pick<Packed, 'sizeBytes' | 'sha256'>,
    facts: ParcelFacts,
    close: () => Promise<void>,
  ): CentralParcel {
    return {
      ...facts,
      load: { sizeBytes, frames: 0, isFinished: true },
      sizeBytes,
      sha256Base64: Buffer.from(sha256, 'hex').toString('base64'),
      read: readAhead(file, sizeBytes),
      frame: notPacked,
      [Symbol.asyncDispose]: close,
    };
  }

  async #frames(
    task: Task,
    recording: RecordingRow,
    facts: ParcelFacts,
    signal: AbortSignal,
  ): Promise<CentralParcel> {
    const { packed, file, close } = await packInto(
      this.#context,
      task,
      recording,
      { into: 'frames' },
      signal,
    );
    const { count, indexOffsetBytes } = packed.frames ?? { count: 0, indexOffsetBytes: 0 };
    return {
      ...facts,
      stream: { ...facts.stream, total_frames: count },
      load: { sizeBytes: packed.sizeBytes, frames: count, isFinished: true },
      sizeBytes: packed.sizeBytes,
      sha256Base64: '',
      read: notPacked,
      frame: (index) => frameIn({ file, indexOffsetBytes }, index),
      [Symbol.asyncDispose]: close,
    };
  }

  /**
   * Frame by frame as they are stored; also when the recording has ended meanwhile, because some may be there
   * already.
   */
  #live(task: Task, facts: ParcelFacts): CentralParcel {
    const frames = new LiveFrames(this.#context, task.id, () => this.#outbox.noteFrames(task.id));
    return {
      ...facts,
      stream: { ...facts.stream, device_state: 'RECORDING' },
      get load(): Load {
        return frames.load;
      },
      sizeBytes: 0,
      sha256Base64: '',
      read: notPacked,
      frame: (index) => frames.at(index),
      [Symbol.asyncDispose]: () => frames.close(),
    };
  }
}
