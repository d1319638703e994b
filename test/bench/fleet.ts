// `npm run bench:fleet`: how many workstations one `isoline serve` takes as their central service. Simulated workstations send ECGs
// of ten seconds (upload, task, status until it is processed), or stream twelve leads at 500 Hz, while somebody asks for the status
// of a task twenty times a second: more and more of them, until the 99th percentile of that passes 100 ms. The load comes from a
// process of its own, on the same computer.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { makeFrame } from '../support/make-frames.ts';
import { V3Client } from '../support/v3-client.ts';
import { variedEdf } from '../support/varied-edf.ts';
import { printMachine } from './harness.ts';
import { percentile } from './http-load.ts';
import { addToken, startIsoline } from './serve-process.ts';

const SECONDS = Number(process.env.FLEET_SECONDS ?? 20);
const WORKSTATIONS = 8;
const ASK_MS = 50;
const LIMIT_MS = 100;
const HOUR_S = 3600;
const POLL_MS = 2000;
const FRAME_MS = 500;
const RATES_PER_HOUR = [3600, 14_400, 28_800, 57_600];
/** A service takes 64 at once. */
const STREAMS = [16, 64];
/** Behind streams that have ended, for their analyses. */
const REST_MS = 15_000;

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const round = (value: number): number => Math.round(value * 10) / 10;

function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? sizeOf(path) : statSync(path).size;
  }
  return bytes;
}

let recordings = 0;

/** What a workstation does with one ECG. @returns milliseconds until it is processed */
async function sendOne(client: V3Client): Promise<number> {
  const startMs = performance.now();
  const n = recordings++;
  const upload_id = await client.upload(variedEdf(n));
  const made = await client.createTask({
    upload_id,
    patient_id: `P${n}`,
    patient_last_name: 'Bench',
    auto_complete: true,
  });
  const [taskId] = made.json.created_task_ids as number[];
  for (;;) {
    const { json } = await client.status(taskId as number);
    if (json.processed === true) break;
    if (performance.now() - startMs > 10 * SECONDS * 1000) throw new Error('a recording was not processed');
    await wait(POLL_MS);
  }
  return performance.now() - startMs;
}

/** Asks for one status again and again; the times of the answers. */
async function ask(client: V3Client, taskId: number, isEnded: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isEnded()) {
    const startMs = performance.now();
    await client.status(taskId);
    times.push(performance.now() - startMs);
    await wait(Math.max(1, ASK_MS - (performance.now() - startMs)));
  }
  return times;
}

interface Step {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function measured(client: V3Client, taskId: number, load: () => Promise<void>): Promise<Step> {
  let isEnded = false;
  const asking = ask(client, taskId, () => isEnded);
  await load();
  isEnded = true;
  const times = Float64Array.from(await asking).toSorted();
  return { p50Ms: round(percentile(times, 0.5)), p99Ms: round(percentile(times, 0.99)) };
}

async function recordingsAtRate(clients: readonly V3Client[], perHour: number): Promise<number> {
  const pauseMs = (1000 * HOUR_S) / perHour;
  const sent: Promise<number>[] = [];
  const endMs = performance.now() + SECONDS * 1000;
  for (let next = performance.now(); next < endMs; next += pauseMs) {
    await wait(Math.max(0, next - performance.now()));
    sent.push(sendOne(clients[sent.length % clients.length] as V3Client));
  }
  const times = Float64Array.from(await Promise.all(sent)).toSorted();
  return round(percentile(times, 0.5) / 1000);
}

async function stream(client: V3Client, seconds: number): Promise<void> {
  const made = await client.createTask({ patient_id: `S${recordings++}`, patient_last_name: 'Bench' });
  const [task_id] = made.json.created_task_ids as number[];
  const scale = {
    digital_minimum: -32768,
    digital_maximum: 32767,
    physical_minimum: -32.768,
    physical_maximum: 32.767,
  };
  await client.post('/v3/streams/start', {
    task_id,
    processing_mode: 'PROCESS_ON_FINISH',
    frame_format: 'COMPRESSED_DELTA',
    sample_rate: 500,
    lead_codes: [...STANDARD_LEADS],
    ...scale,
  });
  const frames = (1000 * seconds) / FRAME_MS;
  const startMs = performance.now() + Math.random() * FRAME_MS;
  for (let n = 0; n < frames; n++) {
    await wait(Math.max(0, startMs + n * FRAME_MS - performance.now()));
    const { status } = await client.request(
      'POST',
      `/v3/streams/${task_id}/frames?timestamp=${n * FRAME_MS * 1000}`,
      FRAME,
      { 'Content-Type': 'application/octet-stream' },
    );
    if (status !== 200) throw new Error(`a frame was answered with ${status}`);
  }
  await client.request('POST', `/v3/streams/${task_id}/finish`);
}
const FRAME = makeFrame({ samples: 250 });

printMachine();
await using server = await startIsoline();
const clients: V3Client[] = [];
for (let n = 0; n < WORKSTATIONS; n++)
  clients.push(new V3Client(server.url, addToken(server.folder, 'clinic')));
const [first] = clients as [V3Client];
const upload_id = await first.upload(variedEdf(recordings++));
const [taskId] = (await first.createTask({ upload_id, patient_id: 'P', patient_last_name: 'Bench' })).json
  .created_task_ids as [number];
await wait(3000);

const idle = await measured(first, taskId, () => wait(5000));
print({ what: 'nobody sends', ...idle });
for (const perHour of RATES_PER_HOUR) {
  let medianS = 0;
  const step = await measured(first, taskId, async () => {
    medianS = await recordingsAtRate(clients, perHour);
  });
  print({ what: 'recordings', perHour, ...step, processedAfterS: medianS });
  if (step.p99Ms > LIMIT_MS) break;
}
const bytes = sizeOf(server.folder);
print({ what: 'data folder', recordings, mbPerThousand: round(bytes / 1e6 / (recordings / 1000)) });
for (const streams of STREAMS) {
  let failed: unknown;
  const step = await measured(first, taskId, async () => {
    const all = Array.from({ length: streams }, (_, n) =>
      stream(clients[n % WORKSTATIONS] as V3Client, SECONDS),
    );
    failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected');
  });
  print({
    what: 'streams at once',
    streams,
    ...step,
    ...(failed !== undefined && { failed: String((failed as PromiseRejectedResult).reason) }),
  });
  if (step.p99Ms > LIMIT_MS || failed !== undefined) break;
  await wait(REST_MS);
}
