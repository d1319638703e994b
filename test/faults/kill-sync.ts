// Kills a workstation at random moments while it sends to its centre, and looks at the end whether everything
// is there once: what was asked of the centre is counted on the way there, outside the process that dies.

import { setTimeout as wait } from 'node:timers/promises';
import { startWorkstation } from '../../main/host/workstation.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import {
  countComplete,
  examinationsAt,
  outboxOf,
  passCreationTime,
  receivingAt,
} from '../support/centre-truth.ts';
import { addCentre } from '../support/clinic-and-centre.ts';
import { makeFrame } from '../support/make-frames.ts';
import { eventually, FREE_OF_LIMITS, runWorkstation } from '../support/running-workstation.ts';
import { V3Client } from '../support/v3-client.ts';
import { variedEdf } from '../support/varied-edf.ts';
import { FaultProxy } from './fault-proxy.ts';
import { randomFrom } from './kill-harness.ts';
import { makeToken, serveFolder } from './served-folder.ts';

const MOST_RUN_MS = 2000;
const FILES_A_RUN = 5;
const LARGE_EVERY = 10;
const STREAM_EVERY = 4;
/** So often it is killed before anything may be there. */
const EARLY_EVERY = 4;
const SETTINGS = ['sync.when=recorded', 'sync.way=stream', 'sync.autoComplete=true'];

export interface KillSyncFindings {
  readonly kills: number;
  readonly recordings: number;
  /**
   * Where a kill fell between the creation of a task and the writing down of its answer: a person is asked.
   */
  readonly questions: number;
  /** Chunks that went a second time. */
  readonly chunksAgain: number;
  /** The most that one upload sent again behind one kill: the one that was under way. */
  readonly mostAgainOfUpload: number;
  /** The most that all uploads together sent again behind one kill. */
  readonly mostAgainOfKill: number;
  readonly faults: readonly string[];
}

