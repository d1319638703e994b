// One history of a workstation that sends to a centre over a bad network, over real sockets and a real
// database, on a clock of the test's. The model that runs a hundred thousand of these in memory
// (test/main/clinic/outbox) is trusted as far as these agree with it.

import { setTimeout as wait } from 'node:timers/promises';
import type { Clinic } from '../../../../main/clinic/clinic.ts';
import { Connections } from '../../../../main/clinic/outbox/connections.ts';
import { causeOf, isGoing, knowableFromMs } from '../../../../main/clinic/outbox/item.ts';
import type { Outbox } from '../../../../main/clinic/outbox/outbox.ts';
import type { OutboxEntry } from '../../../../main/clinic/outbox/records.ts';
import type { Pool } from '../../../../main/clinic/ports.ts';
import { CentralClient } from '../../../../main/connections/central/central-client.ts';
import { type CentralParcel, Parcels } from '../../../../main/connections/central/parcels.ts';
import { SenderLoop } from '../../../../main/connections/sender-loop.ts';
import { STANDARD_LEADS } from '../../../../shared/signal/lead.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { type Fault, FaultProxy } from '../../../faults/fault-proxy.ts';
import { randomFrom } from '../../../faults/kill-harness.ts';
import { examinationsAt } from '../../../support/centre-truth.ts';
import { centralAt } from '../../../support/made-connections.ts';
import { makeFrame } from '../../../support/make-frames.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import type { RunningWorkstation } from '../../../support/running-workstation.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { variedEdf } from '../../../support/varied-edf.ts';

const SETTINGS: readonly (readonly [string, string])[] = [
  ['sync.when', 'recorded'],
  ['sync.way', 'stream'],
  ['sync.autoComplete', 'true'],
];
/**
 * From one recording that is done to the next: where all processors are busy the centre analyses a long one for
 * half a minute.
 */
const MOST_HEAL_MS = 120_000;
/** Three chunks, of 1, 2 and 1 MB, where the network is good. */
const LARGE_REPEATS = 16;
const FAULTS: readonly Fault[] = [
  { kind: 'cut' },
  { kind: 'cutBody' },
  { kind: 'loseAnswer' },
  { kind: 'cutAnswer' },
  { kind: 'twice' },
  { kind: 'delay', ms: 20 },
  { kind: 'slow', bytesPerSecond: 2_000_000 },
  { kind: 'answer', status: 429 },
  { kind: 'answer', status: 429, headers: { 'retry-after': '30' } },
  { kind: 'answer', status: 500 },
  { kind: 'answer', status: 503, isForwarded: true },
  { kind: 'answer', status: 200, body: '<html>sign in to the network</html>' },
];
const PLACES = [
  ['POST', '/uploads'],
  ['POST', '/chunks'],
  ['POST', '/tasks'],
  ['POST', '/streams/start'],
  ['POST', '/frames'],
  ['POST', '/finish'],
  ['GET', '/status'],
  ['GET', '/report'],
  ['GET', '/'],
] as const;

/** Files are read and packed as they are; the analysis here is not what is looked at. */
class HistoryPool extends ScriptedPool {
  readonly #real: Pool;
  constructor(real: Pool) {
    super();
    this.#real = real;
  }
  override describe: Pool['describe'] = (files) => this.#real.describe(files);
  override pack: Pool['pack'] = (...call) => this.#real.pack(...call);
}

