// `npm run bench:day`: a day of three leads that is being analysed, by the program as a clinic runs it. How long ten
// seconds take alone and beside it; what is done again after a kill in the middle; and how it ends beside two processes
// that keep the processor busy.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeToken, type ServedFolder, serveFolder } from '../faults/served-folder.ts';
import { longEdf } from '../support/long-recording.ts';
import { eventually } from '../support/running-workstation.ts';
import type { V3Client } from '../support/v3-client.ts';
import { variedEdf } from '../support/varied-edf.ts';
import { printMachine } from './harness.ts';

const HOURS = 24;
const SHORT_ONES = 7;
const CHUNK_BYTES = 8 << 20;
const PATIENCE_MS = 900_000;

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const seconds = (ms: number): number => Math.round(ms / 10) / 100;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

interface Place {
  readonly folder: string;
  readonly token: string;
}

const until = (client: V3Client, taskId: number): Promise<true> =>
  eventually(
    async () => ((await client.status(taskId)).json.severity !== undefined ? true : undefined),
    'the analysis',
    PATIENCE_MS,
  );

let made = 0;
async function send(client: V3Client, bytes: Uint8Array): Promise<number> {
  const upload_id = (await client.createUpload(bytes)).json.upload_id as string;
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    await client.chunk(upload_id, at, bytes.subarray(at, at + CHUNK_BYTES));
  const { json } = await client.createTask({ upload_id });
  return (json.created_task_ids as number[])[0] as number;
}

/** From the end of the upload to the result. */
async function shortMs(client: V3Client): Promise<number> {
  const bytes = variedEdf(++made);
  const uploadId = await client.upload(bytes);
  const startMs = performance.now();
  const { json } = await client.createTask({ upload_id: uploadId });
  await until(client, (json.created_task_ids as number[])[0] as number);
  return performance.now() - startMs;
}

async function shortOnes(client: V3Client): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < SHORT_ONES; i++) times.push(await shortMs(client));
  return times;
}

async function inFolder<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'isoline-bench-'));
  try {
    return await work({ folder, token: makeToken(folder) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const serve = ({ folder }: Place): Promise<ServedFolder> => serveFolder(folder);

const day = longEdf(HOURS);

await printMachine();

const aloneMs = await inFolder(async (place) => {
  await using served = await serve(place);
  const client = served.client(place.token);
  const startMs = performance.now();
  await until(client, await send(client, day));
  return performance.now() - startMs;
});

await inFolder(async (place) => {
  await using served = await serve(place);
  const client = served.client(place.token);
  await shortOnes(client);
  const alone = await shortOnes(client);
  const taskId = await send(client, day);
  await new Promise((resolve) => setTimeout(resolve, aloneMs / 4));
  const beside = await shortOnes(client);
  print({
    bench: 'ten seconds of twelve leads alone, and beside a day that is analysed',
    aloneSeconds: seconds(median(alone)),
    besideSeconds: seconds(median(beside)),
    mostBesideSeconds: seconds(Math.max(...beside)),
    isStillRunning: (await client.status(taskId)).json.severity === undefined,
    target: 'at most 2 s more than alone',
  });
});

await inFolder(async (place) => {
  const first = await serve(place);
  const startMs = performance.now();
  const taskId = await send(first.client(place.token), day);
  await new Promise((resolve) => setTimeout(resolve, aloneMs / 2));
  await first.kill();
  const beforeMs = performance.now() - startMs;
  await using second = await serve(place);
  const againMs = performance.now();
  await until(second.client(place.token), taskId);
  const afterMs = performance.now() - againMs;
  print({
    bench: 'a day whose program is killed in the middle',
    aloneSeconds: seconds(aloneMs),
    beforeSeconds: seconds(beforeMs),
    afterSeconds: seconds(afterMs),
    againShare: Math.round((100 * (beforeMs + afterMs - aloneMs)) / aloneMs) / 100,
    target: 'less than a tenth is done again',
  });
});

await inFolder(async (place) => {
  const busy = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    await using served = await serve(place);
    const client = served.client(place.token);
    const startMs = performance.now();
    const taskId = await send(client, day);
    await until(client, taskId);
    print({
      bench: 'a day beside two busy processes',
      aloneSeconds: seconds(aloneMs),
      seconds: seconds(performance.now() - startMs),
      ended: (await client.status(taskId)).json.severity !== undefined ? 'well' : 'not',
    });
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
});
