// Twelve leads at 1000 Hz over the Isoline protocol, at a pseudo-terminal, recorded beside analyses without
// pause and 200 requests a second: is a sample lost, and does the main thread stay free? In real time.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readAllSamples } from '../../shared/signal/recording.ts';
import { buildFaultyDisk } from '../faults/faulty-disk.ts';
import { makeToken } from '../faults/served-folder.ts';
import { makeZip } from '../support/make-archives.ts';
import { openTerminals, PluggedDevice } from '../support/pseudo-terminal.ts';
import { storedRecording } from '../support/stored-recording.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { dataFolder, projectRoot } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';

const REQUESTS_PER_SECOND = 200;
const SLOW_SYNC_MS = 20;
const MOST_TRIES = 30;
const AGAIN_MS = 200;

export interface SoakOptions {
  readonly minutes: number;
  /** Every sync of the disk takes 20 ms longer. */
  readonly hasSlowSync?: boolean;
  /** The clinic thread ends so often. */
  readonly crashEverySeconds?: number;
  readonly say?: (line: string) => void;
}

export interface SoakFindings {
  readonly recordedMs: number;
  readonly lostShare: number;
  /** The stored signal is what the device measured, lead by lead. */
  readonly isSignalRight: boolean;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The figures of a program beside it that does nothing. */
  readonly bare: { readonly p99Ms: number; readonly maxMs: number };
  readonly rssMb: readonly number[];
  readonly requests: number;
  readonly refused: number;
  /** How refused ones ended: by status, or by what became of the connection. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly analyses: number;
}

/**
 * Running sums of what each lead measured: memory of an hour stays small, and any stretch can be compared.
 */
class MeasuredSums {
  readonly #sums: Float64Array[] = [];
  #packets = 0;
  #samplesPerPacket = 0;

