// Kills the service at random moments while clients upload and stream, starts it again on the same folder,
// and looks whether all that was acknowledged is there. What was acknowledged is kept here, outside the
// process that dies.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { makeFrame } from '../support/make-frames.ts';
import type { V3Client } from '../support/v3-client.ts';
import { makeToken, serveFolder } from './served-folder.ts';

const FRAME_SAMPLES = 125;
const FRAME_US = 250_000;
const CHUNK_BYTES = 64 << 10;
const UPLOAD_BYTES = 256 * CHUNK_BYTES;
/** A run is measured by what was done in it, so that a slow disk makes it longer and not empty. */
const MAX_RUN_ACKNOWLEDGEMENTS = 60;
/** Where between two acknowledgements the kill falls. */
const MAX_BETWEEN_MS = 10;
const STREAMS = 4;
const UPLOADS = 2;

/** A generator that a seed repeats. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  };
}

export interface KillFindings {
  readonly kills: number;
  readonly acknowledgedFrames: number;
  readonly acknowledgedChunks: number;
  /** Stored and never acknowledged: the kill came between. */
  readonly unacknowledgedFrames: number;
  readonly lost: readonly string[];
  readonly reopenMs: readonly number[];
}

/** A device that streams, one frame after the other, and remembers which were acknowledged. */
class Streamer {
  readonly acknowledged = new Map<number, string>();
  id = 0;
  #next = 0;

  async begin(client: V3Client): Promise<void> {
    const { json } = await client.createTask({});
    [this.id = 0] = json.created_task_ids as number[];
    await client.post('/v3/streams/start', {
      task_id: this.id,
      processing_mode: 'PROCESS_ON_FINISH',
      frame_format: 'COMPRESSED_DELTA',
      sample_rate: 500,
      lead_codes: STANDARD_LEADS,
    });
  }

  /** Sends until the service is gone. */
  async run(client: V3Client, faults: string[]): Promise<void> {
    for (;;) {
      const n = this.#next;
      const bytes = makeFrame({ from: n * FRAME_SAMPLES, samples: FRAME_SAMPLES });
      let status: number;
      try {
        ({ status } = await client.request(
          'POST',
          `/v3/streams/${this.id}/frames?timestamp=${n * FRAME_US}`,
          bytes,
        ));
      } catch {
        return;
      }
      // 409 after a lost answer: it was stored.
      if (status === 503) return;
      if (status !== 200 && status !== 409)
        faults.push(`frame ${n} of stream ${this.id} was answered ${status}`);
      this.acknowledged.set(n * FRAME_US, createHash('sha256').update(bytes).digest('hex'));
      this.#next++;
    }
  }
}

