// Runs the sender for one central service or archive: asks what is next, writes it down, sends it, writes down what came of it.
// What it does is decided by the machine of `clinic/outbox`; this is its hands.

import { setTimeout as wait } from 'node:timers/promises';
import { IsolineError, type Reason } from '../../shared/errors.ts';
import { type Call, isCreating, type Outcome } from '../clinic/outbox/call.ts';
import { ASK_PAUSE_MS, choose, LANES, type Lane, laneOf, PLACES } from '../clinic/outbox/choose.ts';
import { type Item, isOpen, type Load } from '../clinic/outbox/item.ts';
import type { Outbox } from '../clinic/outbox/outbox.ts';
import { planCall } from '../clinic/outbox/plan.ts';
import type { CentralReport } from '../clinic/outbox/records.ts';
import { isBehindCreation, isBehindLarge, nextWork, type Work } from '../clinic/outbox/sender.ts';
import type { Upstream } from '../clinic/outbox/upstream.ts';
import { isStorageError, STORAGE_REASONS } from '../ground/storage-fault.ts';
import { ChunkSize } from './chunk-size.ts';
import { ReadyItems } from './ready-items.ts';

/** A store that cannot be written to is tried again. */
const STORE_PAUSE_MS = 1000;
/**
 * What creates something is given so long to be answered when the program ends: its outcome would be a
 * question else.
 */
const CREATING_END_MS = 10_000;
/** The clock may be set meanwhile. */
const LONGEST_SLEEP_MS = 60_000;
const CLOCK_STEP_MS = 60_000;
/** What could not be made ready is tried again after so long; the items behind it go meanwhile. */
const PACK_PAUSE_MS = 60_000;
/** A worker that is lost over the same item each time is lost because of it. */
const MOST_CRASHES = 3;
/** Lanes that send something. */
const SENDING_LANES = LANES.filter((lane) => lane !== 'ask');
const NO_LOAD: Load = { sizeBytes: 0, frames: 0, isFinished: false };

const PASSING: readonly Reason[] = [...STORAGE_REASONS, 'analysis_crashed'];

/** What is sent of an item, made ready; what it holds open is closed with it. */
export interface PackedParcel extends AsyncDisposable {
  /** As it stands now: what is being recorded grows. */
  readonly load: Load;
  /** False where it has to be prepared again, because its patient was changed since. */
  isCurrent(): boolean;
}

/** Whoever takes what is sent. */
export interface Recipient<P> {
  /**
   * @param parcel what the call is about, for those that send something of it
   * @param signal gives the call up; what was sent by then has an outcome that nobody knows
   */
  perform(
    call: Exclude<Call, { kind: 'report' }>,
    parcel: P | undefined,
    signal?: AbortSignal,
  ): Promise<Outcome>;
  fetchReport(
    centralId: string,
    signal?: AbortSignal,
  ): Promise<{ readonly outcome: Outcome; readonly pdf?: Uint8Array | undefined }>;
}

export interface SenderWorld<P extends PackedParcel = PackedParcel> {
  readonly connectionId: number;
  readonly outbox: Pick<Outbox, 'intend' | 'settle' | 'settleAndIntend' | 'refuse' | 'onChange'>;
  /** As they are stored. */
  items(): readonly Item[];
  item(id: number): Item | undefined;
  upstream(): Upstream | undefined;
  /** Bytes of the recording behind an item. */
  sizeOf(id: number): number;
  readonly client: Recipient<P>;
  /** @throws IsolineError where there is nothing that could be sent */
  pack(item: Item, signal: AbortSignal): Promise<P>;
  keepReport(pdf: Uint8Array): Promise<CentralReport>;
  nowMs(): number;
  onClockSetBack(): void;
  log(event: string, facts: Readonly<Record<string, string | number | boolean>>): void;
}

interface UnderWay {
  call: Call;
  readonly ended: Promise<void>;
  readonly abort: AbortController;
}

