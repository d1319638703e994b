// `npm run bench:sync`: how fast a workstation sends to its centre, beside the same bytes and the same
// requests sent bare; memory over ten thousand recordings; what the main thread feels of it while it records;
// how far behind a live recording the centre is.

import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { Connections } from '../../main/clinic/outbox/connections.ts';
import type { OutboxEntry } from '../../main/clinic/outbox/records.ts';
import { CentralClient } from '../../main/connections/central/central-client.ts';
import { type CentralParcel, Parcels } from '../../main/connections/central/parcels.ts';
import { SenderLoop } from '../../main/connections/sender-loop.ts';
import { openDesk } from '../../main/host/desk-host.ts';
import { MAX_BRIDGE_BUFFER_BYTES } from '../../shared/bridge/bounds.ts';
import { quantile } from '../../shared/signal/statistics.ts';
import { ScriptedPool } from '../doubles/pool.ts';
import { outboxOf } from '../support/centre-truth.ts';
import { runClinicAndCentre } from '../support/clinic-and-centre.ts';
import { inTransaction } from '../support/in-transaction.ts';
import { centralAt } from '../support/made-connections.ts';
import { openTestClinic } from '../support/open-clinic.ts';
import { eventually } from '../support/running-workstation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { V3Client } from '../support/v3-client.ts';
import { variedEdf } from '../support/varied-edf.ts';
import { startBareCentre } from './bare-centre.ts';
import { printMachine } from './harness.ts';

const ROUNDS = 5;
const LARGE_REPEATS = 900;
const CHUNK_BYTES = 8 << 20;
const SMALL = Number(process.env.BENCH_ITEMS ?? 10_000);
const SMALL_BYTES = 20_000;
const LIVE_SECONDS = Number(process.env.BENCH_SECONDS ?? 30);

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
const median = (values: readonly number[]): number => quantile([...values], 0.5) as number;
let varied = 0;

/** The same requests by hand, one behind the other, in the largest chunks. */
async function sendBare(url: string, token: string, bytes: Buffer): Promise<void> {
  const pool = new Pool(url, { connections: 1, pipelining: 1 });
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    body?: string | Buffer,
  ): Promise<Record<string, unknown>> => {
    const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
    const answer = await pool.request({
      method,
      path,
      headers: { 'x-api-token': token, 'content-type': type },
      ...(body !== undefined && { body }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200 && answer.statusCode !== 404)
      throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const hash_sum = createHash('sha256').update(bytes).digest('base64');
  const { upload_id } = await ask(
    'POST',
    '/v3/uploads',
    JSON.stringify({ total_size: bytes.length, hash_sum }),
  );
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES)
    await ask(
      'POST',
      `/v3/uploads/${upload_id}/chunks?offset=${offset}`,
      bytes.subarray(offset, offset + CHUNK_BYTES),
    );
  await ask('GET', '/v3/orgs/clinic/tasks/9007199254740991/status');
  await ask('POST', '/v3/orgs/clinic/tasks', JSON.stringify({ upload_id }));
  await pool.close();
}

/** One large recording after the other, in turn with the same bytes sent bare. */
async function benchLarge(): Promise<void> {
  await using both = await runClinicAndCentre([['sync.when', 'recorded']], { isDirect: true });
  const { bridge } = both.clinic;
  const own: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n <= ROUNDS; n++) {
    await bridge.call('sync.pause', { connectionId: 1 });
    const bytes = variedEdf(++varied, LARGE_REPEATS);
    const importId = (
      await bridge.call('import.open', { files: [{ name: 'a.edf', sizeBytes: bytes.length }] })
    ).importId;
    for (let offset = 0; offset < bytes.length; offset += MAX_BRIDGE_BUFFER_BYTES)
      await bridge.call('import.write', {
        importId,
        fileIndex: 0,
        offsetBytes: offset,
        bytes: Uint8Array.from(bytes.subarray(offset, offset + MAX_BRIDGE_BUFFER_BYTES)),
      });
    await bridge.call('import.finish', { importId, autoComplete: false });
    await untilQuiet(both.clinic.dataDir);
    const mb = bytes.length / 1e6;
    const startMs = performance.now();
    await bridge.call('sync.resume', { connectionId: 1 });
    await eventually(
      async () => (outboxOf(both.clinic.dataDir)[n]?.item.state === 'WAITING_REPORT' ? true : undefined),
      'it is there',
      120_000,
    );
    const ownMs = performance.now() - startMs;
    await both.centre.bridge.call('task.list', { limit: 1 });
    await wait(500);
    const other = variedEdf(++varied, LARGE_REPEATS);
    const bareMs = performance.now();
    await sendBare(both.centre.url, both.centreToken, other);
    // The first one warms up.
    if (n > 0) {
      own.push((1000 * mb) / ownMs);
      bare.push((1000 * mb) / (performance.now() - bareMs));
    }
  }
  print({
    bench: 'large uploads',
    ownMbPerS: round(median(own), 1),
    bareMbPerS: round(median(bare), 1),
    ratio: round(median(own) / median(bare)),
    target: 0.7,
  });
}

/** The analysis of what came in would share the processors with what is measured. */
async function untilQuiet(dataDir: string): Promise<void> {
  await eventually(
    async () => (outboxOf(dataDir).every(({ item }) => item.state !== 'HELD') ? true : undefined),
    'it is in the queue',
  );
  await wait(1500);
}