  add(codes: readonly Int32Array[]): void {
    this.#samplesPerPacket = codes[0]?.length ?? 0;
    for (const [lead, column] of codes.entries()) {
      let sums = this.#sums[lead] ?? new Float64Array(1024);
      if (this.#packets + 1 >= sums.length) {
        const larger = new Float64Array(2 * sums.length);
        larger.set(sums);
        sums = larger;
      }
      sums[this.#packets + 1] =
        (sums[this.#packets] as number) + column.reduce((sum, code, i) => sum + code * (1 + (i % 7)), 0);
      this.#sums[lead] = sums;
    }
    this.#packets++;
  }

  /** Sums whole packets; weighted by place, the sum tells exchanged samples, too. */
  between(lead: number, from: number, to: number): number {
    const sums = this.#sums[lead] as Float64Array;
    return (sums[to / this.#samplesPerPacket] as number) - (sums[from / this.#samplesPerPacket] as number);
  }

  get samplesPerPacket(): number {
    return this.#samplesPerPacket;
  }
}

/** Analyses one after the other, and requests beside them. */
class Load {
  requests = 0;
  refused = 0;
  readonly refusals: Record<string, number> = {};
  analyses = 0;
  #isOver = false;
  readonly #client: V3Client;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(client: V3Client) {
    this.#client = client;
  }

  start(taskId: number): void {
    this.#timer = setInterval(() => {
      for (let i = 0; i < REQUESTS_PER_SECOND / 50; i++) {
        this.requests++;
        this.#client
          .status(taskId)
          .then(({ status }) => {
            if (status !== 200) this.#refuse(String(status));
          })
          .catch((error: Error & { cause?: { code?: string } }) =>
            this.#refuse(error.cause?.code ?? error.message),
          );
      }
    }, 20);
  }

  #refuse(why: string): void {
    this.refused++;
    this.refusals[why] = (this.refusals[why] ?? 0) + 1;
  }

  async runAnalyses(uploadId: string): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const created = await this.#client
        .createTask({ upload_id: uploadId, investigation_id: `soak ${n}` })
        .catch(() => undefined);
      const [id] = (created?.json.created_task_ids as number[] | undefined) ?? [];
      for (let tries = 0; id !== undefined && !this.#isOver && tries < 200; tries++) {
        const status = await this.#client.status(id).catch(() => undefined);
        if (status?.json.severity !== undefined || status?.json.processed === true) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      this.analyses++;
    }
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }
}

export async function soak({
  minutes,
  hasSlowSync = false,
  crashEverySeconds = 0,
  say = () => undefined,
}: SoakOptions): Promise<SoakFindings> {
  await using folder = await tempFolder();
  await using data = await tempFolder();
  await using pair = await openTerminals(folder.path);
  const sums = new MeasuredSums();
  const device = new PluggedDevice('isoline-idp', 'idp-12');
  device.device.onPacket = (codes) => sums.add(codes);
  await device.plugInto(pair.device);
  const token = makeToken(data.path);
  const disk = hasSlowSync ? buildFaultyDisk(folder.path) : undefined;
  disk?.plan('sync', SLOW_SYNC_MS);
  const child = spawn(
    process.execPath,
    [
      join(projectRoot, 'test/soak/program.ts'),
      data.path,
      pair.host,
      String(minutes),
      String(crashEverySeconds),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...disk?.env } },
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const bare = spawn(process.execPath, [join(projectRoot, 'test/soak/bare.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bareText = '';
  bare.stdout.on('data', (text) => (bareText += text));
  const bareClosed = new Promise<void>((resolve) => bare.once('close', () => resolve()));
  const rssMb: number[] = [];
  let load: Load | undefined;
  let last: Record<string, number> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const facts = JSON.parse(line) as Record<string, number> & { listening?: string; isDone?: boolean };
    if (facts.listening !== undefined) load = await startLoad(new V3Client(facts.listening, token));
    else {
      say(line);
      rssMb.push(facts.rssMb as number);
      if (facts.isDone) {
        last = facts;
        load?.stop();
        bare.kill('SIGTERM');
      }
    }
  }
  await closed;
  bare.kill('SIGTERM');
  await bareClosed;
  await device.switchOff();
  if (last === undefined || load === undefined) throw new Error('the program ended before its time');
  const { recordedMs = 0, lostShare = 1, p50Ms = 0, p99Ms = 0, maxMs = 0, taskId = 0, base = 0 } = last;
  return {
    recordedMs,
    lostShare,
    isSignalRight: await isSignalRight(data.path, taskId, base, sums),
    p50Ms,
    p99Ms,
    maxMs,
    bare: JSON.parse(bareText) as { p99Ms: number; maxMs: number },
    rssMb,
    requests: load.requests,
    refused: load.refused,
    refusals: load.refusals,
    analyses: load.analyses,
  };
}

/** The clinic thread may just be ending, where that is what is tried: then it is sent again. */
async function untilTaken<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
}

/** What was uploaded outlives the clinic thread: where only the task is refused, only that is asked for again. */
async function prepared(client: V3Client, zip: Uint8Array): Promise<{ uploadId: string; taskId: number }> {
  const uploadId = await untilTaken(() => client.upload(zip));
  const taskId = await untilTaken(async () => {
    const { status, json } = await client.createTask({ upload_id: uploadId });
    const [id] = (json.created_task_ids as number[] | undefined) ?? [];
    if (id === undefined) throw new Error(`no task was made: ${status} ${JSON.stringify(json)}`);
    return id;
  });
  return { uploadId, taskId };
}

async function startLoad(client: V3Client): Promise<Load> {
  const load = new Load(client);
  const files = ['100.hea', '100.dat'].map((name) => ({
    name,
    content: readFileSync(join(dataFolder, 'wfdb', name)),
  }));
  const { uploadId, taskId } = await prepared(client, makeZip(files));
  load.start(taskId);
  void load.runAnalyses(uploadId);
  return load;
}

/** Whole packets of the stored signal against what was measured. */
async function isSignalRight(
  dataDir: string,
  taskId: number,
  base: number,
  sums: MeasuredSums,
): Promise<boolean> {
  const recording = await storedRecording({ dataDir }, taskId);
  const k = sums.samplesPerPacket;
  const from = Math.ceil(base / k) * k;
  return recording.channels.every((channel, lead) => {
    const samples = readAllSamples(channel);
    const to = Math.floor((base + samples.length) / k) * k;
    let sum = 0;
    for (let sample = from; sample < to; sample++)
      sum += (samples[sample - base] as number) * (1 + ((sample % k) % 7));
    return sum === sums.between(lead, from, to);
  });
}
