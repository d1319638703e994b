// Upload sessions: chunks at any offset in any order, acknowledged only when they are on the disk, complete
// when the SHA-256 of the whole is right. D40 to D46.

import { createHash, type Hash } from 'node:crypto';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import { type ClinicContext, change, transact } from '../context.ts';
import type { IncomingFile } from '../ports.ts';
import type { ArrivedBytes, ByteRange, Upload } from './records.ts';

const UPLOAD_ID_BYTES = 16;
const UPLOAD_ID = /^[A-Za-z0-9_-]{22}$/;
const MAX_RANGES = 100_000;
const DAY_MS = 86_400_000;
/** The completing chunk waits so long for the hash; later the verdict comes at task creation (D43). */
const HASH_PATIENCE_MS = 20_000;
const EXPIRED_SHOWN_DAYS = 30;

/** Chunks in flight on one upload: overlapping ones wait for each other (D42). */
interface Flight {
  readonly range: ByteRange;
  readonly landed: Promise<void>;
}

interface RunningHash {
  readonly hash: Hash;
  /** Bytes from the beginning that it covers. */
  readonly at: number;
}

const overlaps = (a: ByteRange, b: ByteRange): boolean => a[0] < b[1] && b[0] < a[1];

export class Uploads {
  readonly #context: ClinicContext;
  readonly #flights = new Map<string, Set<Flight>>();
  readonly #verdicts = new Map<string, Promise<void>>();
  /**
   * SHA-256 of the contiguous beginning of uploads that come in order (D43); after a restart it is made from
   * the file.
   */
  readonly #hashes = new Map<string, RunningHash>();

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /** D40, D41. The limits are judged in the transaction that takes the place. */
  async create(
    organizationId: number,
    { totalSizeBytes, sha256 }: Pick<Upload, 'totalSizeBytes' | 'sha256'>,
    actor: string,
  ): Promise<string> {
    const { store, files, clock, randomBytes } = this.#context;
    const settings = this.#context.settings();
    if (totalSizeBytes > settings['uploads.maxSize']) {
      throw new IsolineError(
        'invalid_total_size',
        `The field "total_size" is at most ${settings['uploads.maxSize']} bytes.`,
      );
    }
    const free = await files.freeBytes();
    const id = Buffer.from(randomBytes(UPLOAD_ID_BYTES)).toString('base64url');
    const nowMs = clock.nowMs();
    await files.createIncoming(id);
    try {
      await change(this.#context, () => {
        if (store.uploads.countOpen(organizationId) >= settings['uploads.maxOpen'])
          throw new IsolineError('too_many_uploads', 'Too many uploads are open. Finish some first.');
        if (free - store.uploads.bytesOwed() - totalSizeBytes < settings['storage.reserve'])
          throw new IsolineError('storage_full', 'There is not enough disk space for this upload.');
        store.uploads.add({
          id,
          organizationId,
          totalSizeBytes,
          sha256,
          state: 'receiving',
          createdMs: nowMs,
          touchedMs: nowMs,
        });
        return {
          result: undefined,
          notes: [
            {
              actor,
              action: 'upload.created',
              subject: `upload:${id}`,
              detail: { sizeBytes: totalSizeBytes },
            },
          ],
        };
      });
    } catch (error) {
      await files.removeIncoming(id);
      throw error;
    }
    return id;
  }

  /**
   * An upload of the organization, whatever its state. Unknown, foreign and forgotten ones look the same
   * (D21).
   */
  find(organizationId: number, id: string): Upload {
    const { store, clock } = this.#context;
    const upload = UPLOAD_ID.test(id) ? store.uploads.byId(id) : undefined;
    if (upload === undefined || upload.organizationId !== organizationId)
      throw new IsolineError('invalid_upload_id', 'This upload does not exist.');
    if (upload.state === 'expired') {
      const isShown = clock.nowMs() - upload.touchedMs < EXPIRED_SHOWN_DAYS * DAY_MS;
      throw new IsolineError(
        isShown ? 'upload_expired' : 'invalid_upload_id',
        isShown ? 'The upload has expired. Create a new one.' : 'This upload does not exist.',
      );
    }
    return upload;
  }

  /**
   * Takes one chunk from a stream and acknowledges it by returning: then its bytes and its range are on the
   * disk.
   * @param declaredBytes length that the sender announced, if any; refusing early saves the transfer.
   */
  async receiveChunk(
    organizationId: number,
    id: string,
    offsetBytes: number,
    body: AsyncIterable<Uint8Array>,
    declaredBytes: number | undefined,
    actor: string,
  ): Promise<void> {
    const upload = this.find(organizationId, id);
    if (upload.state === 'failed') throw hashMismatch();
    this.#checkBounds(upload, offsetBytes, declaredBytes ?? 0);
    const whole: ByteRange = [
      offsetBytes,
      Math.min(
        upload.totalSizeBytes,
        offsetBytes + (declaredBytes ?? this.#context.settings()['uploads.maxChunk']),
      ),
    ];
    await this.#inTurn(id, whole, async () => {
      // While this chunk waited for another one, the upload may have become complete.
      const present = await this.#settled(this.find(organizationId, id), actor);
      if (present.state === 'failed') throw hashMismatch();
      const length =
        present.state === 'complete'
          ? await this.#compareComplete(present, offsetBytes, body)
          : await this.#store(present, offsetBytes, body);
      if (length === 0) throw new IsolineError('empty_chunk', 'The chunk is empty.');
    });
    const after = this.#context.store.uploads.byId(id);
    if (after?.state === 'receiving' && this.#isCovered(after)) await this.#finish(after, actor);
  }

  /**
   * The upload after its verdict, where all of its bytes are there and the end of the last run cut the
   * verdict short.
   */
  async #settled(upload: Upload, actor: string): Promise<Upload> {
    if (upload.state !== 'receiving' || !this.#isCovered(upload)) return upload;
    await this.#verdict(upload, actor).catch((error: unknown) => {
      if (!(error instanceof IsolineError) || error.reason !== 'upload_hash_mismatch') throw error;
    });
    return this.find(upload.organizationId, upload.id);
  }

  /** What of an upload has arrived (D110). */
  facts(organizationId: number, id: string): ArrivedBytes {
    const { store } = this.#context;
    const upload = store.uploads.byId(id);
    // An expired one is told here as its state, as long as it is remembered.
    const { state, totalSizeBytes, touchedMs } =
      upload?.state === 'expired' && upload.organizationId === organizationId
        ? upload
        : this.find(organizationId, id);
    const ranges: readonly ByteRange[] =
      state === 'complete' ? [[0, totalSizeBytes]] : store.uploads.ranges(id);
    return {
      state,
      totalSizeBytes,
      ranges,
      expiresMs: touchedMs + this.#context.settings()['uploads.lifeDays'] * DAY_MS,
    };
  }

  /**
   * Waits for the verdict on an upload whose bytes are all there, and says what is missing where they are not
   * (D44).
   */
  async requireComplete(organizationId: number, id: string): Promise<Upload> {
    const upload = await this.#settled(this.find(organizationId, id), 'program');
    if (upload.state === 'complete') return upload;
    if (upload.state === 'failed') throw hashMismatch();
    const ranges = this.#context.store.uploads.ranges(id);
    const received = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
    const gapStart = ranges[0]?.[0] === 0 ? ranges[0][1] : 0;
    const gapEnd = ranges.find(([start]) => start > gapStart)?.[0] ?? upload.totalSizeBytes;
    throw new IsolineError(
      'upload_incomplete',
      `The upload is not complete: ${upload.totalSizeBytes - received} bytes are missing, the first of them ${gapStart} to ${gapEnd - 1}.`,
    );
  }

  /** Deletes what nobody came back for (D45). Called now and then. */
  async expire(): Promise<void> {
    const { store, files, clock } = this.#context;
    const limitMs = clock.nowMs() - this.#context.settings()['uploads.lifeDays'] * DAY_MS;
    for (const upload of store.uploads.staleSince(limitMs)) {
      await change(this.#context, () => {
        store.uploads.setState(upload.id, 'expired', clock.nowMs());
        return {
          result: undefined,
          notes: [{ actor: 'program', action: 'upload.expired', subject: `upload:${upload.id}`, detail: {} }],
        };
      });
      this.#hashes.delete(upload.id);
      await files.removeIncoming(upload.id);
      const isHeld = store.recordings.usesFile(upload.sha256) || store.uploads.holdsContent(upload.sha256);
      if (upload.state === 'complete' && !isHeld) await files.remove(upload.sha256, clock.nowMs());
    }
  }

  #checkBounds(upload: Upload, offsetBytes: number, lengthBytes: number): void {
    const maxChunk = this.#context.settings()['uploads.maxChunk'];
    if (lengthBytes > maxChunk)
      throw new IsolineError('chunk_too_large', `A chunk can have at most ${maxChunk} bytes.`);
    if (offsetBytes >= upload.totalSizeBytes || offsetBytes + lengthBytes > upload.totalSizeBytes)
      throw new IsolineError(
        'chunk_out_of_range',
        `The chunk lies outside the ${upload.totalSizeBytes} bytes of the upload.`,
      );
  }

  async #inTurn(id: string, range: ByteRange, work: () => Promise<void>): Promise<void> {
    const flights = this.#flights.get(id) ?? new Set<Flight>();
    this.#flights.set(id, flights);
    const before = [...flights]
      .filter((flight) => overlaps(flight.range, range))
      .map((flight) => flight.landed);
    const { promise, resolve } = Promise.withResolvers<void>();
    const flight: Flight = { range, landed: promise };
    flights.add(flight);
    try {
      await Promise.all(before);
      await work();
    } finally {
      flights.delete(flight);
      if (flights.size === 0) this.#flights.delete(id);
      resolve();
    }
  }

  /**
   * Acknowledged bytes are compared, new ones written; only then the range is. Returns the chunk's length.
   */
  async #store(upload: Upload, offsetBytes: number, body: AsyncIterable<Uint8Array>): Promise<number> {
    const { store, files } = this.#context;
    const furthest = offsetBytes + this.#context.settings()['uploads.maxChunk'];
    const acknowledged = store.uploads.rangesTouching(upload.id, [offsetBytes, furthest]);
    const running =
      this.#hashes.get(upload.id) ??
      (offsetBytes === 0 && acknowledged.length === 0 ? { hash: createHash('sha256'), at: 0 } : undefined);
    // A copy, because the connection may break: what then was hashed does not count.
    const hash = running?.at === offsetBytes ? running.hash.copy() : undefined;
    const file = await files.openIncoming(upload.id);
    if (file === undefined) throw new Error(`the bytes of upload ${upload.id} are gone`);
    let at = offsetBytes;
    try {
      for await (const piece of body) {
        this.#checkBounds(upload, offsetBytes, at + piece.length - offsetBytes);
        if (isNew(piece, at, acknowledged)) file.write(at, piece);
        else await writeNew(file, at, piece, acknowledged);
        hash?.update(piece);
        at += piece.length;
      }
      if (at === offsetBytes) return 0;
      await file.sync();
    } finally {
      await file.close();
    }
    const isKnown = acknowledged.some(([start, end]) => start <= offsetBytes && end >= at);
    if (!isKnown) await this.#acknowledge(upload, [offsetBytes, at]);
    // Only what is acknowledged counts: other bytes may still come for what isn't.
    if (hash !== undefined) this.#hashes.set(upload.id, { hash, at });
    return at - offsetBytes;
  }

  #acknowledge(upload: Upload, range: ByteRange): Promise<void> {
    const { store, clock } = this.#context;
    return transact(store, () => {
      store.uploads.addRange(upload.id, range, clock.nowMs());
      if (store.uploads.countRanges(upload.id) > MAX_RANGES)
        throw new IsolineError(
          'too_many_ranges',
          'The upload has too many gaps. Send the missing chunks first.',
        );
    });
  }

  async #compareComplete(
    upload: Upload,
    offsetBytes: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    const stored = await this.#context.files.openStored(upload.sha256);
    let at = offsetBytes;
    try {
      for await (const piece of body) {
        this.#checkBounds(upload, offsetBytes, at + piece.length - offsetBytes);
        const known = await stored?.read(at, piece.length);
        if (known === undefined || Buffer.compare(piece, known) !== 0)
          throw new IsolineError('upload_complete', 'The upload is complete and can no longer be changed.');
        at += piece.length;
      }
    } finally {
      await stored?.close();
    }
    return at - offsetBytes;
  }

  #isCovered(upload: Upload): boolean {
    const [first] = this.#context.store.uploads.rangesTouching(upload.id, [0, 1]);
    return first?.[0] === 0 && first[1] === upload.totalSizeBytes;
  }

  async #finish(upload: Upload, actor: string): Promise<void> {
    const verdict = this.#verdict(upload, actor);
    const { promise: patience, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, HASH_PATIENCE_MS);
    // A verdict that comes after the answer is told at task creation; it must not become an unhandled
    // rejection.
    verdict.catch(() => undefined);
    await Promise.race([verdict, patience]).finally(() => clearTimeout(timer));
  }

  /** One verdict at a time on an upload, however many wait for it. */
  #verdict(upload: Upload, actor: string): Promise<void> {
    const known = this.#verdicts.get(upload.id);
    if (known !== undefined) return known;
    const verdict = this.#judge(upload, actor).finally(() => this.#verdicts.delete(upload.id));
    this.#verdicts.set(upload.id, verdict);
    return verdict;
  }

  async #judge(upload: Upload, actor: string): Promise<void> {
    const { store, files, clock } = this.#context;
    const isRight = await this.#takeOver(upload);
    await change(this.#context, () => {
      store.uploads.setState(upload.id, isRight ? 'complete' : 'failed', clock.nowMs());
      return {
        result: undefined,
        notes: [
          {
            actor,
            action: isRight ? 'upload.completed' : 'upload.failed',
            subject: `upload:${upload.id}`,
            detail: {},
          },
        ],
      };
    });
    if (isRight) return;
    await files.removeIncoming(upload.id);
    throw hashMismatch();
  }

  /**
   * Whether the bytes are what was announced; they are in their place then. A crash may have come between
   * place and row.
   */
  async #takeOver(upload: Upload): Promise<boolean> {
    const { files, pool } = this.#context;
    const file = await files.openIncoming(upload.id);
    if (file === undefined) return files.holds(upload.sha256);
    await file.close();
    const running = this.#hashes.get(upload.id);
    this.#hashes.delete(upload.id);
    const isHashed = running?.at === upload.totalSizeBytes;
    const sha256 = isHashed ? running.hash.digest('hex') : await pool.hash(files.incomingPath(upload.id));
    if (sha256 !== upload.sha256) return false;
    await files.adopt(upload.id, upload.sha256);
    return true;
  }
}

