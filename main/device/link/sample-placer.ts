// Gives every sample of a device its number, counted from the first one, lost ones included. Counters tell
// losses but for whole turns; arrival times tell the turns, and everything where there is no counter (device
// protocols reference, 1.5).
//
// A pause in the arrivals can be a stall, after which everything comes at once, or a loss. Only what comes
// next can tell, so samples behind a suspicious pause are held until it is decided, a second at most; those
// of a device that is back, until it has sent what it kept.

import type { PacketFacts } from '../driver.ts';
import type { Break, PacketEvent, PacketOutput } from '../packets/packet-output.ts';
import { ArrivalPace } from './arrival-pace.ts';
import { LatenessEnvelope, LatenessFloor } from './lateness.ts';
import { ReturnWait } from './return-wait.ts';
import { TurnCheck } from './turn-check.ts';

export type GapKind =
  /** Counted by the device: exact. */
  | 'counter'
  /** Measured by the time that passed. */
  | 'time'
  /** By a counter that turns often, and by the time that passed. */
  | 'estimated'
  /** The device was away. */
  | 'disconnect'
  /** The device restarted. */
  | 'restart';

export interface SampleGap {
  /** [start, end) in samples. */
  readonly start: number;
  readonly end: number;
  readonly kind: GapKind;
}

/** Samples that follow one another. */
export interface SampleBatch {
  readonly firstSample: number;
  readonly count: number;
  readonly columns: readonly Int32Array[];
  /** When the newest of them arrived, by the monotonic clock; undefined for what is replayed. */
  readonly arrivalMs: number | undefined;
  /** The samples that were lost right before these. */
  readonly gap: SampleGap | undefined;
  readonly events: readonly (PacketEvent & { readonly sample: number })[];
}

/** A turn of the counter that is shorter than this cannot be told by arrivals. */
const SHORTEST_TURN_MS = 200;
const HOLD_MS = 1000;
/** Without a counter, what is shorter than this is no loss. */
const NO_COUNTER_MS = 60;
const NO_COUNTER_PACKETS = 3;
/** Devices whose rate wanders. */
const WANDERING_MS = 500;
/** Rejected bytes that a short pause goes with. */
const SHORT_PAUSE_MS = 50;
const FIRST_MS = 2000;
/** A device that counts on through a disconnection says the same length as our clock does, give or take. */
const COUNT_TOLERANCE = 0.05;
const COUNT_TOLERANCE_MS = 1500;

interface Piece {
  readonly columns: readonly Int32Array[];
  readonly count: number;
  readonly break: Break | undefined;
  readonly events: readonly PacketEvent[];
  readonly arrivalMs: number | undefined;
}

interface Held {
  readonly pieces: Piece[];
  readonly sinceMs: number;
  /** The least that all of it was too late. */
  leastMs: number;
}

export interface PlacerOptions {
  readonly rateHz: number;
  readonly packets: PacketFacts;
  /** The rate is known by measuring only, and wanders. */
  readonly isRateMeasured?: boolean;
}

export class SamplePlacer {
  readonly #rateHz: number;
  readonly #packets: PacketFacts;
  readonly #turn: number | undefined;
  /**
   * The counter turns faster than arrivals can tell: a pause means something only where something is missing.
   */
  readonly #isTurnShort: boolean;
  readonly #turnCheck: TurnCheck | undefined;
  readonly #suspicionMs: number | undefined;
  readonly #envelope = new LatenessEnvelope();
  readonly #floor: LatenessFloor;
  /** Lateness that a device would have by its place in time had it never been away: what a return is judged by, so that the errors of many
   *  returns do not add up. */
  #referenceMs: number | undefined;
  /** The samples since the device was there last: when they began, and their least lateness at first. */
  #stretch = { sinceMs: Number.NaN, firstLeastMs: Number.POSITIVE_INFINITY };
  #next = 0;
  #isEmpty = true;
  readonly #pace = new ArrivalPace();
  #held: Held | undefined;
  #returned: ReturnWait<Piece> | undefined;
  /** The device was away, and what comes next is the first behind that. */
  #isReturning = false;
  lostSamples = 0;
  samples = 0;

