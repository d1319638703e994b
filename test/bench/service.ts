// `npm run bench:service`: the /v3 service as it runs in a clinic, each figure beside the same work done
// bare: durable frames, uploads with their hash, status requests, the wait for a frame while an analysis
// runs, and memory over many frames. Client and server are processes of their own.

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { makeFrame } from '../support/make-frames.ts';
import { dataFolder } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';
import { printMachine } from './harness.ts';
import { getHead, type LoadResult, load, percentile, perSecond, postHead } from './http-load.ts';
import { addToken, type RunningServer, startIsoline, startServer } from './serve-process.ts';

const ROUNDS = 5;
const CONNECTIONS = 32;
const SECONDS = 4;
const FRAME_BYTES = 4096;
const FRAME_US = 2_034_000;
const CHUNK_BYTES = 8 << 20;
const UPLOAD_CHUNKS = 8;
const UPLOAD_BYTES = UPLOAD_CHUNKS * CHUNK_BYTES;
const MEMORY_FRAMES = 100_000;

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function startOurs(): Promise<RunningServer & { readonly client: V3Client; readonly token: string }> {
  const server = await startIsoline();
  const token = addToken(server.folder, 'clinic');
  return {
    ...server,
    token,
    client: new V3Client(server.url, token),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

const startBare = (script: string): Promise<RunningServer> => startServer(script, (folder) => [folder]);

/** Streams that are open for frames of two leads, one for each connection. */
async function openStreams(client: V3Client): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < CONNECTIONS; i++) {
    const { json } = await client.createTask({});
    const [task_id] = json.created_task_ids as number[];
    const start = {
      task_id,
      processing_mode: 'PROCESS_ON_FINISH',
      frame_format: 'COMPRESSED_DELTA',
      sample_rate: 500,
      lead_codes: STANDARD_LEADS.slice(0, 2),
    };
    ids.push((await client.post('/v3/streams/start', start)).json.stream_id as number);
  }
  return ids;
}

const plainFrame = Buffer.from(
  makeFrame({ leads: 2, samples: 1017, coding: 'twosComplement', compression: 'none' }),
);
const packedFrame = Buffer.from(
  makeFrame({ leads: 2, samples: 2400, coding: 'delta', compression: 'zlib', bits: 16 }),
);

type Frames = (connection: number, n: number) => readonly Uint8Array[];

/** Timestamps go on from load to load. */
function framesFor(streams: readonly number[], token: string, frame: Buffer): Frames {
  const next = streams.map(() => 0);
  return (connection) => {
    const timestamp = (next[connection] as number) * FRAME_US;
    next[connection] = (next[connection] as number) + 1;
    return [
      postHead(`/v3/streams/${streams[connection]}/frames?timestamp=${timestamp}`, token, frame.length),
      frame,
    ];
  };
}

function requireAll200(what: string, { statuses }: LoadResult): void {
  for (const [status, count] of statuses)
    if (status !== 200) throw new Error(`${what}: ${count} answers were ${status}`);
}

/** Both in turn, so that a machine that slows down slows both. */
async function compareLoads(
  name: string,
  ours: () => Promise<LoadResult>,
  bare: () => Promise<LoadResult>,
  target: string,
): Promise<number> {
  const rates: [number[], number[]] = [[], []];
  for (let i = 0; i <= ROUNDS; i++)
    for (const [side, run] of [ours, bare].entries()) {
      const result = await run();
      requireAll200(name, result);
      // The first round warms up.
      if (i > 0) rates[side as 0 | 1].push(perSecond(result));
    }
  const [own, plain] = rates.map(median) as [number, number];
  const ratios = rates[0].map((rate, i) => rate / (rates[1][i] as number));
  print({
    bench: name,
    perSecond: Math.round(own),
    barePerSecond: Math.round(plain),
    ratio: round(own / plain),
    ratios: ratios.map((ratio) => round(ratio)),
    target,
  });
  return own;
}

