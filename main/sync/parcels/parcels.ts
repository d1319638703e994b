// What of a task goes to a centre, made ready: the file, the archive, or the frames, and what is said of them.

import { crc32 } from 'node:zlib';
import { IsolineError } from '../../../shared/errors.ts';
import { type Decompressors, decodeCompressedDelta, encodeCompressedDelta } from '../../../shared/signal/compressed-delta.ts';
import { INDEX_ENTRY_BYTES, readIndexEntry, readStreamFileEnd, STREAM_END_BYTES } from '../../../shared/signal/stream-file.ts';
import type { StartRequest, TaskRequest } from '../../../shared/v3/v3.ts';
import { base32Id, type ClinicContext } from '../../clinic/context.ts';
import type { Load } from '../../clinic/outbox/item.ts';
import type { Outbox } from '../../clinic/outbox/outbox.ts';
import { sentPatientOf } from '../../clinic/outbox/task-request.ts';
import type { IncomingFile, Packed } from '../../clinic/ports.ts';
import type { OutboxEntry, RecordingRow, StreamParameters, Task } from '../../clinic/records.ts';
import { patientOf } from '../../clinic/task-patient.ts';
import { NO_STREAM } from '../centre-client.ts';
import type { PackedParcel } from '../sender-loop.ts';

const ID_LENGTH = 20;
/** Packed, a recording may be larger than the coded one that is stored. */
const PACKED_SHARE = 4;
const COUNT_MS = 250;

const missing = (): IsolineError => new IsolineError('record_unreadable', 'The recording is missing here, or damaged. It cannot be sent.');

/** What the calls of either way say of a recording. */
interface Said {
  task(): TaskRequest;
  /** False where it was packed under another name than it has by now. */
  isCurrent(): boolean;
  readonly deviceId: string;
  readonly stream: PackedParcel['stream'];
}

