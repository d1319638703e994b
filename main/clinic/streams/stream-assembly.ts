// A finished stream becomes a recording: its frames are written to one file, as they were received, and leave
// the database once that file and the row that names it are on the disk (D81, D82).

import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { IsolineError } from '../../../shared/errors.ts';
import {
  INDEX_ENTRY_BYTES,
  streamFileEnd,
  streamFileHead,
  writeIndexEntry,
} from '../../../shared/signal/stream-file.ts';
import { base32Id, type ClinicContext, change, transact } from '../context.ts';
import type { Enrolment } from '../outbox/enrolment.ts';
import type { IncomingFile } from '../ports.ts';
import type { RecordingFacts, Task } from '../tasks/records.ts';
import { listTask } from '../tasks/task-listing.ts';
import type { StreamRow } from './records.ts';

const DROPPED_AT_ONCE = 128;
/** So much of a stream is in memory; before the size of its frames is known, that of eight of the largest. */
const PAGE_BYTES = 1 << 20;
const FIRST_PAGE_FRAMES = 8;
const MAX_PAGE_FRAMES = 512;
const ID_LENGTH = 20;
const DELTA_START_WARNING = 'cmdt_convention:';
const FILE_NAME = 'stream';

/** Writes one behind the other. */
class Appender {
  readonly #file: IncomingFile;
  offsetBytes = 0;
  constructor(file: IncomingFile) {
    this.#file = file;
  }
  append(bytes: Uint8Array): void {
    this.#file.write(this.offsetBytes, bytes);
    this.offsetBytes += bytes.length;
  }
}

async function writeStreamFile(
  context: ClinicContext,
  task: Task,
  stream: StreamRow,
  file: IncomingFile,
  signal: AbortSignal,
): Promise<number> {
  const { store } = context;
  const out = new Appender(file);
  const deviceId = task.fields.deviceId?.trim();
  const knownStart =
    deviceId === undefined ? undefined : store.devices.deltaStart(task.organizationId, deviceId);
  const { sampleRateHz, leadCodes, scale } = stream.parameters;
  out.append(
    streamFileHead({
      sampleRateHz,
      leadCodes: [...leadCodes],
      startedMs: stream.startedMs,
      localId: task.localId,
      ...(scale !== undefined && { scale }),
      ...(deviceId !== undefined && { deviceId }),
      ...(knownStart !== undefined && { knownStart }),
      ...(stream.device !== undefined && { device: stream.device }),
    }),
  );
  const index: Uint8Array[] = [];
  let count = 0;
  let pageFrames = FIRST_PAGE_FRAMES;
  for (let afterUs = -1; ; ) {
    const page = store.streams.frames(stream.taskId, afterUs, pageFrames);
    if (page.length === 0) break;
    const entries = new Uint8Array(page.length * INDEX_ENTRY_BYTES);
    const view = new DataView(entries.buffer);
    const pageStart = out.offsetBytes;
    for (const [i, { timestampUs, payload, samples, crc32: checksum }] of page.entries()) {
      writeIndexEntry(view, i * INDEX_ENTRY_BYTES, {
        timestampUs,
        offsetBytes: out.offsetBytes,
        lengthBytes: payload.length,
        samples,
        crc32: checksum,
      });
      out.append(payload);
      afterUs = timestampUs;
    }
    pageFrames = Math.max(
      1,
      Math.min(MAX_PAGE_FRAMES, Math.floor((PAGE_BYTES * page.length) / (out.offsetBytes - pageStart))),
    );
    index.push(entries);
    count += page.length;
    // Frames of running streams, and whoever asks, go on meanwhile.
    await nextTurn();
    signal.throwIfAborted();
  }
  const indexOffsetBytes = out.offsetBytes;
  let checksum = 0;
  for (const entries of index) {
    out.append(entries);
    checksum = crc32(entries, checksum);
  }
  out.append(streamFileEnd(indexOffsetBytes, count, checksum));
  return out.offsetBytes;
}