/** Ten thousand small recordings to a centre that costs nothing, and the same requests bare. */
async function benchSmall(): Promise<void> {
  await using folder = await tempFolder();
  await using centre = await startBareCentre();
  const clinic = await openTestClinic(folder.path, new ScriptedPool(), Date.now, [['sync.when', 'recorded']]);
  const { context, outbox, tasks, organizationId } = clinic.clinic;
  const { store } = clinic;
  await new Connections(context).add(
    { to: centralAt(centre.url), label: '', localPath: 'clinic', secret: 't' },
    'bench',
  );
  const bytes = Buffer.alloc(SMALL_BYTES);
  for (let n = 0; n < SMALL; n++) {
    bytes.writeUInt32LE(n);
    const sha256 = await context.files.put(bytes);
    const files = [{ name: 'a.edf', sha256, sizeBytes: bytes.length }];
    const facts = { format: 'EDF', leadCount: 12, durationMs: 10_000, patient: {}, warnings: [] };
    inTransaction(store, (tx) =>
      tasks.addRecorded(tx, {
        organizationId,
        fields: { patient: {} },
        isAutoComplete: false,
        origin: 'import',
        files,
        facts,
        actor: 'bench',
      }),
    );
  }
  await using client = new CentralClient({ url: centre.url, organizationThere: 'clinic', token: 't' });
  const parcels = new Parcels(context, outbox);
  const memory: number[] = [];
  const startMs = performance.now();
  const loop = new SenderLoop<CentralParcel>({
    connectionId: 1,
    outbox,
    items: () => store.outbox.open(1),
    item: (id) => store.outbox.byId(id)?.item,
    upstream: () => store.connections.upstreamOf(1),
    sizeOf: (id) => store.outbox.sizeOf(id),
    client,
    pack: (item, signal) => parcels.pack(store.outbox.byId(item.id) as OutboxEntry, signal),
    keepReport: async () => ({ sha256: '', sizeBytes: 0, fetchedMs: 0 }),
    nowMs: Date.now,
    onClockSetBack: () => undefined,
    log: () => undefined,
  });
  for (let next = SMALL / 10; centre.tasks() < SMALL; ) {
    await wait(5);
    if (centre.tasks() < next) continue;
    next += SMALL / 10;
    memory.push(round(process.memoryUsage().rss / 1e6, 0));
  }
  const seconds = (performance.now() - startMs) / 1000;
  await loop[Symbol.asyncDispose]();
  await clinic.close();
  const bareItems = Math.min(SMALL, 2000);
  const bareMs = performance.now();
  for (let n = 0; n < bareItems; n++) await sendBare(centre.url, 't', bytes);
  const barePerSecond = bareItems / ((performance.now() - bareMs) / 1000);
  const perSecond = SMALL / seconds;
  print({
    bench: 'small recordings',
    items: SMALL,
    itemsPerSecond: round(perSecond, 0),
    bareItemsPerSecond: round(barePerSecond, 0),
    ratio: round(perSecond / barePerSecond),
    rssMbAtEachTenth: memory,
  });
}

/** A recording that goes to the centre while it runs; beside it large files are sent too. */
async function benchLive(): Promise<void> {
  await using both = await runClinicAndCentre([
    ['sync.way', 'stream'],
    ['sync.live', 'true'],
    ['sync.when', 'recorded'],
  ]);
  const desk = await openDesk(both.clinic.workstation, { isWatching: false });
  const device = desk.device(await desk.connect('simulator:isoline-idp?rhythm=sinus'));
  const script = new V3Client(both.clinic.url, (await both.clinic.makeToken()).text);
  const upload_id = await script.upload(variedEdf(++varied, LARGE_REPEATS));
  await both.clinic.bridge.call('sync.pause', { connectionId: 1 });
  await script.createTask({ upload_id });
  await wait(3000);
  await both.clinic.bridge.call('sync.resume', { connectionId: 1 });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await device.record({
    entry: { fields: { patient_last_name: 'Hoffmann' }, identity: { name: 'said', birth: 'said' } },
    durationMs: 1000 * LIVE_SECONDS,
  });
  const startedMs = device.view.recording?.startedMs ?? Date.now();
  await device.untilEnded();
  delay.disable();
  await wait(1500);
  const frames = both.proxy.arrived.filter(({ path }) => path.includes('/frames?'));
  // The first ones wait for the draft to be made.
  const delays = frames.slice(4).map(({ path, atMs }) => {
    const timestampUs = Number(/timestamp=(\d+)/.exec(path)?.[1]);
    return atMs - (startedMs + timestampUs / 1000 + 500);
  });
  const sorted = Float64Array.from(delays).sort();
  print({
    bench: 'live relay',
    seconds: LIVE_SECONDS,
    frames: frames.length,
    behindP50Ms: round(quantile(sorted, 0.5) as number, 0),
    behindP99Ms: round(quantile(sorted, 0.99) as number, 0),
    targetMs: 2000,
  });
  print({
    bench: 'main thread while it records and sends',
    p50Ms: round(delay.percentile(50) / 1e6),
    p99Ms: round(delay.percentile(99) / 1e6),
    maxMs: round(delay.max / 1e6),
    targetP99Ms: 15,
  });
  await desk.close();
}

printMachine();
await benchLarge();
await benchSmall();
await benchLive();
process.exit(0);