export class SenderLoop<P extends PackedParcel = PackedParcel> implements AsyncDisposable {
  readonly #world: SenderWorld<P>;
  readonly #ready = new ReadyItems();
  readonly #parcels = new Map<number, P>();
  readonly #packing = new Map<number, Promise<void>>();
  /** Items that could not be made ready for a reason that passes: until when they stay away, and what crashed. */
  readonly #putOff = new Map<number, { readonly untilMs: number; readonly crashes: number }>();
  readonly #underWay = new Map<number, UnderWay>();
  readonly #turns: Record<Lane, number> = { upload: 0, stream: 0, delivery: 0, ask: 0 };
  /** Items that wait until another one has made its task, or another large one has been sent. */
  readonly #behind = new Set<number>();
  /** Items whose call has ended, and whose change the outbox is about to announce. */
  readonly #told = new Set<number>();
  #lastAskMs = Number.NEGATIVE_INFINITY;
  readonly #chunks = new ChunkSize();
  #lastMs = 0;
  readonly #ended = new AbortController();
  readonly #listening: Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(world: SenderWorld<P>) {
    this.#world = world;
    this.#listening = world.outbox.onChange((connectionId, itemId) => {
      if (connectionId !== world.connectionId) return;
      if (itemId === undefined) {
        this.#told.clear();
        for (const item of world.items()) this.#take(item);
      } else {
        this.#told.delete(itemId);
        // What is under way is looked at when it ends.
        if (this.#underWay.has(itemId)) return;
        this.#take(world.item(itemId));
      }
      this.wake();
    });
    for (const item of world.items()) this.#take(item);
    this.wake();
  }

  /** Something may be possible now that was not. */
  wake(): void {
    if (this.#ended.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#noticeClock();
    const upstream = this.#world.upstream();
    if (upstream === undefined) return;
    this.#begin(upstream);
    this.#sleep(upstream);
  }

  /** Set back, it would keep everything waiting for a time that has been already. */
  #noticeClock(): void {
    const nowMs = this.#world.nowMs();
    const isSetBack = nowMs < this.#lastMs - CLOCK_STEP_MS;
    this.#lastMs = nowMs;
    if (isSetBack) this.#world.onClockSetBack();
  }

  /** Bytes of the item that are there, of all; undefined where that is not known. */
  progressOf(id: number): { readonly done: number; readonly all: number } | undefined {
    const load = this.#parcels.get(id)?.load;
    const item = this.#world.item(id);
    if (load === undefined || item === undefined) return undefined;
    switch (item.way) {
      case 'upload':
        return { done: item.upload?.ackedBytes ?? 0, all: load.sizeBytes };
      case 'stream':
        return { done: item.stream.ackedFrames, all: load.frames };
      case 'delivery':
        return { done: item.sentObjects.length, all: load.objects?.count ?? 0 };
    }
  }

  /** Nothing is under way, and nothing could be begun now. */
  get isIdle(): boolean {
    if (this.#underWay.size > 0 || this.#packing.size > 0 || this.#told.size > 0) return false;
    const upstream = this.#world.upstream();
    const nowMs = this.#world.nowMs();
    if (upstream === undefined || upstream.stop !== undefined || upstream.notBeforeMs > nowMs) return true;
    return LANES.every((lane) => this.#ready.heads(lane, nowMs).length === 0);
  }

  #take(item: Item | undefined): void {
    if (item === undefined || this.#underWay.has(item.id)) return;
    const untilMs = this.#putOff.get(item.id)?.untilMs ?? 0;
    if (isOpen(item)) this.#ready.put(untilMs > item.notBeforeMs ? { ...item, notBeforeMs: untilMs } : item);
    else this.#leave(item.id);
    if (item.state === 'WAITING_REPORT') this.#unpack(item.id);
  }

  #leave(id: number): void {
    this.#ready.remove(id);
    this.#sizes.delete(id);
    this.#putOff.delete(id);
    this.#unpack(id);
  }

  #unpack(id: number): void {
    const parcel = this.#parcels.get(id);
    this.#parcels.delete(id);
    void parcel?.[Symbol.asyncDispose]();
  }

  #loadOf = (id: number): Load => this.#parcels.get(id)?.load ?? NO_LOAD;

  /** Sizes do not change, so each is looked up once. */
  readonly #sizes = new Map<number, number>();

  #sizeOf = (id: number): number => {
    const known = this.#sizes.get(id) ?? this.#world.sizeOf(id);
    this.#sizes.set(id, known);
    return known;
  };

  get #callsUnderWay(): ReadonlyMap<number, Call> {
    return new Map([...this.#underWay].map(([id, { call }]) => [id, call]));
  }

  /** Something is being sent, or prepared for it. */
  get #isSending(): boolean {
    if (this.#packing.size > 0) return true;
    for (const { call } of this.#underWay.values()) if (laneOf(call) !== 'ask') return true;
    return false;
  }

  #begin(upstream: Upstream): void {
    for (;;) {
      const nowMs = this.#world.nowMs();
      const sending = SENDING_LANES.flatMap((lane) => this.#candidates(lane, upstream, nowMs));
      const isAskDue = !this.#isSending || performance.now() - this.#lastAskMs >= ASK_PAUSE_MS;
      const queue = {
        items: isAskDue ? [...sending, ...this.#candidates('ask', upstream, nowMs)] : sending,
        loadOf: this.#loadOf,
        sizeOf: this.#sizeOf,
        underWay: this.#callsUnderWay,
        upstream,
        turns: this.#turns,
      };
      const work = nextWork(queue, { chunkBytes: this.#chunks.bytes }, nowMs);
      if (work === undefined) return;
      if (work.lane === 'ask') this.#lastAskMs = performance.now();
      this.#start(work);
    }
  }

  get #hasPlaceToAsk(): boolean {
    const asked = [...this.#underWay.values()].filter(({ call }) => laneOf(call) === 'ask');
    return asked.length < PLACES.ask;
  }

  #start(work: Work & { readonly lane: Lane }): void {
    const { id } = work.item;
    this.#turns[work.lane]++;
    this.#ready.remove(id);
    const abort = new AbortController();
    const ended = this.#perform(work, abort.signal)
      .catch((error: unknown) => this.#fail(id, error).then(() => false))
      .then(
        (isTold) => this.#finish(id, isTold),
        () => this.#finish(id, false),
      );
    this.#underWay.set(id, { call: work.call, ended, abort });
  }

  /** @param isTold what was written is told in a moment, and taken then */
  #finish(id: number, isTold: boolean): void {
    this.#underWay.delete(id);
    this.#takeBehind();
    if (isTold) {
      this.#told.add(id);
      return;
    }
    this.#take(this.#world.item(id));
    this.wake();
  }

  /** The one before them may have ended. */
  #takeBehind(): void {
    for (const id of [...this.#behind]) {
      this.#behind.delete(id);
      this.#take(this.#world.item(id));
    }
  }

  /**
   * The head of a lane has to be packed before it is known what its next call is; until it is, none goes
   * before it.
   */
  #candidates(lane: Lane, upstream: Upstream, nowMs: number): readonly Item[] {
    if (upstream.stop !== undefined || upstream.notBeforeMs > nowMs) return [];
    for (;;) {
      const heads = this.#ready.heads(lane, nowMs);
      const next = choose(heads, this.#turns[lane]);
      if (next === undefined || lane === 'ask') return heads;
      // Before it is made ready: a queue of days of recording would fill the disk with copies.
      if (isBehindLarge({ sizeOf: this.#sizeOf, underWay: this.#callsUnderWay }, next)) {
        this.#behind.add(next.id);
        this.#ready.remove(next.id);
        continue;
      }
      const parcel = this.#parcels.get(next.id);
      if (parcel?.isCurrent() === false) this.#unpack(next.id);
      if (parcel === undefined || !parcel.isCurrent()) {
        this.#pack(next);
        return [];
      }
      const call = planCall(next, parcel.load, { chunkBytes: this.#chunks.bytes }, nowMs);
      const isBehind =
        call !== undefined && isBehindCreation({ underWay: this.#callsUnderWay }, next.id, call);
      if (call !== undefined && !isBehind) return [next];
      if (isBehind) this.#behind.add(next.id);
      // A recording under way of which everything is there comes back with the next frame.
      this.#ready.remove(next.id);
    }
  }

  #pack(item: Item): void {
    if (this.#packing.has(item.id)) return;
    const packing = this.#world
      .pack(item, this.#ended.signal)
      .then((parcel) => {
        this.#parcels.set(item.id, parcel);
        this.#putOff.delete(item.id);
        const present = this.#world.item(item.id);
        if (present === undefined || !isOpen(present)) this.#unpack(item.id);
      })
      .catch((error: unknown) => this.#fail(item.id, error))
      .finally(() => {
        this.#packing.delete(item.id);
        this.wake();
      });
    this.#packing.set(item.id, packing);
  }

  /**
   * What is to be sent cannot be: it keeps nothing behind it back. A fault of our own is tried again, and
   * said.
   */
  async #fail(id: number, error: unknown): Promise<void> {
    if (this.#ended.signal.aborted) return;
    const reason = error instanceof IsolineError ? error.reason : 'internal';
    this.#world.log('sync.item_failed', { item: id, reason });
    if (PASSING.includes(reason) && this.#delay(id, reason)) return;
    const message = error instanceof IsolineError ? error.message : '';
    this.#ready.remove(id);
    const cause = reason === 'format_unsuitable' ? 'unsuitable' : 'damaged';
    await this.#persist(() => this.#world.outbox.refuse(id, cause, message));
  }

  /** Tries an item again later, and the others meanwhile. @returns false where that was done often enough */
  #delay(id: number, reason: Reason): boolean {
    const crashes = (this.#putOff.get(id)?.crashes ?? 0) + Number(reason === 'analysis_crashed');
    if (crashes >= MOST_CRASHES) return false;
    this.#putOff.set(id, { untilMs: this.#world.nowMs() + PACK_PAUSE_MS, crashes });
    this.#ready.remove(id);
    this.#take(this.#world.item(id));
    return true;
  }

  /** @returns whether its end was written, which the outbox tells everybody */
  async #perform({ item, call }: Work, signal: AbortSignal): Promise<boolean> {
    if (this.#isToBeWritten(item, call)) {
      const intended = await this.#persist(() =>
        this.#world.outbox.intend(item.id, call, () => this.#isCurrent(item.id)),
      );
      if (intended === undefined) return false;
    }
    const startMs = performance.now();
    const begunMs = this.#world.nowMs();
    const { outcome, report } = await this.#send(item.id, call, signal);
    if (call.kind === 'chunk') {
      // The upload goes on in smaller pieces.
      const isTooLarge = outcome.kind === 'refused' && outcome.isTooLarge === true;
      // Others that were under way may have been told the same already.
      if (isTooLarge && (call.lengthBytes > this.#chunks.bytes || this.#chunks.shrink())) return false;
      this.#chunks.note(performance.now() - startMs, outcome.kind === 'done');
    }
    // Given up because the program ends: it is carried on at the next start.
    if (signal.aborted && !isCreating(call)) return false;
    const next = this.#nextAtOnce(item.id, call, outcome);
    if (next === undefined) {
      await this.#persist(() => this.#world.outbox.settle(item.id, call, outcome, { report, begunMs }));
      return true;
    }
    // From here on no other task is made, and the end of the program waits for the answer.
    const underWay = this.#underWay.get(item.id);
    if (underWay !== undefined) underWay.call = next;
    const isCurrent = (): boolean => this.#isCurrent(item.id);
    const intended = await this.#persist(() =>
      this.#world.outbox.settleAndIntend(item.id, call, outcome, next, { begunMs, isCurrent }),
    );
    if (intended === undefined) return true;
    const createdMs = this.#world.nowMs();
    const { outcome: made } = await this.#send(item.id, next, signal);
    await this.#persist(() => this.#world.outbox.settle(item.id, next, made, { begunMs: createdMs }));
    return true;
  }

  /**
   * What creates something is written before it is sent; what only carries something on needs no writing, because it may be
   * sent again, and neither does an upload, because one that nobody uses expires there.
   */
  #isToBeWritten({ id }: Item, call: Call): boolean {
    // Each piece of a file comes behind its upload, whose answer is written.
    if (call.kind === 'createUpload' || call.kind === 'chunk') return false;
    return isCreating(call) || this.#world.item(id)?.state === 'READY';
  }

  /** Whose it is may have changed since it was made ready: then it is made ready once more. */
  #isCurrent(id: number): boolean {
    return this.#parcels.get(id)?.isCurrent() !== false;
  }

  /** The last piece of a file is followed by its task, and both are written in one commit, unless another task is being made. */
  #nextAtOnce(id: number, call: Call, { kind }: Outcome): Call | undefined {
    if (call.kind !== 'chunk' || (kind !== 'done' && kind !== 'unclear') || this.#ended.signal.aborted)
      return undefined;
    const { isFinished, sizeBytes } = this.#loadOf(id);
    const isLast = isFinished && call.offsetBytes + call.lengthBytes >= sizeBytes;
    const next: Call = { kind: 'createTask', uploadId: call.uploadId };
    const isBehind = isBehindCreation({ underWay: this.#callsUnderWay }, id, next);
    return isLast && !isBehind ? next : undefined;
  }

  async #send(
    id: number,
    call: Call,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: Outcome; readonly report?: CentralReport }> {
    const { client, keepReport } = this.#world;
    if (call.kind !== 'report') return { outcome: await client.perform(call, this.#parcels.get(id), signal) };
    const { outcome, pdf } = await client.fetchReport(call.centralId, signal);
    return pdf === undefined ? { outcome } : { outcome, report: await keepReport(pdf) };
  }

  /** What happened out there has to be written down, however long the disk takes. */
  async #persist<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isStorageError(error) || this.#ended.signal.aborted) throw error;
        this.#world.log('sync.store_waits', { reason: error.reason });
      }
      await wait(STORE_PAUSE_MS, undefined, { signal: this.#ended.signal }).catch(() => undefined);
    }
  }

  #sleep(upstream: Upstream): void {
    if (upstream.stop !== undefined) return;
    const nowMs = this.#world.nowMs();
    const isHeldUp = upstream.notBeforeMs > nowMs;
    const isAskPending = this.#isSending && this.#hasPlaceToAsk && this.#ready.heads('ask', nowMs).length > 0;
    const nextMs = isAskPending ? nowMs + ASK_PAUSE_MS : this.#ready.nextMs;
    if (nextMs === undefined && !isHeldUp) return;
    const wakeMs = isHeldUp ? upstream.notBeforeMs : (nextMs as number);
    this.#timer = setTimeout(
      () => this.wake(),
      Math.min(LONGEST_SLEEP_MS, Math.max(1, wakeMs - nowMs)),
    ).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#timer);
    this.#listening[Symbol.dispose]();
    const calls = [...this.#underWay.values()];
    for (const { call, abort } of calls) if (!isCreating(call)) abort.abort();
    const all = Promise.allSettled([...calls.map(({ ended }) => ended), ...this.#packing.values()]);
    const late = setTimeout(() => {
      for (const { abort } of calls) abort.abort();
    }, CREATING_END_MS);
    await all;
    clearTimeout(late);
    await Promise.allSettled([...this.#parcels.values()].map((parcel) => parcel[Symbol.asyncDispose]()));
  }
}