/** What a script brings in while the workstation lives; a kill in the middle of it is the script's matter. */
async function feed(
  client: V3Client,
  run: number,
  random: () => number,
  onBrought: () => void,
): Promise<void> {
  const fields = { patient_last_name: `Patient ${run}`, patient_id: String(run) };
  try {
    for (let n = 0; n < FILES_A_RUN; n++) {
      const repeats = n === 0 && run % LARGE_EVERY === 0 ? 200 : 1;
      const upload_id = await client.upload(variedEdf(Math.floor(random() * 2 ** 29), repeats));
      await client.createTask({ upload_id, ...fields });
      onBrought();
    }
    if (run % STREAM_EVERY !== 0) return;
    const { json } = await client.createTask(fields);
    const [task_id] = json.created_task_ids as number[];
    const start = {
      task_id,
      processing_mode: 'PROCESS_ON_FINISH',
      frame_format: 'COMPRESSED_DELTA',
      sample_rate: 500,
    };
    await client.post('/v3/streams/start', { ...start, lead_codes: STANDARD_LEADS });
    for (let n = 0; n < 3; n++)
      await client.request(
        'POST',
        `/v3/streams/${task_id}/frames?timestamp=${n * 1e6}`,
        makeFrame({ from: n * 500, samples: 500 }),
      );
    await client.request('POST', `/v3/streams/${task_id}/finish`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

interface ChunkAgain {
  readonly upload: string;
  /** The life of the workstation in which it came again, from 0. */
  readonly life: number;
}

/** Chunks that reached the centre before. @param lives how many requests had reached the centre when each life began */
function chunksAgain(forwarded: FaultProxy['forwarded'], lives: readonly number[]): ChunkAgain[] {
  const known = new Set<string>();
  const again: ChunkAgain[] = [];
  for (const [i, { path }] of forwarded.entries()) {
    const [upload, chunk] = path.split('/chunks?');
    if (upload === undefined || chunk === undefined) continue;
    if (known.has(path)) again.push({ upload, life: lives.findLastIndex((start) => start <= i) });
    known.add(path);
  }
  return again;
}

const mostAlike = (again: readonly ChunkAgain[], nameOf: (one: ChunkAgain) => string): number =>
  Math.max(0, ...[...Map.groupBy(again, nameOf).values()].map(({ length }) => length));

/** Creations of a task with a recording, by its mark. */
function creations(forwarded: FaultProxy['forwarded']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path, text } of forwarded) {
    const marker =
      path.endsWith('/tasks') && text.includes('"upload_id":"')
        ? /isoline:[a-z2-7]{8}:[a-z2-7]{12}/.exec(text)?.[0]
        : undefined;
    if (marker !== undefined) counts.set(marker, (counts.get(marker) ?? 0) + 1);
  }
  return counts;
}

/** A script that comes back after a kill finishes what it had begun to send; what has no frame yet stays open. */
async function finishStreams(dataDir: string, client: V3Client): Promise<void> {
  for (const taskId of receivingAt(dataDir)) await client.request('POST', `/v3/streams/${taskId}/finish`);
}

/** A person looks each of them up. @returns how many there were */
async function answerAll(dataDir: string, centreDir: string, bridge: BridgeClient): Promise<number> {
  const asked = outboxOf(dataDir).filter(
    ({ item }) => item.state === 'NEEDS_CHECK' || item.state === 'REFUSED',
  );
  for (const { item, marker } of asked) {
    const there = examinationsAt(centreDir).find((task) => task.marker === marker);
    const answer =
      there === undefined
        ? { answer: 'again' as const }
        : { answer: 'there' as const, centralId: String(there.id) };
    await bridge.call('sync.answer', { itemId: item.id, ...answer });
  }
  return asked.length;
}

/** @param dataDir an empty folder */
export async function killWhileSending(
  dataDir: string,
  kills: number,
  seed: number,
): Promise<KillSyncFindings> {
  const random = randomFrom(seed);
  await using centre = await runWorkstation({ overrides: FREE_OF_LIMITS });
  await using proxy = await FaultProxy.before(centre.url);
  const token = makeToken(dataDir);
  await addCentre(dataDir, proxy.url, (await centre.makeToken()).text);
  const lives: number[] = [];
  for (let run = 0; run < kills; run++) {
    lives.push(proxy.forwarded.length);
    const served = await serveFolder(dataDir, { settings: SETTINGS });
    const first = Promise.withResolvers<void>();
    const fed = feed(served.client(token), run, random, first.resolve);
    // On a slow machine, too, something is there to be lost.
    if (run % EARLY_EVERY !== EARLY_EVERY - 1) await Promise.race([first.promise, fed]);
    await wait(random() * MOST_RUN_MS);
    await served.kill();
    await fed;
  }
  // A person is asked no earlier than the centre can have ended what was under way to it.
  await eventually(async () => (proxy.isQuiet ? true : undefined), 'the centre has answered', 180_000);
  passCreationTime(dataDir);
  lives.push(proxy.forwarded.length);
  await using clinic = await startWorkstation({
    dataDir,
    host: '127.0.0.1',
    port: 0,
    overrides: [...FREE_OF_LIMITS, ...SETTINGS.map((set) => set.split('=') as [string, string])],
  });
  await finishStreams(dataDir, new V3Client(clinic.serviceUrl, token));
  const bridge = new BridgeClient(clinic.connect());
  let questions = 0;
  const faults: string[] = [];
  await eventually(
    async () => {
      questions += await answerAll(dataDir, centre.dataDir, bridge);
      await bridge.call('sync.now', { connectionId: 1 });
      return outboxOf(dataDir).length >= countComplete(dataDir) &&
        outboxOf(dataDir).every(({ item }) => item.state === 'DONE' || item.state === 'WAITING_REPORT')
        ? true
        : undefined;
    },
    'everything is there',
    180_000,
  ).catch((error: Error) =>
    faults.push(
      `${error.message}: ${JSON.stringify(outboxOf(dataDir).map(({ item }) => [item.id, item.state, item.cause]))}`,
    ),
  );
  const there = examinationsAt(centre.dataDir);
  const entries = outboxOf(dataDir);
  for (const { marker, taskId } of entries) {
    const count = there.filter((task) => task.marker === marker).length;
    if (count !== 1) faults.push(`task ${taskId} is there ${count} times`);
  }
  for (const [marker, count] of creations(proxy.forwarded))
    if (count > 1) faults.push(`${marker} was created ${count} times`);
  const again = chunksAgain(proxy.forwarded, lives);
  return {
    kills,
    recordings: entries.length,
    questions,
    chunksAgain: again.length,
    mostAgainOfUpload: mostAlike(again, ({ upload, life }) => `${upload} ${life}`),
    mostAgainOfKill: mostAlike(again, ({ life }) => String(life)),
    faults,
  };
}
