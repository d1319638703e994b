// Up to which sample is drawn at a moment: a little behind what has arrived, evenly, so that pieces that come
// in bursts are not seen to (screens, 5.3). Where nothing comes the picture waits; where the device's clock
// runs differently it follows slowly.

/** The picture is at least this far behind the signal, and more where samples arrive unevenly. */
const LEAST_DELAY_MS = 50;
const MOST_DELAY_MS = 120;
const MARGIN_MS = 10;
/** The soonest arrivals of as many spans tell when samples are due. */
const SPANS = 8;
const SPAN_MS = 500;
/** Changes are spread so that nobody sees the speed change. */
const FASTEST_DRIFT = 0.01;
/** A pause, or a device that restarted: the picture takes up where the samples are. */
const JUMP_MS = 400;

export class PlayOut {
  readonly #rateHz: number;
  /** When sample 0 would have arrived, by the soonest of each span, newest last. */
  readonly #soonest: number[] = [];
  /** The same by what was newest just before something came: so long the picture has to go on without it. */
  readonly #latest: number[] = [];
  #end = Number.NaN;
  readonly #sorted = new Float64Array(SPANS + 1);
  #spanStartMs = Number.NEGATIVE_INFINITY;
  #zeroMs = Number.NaN;
  /** Where it goes, slowly. */
  #wantedMs = Number.NaN;
  #seenMs = 0;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
  }

  /** @param end number behind the newest sample that is there at `nowMs` */
  arrived(end: number, nowMs: number): void {
    const zeroMs = nowMs - (1000 * end) / this.#rateHz;
    // Behind a pause what was learned before it is worth nothing.
    if (nowMs - this.#spanStartMs > SPANS * SPAN_MS) this.#forget();
    const waitedMs = Number.isNaN(this.#end) ? zeroMs : nowMs - (1000 * this.#end) / this.#rateHz;
    this.#end = end;
    if (nowMs - this.#spanStartMs > SPAN_MS) {
      this.#spanStartMs = nowMs;
      this.#soonest.push(zeroMs);
      this.#latest.push(waitedMs);
      if (this.#soonest.length > SPANS) {
        this.#soonest.shift();
        this.#latest.shift();
      }
    } else {
      const last = this.#soonest.length - 1;
      this.#soonest[last] = Math.min(this.#soonest[last] as number, zeroMs);
      this.#latest[last] = Math.max(this.#latest[last] as number, waitedMs);
    }
    if (Number.isNaN(this.#zeroMs) || Math.abs(this.#target - this.#zeroMs) > JUMP_MS) {
      this.#forget();
      this.#soonest.push(zeroMs);
      this.#latest.push(zeroMs);
      this.#spanStartMs = nowMs;
      this.#zeroMs = this.#target;
    }
    this.#wantedMs = this.#target;
  }

  #forget(): void {
    this.#soonest.length = 0;
    this.#latest.length = 0;
    this.#zeroMs = Number.NaN;
    this.#end = Number.NaN;
  }

  get #target(): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#soonest.length; i++) soonest = Math.min(soonest, this.#soonest[i] as number);
    return (
      soonest + Math.min(MOST_DELAY_MS, Math.max(LEAST_DELAY_MS, this.#usuallyLatest - soonest + MARGIN_MS))
    );
  }

  /**
   * The delay that half of the spans keep to: a hiccup now and then is no reason to be later all the time, a device
   * that sends in bursts is.
   */
  get #usuallyLatest(): number {
    const count = this.#latest.length;
    for (let i = 0; i < count; i++) this.#sorted[i] = this.#latest[i] as number;
    return this.#sorted.subarray(0, count).sort()[count >> 1] as number;
  }

  /** The place up to which is drawn now; it need not be whole. */
  head(nowMs: number): number {
    if (Number.isNaN(this.#zeroMs)) return Number.NEGATIVE_INFINITY;
    const step = FASTEST_DRIFT * Math.max(0, nowMs - this.#seenMs);
    this.#seenMs = nowMs;
    const off = this.#wantedMs - this.#zeroMs;
    this.#zeroMs += Math.max(-step, Math.min(step, off));
    return ((nowMs - this.#zeroMs) * this.#rateHz) / 1000;
  }
}