/** A client that uploads, and begins a new upload when one is complete. */
class Uploader {
  readonly acknowledged = new Set<number>();
  acknowledgedInAll = 0;
  id = '';
  bytes: Buffer = Buffer.alloc(0);
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  async begin(client: V3Client): Promise<void> {
    const piece = Buffer.from(Array.from({ length: 997 }, () => Math.floor(this.#random() * 256)));
    this.bytes = Buffer.alloc(UPLOAD_BYTES, piece);
    this.acknowledged.clear();
    const { json } = await client.createUpload(this.bytes);
    this.id = (json.upload_id as string | undefined) ?? '';
  }

  async run(client: V3Client, faults: string[]): Promise<void> {
    try {
      for (;;) {
        if (this.id === '' || this.acknowledged.size * CHUNK_BYTES === this.bytes.length)
          await this.begin(client);
        const missing = Array.from({ length: UPLOAD_BYTES / CHUNK_BYTES }, (_, i) => i * CHUNK_BYTES).filter(
          (offset) => !this.acknowledged.has(offset),
        );
        const offset = missing[Math.floor(this.#random() * missing.length)] as number;
        const { status } = await client.chunk(
          this.id,
          offset,
          this.bytes.subarray(offset, offset + CHUNK_BYTES),
        );
        if (status === 503) return;
        if (status !== 200) faults.push(`chunk ${offset} of upload ${this.id} was answered ${status}`);
        this.acknowledged.add(offset);
        this.acknowledgedInAll++;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** A chunk that was acknowledged and is not there as it was sent. */
  lost(database: Database.Database, dataDir: string): string[] {
    const upload = database
      .prepare<[string], { state: string; sha256: string }>('SELECT state, sha256 FROM upload WHERE id = ?')
      .get(this.id);
    if (this.acknowledged.size === 0) return [];
    if (upload === undefined) return [`upload ${this.id} is gone`];
    const isComplete = upload.state === 'complete';
    const path = isComplete
      ? join(dataDir, 'files', upload.sha256.slice(0, 2), upload.sha256.slice(2))
      : join(dataDir, 'incoming', `${this.id}.part`);
    const stored = readFileSync(path);
    const ranges = database
      .prepare<[string], { start_byte: number; end_byte: number }>(
        'SELECT start_byte, end_byte FROM upload_range WHERE upload_id = ?',
      )
      .all(this.id);
    const isThere = (offset: number): boolean =>
      (isComplete ||
        ranges.some(
          ({ start_byte, end_byte }) => start_byte <= offset && end_byte >= offset + CHUNK_BYTES,
        )) &&
      stored.subarray(offset, offset + CHUNK_BYTES).equals(this.bytes.subarray(offset, offset + CHUNK_BYTES));
    return [...this.acknowledged]
      .filter((offset) => !isThere(offset))
      .map((offset) => `chunk ${offset} of upload ${this.id}`);
  }
}

function lostFrames(
  database: Database.Database,
  { id, acknowledged }: Streamer,
): { lost: string[]; stored: number } {
  const rows = database
    .prepare<[number], { timestamp_us: number; payload: Buffer }>(
      'SELECT timestamp_us, payload FROM frame WHERE task_id = ?',
    )
    .all(id);
  const stored = new Map(
    rows.map((row) => [row.timestamp_us, createHash('sha256').update(row.payload).digest('hex')]),
  );
  const lost = [...acknowledged]
    .filter(([timestamp, hash]) => stored.get(timestamp) !== hash)
    .map(([timestamp]) => `frame ${timestamp} of stream ${id}`);
  return { lost, stored: rows.length };
}

/** @param dataDir an empty folder; all runs share it, so that the client goes on where the last run ended. */
export async function killAtRandom(
  dataDir: string,
  kills: number,
  seed: number,
  onKill: (n: number) => void = () => undefined,
): Promise<KillFindings> {
  const random = randomFrom(seed);
  const token = makeToken(dataDir);
  const streamers = Array.from({ length: STREAMS }, () => new Streamer());
  const uploaders = Array.from({ length: UPLOADS }, () => new Uploader(random));
  const lost: string[] = [];
  const reopenMs: number[] = [];
  const acknowledgedFrames = () => streamers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  const acknowledgedChunks = () =>
    uploaders.reduce((sum, { acknowledgedInAll }) => sum + acknowledgedInAll, 0);
  const acknowledged = () => acknowledgedFrames() + acknowledgedChunks();
  let unacknowledged = 0;
  for (let run = 0; run <= kills; run++) {
    const startMs = performance.now();
    const served = await serveFolder(dataDir);
    reopenMs.push(Math.round(performance.now() - startMs));
    const client = served.client(token);
    if (run === 0) for (const each of [...streamers, ...uploaders]) await each.begin(client);
    const database = new Database(join(dataDir, 'isoline.sqlite'), { readonly: true });
    if (run > 0) {
      const check = database.pragma('integrity_check', { simple: true });
      if (check !== 'ok') lost.push(`integrity_check after kill ${run}: ${String(check)}`);
      for (const streamer of streamers) {
        const found = lostFrames(database, streamer);
        lost.push(...found.lost);
        unacknowledged += Math.max(0, found.stored - streamer.acknowledged.size);
      }
      for (const uploader of uploaders) lost.push(...uploader.lost(database, dataDir));
    }
    database.close();
    if (run === kills) {
      // The client can go on to the end.
      for (const { id } of streamers) {
        const { status } = await client.request('POST', `/v3/streams/${id}/finish`);
        if (status !== 200) lost.push(`stream ${id} could not be finished: ${status}`);
      }
      await served.stop();
      break;
    }
    const enough = acknowledged() + Math.floor(random() * MAX_RUN_ACKNOWLEDGEMENTS);
    const work = Promise.all([...streamers, ...uploaders].map((each) => each.run(client, lost)));
    const ended = work.then(() => true);
    while (acknowledged() < enough && !(await Promise.race([ended, wait(1, false)])));
    await wait(random() * MAX_BETWEEN_MS);
    await served.kill();
    await work;
    onKill(run + 1);
  }
  return {
    kills,
    acknowledgedFrames: acknowledgedFrames(),
    acknowledgedChunks: acknowledgedChunks(),
    unacknowledgedFrames: unacknowledged,
    lost,
    reopenMs,
  };
}