const startOf = ({ sampleRateHz, leadCodes, scale }: StreamParameters): Omit<StartRequest, 'task_id' | 'device_id'> => ({
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

/** While one piece is on its way, the next one is read: it is usually as long. One piece is held beside the one that is sent. */
function readAhead(file: Pick<IncomingFile, 'read'>, sizeBytes: number): (offset: number, length: number) => Promise<Uint8Array> {
  let ahead: { readonly offset: number; readonly length: number; readonly bytes: Promise<Uint8Array> } | undefined;
  return async (offset, length) => {
    const bytes = ahead?.offset === offset && ahead.length === length ? await ahead.bytes : await file.read(offset, length);
    const next = offset + length;
    const nextLength = Math.min(length, sizeBytes - next);
    ahead = nextLength > 0 ? { offset: next, length: nextLength, bytes: file.read(next, nextLength) } : undefined;
    // Whoever asks for it hears of it.
    ahead?.bytes.catch(() => undefined);
    return bytes;
  };
}

const notPacked = (): never => {
  throw new Error('this is not sent of it');
};

export class Parcels {
  readonly #context: ClinicContext;
  readonly #outbox: Outbox;
  readonly #decompressors: Decompressors;

  constructor(context: ClinicContext, outbox: Outbox, decompressors: Decompressors) {
    this.#context = context;
    this.#outbox = outbox;
    this.#decompressors = decompressors;
  }

  /** @throws IsolineError where it can't be made ready */
  async pack(entry: OutboxEntry, signal: AbortSignal): Promise<PackedParcel> {
    const { store } = this.#context;
    const task = store.tasks.byId(entry.taskId);
    if (task === undefined) throw missing();
    const recording = task.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId);
    const stream = store.streams.byId(task.id);
    const said: Said = {
      task: () => this.#requestOf(entry.item.id),
      isCurrent: () => true,
      deviceId: entry.deviceId,
      stream: stream === undefined ? NO_STREAM : startOf(stream.parameters),
    };
    if (entry.item.isLive) return this.#live(task, said);
    if (recording === undefined) throw new IsolineError('task_state_conflict', 'The recording is not stored as a whole yet.');
    if (entry.item.way === 'stream') return this.#frames(task, recording, said, signal);
    const name = this.#nameOf(task.id);
    const named: Said = { ...said, isCurrent: () => this.#nameOf(task.id) === name };
    if (stream !== undefined) return this.#packedFile(task, recording, named, 'edf', signal);
    return recording.files.length === 1 ? this.#storedFile(recording, said) : this.#packedFile(task, recording, said, 'zip', signal);
  }

  /** What was written down with the intent to send it. */
  #requestOf(itemId: number): TaskRequest {
    const request = this.#context.store.outbox.byId(itemId)?.request;
    if (request === undefined) throw missing();
    return request;
  }

  /** Whose name stands in a file that is made of it. */
  #nameOf(taskId: number): string {
    const { store } = this.#context;
    const task = store.tasks.byId(taskId);
    const recording = task?.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId);
    return task === undefined ? '' : JSON.stringify(sentPatientOf(task, recording?.facts));
  }

  /** As it came in. */
  async #storedFile({ files }: RecordingRow, said: Said): Promise<PackedParcel> {
    const [file] = files;
    const { files: stored, pool } = this.#context;
    const open = file === undefined ? undefined : await stored.openStored(file.sha256);
    if (file === undefined || open === undefined) throw missing();
    // What the disk has changed meanwhile goes nowhere: looked at while it is sent, and known before its last piece is.
    const isWhole = pool.hash(stored.path(file.sha256)).then((sha256) => sha256 === file.sha256);
    isWhole.catch(() => undefined);
    const checked: Pick<IncomingFile, 'read'> = {
      async read(offset, length) {
        if (offset + length >= file.sizeBytes && !(await isWhole)) throw missing();
        return open.read(offset, length);
      },
    };
    return this.#fileParcel(checked, file, said, () => open.close());
  }

  async #packedFile(task: Task, recording: RecordingRow, said: Said, into: 'edf' | 'zip', signal: AbortSignal): Promise<PackedParcel> {
    const { packed, file, close } = await this.#packInto(task, recording, into, signal);
    return this.#fileParcel(file, packed, said, close);
  }

  #fileParcel(
    file: Pick<IncomingFile, 'read'>,
    { sizeBytes, sha256 }: Pick<Packed, 'sizeBytes' | 'sha256'>,
    said: Said,
    close: () => Promise<void>,
  ): PackedParcel {
    return {
      ...said,
      load: { sizeBytes, frames: 0, isFinished: true },
      sizeBytes,
      sha256Base64: Buffer.from(sha256, 'hex').toString('base64'),
      read: readAhead(file, sizeBytes),
      frame: notPacked,
      [Symbol.asyncDispose]: close,
    };
  }

  async #frames(task: Task, recording: RecordingRow, said: Said, signal: AbortSignal): Promise<PackedParcel> {
    const { packed, file, close } = await this.#packInto(task, recording, 'frames', signal);
    const { count, indexOffsetBytes } = packed.frames ?? { count: 0, indexOffsetBytes: 0 };
    return {
      ...said,
      stream: { ...said.stream, total_frames: count },
      load: { sizeBytes: packed.sizeBytes, frames: count, isFinished: true },
      sizeBytes: packed.sizeBytes,
      sha256Base64: '',
      read: notPacked,
      frame: (index) => frameIn({ file, indexOffsetBytes }, index),
      [Symbol.asyncDispose]: close,
    };
  }

  async #packInto(
    task: Task,
    recording: RecordingRow,
    into: 'edf' | 'zip' | 'frames',
    signal: AbortSignal,
  ): Promise<{ readonly packed: Packed; readonly file: IncomingFile; close(): Promise<void> }> {
    const { files, pool, randomBytes, settings } = this.#context;
    // Sending never takes the room that a recording needs.
    const sizeBytes = recording.files.reduce((sum, file) => sum + file.sizeBytes, 0);
    if ((await files.freeBytes()) - PACKED_SHARE * sizeBytes < settings()['storage.reserve'])
      throw new IsolineError('storage_full', 'There is no room to make the recording ready for sending.');
    // The name of an import: what is left of it when the program dies is removed at the next start.
    const id = `import-parcel-${base32Id(randomBytes, ID_LENGTH)}`;
    await files.createIncoming(id);
    let file: IncomingFile | undefined;
    const close = async (): Promise<void> => {
      await file?.close();
      await files.removeIncoming(id);
    };
    try {
      const packed = await pool.pack(
        {
          files: recording.files.map(({ name, sha256 }) => ({ name, path: files.path(sha256) })),
          into,
          patient: patientOf(task.fields, recording.facts.patient),
          ...(task.fields.recording_start_ms !== undefined && { startMs: task.fields.recording_start_ms }),
          path: files.incomingPath(id),
        },
        signal,
      );
      file = await files.openIncoming(id);
      if (file === undefined) throw missing();
      return { packed, file, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Frame by frame as they are stored; also when the recording has ended meanwhile, because some may be there already. */
  #live(task: Task, said: Said): PackedParcel {
    const frames = new LiveFrames(this.#context, this.#decompressors, task.id, () => this.#outbox.noteFrames(task.id));
    return {
      ...said,
      stream: { ...said.stream, device_state: 'RECORDING' },
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

interface TimedFrame {
  readonly timestampUs: number;
  readonly bytes: Uint8Array;
}

/** One frame of a file that has an index behind its frames. */
async function frameIn(
  { file, indexOffsetBytes }: Pick<FrameFile, 'indexOffsetBytes'> & { readonly file: Pick<IncomingFile, 'read'> },
  index: number,
): Promise<TimedFrame> {
  const entry = await file.read(indexOffsetBytes + index * INDEX_ENTRY_BYTES, INDEX_ENTRY_BYTES);
  const view = new DataView(entry.buffer, entry.byteOffset, entry.length);
  const { timestampUs, offsetBytes, lengthBytes, crc32: checksum } = readIndexEntry(view, 0);
  return { timestampUs, bytes: whole(await file.read(offsetBytes, lengthBytes), checksum) };
}

interface FrameFile {
  readonly file: Pick<IncomingFile, 'read' | 'close'>;
  readonly indexOffsetBytes: number;
  readonly count: number;
}

/** The stored frames of a recording of this desk, in order: from the database while they are there, then from the file that they became. */
class LiveFrames {
  readonly #context: ClinicContext;
  readonly #decompressors: Decompressors;
  readonly #taskId: number;
  readonly #onMoved: () => void;
  /** The last one that was read from the database. */
  #cursor = { index: -1, timestampUs: -1 };
  #opening: Promise<FrameFile> | undefined;
  #file: FrameFile | undefined;
  #isUnusable = false;
  #counted = { frames: 0, atMs: 0, isFinished: false };

  /** @param onMoved hears when the frames can be had again, behind their way into the file */
  constructor(context: ClinicContext, decompressors: Decompressors, taskId: number, onMoved: () => void) {
    this.#context = context;
    this.#decompressors = decompressors;
    this.#taskId = taskId;
    this.#onMoved = onMoved;
  }

  get load(): Load {
    const { store } = this.#context;
    if (this.#file !== undefined) return { sizeBytes: 0, frames: this.#file.count, isFinished: true };
    if (this.#recording === undefined) {
      const isFinished = store.streams.byId(this.#taskId)?.state !== 'open';
      return { sizeBytes: 0, frames: this.#count(isFinished), isFinished };
    }
    // A file that cannot be opened is found out when a frame is asked for, and sets the item aside.
    if (this.#isUnusable) return { sizeBytes: 0, frames: Number.MAX_SAFE_INTEGER, isFinished: false };
    void this.#open();
    return { sizeBytes: 0, frames: 0, isFinished: false };
  }

  /** A day of frames takes milliseconds to count: not for each of them, while there are many still to be read. */
  #count(isFinished: boolean): number {
    const nowMs = performance.now();
    const isNearEnd = this.#cursor.index + 2 >= this.#counted.frames;
    if (isNearEnd || nowMs - this.#counted.atMs > COUNT_MS || isFinished !== this.#counted.isFinished)
      this.#counted = { frames: this.#context.store.streams.countFrames(this.#taskId), atMs: nowMs, isFinished };
    return this.#counted.frames;
  }

  get #recording(): RecordingRow | undefined {
    const { store } = this.#context;
    const recordingId = store.tasks.byId(this.#taskId)?.recordingId;
    return recordingId === undefined ? undefined : store.recordings.byId(recordingId);
  }

  async at(index: number): Promise<TimedFrame> {
    const { timestampUs, bytes } = this.#recording === undefined ? this.#fromDatabase(index) : await frameIn(await this.#open(), index);
    return { timestampUs, bytes: plain(bytes, this.#decompressors) };
  }

  #fromDatabase(index: number): TimedFrame {
    const { streams } = this.#context.store;
    const isNext = index === this.#cursor.index + 1;
    const frame = isNext ? streams.frames(this.#taskId, this.#cursor.timestampUs, 1)[0] : streams.frameAt(this.#taskId, index);
    if (frame === undefined) throw missing();
    this.#cursor = { index, timestampUs: frame.timestampUs };
    return { timestampUs: frame.timestampUs, bytes: whole(frame.payload, frame.crc32) };
  }

  #open(): Promise<FrameFile> {
    if (this.#opening === undefined) {
      this.#opening = this.#openFile();
      this.#opening.then(this.#onMoved, () => {
        this.#isUnusable = true;
        this.#onMoved();
      });
    }
    return this.#opening;
  }

  async #openFile(): Promise<FrameFile> {
    const stored = this.#recording?.files[0];
    const file = stored === undefined ? undefined : await this.#context.files.openStored(stored.sha256);
    if (stored === undefined || file === undefined) throw missing();
    const end = await file.read(stored.sizeBytes - STREAM_END_BYTES, STREAM_END_BYTES);
    const layout = readStreamFileEnd(end, stored.sizeBytes);
    if (layout === undefined) {
      await file.close();
      throw missing();
    }
    this.#file = { file, indexOffsetBytes: layout.indexOffsetBytes, count: layout.frameCount };
    return this.#file;
  }

  async close(): Promise<void> {
    const open = await this.#opening?.catch(() => undefined);
    await open?.file.close();
  }
}

/** What the disk has changed meanwhile goes nowhere. */
function whole(bytes: Uint8Array, checksum: number): Uint8Array {
  if (crc32(bytes) !== checksum) throw missing();
  return bytes;
}

/** Samples as they are, which every reader understands. */
function plain(frame: Uint8Array, decompressors: Decompressors): Uint8Array {
  const decoded = decodeCompressedDelta(frame, decompressors);
  if (!decoded.ok) throw missing();
  const { header, channels } = decoded.frame;
  return encodeCompressedDelta({ ...header, channels }, { coding: 'twosComplement', compression: 'none' });
}