  constructor({ rateHz, packets, isRateMeasured = false }: PlacerOptions) {
    this.#rateHz = rateHz;
    this.#packets = packets;
    this.#floor = new LatenessFloor(isRateMeasured);
    const { counterModulo, samplesPerPacket, isCounterLong = false } = packets;
    this.#turn = counterModulo === undefined ? undefined : counterModulo * samplesPerPacket;
    const turnMs = this.#turn === undefined ? 0 : (1000 * this.#turn) / rateHz;
    const packetMs = (1000 * samplesPerPacket) / rateHz;
    this.#isTurnShort = this.#turn !== undefined && !isCounterLong && turnMs < SHORTEST_TURN_MS;
    this.#turnCheck = this.#isTurnShort ? new TurnCheck(turnMs) : undefined;
    if (isCounterLong) this.#suspicionMs = undefined;
    else if (this.#isTurnShort) this.#suspicionMs = SHORT_PAUSE_MS;
    else if (this.#turn !== undefined) this.#suspicionMs = turnMs / 2;
    else
      this.#suspicionMs = isRateMeasured
        ? WANDERING_MS
        : Math.max(NO_COUNTER_MS, NO_COUNTER_PACKETS * packetMs);
  }

  /** Number of the sample that would come next. */
  get next(): number {
    return this.#next;
  }

  /** The device was lost: what comes next lies behind a gap, whatever its counter says. */
  disconnected(): SampleBatch[] {
    const rest = [...this.#releaseReturned(), ...this.#release(0)];
    if (!this.#isReturning && Number.isFinite(this.#envelope.leastMs)) {
      // What changed since the device was back is drift of its clock; what changed by its return is our own
      // error.
      const driftMs = this.#envelope.leastMs - this.#stretch.firstLeastMs;
      this.#referenceMs =
        this.#referenceMs === undefined ? this.#envelope.leastMs : this.#referenceMs + driftMs;
      this.#stretch = { sinceMs: Number.NaN, firstLeastMs: Number.POSITIVE_INFINITY };
      this.#envelope.forget();
      this.#turnCheck?.forget();
      this.#floor.forget();
      this.#pace.forget();
    }
    this.#isReturning = !this.#isEmpty;
    return rest;
  }

  /**
   * Takes what a parser gave out and clears it.
   * @param arrivalMs of the bytes, by a monotonic clock; undefined where bytes are replayed and tell no time.
   */
  take(out: PacketOutput, arrivalMs: number | undefined): SampleBatch[] {
    const pieces = cutAtBreaks(out, arrivalMs);
    out.clear();
    if (arrivalMs === undefined) return pieces.map((piece) => this.#place(piece, 0));
    if (pieces.length === 0) return [...this.#settle(arrivalMs), ...this.#expire(arrivalMs)];
    const restart = pieces.findIndex((piece) => piece.break?.isRestart === true);
    if (restart >= 0 && !this.#isReturning && !this.#isEmpty) {
      const before = pieces.slice(0, restart).map((piece) => this.#place(piece, 0));
      return [...before, ...this.disconnected(), ...this.#takeReturned(pieces.slice(restart), arrivalMs)];
    }
    if (this.#isReturning) return this.#takeReturned(pieces, arrivalMs);
    return this.#takeFollowing(pieces, arrivalMs);
  }

  #takeFollowing(pieces: readonly Piece[], arrivalMs: number): SampleBatch[] {
    const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
    const lost = pieces.reduce((sum, piece) => sum + (piece.break?.lost ?? 0), 0);
    const heldCount =
      this.#held?.pieces.reduce((sum, piece) => sum + piece.count + (piece.break?.lost ?? 0), 0) ?? 0;
    const latenessMs = arrivalMs - (1000 * (this.#next + heldCount + count + lost)) / this.#rateHz;
    const excessMs = latenessMs - this.#envelope.leastMs;
    // What gets later little by little is a device that is slower than it says; what is lost leaves a pause.
    const pauseMs = this.#pace.pauseBefore(count, arrivalMs);
    if (this.#held !== undefined) return this.#holdOn(pieces, excessMs, arrivalMs);
    const mayBeSuspicious =
      !this.#isReturning && Number.isFinite(excessMs) && (!this.#isTurnShort || pieces.some(hasLoss));
    const isSuspicious =
      this.#suspicionMs !== undefined &&
      mayBeSuspicious &&
      excessMs > this.#suspicionMs &&
      pauseMs > this.#suspicionMs / 2;
    if (isSuspicious) {
      this.#held = { pieces: [...pieces], sinceMs: arrivalMs, leastMs: excessMs };
      return [];
    }
    const placed = pieces.map((piece) => this.#place(piece, 0));
    this.#noteLateness(arrivalMs);
    return placed;
  }

  /** Takes what a returning device sends. What it says before it sends samples is no reason to wait. */
  #takeReturned(pieces: readonly Piece[], arrivalMs: number): SampleBatch[] {
    const placed: SampleBatch[] = [];
    for (const piece of pieces) {
      const mustWait =
        this.#isReturning && piece.count > 0 && this.#referenceMs !== undefined && !this.#isCounted(piece);
      if (mustWait) this.#returned ??= new ReturnWait(arrivalMs);
      if (this.#returned === undefined) placed.push(this.#place(piece, 0));
      else this.#returned.add(piece, arrivalMs, (length) => this.#missingMs(arrivalMs, length));
    }
    if (placed.some(({ count }) => count > 0)) this.#noteLateness(arrivalMs);
    return [...placed, ...this.#settle(arrivalMs)];
  }

  #settle(arrivalMs: number): SampleBatch[] {
    if (this.#returned?.isOver(arrivalMs) !== true) return [];
    const placed = this.#releaseReturned();
    this.#noteLateness(arrivalMs);
    return placed;
  }

  #releaseReturned(): SampleBatch[] {
    const returned = this.#returned;
    const [first, ...rest] = returned?.pieces ?? [];
    this.#returned = undefined;
    if (returned === undefined || first === undefined) return [];
    const gap = this.#gapOfReturn(first, returned.leastMs);
    return [this.#placeBehind(gap, first), ...rest.map((piece) => this.#place(piece, 0))];
  }

  #noteLateness(arrivalMs: number): void {
    const latenessMs = arrivalMs - (1000 * this.#next) / this.#rateHz;
    this.#envelope.add(latenessMs, arrivalMs);
    this.#floor.follow(this.#envelope.leastMs, arrivalMs);
    this.#turnCheck?.add(latenessMs, arrivalMs);
    const stretch = this.#stretch;
    if (Number.isNaN(stretch.sinceMs)) stretch.sinceMs = arrivalMs;
    if (arrivalMs - stretch.sinceMs <= FIRST_MS)
      stretch.firstLeastMs = Math.min(stretch.firstLeastMs, latenessMs);
  }

  #holdOn(pieces: readonly Piece[], excessMs: number, arrivalMs: number): SampleBatch[] {
    const held = this.#held as Held;
    held.pieces.push(...pieces);
    held.leastMs = Math.min(held.leastMs, excessMs);
    if (excessMs > (this.#suspicionMs as number) / 2) return this.#expire(arrivalMs);
    // All of it came after all: a stall.
    return this.#release(0);
  }

  /** Decides about what is held when its time is up. */
  #expire(arrivalMs: number | undefined): SampleBatch[] {
    const held = this.#held;
    if (held === undefined || arrivalMs === undefined || arrivalMs - held.sinceMs < HOLD_MS) return [];
    const missing = (held.leastMs * this.#rateHz) / 1000;
    const lost =
      this.#turn === undefined ? Math.round(missing) : this.#turn * Math.round(missing / this.#turn);
    const placed = this.#release(lost);
    this.#noteLateness(arrivalMs);
    return placed;
  }

  #release(lost: number): SampleBatch[] {
    const pieces = this.#held?.pieces ?? [];
    this.#held = undefined;
    // A packet that waited for what follows it comes first, and belongs before the loss.
    const at = Math.max(0, pieces.findIndex(hasLoss));
    return pieces.map((piece, i) => this.#place(piece, i === at ? lost : 0));
  }

  /** @param lostByTime beyond what the counter says. */
  #place(piece: Piece, lostByTime: number): SampleBatch {
    // What a device says before it sends samples again is not yet behind the gap.
    if (piece.count === 0 && (this.#isReturning || this.#isEmpty)) return this.#batchOf(piece, undefined);
    if (piece.break?.isRestart === true) this.disconnected();
    return this.#placeBehind(this.#gapBefore(piece, lostByTime), piece);
  }

  #placeBehind(gap: SampleGap | undefined, piece: Piece): SampleBatch {
    if (gap !== undefined) {
      this.#next = gap.end;
      this.lostSamples += gap.end - gap.start;
    }
    this.#isEmpty = false;
    this.#isReturning = false;
    return this.#batchOf(piece, gap);
  }

  #batchOf(piece: Piece, gap: SampleGap | undefined): SampleBatch {
    const firstSample = this.#next;
    this.#next += piece.count;
    this.samples += piece.count;
    const events = piece.events.map((event) => ({ ...event, sample: firstSample + event.offset }));
    return {
      firstSample,
      count: piece.count,
      columns: piece.columns,
      arrivalMs: piece.arrivalMs,
      gap,
      events,
    };
  }

  #gapBefore(piece: Piece, lostByTime: number): SampleGap | undefined {
    if (this.#isEmpty) return undefined;
    if (this.#isReturning) return this.#gapOfReturn(piece, this.#missingMs(piece.arrivalMs, piece.count));
    const counted = piece.break?.lost ?? 0;
    const rejected = piece.break?.rejectedBytes ?? 0;
    // Bytes and time tell of the same loss: the greater one counts.
    if (this.#turnCheck !== undefined)
      return this.#estimatedGap(
        this.#turnCheck,
        Math.max(this.#withTurns(counted, rejected), counted + lostByTime),
      );
    const lost = counted + lostByTime;
    const missing = Math.max(lost, this.#turn === undefined ? this.#lostByBytes(piece, rejected) : 0);
    if (missing <= 0) return undefined;
    return {
      start: this.#next,
      end: this.#next + missing,
      kind: this.#turn === undefined || lostByTime > 0 ? 'time' : 'counter',
    };
  }

  #estimatedGap(check: TurnCheck, lost: number): SampleGap | undefined {
    if (lost <= 0) return undefined;
    const turn = this.#turn as number;
    const missing = lost + turn * check.atGap(-Math.floor(lost / turn));
    return missing <= 0 ? undefined : { start: this.#next, end: this.#next + missing, kind: 'estimated' };
  }

  /**
   * Bytes that belong to no packet stand for packets, but not for more than fit into the time that passed.
   */
  #lostByBytes({ arrivalMs, count }: Piece, rejectedBytes: number): number {
    const byBytes = this.#packetsIn(rejectedBytes) * this.#packets.samplesPerPacket;
    if (arrivalMs === undefined) return byBytes;
    const passedMs = arrivalMs - (1000 * (this.#next + count)) / this.#rateHz - this.#floor.ms;
    return Math.max(0, Math.min(byBytes, Math.round(((passedMs + NO_COUNTER_MS) * this.#rateHz) / 1000)));
  }

  #packetsIn(bytes: number): number {
    return Math.round(bytes / this.#packets.packetBytes);
  }

  /** Rule 3: bytes that were thrown away tell how often a short counter turned. */
  #withTurns(counted: number, rejectedBytes: number): number {
    const turn = this.#turn as number;
    const byBytes = this.#packetsIn(rejectedBytes) * this.#packets.samplesPerPacket;
    return counted + turn * Math.max(0, Math.round((byBytes - counted) / turn));
  }

  /**
   * Rule 8: by the clock, unless the device counted on all the while; none where what it kept fills the time.
   * @param missingMs what the clock says is missing before the samples that came since, nothing counted
   */
  #gapOfReturn(piece: Piece, missingMs: number): SampleGap | undefined {
    const isRestart = piece.break?.isRestart === true;
    const isUnknown = this.#referenceMs === undefined;
    const byClock =
      missingMs > NO_COUNTER_MS || isRestart || isUnknown ? Math.max(1, this.#samplesIn(missingMs)) : 0;
    const counted = piece.break?.lost ?? 0;
    // A counter that runs on is exact, also where it says that nothing is missing: a stall.
    const isCounted =
      this.#packets.isCounterLong === true && !isRestart && this.#isNear(counted, this.#samplesIn(missingMs));
    const missing = isCounted ? counted : byClock;
    if (missing === 0) return undefined;
    return {
      start: this.#next,
      end: this.#next + missing,
      kind: isCounted ? 'counter' : isRestart ? 'restart' : 'disconnect',
    };
  }

  /** The device's own counter tells the gap; there is nothing to wait for. */
  #isCounted(piece: Piece): boolean {
    const counted = piece.break?.lost ?? 0;
    const elapsed = this.#samplesIn(this.#missingMs(piece.arrivalMs, piece.count));
    return this.#packets.isCounterLong === true && counted > 0 && this.#isNear(counted, elapsed);
  }

  #isNear(counted: number, elapsed: number): boolean {
    return (
      Math.abs(counted - elapsed) <=
      Math.max(COUNT_TOLERANCE * elapsed, (COUNT_TOLERANCE_MS * this.#rateHz) / 1000)
    );
  }

  #samplesIn(ms: number): number {
    return Math.round((ms * this.#rateHz) / 1000);
  }

  /**
   * What the clock says is missing before so many samples: by the lateness of before, so that errors do not
   * add up.
   */
  #missingMs(arrivalMs: number | undefined, length: number): number {
    if (arrivalMs === undefined || this.#referenceMs === undefined) return 1000 / this.#rateHz;
    return arrivalMs - this.#referenceMs - (1000 * (this.#next + length)) / this.#rateHz;
  }
}

const hasLoss = ({ break: found }: Piece): boolean =>
  found !== undefined && found.lost + found.rejectedBytes > 0;

function cutAtBreaks(out: PacketOutput, arrivalMs: number | undefined): Piece[] {
  const cuts = [...out.breaks];
  if (cuts[0] === undefined || cuts[0].offset > 0) cuts.unshift({ offset: 0, lost: 0, rejectedBytes: -1 });
  const pieces: Piece[] = [];
  for (const [i, cut] of cuts.entries()) {
    const end = cuts[i + 1]?.offset ?? out.count;
    const isLast = i === cuts.length - 1;
    const events = out.events
      .filter(({ offset }) => offset >= cut.offset && (offset < end || isLast))
      .map((event) => ({ ...event, offset: event.offset - cut.offset }));
    // Two breaks at one place: what the first one lost counts for the next samples.
    if (end === cut.offset && !isLast) {
      const next = cuts[i + 1] as Break;
      cuts[i + 1] = {
        ...next,
        lost: next.lost + cut.lost,
        rejectedBytes: next.rejectedBytes + Math.max(0, cut.rejectedBytes),
      };
      continue;
    }
    if (end === cut.offset && events.length === 0) continue;
    pieces.push({
      columns: out.columns.map((column) => column.slice(cut.offset, end)),
      count: end - cut.offset,
      break: cut.rejectedBytes < 0 ? undefined : cut,
      events,
      arrivalMs,
    });
  }
  return pieces;
}
