// How late samples come: by their place in time at the device's rate, against when they arrived.
// Milliseconds; only differences mean something.

const ENVELOPE_MS = 1000;
/**
 * How fast a device can run ahead of our clock, milliseconds a second: by its crystal; where its rate was
 * measured.
 */
const AHEAD = { crystal: 1, measured: 20 };

/** The least lateness of the last one to two seconds. */
export class LatenessEnvelope {
  #startMs = Number.NEGATIVE_INFINITY;
  #current = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;

  add(latenessMs: number, arrivalMs: number): void {
    if (arrivalMs - this.#startMs >= ENVELOPE_MS) {
      this.#before = this.#current;
      this.#current = Number.POSITIVE_INFINITY;
      this.#startMs = arrivalMs;
    }
    this.#current = Math.min(this.#current, latenessMs);
  }

  get leastMs(): number {
    return Math.min(this.#current, this.#before);
  }

  forget(): void {
    this.#startMs = Number.NEGATIVE_INFINITY;
    this.#current = Number.POSITIVE_INFINITY;
    this.#before = Number.POSITIVE_INFINITY;
  }
}

/**
 * Below this no sample can be: a device does not send what it has not measured. It follows the envelope,
 * downwards as slowly as clocks drift.
 */
export class LatenessFloor {
  readonly #aheadPerMs: number;
  #floor: { readonly ms: number; readonly atMs: number } | undefined;

  constructor(isRateMeasured: boolean) {
    this.#aheadPerMs = (isRateMeasured ? AHEAD.measured : AHEAD.crystal) / 1000;
  }

  follow(leastMs: number, arrivalMs: number): void {
    const floor = this.#floor;
    const ms =
      floor === undefined
        ? leastMs
        : Math.max(leastMs, floor.ms - this.#aheadPerMs * (arrivalMs - floor.atMs));
    this.#floor = { ms, atMs: arrivalMs };
  }

  /** Negative infinity as long as nothing is known. */
  get ms(): number {
    return this.#floor?.ms ?? Number.NEGATIVE_INFINITY;
  }

  forget(): void {
    this.#floor = undefined;
  }
}
