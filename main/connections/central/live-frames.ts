// The frames of a recording that may still run, as the central service takes them.

import { readStreamFileEnd, STREAM_END_BYTES } from '../../../shared/signal/stream-file.ts';
import type { ClinicContext } from '../../clinic/context.ts';
import type { Load } from '../../clinic/outbox/item.ts';
import type { RecordingRow } from '../../clinic/tasks/records.ts';
import { decodeCompressedDelta } from '../../signal/compressed-delta/read-frame.ts';
import { encodeCompressedDelta } from '../../signal/compressed-delta/write-frame.ts';
import { missing } from '../packing/missing.ts';
import { type FrameFile, frameIn, type TimedFrame, whole } from './frame-file.ts';

const COUNT_MS = 250;

/**
 * The stored frames of a recording of this desk, in order: from the database while they are there, then from
 * the file that they became.
 */
export class LiveFrames {
  readonly #context: ClinicContext;
  readonly #taskId: number;
  readonly #onMoved: () => void;
  /** The last one that was read from the database. */
  #cursor = { index: -1, timestampUs: -1 };
  #opening: Promise<FrameFile> | undefined;
  #file: FrameFile | undefined;
  #isUnusable = false;
  #counted = { frames: 0, atMs: 0, isFinished: false };

  /** @param onMoved hears when the frames can be had again, behind their way into the file */
  constructor(context: ClinicContext, taskId: number, onMoved: () => void) {
    this.#context = context;
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

  /**
   * A day of frames takes milliseconds to count: not for each of them, while there are many still to be read.
   */
  #count(isFinished: boolean): number {
    const nowMs = performance.now();
    const isNearEnd = this.#cursor.index + 2 >= this.#counted.frames;
    if (isNearEnd || nowMs - this.#counted.atMs > COUNT_MS || isFinished !== this.#counted.isFinished)
      this.#counted = {
        frames: this.#context.store.streams.countFrames(this.#taskId),
        atMs: nowMs,
        isFinished,
      };
    return this.#counted.frames;
  }

  get #recording(): RecordingRow | undefined {
    const { store } = this.#context;
    const recordingId = store.tasks.byId(this.#taskId)?.recordingId;
    return recordingId === undefined ? undefined : store.recordings.byId(recordingId);
  }

  async at(index: number): Promise<TimedFrame> {
    const { timestampUs, bytes } =
      this.#recording === undefined ? this.#fromDatabase(index) : await frameIn(await this.#open(), index);
    return { timestampUs, bytes: plain(bytes) };
  }

  #fromDatabase(index: number): TimedFrame {
    const { streams } = this.#context.store;
    const isNext = index === this.#cursor.index + 1;
    const frame = isNext
      ? streams.frames(this.#taskId, this.#cursor.timestampUs, 1)[0]
      : streams.frameAt(this.#taskId, index);
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

/** Samples as they are, which every reader understands. */
function plain(frame: Uint8Array): Uint8Array {
  const decoded = decodeCompressedDelta(frame);
  if (!decoded.ok) throw missing();
  const { header, channels } = decoded.frame;
  return encodeCompressedDelta({ ...header, channels }, { coding: 'twosComplement', compression: 'none' });
}