/** What a program that has died does not write any more. */
function gated(
  outbox: Outbox,
  gate: { isDead: boolean },
): Pick<Outbox, 'intend' | 'settle' | 'settleAndIntend' | 'refuse' | 'onChange'> {
  const orNothing =
    <A extends unknown[], T>(write: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> =>
      gate.isDead ? Promise.reject(new Error('the program has died')) : write(...given);
  return {
    onChange: (listener) => outbox.onChange(listener),
    intend: orNothing((id, call, isCurrent) => outbox.intend(id, call, isCurrent)),
    settle: orNothing((id, call, outcome, brought) => outbox.settle(id, call, outcome, brought)),
    settleAndIntend: orNothing((id, call, outcome, next, brought) =>
      outbox.settleAndIntend(id, call, outcome, next, brought),
    ),
    refuse: orNothing((id, cause, message) => outbox.refuse(id, cause, message)),
  };
}

export interface HistoryFindings {
  readonly recordings: number;
  readonly restarts: number;
  readonly answers: number;
  readonly calls: number;
}

class History {
  readonly #open: TestClinic;
  readonly #proxy: FaultProxy;
  readonly #centre: RunningWorkstation;
  readonly #client: CentralClient;
  readonly #random: () => number;
  readonly #clock: { nowMs: number };
  /** How often somebody said that a mark is not there although a creation of it had been asked for. */
  readonly #consents = new Map<string, number>();
  #loop: SenderLoop<CentralParcel> | undefined;
  #gate = { isDead: false };
  readonly #dead: Promise<void>[] = [];
  recordings = 0;
  restarts = 0;
  answers = 0;

  constructor(
    open: TestClinic,
    proxy: FaultProxy,
    centre: RunningWorkstation,
    token: string,
    random: () => number,
    clock: { nowMs: number },
  ) {
    this.#open = open;
    this.#proxy = proxy;
    this.#centre = centre;
    this.#random = random;
    this.#clock = clock;
    this.#client = new CentralClient(
      { url: proxy.url, organizationThere: 'clinic', token },
      { clockMs: () => clock.nowMs },
    );
    this.#start();
  }

  get #clinic(): Clinic {
    return this.#open.clinic;
  }

  get #entries(): OutboxEntry[] {
    const { outbox } = this.#open.store;
    return Array.from({ length: this.recordings }, (_, i) => outbox.byId(i + 1)).filter(
      (entry) => entry !== undefined,
    );
  }

  #start(): void {
    const { store } = this.#open;
    const { context, outbox } = this.#clinic;
    const parcels = new Parcels(context, outbox);
    this.#gate = { isDead: false };
    this.#loop = new SenderLoop<CentralParcel>({
      connectionId: 1,
      outbox: gated(outbox, this.#gate),
      items: () => store.outbox.open(1),
      item: (id) => store.outbox.byId(id)?.item,
      upstream: () => store.connections.upstreamOf(1),
      sizeOf: (id) => store.outbox.sizeOf(id),
      client: this.#client,
      pack: (item, signal) => parcels.pack(store.outbox.byId(item.id) as OutboxEntry, signal),
      keepReport: async (pdf) => ({
        sha256: await context.files.put(pdf),
        sizeBytes: pdf.length,
        fetchedMs: this.#clock.nowMs,
      }),
      nowMs: () => this.#clock.nowMs,
      onClockSetBack: () => undefined,
      log: () => undefined,
    });
  }

  /** The power goes, and comes back. */
  async #restart(): Promise<void> {
    this.restarts++;
    this.#gate.isDead = true;
    this.#dead.push(this.#loop?.[Symbol.asyncDispose]() ?? Promise.resolve());
    await this.#clinic.outbox.resume();
    this.#start();
  }

  async #addFile(): Promise<void> {
    const { imports } = this.#clinic;
    const bytes = variedEdf(Math.floor(this.#random() * 2 ** 29), this.#random() < 0.2 ? LARGE_REPEATS : 1);
    const importId = await imports.open([{ name: 'a.edf', sizeBytes: bytes.length }], 'page');
    await imports.write(importId, 0, 0, bytes, 'page');
    await imports.finish(importId, false, { actor: 'test', session: 'page' });
    this.recordings++;
  }

  async #addStream(): Promise<void> {
    const { tasks, streams, organizationId } = this.#clinic;
    const [taskId = 0] = await tasks.create(
      organizationId,
      { fields: { patient: { lastName: 'Hoffmann' } }, isAutoComplete: false },
      'test',
    );
    await streams.start(
      organizationId,
      { taskId, parameters: { sampleRateHz: 500, leadCodes: STANDARD_LEADS } },
      'test',
    );
    const frames = 2 + Math.floor(this.#random() * 25);
    for (let n = 0; n < frames; n++)
      await streams.append(
        organizationId,
        taskId,
        n * 1e6,
        makeFrame({ from: n * 500, samples: 500 }),
        'test',
      );
    await streams.finish(organizationId, taskId, 'test');
    this.recordings++;
  }

  /** Time passes, and what is due then is begun; its answers take the time of this machine. */
  async #advance(byMs: number): Promise<void> {
    this.#clock.nowMs += byMs;
    this.#loop?.wake();
    await wait(3 + this.#random() * 25);
  }

  #disturb(): void {
    const [method, path] = PLACES[Math.floor(this.#random() * PLACES.length)] as (typeof PLACES)[number];
    const fault = FAULTS[Math.floor(this.#random() * FAULTS.length)] as Fault;
    this.#proxy.when(method, path, fault, 1 + Math.floor(this.#random() * 3));
  }

  /** Creations of a task with a recording that the sender asked for, by its mark. */
  #creations(marker: string): number {
    const isLimited = (fault: Fault | undefined): boolean => fault?.kind === 'answer' && fault.status === 429;
    return this.#proxy.arrived.filter(
      ({ path, text, fault }) =>
        path.endsWith('/tasks') &&
        text.includes('"upload_id":"') &&
        text.includes(marker) &&
        !isLimited(fault),
    ).length;
  }

  /** A person looks each of them up, or overlooks it; what nobody can know yet is asked later. */
  async #answer(isCareful: boolean): Promise<void> {
    const there = examinationsAt(this.#centre.dataDir);
    for (const { item, marker } of this.#entries) {
      if (item.state !== 'NEEDS_CHECK' && item.state !== 'REFUSED' && item.state !== 'STOPPED') continue;
      const task = there.find((each) => each.marker === marker);
      const isSeen =
        task !== undefined && item.state === 'NEEDS_CHECK' && (isCareful || this.#random() < 0.7);
      const answer = isSeen
        ? ({ kind: 'there', centralId: String(task.id) } as const)
        : ({ kind: 'again' } as const);
      if (answer.kind === 'again' && knowableFromMs(item, this.#clock.nowMs) !== undefined) continue;
      if (!(await this.#clinic.decisions.answer(item.id, answer, 'person:1')))
        throw new Error(`the answer fits no question: ${item.id} ${item.state}`);
      this.answers++;
      if (!isSeen) this.#consents.set(marker, (this.#consents.get(marker) ?? 0) + 1);
    }
  }

  async step(): Promise<void> {
    const chance = this.#random();
    if (chance < 0.18) return this.#addFile();
    if (chance < 0.28) return this.#addStream();
    if (chance < 0.5) return this.#disturb();
    if (chance < 0.58) return this.#restart();
    if (chance < 0.64) return this.#answer(false);
    if (chance < 0.68)
      return void this.#proxy.when('GET', '/', { kind: 'cut' }, 5).when('POST', '/', { kind: 'cut' }, 5);
    return this.#advance(Math.round(10 ** (2 + this.#random() * 4)));
  }

  /** The network is good, people answer: everything is there. */
  async heal(): Promise<void> {
    this.#proxy.clear();
    let mostDone = 0;
    for (let endMs = performance.now() + MOST_HEAL_MS; performance.now() < endMs; ) {
      await this.#advance(400_000);
      await this.#answer(true);
      const entries = this.#entries;
      const done = entries.filter(({ item }) => item.state === 'DONE').length;
      if (done > mostDone) {
        mostDone = done;
        endMs = performance.now() + MOST_HEAL_MS;
      }
      if (entries.length === this.recordings && done === entries.length) return;
      // The analysis there takes the time of this machine: who asks all the time keeps it from it.
      if (entries.some(({ item }) => item.state === 'WAITING_REPORT')) await wait(150);
    }
    const left = this.#entries.flatMap(({ item }) =>
      item.state === 'DONE'
        ? []
        : [
            {
              id: item.id,
              state: item.state,
              cause: causeOf(item),
              said: item.message,
              inMs: item.notBeforeMs - this.#clock.nowMs,
              vain: item.vain,
              ...(item.state === 'WAITING_REPORT' && { polls: item.polls }),
              ...(isGoing(item) && { intent: item.intent }),
            },
          ],
    );
    const { upstream } = this.#open.store.connections.byId(1) ?? {};
    const last = this.#proxy.arrived.slice(-4).map(({ method, path, fault }) => [method, path, fault?.kind]);
    const there = examinationsAt(this.#centre.dataDir).filter(({ state }) => state !== 'COMPLETED').length;
    throw new Error(
      `still on their way: ${JSON.stringify({ left, upstream, last, there, isIdle: this.#loop?.isIdle })}`,
    );
  }

  check(): void {
    const there = examinationsAt(this.#centre.dataDir);
    for (const { item, marker } of this.#entries) {
      const count = there.filter((task) => task.marker === marker).length;
      const consents = this.#consents.get(marker) ?? 0;
      if (count < 1) throw new Error(`item ${item.id} is done, and is not there`);
      if (count > 1 + consents)
        throw new Error(`item ${item.id} is there ${count} times, after ${consents} consents`);
      // A centre like ours makes one task of two equal creations: so what was asked for counts.
      const asked = this.#creations(marker);
      if (asked > 1 + consents)
        throw new Error(`item ${item.id} was created ${asked} times, after ${consents} consents`);
    }
  }

  get calls(): number {
    return this.#proxy.forwarded.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop?.[Symbol.asyncDispose]();
    await Promise.all(this.#dead);
    await this.#client[Symbol.asyncDispose]();
  }
}

export async function runHistory(
  centre: RunningWorkstation,
  token: string,
  real: Pool,
  seed: number,
): Promise<HistoryFindings> {
  const random = randomFrom(seed);
  await using folder = await tempFolder();
  await using proxy = await FaultProxy.before(centre.url);
  const clock = { nowMs: Date.now() };
  const open = await openTestClinic(folder.path, new HistoryPool(real), () => clock.nowMs, SETTINGS);
  try {
    const connections = new Connections(open.clinic.context);
    await connections.add(
      { to: centralAt(proxy.url), label: '', localPath: 'clinic', secret: token },
      'test',
    );
    await using history = new History(open, proxy, centre, token, random, clock);
    const steps = 6 + Math.floor(random() * 24);
    for (let i = 0; i < steps; i++) await history.step();
    await history.heal();
    history.check();
    return {
      recordings: history.recordings,
      restarts: history.restarts,
      answers: history.answers,
      calls: history.calls,
    };
  } finally {
    await open.close();
  }
}
