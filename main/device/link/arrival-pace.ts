// The pace at which samples of a device really arrive, whatever rate it declares: beside it, a pause shows.

/** Arrivals that are looked at before anything is told. */
const LEARNT_FROM = 8;
const WEIGHT = 0.1;
/** The share of earlier lateness that is kept from one arrival to the next. */
const KEPT = 0.97;
/** What is longer than so many times the usual is a pause, and says nothing of the pace. */
const MOST_OF_USUAL = 3;

export class ArrivalPace {
  #lastMs: number | undefined;
  #msPerSample = 0;
  #seen = 0;
  /** Recent lateness adds up: many short pauses are a loss, too. */
  #lateMs = 0;

  /** @returns how much later than at the usual pace these samples came, in milliseconds; 0 while that is not known */
  pauseBefore(samples: number, arrivalMs: number): number {
    const last = this.#lastMs;
    if (samples === 0) return last === undefined ? 0 : arrivalMs - last;
    this.#lastMs = arrivalMs;
    if (last === undefined) return 0;
    const passedMs = arrivalMs - last;
    const isKnown = this.#seen >= LEARNT_FROM;
    const pauseMs = isKnown ? passedMs - samples * this.#msPerSample : 0;
    const own = passedMs / samples;
    if (!isKnown || own <= MOST_OF_USUAL * this.#msPerSample) {
      this.#seen++;
      this.#msPerSample += Math.max(WEIGHT, 1 / this.#seen) * (own - this.#msPerSample);
    }
    this.#lateMs = Math.max(0, KEPT * this.#lateMs + pauseMs);
    return this.#lateMs;
  }

  forget(): void {
    this.#lastMs = undefined;
    this.#msPerSample = 0;
    this.#seen = 0;
    this.#lateMs = 0;
  }
}
