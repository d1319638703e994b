// A workstation that sends to a centre over a bad network, in virtual time. The sender is the real one; disk,
// network, clock and the person who answers are of the test. What must always hold is checked at every step
// (reference, 7.1).

import { type Call, isCreating, type Outcome } from '../../../../main/clinic/outbox/call.ts';
import { LARGE_BYTES, type Lane, OLDEST_EVERY } from '../../../../main/clinic/outbox/choose.ts';
import {
  causeOf,
  type Item,
  isAside,
  isGoing,
  isOpen,
  type Load,
  mayFollow,
  type Way,
} from '../../../../main/clinic/outbox/item.ts';
import { newItem } from '../../../../main/clinic/outbox/item-states.ts';
import { afterAnswer, inRestoredCopy, nextWork, type Queue } from '../../../../main/clinic/outbox/sender.ts';
import { afterRestart, answered, type SettleContext } from '../../../../main/clinic/outbox/settle.ts';
import { NEW_UPSTREAM, type Upstream } from '../../../../main/clinic/outbox/upstream.ts';
import { seededRandom } from '../../../../main/signal/synthetic/random.ts';
import { CentreModel } from './centre-model.ts';

/** More than four pieces are a large file. */
const CHUNK_BYTES = 1 << 20;
const MOST_CALLS = 20_000;

/** What the network does, each as a share of the calls. */
export interface Weather {
  /** Nothing of the request is sent. */
  readonly down: number;
  /** It is cut before the centre has it. */
  readonly cut: number;
  /** The centre has it, and its answer is lost. */
  readonly lost: number;
  /** 5xx, before or after it was done. */
  readonly server: number;
  readonly limited: number;
  /** It is delivered twice. */
  readonly twice: number;
  /** The sender gives up waiting, and it arrives after that. */
  readonly late: number;
  /** The answer cannot be read. */
  readonly unclear: number;
}
export const GOOD: Weather = {
  down: 0,
  cut: 0,
  lost: 0,
  server: 0,
  limited: 0,
  twice: 0,
  late: 0,
  unclear: 0,
};

interface UnderWay {
  readonly item: Item;
  readonly call: Call;
  readonly endsMs: number;
}

interface Recording {
  readonly load: { sizeBytes: number; frames: number; isFinished: boolean };
  /** How often a person said that it may be sent (again). */
  consents: number;
}

/** The sender's functions, for mutants of them. */
export interface Machine {
  readonly nextWork: typeof nextWork;
  readonly afterAnswer: typeof afterAnswer;
  readonly afterRestart: typeof afterRestart;
  readonly inRestoredCopy: typeof inRestoredCopy;
}
const REAL: Machine = { nextWork, afterAnswer, afterRestart, inRestoredCopy };

export class Simulation {
  readonly centre: CentreModel;
  readonly #machine: Machine;
  readonly #random: () => number;
  /** What is on the disk: all of it survives. */
  readonly items = new Map<number, Item>();
  readonly recordings = new Map<number, Recording>();
  upstream: Upstream = NEW_UPSTREAM;
  weather: Weather = GOOD;
  isTokenGood = true;
  /** A recording on which the centre fails, and on no other. */
  poisoned: number | undefined;
  nowMs = 1_000_000;
  #underWay = new Map<number, UnderWay>();
  readonly #turns = { upload: 0, stream: 0, delivery: 0, ask: 0 };
  #late: { readonly owner: number; readonly call: Call; readonly atMs: number }[] = [];
  calls = 0;
  crashes = 0;
  restores = 0;
  answers = 0;

  constructor(seed: number, machine: Machine = REAL) {
    this.#machine = machine;
    this.#random = seededRandom(seed);
    this.centre = new CentreModel(this.#random() * 120_000, 60_000 + this.#random() * 3_600_000);
  }

  get #context(): SettleContext {
    return { nowMs: this.nowMs, random: this.#random, isIdempotent: false };
  }

  /** Every step is one of the table. */
  #keep(item: Item): void {
    const before = this.items.get(item.id)?.state ?? item.state;
    if (!mayFollow(before, item.state)) throw new Error(`${item.state} follows ${before}`);
    this.items.set(item.id, item);
  }