async function benchFrames(): Promise<number> {
  await using ours = await startOurs();
  await using bare = await startBare('test/bench/bare-frames.ts');
  const streams = await openStreams(ours.client);
  const bareStreams = streams.map((_, i) => i + 1);
  const options = { connections: CONNECTIONS, seconds: SECONDS };
  const ourFrames = framesFor(streams, ours.token, plainFrame);
  const bareFrames = framesFor(bareStreams, 'x', plainFrame);
  const rate = await compareLoads(
    `durable frames of ${FRAME_BYTES} bytes, ${CONNECTIONS} connections`,
    () => load({ ...options, url: ours.url, request: ourFrames }),
    () => load({ ...options, url: bare.url, request: bareFrames }),
    '>= 0.7 and >= 8000/s on two quiet cores',
  );
  const packed = await load({
    ...options,
    url: ours.url,
    request: framesFor(await openStreams(ours.client), ours.token, packedFrame),
  });
  requireAll200('packed frames', packed);
  print({
    bench: `the same with zlib frames of ${packedFrame.length} bytes, unpacked for checking`,
    perSecond: Math.round(perSecond(packed)),
  });
  const task = (await ours.client.createTask({})).json.created_task_ids as number[];
  await compareLoads(
    'status requests',
    () =>
      load({
        ...options,
        url: ours.url,
        request: () => [getHead(`/v3/orgs/clinic/tasks/${task[0]}/status`, ours.token)],
      }),
    () =>
      load({ ...options, url: bare.url, request: () => [getHead('/v3/orgs/clinic/tasks/1/status', 'x')] }),
    '',
  );
  return rate;
}

/**
 * MB a second, from the first chunk to the answer of the last.
 * @param chunk is sent again and again, so that the client reads from its cache and leaves the memory to the
 * server.
 */
async function upload(
  url: string,
  chunk: Buffer,
  requestOf: (offset: number) => Uint8Array,
): Promise<number> {
  const result = await load({
    url,
    connections: 1,
    requests: UPLOAD_CHUNKS,
    request: (_connection, n) => [requestOf(n * CHUNK_BYTES), chunk],
  });
  for (const [status, count] of result.statuses)
    if (status !== 200 && status !== 204) throw new Error(`${count} chunks were answered ${status}`);
  return UPLOAD_BYTES / 1e6 / result.seconds;
}

async function createTus(url: string, length: number): Promise<string> {
  const response = await fetch(`${url}/files`, {
    method: 'POST',
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(length) },
  });
  return new URL(response.headers.get('location') as string).pathname;
}

const tusHead = (path: string, offset: number, length: number): Buffer =>
  Buffer.from(
    `PATCH ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ${offset}\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: ${length}\r\n\r\n`,
  );

async function benchUploads(): Promise<void> {
  await using ours = await startOurs();
  await using bare = await startBare('test/bench/bare-chunks.ts');
  await using tus = await startBare('test/bench/bare-tus.ts');
  const chunk = randomBytes(CHUNK_BYTES);
  const rates: number[][] = [[], [], []];
  for (let i = 0; i <= ROUNDS; i++) {
    // Every upload has another content, as uploads have.
    chunk.writeUInt32LE(i, 0);
    const hash = createHash('sha256');
    for (let n = 0; n < UPLOAD_CHUNKS; n++) hash.update(chunk);
    const { json } = await ours.client.post('/v3/uploads', {
      total_size: UPLOAD_BYTES,
      hash_sum: hash.digest('base64'),
    });
    const tusPath = await createTus(tus.url, UPLOAD_BYTES);
    const found = [
      await upload(ours.url, chunk, (offset) =>
        postHead(`/v3/uploads/${json.upload_id}/chunks?offset=${offset}`, ours.token, CHUNK_BYTES),
      ),
      await upload(bare.url, chunk, (offset) => postHead(`/upload${i}?offset=${offset}`, 'x', CHUNK_BYTES)),
      await upload(tus.url, chunk, (offset) => tusHead(tusPath, offset, CHUNK_BYTES)),
    ];
    if (i > 0) for (const [side, rate] of found.entries()) rates[side]?.push(rate);
  }
  const [own, plain, other] = rates.map(median) as [number, number, number];
  print({
    bench: `upload of ${UPLOAD_BYTES >> 20} MiB in chunks of 8 MiB, hash included`,
    mbPerSecond: Math.round(own),
    bareMbPerSecond: Math.round(plain),
    ratio: round(own / plain),
    tusMbPerSecond: Math.round(other),
    tusRatio: round(own / other),
    target: '>= 0.7 of bare, >= 1.3 of tus',
  });
}