/**
 * What the file was found to hold. @throws IsolineError with the reason for which it can't be a recording.
 */
async function factsOf({ pool, files }: ClinicContext, incomingId: string): Promise<RecordingFacts> {
  const { records } = await pool.describe([{ name: FILE_NAME, path: files.incomingPath(incomingId) }]);
  const outcome = records[0]?.outcome;
  if (outcome === undefined) throw new IsolineError('record_unreadable', 'The stream cannot be read.');
  if (!outcome.ok) throw new IsolineError(outcome.reason, outcome.message);
  return outcome.facts;
}

/**
 * Gives a task whose stream is finished its recording. Does nothing for a task that has one.
 * @throws IsolineError where the frames are no recording: they then stay in the database.
 */
export async function assembleStream(
  context: ClinicContext,
  enrolment: Enrolment,
  task: Task,
  signal: AbortSignal,
): Promise<void> {
  const { store, files, pool, clock, randomBytes } = context;
  const stream = store.streams.byId(task.id);
  if (task.recordingId !== undefined || stream === undefined) return;
  // The name of an import: a start after a crash removes it.
  const incomingId = `import-stream-${base32Id(randomBytes, ID_LENGTH)}`;
  await files.createIncoming(incomingId);
  try {
    const file = await files.openIncoming(incomingId);
    if (file === undefined) throw new Error('the file just made is gone');
    let sizeBytes: number;
    try {
      sizeBytes = await writeStreamFile(context, task, stream, file, signal);
      await file.sync();
    } finally {
      await file.close();
    }
    const facts = await factsOf(context, incomingId);
    const sha256 = await pool.hash(files.incomingPath(incomingId));
    await files.adopt(incomingId, sha256);
    await change(context, (tx) => {
      const recordingId = store.recordings.add(
        { sha256, files: [{ name: FILE_NAME, sha256, sizeBytes }], facts },
        clock.nowMs(),
      );
      store.tasks.setRecording(task.id, recordingId);
      const isRemembered = rememberChannels(context, task, facts);
      listTask(tx, store, task.id);
      rememberDevice(context, task, facts);
      enrolment.consider(tx, task.id);
      return {
        result: undefined,
        notes: [
          {
            actor: 'program',
            action: 'stream.assembled',
            subject: `task:${task.id}`,
            detail: { recording: recordingId, sizeBytes, ...(isRemembered && { channels: 'remembered' }) },
          },
        ],
      };
    });
  } finally {
    await files.removeIncoming(incomingId);
  }
  await dropStoredFrames(context, task.id);
}

/** A device that was chosen for once is chosen for again. */
function rememberChannels({ store }: ClinicContext, task: Task, { channelsKey }: RecordingFacts): boolean {
  const choice =
    channelsKey === undefined ? undefined : store.channelChoices.of(task.organizationId, channelsKey);
  if (choice !== undefined) store.tasks.setChannels(task.id, choice);
  return choice !== undefined;
}

function rememberDevice({ store }: ClinicContext, task: Task, facts: RecordingFacts): void {
  const code = facts.warnings.find((warning) => warning.code.startsWith(DELTA_START_WARNING))?.code;
  const deviceId = task.fields.deviceId?.trim();
  if (code !== undefined && deviceId !== undefined)
    store.devices.rememberDeltaStart(task.organizationId, deviceId, code.slice(DELTA_START_WARNING.length));
}

/** A few at a time, so that frames of running streams are never kept waiting. */
export async function dropStoredFrames({ store }: ClinicContext, taskId: number): Promise<void> {
  for (let dropped = DROPPED_AT_ONCE; dropped === DROPPED_AT_ONCE; ) {
    dropped = await transact(store, () => store.streams.dropFrames(taskId, DROPPED_AT_ONCE));
    await nextTurn();
  }
  await transact(store, () => store.streams.setState(taskId, 'stored'));
}
