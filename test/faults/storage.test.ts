import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { inLongForm } from '../support/long-form.ts';
import { makeFrame } from '../support/make-frames.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { projectRoot } from '../support/test-data.ts';
import type { Answer, V3Client } from '../support/v3-client.ts';
import { buildFaultyDisk, faultyDiskMissing } from './faulty-disk.ts';
import { killAtRandom } from './kill-harness.ts';
import { makeToken, type ServedFolder, type ServeOptions, serveFolder } from './served-folder.ts';
import { mountSmallDisk, smallDiskMissing } from './small-disk.ts';
import { LAZY_CHUNKS, LAZY_COMMITS, plant, straceMissing, traceOrder } from './sync-order.ts';

const CHUNK = 1 << 20;
const unless = (why: string | undefined): string => (why === undefined ? '' : ` (left out: ${why})`);

/** One open stream and one open upload, and everything of them that was acknowledged. */
class Work {
  readonly client: V3Client;
  readonly bytes = randomBytes(8 * CHUNK);
  readonly frames: number[] = [];
  readonly chunks: number[] = [];
  streamId = 0;
  uploadId = '';

  constructor(client: V3Client) {
    this.client = client;
  }

  async begin(): Promise<void> {
    const { json } = await this.client.createTask({});
    [this.streamId = 0] = json.created_task_ids as number[];
    const start = {
      task_id: this.streamId,
      processing_mode: 'PROCESS_ON_FINISH',
      frame_format: 'COMPRESSED_DELTA',
      sample_rate: 500,
      lead_codes: STANDARD_LEADS,
    };
    expect((await this.client.post('/v3/streams/start', start)).status).toBe(200);
    this.uploadId = (await this.client.createUpload(this.bytes)).json.upload_id as string;
  }

  async frame(n: number, client = this.client): Promise<Answer> {
    const answer = await client.request(
      'POST',
      `/v3/streams/${this.streamId}/frames?timestamp=${n * 500_000}`,
      makeFrame({ from: n * 250 }),
    );
    if (answer.status === 200) this.frames.push(n);
    return answer;
  }

  async chunk(n: number, client = this.client): Promise<Answer> {
    const answer = await client.chunk(
      this.uploadId,
      n * CHUNK,
      this.bytes.subarray(n * CHUNK, (n + 1) * CHUNK),
    );
    if (answer.status === 200) this.chunks.push(n);
    return answer;
  }

  /** Everything acknowledged is there: a frame is a repeat, and the upload ends with its hash. */
  async expectWhole(client = this.client): Promise<void> {
    for (const n of this.frames) expect((await this.frame(n, client)).status, `frame ${n}`).toBe(409);
    const { json } = await client.get(`/ext/v1/uploads/${this.uploadId}`);
    for (const n of this.chunks)
      expect(
        (json.received as [number, number][]).some(
          ([start, end]) => start <= n * CHUNK && end >= (n + 1) * CHUNK,
        ),
        `chunk ${n}`,
      ).toBe(true);
    for (let n = 0; n < 8; n++) expect((await this.chunk(n, client)).status).toBe(200);
    expect((await client.request('POST', `/v3/streams/${this.streamId}/finish`)).status).toBe(200);
  }
}

/** A service on a folder of its own, with work under way. */
async function begin(
  dataDir: string,
  options: ServeOptions = {},
): Promise<{ served: ServedFolder; work: Work; token: string } & AsyncDisposable> {
  const token = makeToken(dataDir);
  const served = await serveFolder(dataDir, options);
  const work = new Work(served.client(token));
  await work.begin();
  return { served, work, token, [Symbol.asyncDispose]: () => served.stop() };
}

const expectFull = (answer: Answer): void => {
  expect(answer).toMatchObject({ status: 503, json: { reason: 'storage_full' } });
  expect(answer.headers.get('retry-after')).toBe('60');
};