const hashMismatch = (): IsolineError =>
  new IsolineError(
    'upload_hash_mismatch' satisfies Reason,
    'The bytes received do not have the announced SHA-256. Create a new upload and send them again.',
  );

const isNew = (piece: Uint8Array, at: number, acknowledged: readonly ByteRange[]): boolean =>
  !acknowledged.some((range) => overlaps(range, [at, at + piece.length]));

/** Writes the parts of a piece that aren't acknowledged and compares the others. */
async function writeNew(
  file: IncomingFile,
  at: number,
  piece: Uint8Array,
  acknowledged: readonly ByteRange[],
): Promise<void> {
  const end = at + piece.length;
  let from = at;
  for (const [start, stop] of acknowledged) {
    if (stop <= from || start >= end) continue;
    if (start > from) file.write(from, piece.subarray(from - at, start - at));
    const knownFrom = Math.max(from, start);
    const knownTo = Math.min(end, stop);
    const known = await file.read(knownFrom, knownTo - knownFrom);
    if (Buffer.compare(known, piece.subarray(knownFrom - at, knownTo - at)) !== 0)
      throw new IsolineError('chunk_conflict', 'The chunk differs from bytes that were already received.');
    from = knownTo;
  }
  if (from < end) file.write(from, piece.subarray(from - at));
}