async function benchLatency(rate: number): Promise<void> {
  await using ours = await startOurs();
  const streams = await openStreams(ours.client);
  const request = framesFor(streams, ours.token, plainFrame);
  const edf = readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf'));
  let isOver = false;
  let analyses = 0;
  // One analysis after the other.
  const analysing = (async () => {
    const upload_id = await ours.client.upload(edf);
    while (!isOver) {
      const { json } = await ours.client.createTask({
        upload_id,
        auto_complete: true,
        patient_id: String(analyses),
      });
      const [id] = json.created_task_ids as number[];
      while (!isOver && (await ours.client.status(id ?? 0)).json.processed !== true)
        await new Promise((done) => setTimeout(done, 20));
      analyses++;
    }
  })();
  const options = { url: ours.url, connections: CONNECTIONS, rate: rate / 2, request };
  await using bare = await startBare('test/bench/bare-frames.ts');
  const bareOptions = { ...options, url: bare.url, request: framesFor(streams, 'x', plainFrame) };
  await load({ ...options, seconds: 2 });
  const rounds: LoadResult[] = [];
  const bareRounds: LoadResult[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push(await load({ ...options, seconds: SECONDS }));
    bareRounds.push(await load({ ...bareOptions, seconds: SECONDS }));
  }
  isOver = true;
  await analysing;
  for (const round of rounds) requireAll200('frames beside an analysis', round);
  const shares = (share: number, of = rounds): number[] =>
    of.map(({ latenciesMs }) => round(percentile(latenciesMs, share)));
  print({
    bench: 'a frame at half that rate while analyses run, medians of rounds',
    perSecond: Math.round(median(rounds.map(perSecond))),
    analyses,
    p50Ms: median(shares(0.5)),
    p99Ms: median(shares(0.99)),
    p99sMs: shares(0.99),
    bareP99Ms: median(shares(0.99, bareRounds)),
    target: 'p99 < 50 ms',
  });
}

/** Resident memory in MB; undefined where the system doesn't tell. */
function residentMb({ child }: RunningServer): number | undefined {
  try {
    const text = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024);
  } catch {
    return undefined;
  }
}

async function benchMemory(): Promise<void> {
  await using ours = await startOurs();
  const request = framesFor(await openStreams(ours.client), ours.token, plainFrame);
  await using bare = await startBare('test/bench/bare-frames.ts');
  const bareRequest = framesFor(
    Array.from({ length: CONNECTIONS }, (_, i) => i + 1),
    'x',
    plainFrame,
  );
  const memoryMb: (number | undefined)[] = [];
  const bareMemoryMb: (number | undefined)[] = [];
  const steps = 10;
  for (let i = 0; i < steps; i++) {
    requireAll200(
      'frames',
      await load({ url: ours.url, connections: CONNECTIONS, requests: MEMORY_FRAMES / steps, request }),
    );
    memoryMb.push(residentMb(ours));
    requireAll200(
      'frames',
      await load({
        url: bare.url,
        connections: CONNECTIONS,
        requests: MEMORY_FRAMES / steps,
        request: bareRequest,
      }),
    );
    bareMemoryMb.push(residentMb(bare));
  }
  print({
    bench: `resident memory over ${MEMORY_FRAMES} frames, MB`,
    memoryMb,
    bareMemoryMb,
    target: 'flat',
  });
}

printMachine();
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
let rate = 5600;
if (isWanted('frames')) rate = await benchFrames();
if (isWanted('uploads')) await benchUploads();
if (isWanted('latency')) await benchLatency(rate);
if (isWanted('memory')) await benchMemory();