describe('storage faults (D105)', () => {
  test.skipIf(smallDiskMissing !== undefined)(
    `a full disk: 503 for what must be stored, reads go on, and all goes on when there is room${unless(smallDiskMissing)}`,
    async () => {
      await using disk = await mountSmallDisk(40);
      const dataDir = join(disk.path, 'data');
      await using begun = await begin(dataDir);
      const { work } = begun;
      expect([(await work.frame(0)).status, (await work.chunk(0)).status]).toEqual([200, 200]);
      // More than there is, by what the disk says.
      const large = { total_size: 64 * CHUNK, hash_sum: createHash('sha256').digest('base64') };
      expectFull(await work.client.post('/v3/uploads', large));
      const filler = join(disk.path, 'filler');
      try {
        for (let size = 20 * CHUNK; size >= 512; size /= 2)
          for (let i = 0; i < 3; i++) writeFileSync(`${filler}${size}-${i}`, Buffer.alloc(size));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
      expectFull(await work.chunk(1));
      // Space that the database has already may take a few more.
      let refused: Answer | undefined;
      for (let n = 1; n < 400 && refused === undefined; n++) {
        const answer = await work.frame(n);
        if (answer.status !== 200) refused = answer;
      }
      expectFull(refused as Answer);
      expect((await work.client.status(work.streamId)).status).toBe(200);
      for (let size = 20 * CHUNK; size >= 512; size /= 2)
        for (let i = 0; i < 3; i++) rmSync(`${filler}${size}-${i}`, { force: true });
      expect((await work.chunk(1)).status).toBe(200);
      expect((await work.frame(500)).status).toBe(200);
      await work.expectWhole();
    },
  );

  test.skipIf(smallDiskMissing !== undefined)(
    `a folder that may not be written to: 503, and work when it may again${unless(smallDiskMissing)}`,
    async () => {
      await using folder = await tempFolder();
      const dataDir = join(folder.path, 'data');
      mkdirSync(dataDir);
      const user = 65_534;
      const token = makeToken(dataDir);
      const { spawnSync } = await import('node:child_process');
      spawnSync('chown', ['-R', String(user), dataDir]);
      chmodSync(folder.path, 0o755);
      // Root is never refused: the service runs as somebody else, who may not look into a private folder that
      // the program lies in. To that one alone the program is shown elsewhere.
      const program = join(folder.path, 'program');
      mkdirSync(program);
      const show = `mount --bind "${projectRoot}" "${program}" && exec setpriv --reuid=${user} --clear-groups "$@"`;
      await using served = await serveFolder(dataDir, {
        wrapper: ['unshare', '--mount', 'sh', '-c', show, 'sh'],
        root: program,
        runtime: process.execPath.replace(`${projectRoot}/`, `${program}/`),
      });
      const work = new Work(served.client(token));
      await work.begin();
      chmodSync(join(dataDir, 'incoming'), 0o555);
      expectFull(await work.client.createUpload(work.bytes));
      expect((await work.frame(0)).status).toBe(200);
      chmodSync(join(dataDir, 'incoming'), 0o755);
      expect((await work.client.createUpload(work.bytes)).status).toBe(200);
      await work.expectWhole();
    },
  );

  test.skipIf(faultyDiskMissing !== undefined).each(['EIO', 'ENOSPC', 'EROFS'] as const)(
    `a disk that answers %s: 503, nothing acknowledged is lost, and all goes on when it is well${unless(faultyDiskMissing)}`,
    async (error) => {
      await using folder = await tempFolder();
      const disk = buildFaultyDisk(folder.path);
      const dataDir = join(folder.path, 'data');
      await using begun = await begin(dataDir, { env: disk.env });
      const { served, work, token } = begun;
      for (const n of [0, 1, 2]) await work.frame(n);
      await work.chunk(0);
      for (const operation of ['sync', 'write'] as const) {
        disk.plan(operation, 0, error);
        const from = operation === 'sync' ? 3 : 6;
        expectFull(await work.frame(from));
        expectFull(await work.chunk(from));
        expect((await work.client.status(work.streamId)).status, operation).toBe(200);
        disk.heal();
        // An error of a sync leaves it open whether the frame is there (409) or not (200): both are an end.
        const again = await work.frame(from);
        expect([200, 409]).toContain(again.status);
        expect((await work.chunk(from)).status).toBe(200);
        expect((await work.frame(from + 1)).status).toBe(200);
      }
      await work.expectWhole();
      await served.kill();
      await using second = await serveFolder(dataDir);
      const client = second.client(token);
      expect((await client.status(work.streamId)).status).toBe(200);
      const database = new Database(join(dataDir, 'isoline.sqlite'), { readonly: true });
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      database.close();
    },
  );

  test.skipIf(faultyDiskMissing !== undefined)(
    `a slow disk delays what must be stored and nothing else${unless(faultyDiskMissing)}`,
    async () => {
      await using folder = await tempFolder();
      const disk = buildFaultyDisk(folder.path);
      const dataDir = join(folder.path, 'data');
      await using begun = await begin(dataDir, { env: disk.env });
      const { work } = begun;
      disk.plan('sync', 50);
      const startMs = performance.now();
      for (let n = 0; n < 8; n++) expect((await work.frame(n)).status).toBe(200);
      const oneByOneMs = (performance.now() - startMs) / 8;
      const togetherStartMs = performance.now();
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => work.frame(8 + n)));
      // One after the other they would wait forty times.
      expect((performance.now() - togetherStartMs) / (40 * oneByOneMs)).toBeLessThan(0.5);
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      disk.heal();
      await work.expectWhole();
    },
  );

  test('a database that another process holds: 503 after five seconds, reads at once, and work when it is free', async () => {
    await using folder = await tempFolder();
    const dataDir = join(folder.path, 'data');
    await using begun = await begin(dataDir);
    const { work } = begun;
    await work.frame(0);
    const other = new Database(join(dataDir, 'isoline.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    const startMs = performance.now();
    const [frame, task, status] = await Promise.all([
      work.frame(1),
      work.client.createTask({}),
      work.client
        .status(work.streamId)
        .then((answer) => [answer.status, performance.now() - startMs] as const),
    ]);
    const waitedMs = performance.now() - startMs;
    for (const answer of [frame, task]) {
      expect(answer).toMatchObject({ status: 503, json: { reason: 'storage_busy' } });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    // The thread was free meanwhile: reading took a small part of the wait.
    expect(status[0]).toBe(200);
    expect(status[1] / waitedMs).toBeLessThan(0.5);
    other.exec('ROLLBACK');
    other.close();
    expect((await work.frame(1)).status).toBe(200);
    await work.expectWhole();
  });
});

const FULL = process.env.ISOLINE_FAULTS_FULL === '1';
const KILLS = FULL ? 100 : inLongForm(3, 6);

describe('nothing acknowledged is lost', () => {
  test(`by kill -9 at ${KILLS} random moments`, { timeout: 900_000 }, async () => {
    await using folder = await tempFolder();
    const seed = Number(process.env.ISOLINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const found = await killAtRandom(join(folder.path, 'data'), KILLS, seed);
    expect(found.lost, `seed ${seed}`).toEqual([]);
    console.log(
      `  ${found.kills} kills: ${found.acknowledgedFrames} frames, ${found.acknowledgedChunks} chunks acknowledged`,
    );
    expect(found.acknowledgedFrames).toBeGreaterThan(10);
    expect(found.acknowledgedChunks).toBeGreaterThan(2);
  });

  test.skipIf(straceMissing !== undefined)(
    `because nothing is acknowledged before it is synced, and a program that does not wait is found${unless(straceMissing)}`,
    { timeout: 900_000 },
    async () => {
      await using folder = await tempFolder();
      const right = await traceOrder(join(folder.path, 'right'), FULL ? 5004 : 600);
      expect(right.acknowledgements).toBeGreaterThanOrEqual(FULL ? 5000 : 600);
      expect(right.tooEarly).toBe(0);
      const lazyCommits = await traceOrder(
        join(folder.path, 'commits'),
        300,
        plant(LAZY_COMMITS, join(folder.path, 'tree-1')),
      );
      expect(lazyCommits.tooEarly / lazyCommits.acknowledgements).toBeGreaterThan(0.5);
      // A third of the acknowledgements are of chunks.
      const lazyChunks = await traceOrder(
        join(folder.path, 'chunks'),
        300,
        plant(LAZY_CHUNKS, join(folder.path, 'tree-2')),
      );
      expect(lazyChunks.tooEarly / lazyChunks.acknowledgements).toBeGreaterThan(0.25);
    },
  );
});
