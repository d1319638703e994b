// Whether the sender of a body is too slow: it pauses for long, takes long over the whole, or sends next to nothing
// (D100). Time in which nobody asked for its bytes is not counted against it.

const PAUSE_MS = 30_000;
/** The average is judged from then on. */
const GRACE_MS = 10_000;
const MIN_BYTES_PER_SECOND = 1024;

/** One body under way; the caller looks at it now and then. */
export class BodyPace {
  readonly #limitMs: number;
  readonly #onTooSlow: () => void;
  readonly #nowMs: () => number;
  #waitedMs = 0;
  #askedMs: number | undefined;
  #bytes = 0;

  /** @param limitMs for the whole body, waited for @param nowMs tells the time */
  constructor(limitMs: number, onTooSlow: () => void, nowMs = (): number => performance.now()) {
    this.#limitMs = limitMs;
    this.#onTooSlow = onTooSlow;
    this.#nowMs = nowMs;
  }

  ask(): void {
    this.#askedMs = this.#nowMs();
  }

  received(bytes: number): void {
    if (this.#askedMs !== undefined) this.#waitedMs += this.#nowMs() - this.#askedMs;
    this.#askedMs = undefined;
    this.#bytes += bytes;
  }

  check(nowMs: number): void {
    if (this.#askedMs === undefined) return;
    const pauseMs = nowMs - this.#askedMs;
    const waitedMs = this.#waitedMs + pauseMs;
    const isSlow = waitedMs > GRACE_MS && this.#bytes < (MIN_BYTES_PER_SECOND * waitedMs) / 1000;
    if (pauseMs > PAUSE_MS || waitedMs > this.#limitMs || isSlow) this.#onTooSlow();
  }
}