  add(way: Way, isCritical: boolean, pieces: number): void {
    const id = this.recordings.size + 1;
    this.items.set(id, newItem(id, way, isCritical, this.nowMs, this.upstream.passed));
    const isLive = way === 'stream' && pieces % 2 === 1;
    this.recordings.set(id, {
      load: { sizeBytes: pieces * CHUNK_BYTES - 300, frames: pieces, isFinished: !isLive },
      consents: 0,
    });
  }

  /** More frames of what is being recorded; at last it ends. */
  record(frames: number): void {
    for (const { load } of this.recordings.values()) {
      if (load.isFinished) continue;
      load.frames += frames;
      load.isFinished = frames === 0;
    }
  }

  #sizeOf = (id: number): number => this.#loadOf(id).sizeBytes;
  #loadOf = (id: number): Load => (this.recordings.get(id) as Recording).load;

  advance(byMs: number): void {
    for (const endMs = this.nowMs + byMs; this.nowMs < endMs; ) {
      this.#begin();
      const next = this.#nextEventMs();
      this.nowMs = Math.min(endMs, next);
      for (const work of [...this.#underWay.values()]) if (work.endsMs <= this.nowMs) this.#end(work);
      this.#arriveLate();
    }
  }

  #nextEventMs(): number {
    let next = Number.POSITIVE_INFINITY;
    const later = (ms: number): void => {
      if (ms > this.nowMs) next = Math.min(next, ms);
    };
    for (const { endsMs } of this.#underWay.values()) later(endsMs);
    for (const item of this.items.values()) if (isOpen(item)) later(item.notBeforeMs);
    later(this.upstream.notBeforeMs);
    for (const { atMs } of this.#late) later(atMs);
    return next;
  }

  #queue(): Queue {
    return {
      items: this.items.values(),
      loadOf: this.#loadOf,
      sizeOf: this.#sizeOf,
      underWay: new Map([...this.#underWay].map(([id, { call }]) => [id, call])),
      upstream: this.upstream,
      turns: this.#turns,
    };
  }

  #begin(): void {
    for (;;) {
      const queue = this.#queue();
      const work = this.#machine.nextWork(queue, { chunkBytes: CHUNK_BYTES }, this.nowMs);
      if (work === undefined) return;
      const { item, call, lane } = work;
      this.#checkOrder(item, lane);
      if (isCreating(call) && !(isGoing(item) && item.intent === call.kind))
        throw new Error(`${call.kind} was not written down before it was sent`);
      if (++this.calls > MOST_CALLS) throw new Error('it does not come to an end');
      this.#turns[lane]++;
      this.#keep(item);
      const lastsMs = 20 + this.#random() * (this.#random() < 0.05 ? 60_000 : 2000);
      this.#underWay.set(item.id, { item, call, endsMs: this.nowMs + lastsMs });
    }
  }

  /**
   * Critical ones first, then the oldest; at every fifth turn the oldest. Judged by the simulation's own
   * eyes.
   */
  #checkOrder(chosen: Item, lane: Lane): void {
    const isAsking = (item: Item): boolean => item.state === 'WAITING_REPORT';
    const ready = [...this.items.values()].filter(
      (item) =>
        isOpen(item) &&
        item.notBeforeMs <= this.nowMs &&
        !this.#underWay.has(item.id) &&
        isAsking(item) === (lane === 'ask') &&
        (lane === 'ask' || item.way === lane) &&
        (lane !== 'stream' || this.#hasStreamWork(item)) &&
        !this.#isBehindLarge(item) &&
        !this.#isBehindCreation(item),
    );
    const isOldest = this.#turns[lane] % OLDEST_EVERY === OLDEST_EVERY - 1;
    const first = ready.sort(
      (a, b) =>
        (isOldest ? 0 : Number(b.isCritical) - Number(a.isCritical)) ||
        a.createdMs - b.createdMs ||
        a.id - b.id,
    )[0];
    if (first?.id !== chosen.id)
      throw new Error(`item ${chosen.id} went before ${first?.id} in the lane ${lane}`);
  }

  /** One task is made at a time. */
  #isBehindCreation(item: Item): boolean {
    if (item.way !== 'upload' || !isGoing(item) || item.upload === undefined) return false;
    const isDue =
      item.doubt === 'createTask' ||
      (item.upload.ackedBytes >= this.#sizeOf(item.id) && this.nowMs - item.upload.createdMs < 86_400_000);
    return isDue && [...this.#underWay.values()].some(({ call }) => call.kind === 'createTask');
  }

  /** One large file at a time. */
  #isBehindLarge({ id, way }: Item): boolean {
    const isLarge = (each: number): boolean => this.#sizeOf(each) > LARGE_BYTES;
    if (way !== 'upload' || !isLarge(id)) return false;
    return [...this.#underWay.values()].some(
      ({ item, call }) =>
        item.id !== id &&
        item.way === 'upload' &&
        call.kind !== 'status' &&
        call.kind !== 'report' &&
        isLarge(item.id),
    );
  }

  #hasStreamWork(item: Item): boolean {
    if (!isGoing(item) || item.way !== 'stream') return true;
    const { centralId, stream, doubt } = item;
    const { frames, isFinished } = this.#loadOf(item.id);
    return (
      centralId === undefined ||
      doubt !== undefined ||
      !stream.isStarted ||
      stream.ackedFrames < frames ||
      isFinished
    );
  }

  #end({ item, call }: UnderWay): void {
    this.#underWay.delete(item.id);
    const outcome = this.#travel(item.id, call);
    // A person may have stopped it meanwhile.
    const present = this.items.get(item.id) as Item;
    const after = this.#machine.afterAnswer({ item: present, call }, outcome, this.upstream, this.#context);
    this.#keep(after.item);
    this.upstream = after.upstream;
    this.check();
  }

  /** What becomes of a request on its way. */
  #travel(owner: number, call: Call): Outcome {
    const { down, cut, lost, server, limited, twice, late, unclear } = this.weather;
    const chance = this.#random();
    let bound = 0;
    const falls = (share: number): boolean => {
      bound += share;
      return chance < bound;
    };
    if (falls(down)) return { kind: 'notDone' };
    if (!this.isTokenGood) return { kind: 'tokenRefused' };
    if (this.poisoned === owner && call.kind !== 'status') return { kind: 'unknown', isServer: true };
    if (falls(cut)) return { kind: 'unknown', isServer: false };
    if (falls(limited))
      return { kind: 'limited', waitMs: this.#random() < 0.5 ? undefined : this.#random() * 60_000 };
    if (falls(server)) {
      if (this.#random() < 0.5) this.#arrive(owner, call);
      return { kind: 'unknown', isServer: true };
    }
    if (falls(late)) {
      this.#late.push({ owner, call, atMs: this.nowMs + this.#random() * 60_000 });
      return { kind: 'unknown', isServer: false };
    }
    if (falls(twice)) return this.#arriveTwice(owner, call);
    const answer = this.#arrive(owner, call);
    if (falls(lost)) return { kind: 'unknown', isServer: false };
    if (falls(unclear) && answer.kind === 'done') return { kind: 'unclear' };
    return answer;
  }

  #arriveLate(): void {
    const due = this.#late.filter(({ atMs }) => atMs <= this.nowMs);
    if (due.length === 0) return;
    this.#late = this.#late.filter(({ atMs }) => atMs > this.nowMs);
    for (const { owner, call } of due) this.#arrive(owner, call);
  }

  #arrive(owner: number, call: Call): Outcome {
    const { sizeBytes, frames } = this.#loadOf(owner);
    if (call.kind === 'frame' && call.index >= frames)
      throw new Error('a frame was sent that is not recorded');
    if (call.kind === 'finish' && !this.#loadOf(owner).isFinished)
      throw new Error('finished before the recording was');
    if (call.kind === 'chunk' && call.offsetBytes + call.lengthBytes > sizeBytes)
      throw new Error('more was sent than there is');
    return this.centre.take(owner, call, this.#loadOf(owner), this.nowMs);
  }

  #arriveTwice(owner: number, call: Call): Outcome {
    const before = this.centre.tasks.size;
    const first = this.#arrive(owner, call);
    const second = this.#arrive(owner, call);
    const made = this.centre.tasks.size - before;
    if (made > 1) this.centre.doubled.set(owner, (this.centre.doubled.get(owner) ?? 0) + made - 1);
    return this.#random() < 0.5 ? first : second;
  }

  /** The power goes: what was under way may have arrived, and nobody hears of it. */
  crash(): void {
    this.crashes++;
    for (const { item, call } of this.#underWay.values())
      if (this.#random() < 0.5) this.#travel(item.id, call);
    this.#underWay.clear();
    for (const item of this.items.values()) this.#keep(this.#machine.afterRestart(item, this.#context));
    this.upstream = { ...this.upstream, failuresInRow: 0, notBeforeMs: 0 };
    this.check();
  }

  /** The data folder is put back to what it was; the centre is not. */
  restore(copy: ReadonlyMap<number, Item>): void {
    this.restores++;
    this.#underWay.clear();
    const calls = this.calls;
    // What was recorded since is not in the copy.
    this.items.clear();
    for (const item of this.#machine.inRestoredCopy(copy.values())) this.items.set(item.id, item);
    this.upstream = { ...NEW_UPSTREAM, stop: 'restoredCopy' };
    this.advance(3_600_000);
    if (this.calls !== calls) throw new Error('a restored copy sent something by itself');
    this.upstream = NEW_UPSTREAM;
    this.advance(3_600_000);
    for (const item of copy.values())
      if (isOpen(item) && isOpen(this.items.get(item.id) as Item))
        throw new Error('a restored copy sent something by itself');
  }

  /** A person looks at the centre and answers; now and then it overlooks what is there. */
  answer(isCareful: boolean): void {
    for (const item of this.items.values()) {
      if (this.#underWay.has(item.id) || !isAside(item)) continue;
      const there = [...this.centre.tasks].find(([, task]) => task.owner === item.id)?.[0];
      const isSeen =
        there !== undefined && item.state === 'NEEDS_CHECK' && (isCareful || this.#random() < 0.7);
      const after = answered(
        item,
        isSeen ? { kind: 'there', centralId: there } : { kind: 'again' },
        this.#context,
      );
      if (after === undefined) throw new Error('the answer fits no question');
      this.#keep(after);
      this.answers++;
      // Only where there is one already is it a consent to another.
      const isComing = this.#late.some(({ owner }) => owner === item.id);
      if (!isSeen && (there !== undefined || isComing))
        (this.recordings.get(item.id) as Recording).consents++;
    }
  }

  /** Somebody wants that nothing of it is sent any more. */
  stop(id: number): void {
    const item = this.items.get(id);
    const after = item === undefined ? undefined : answered(item, { kind: 'stop' }, this.#context);
    if (after !== undefined) this.#keep(after);
  }

  /** What must hold at every moment. */
  check(): void {
    for (const item of this.items.values()) {
      const { consents, load } = this.recordings.get(item.id) as Recording;
      const made = this.centre.examinations(item.id);
      if (made > 1 + consents)
        throw new Error(`item ${item.id} was examined ${made} times, ${consents} of them asked for`);
      if (item.state === 'DONE' && made === 0) throw new Error(`item ${item.id} is done, and is not there`);
      if (isAside(item) && item.cause === undefined)
        throw new Error(`item ${item.id} waits without a reason`);
      if (item.way === 'upload' && (item.upload?.ackedBytes ?? 0) > load.sizeBytes)
        throw new Error('more is acknowledged than there is');
    }
    for (const { owner, frames } of this.centre.tasks.values())
      if (frames !== undefined && frames !== this.#loadOf(owner).frames)
        throw new Error(`item ${owner} arrived with ${frames} frames`);
  }

  /** The network is good again, and people answer: everything arrives. */
  heal(): void {
    this.weather = GOOD;
    this.poisoned = undefined;
    this.isTokenGood = true;
    if (this.upstream.stop === 'token') this.upstream = { ...this.upstream, stop: undefined };
    this.record(0);
    for (let hours = 0; hours < 24 * 4; hours++) {
      this.advance(3_600_000);
      this.answer(true);
      if ([...this.items.values()].every(({ state }) => state === 'DONE')) return;
    }
    const left = [...this.items.values()]
      .filter(({ state }) => state !== 'DONE')
      .map((item) => [item.id, item.way, item.state, causeOf(item)]);
    throw new Error(`still on their way after four good days: ${JSON.stringify(left)}`);
  }
}
