// Whether a counter that turns faster than arrivals can tell was counted right: what was received and what
// was said to be missing must fit the time that passed (device protocols reference, 1.5, rule 3, its check
// over two seconds). What does not fit is put right at the next gap, so that no sample that was placed is
// moved.

const WINDOW_MS = 2000;
const TOLERANCE_MS = 20;
/** Two windows that differ by no more say the same; one alone may be a device that stalled. */
const SAME_MS = 8;
/** Followed from window to window: a clock that drifts. */
const DRIFT_MS = 1;

export class TurnCheck {
  readonly #turnMs: number;
  /** Least lateness while everything fitted. */
  #agreedMs: number | undefined;
  #window = { sinceMs: Number.NaN, leastMs: Number.POSITIVE_INFINITY };
  #beforeMs = Number.NaN;
  #hasGap = false;
  #owedTurns = 0;

  constructor(turnMs: number) {
    this.#turnMs = turnMs;
  }

  /** Adds the lateness of the newest sample, by the place that it was given. */
  add(latenessMs: number, arrivalMs: number): void {
    const window = this.#window;
    if (Number.isNaN(window.sinceMs)) window.sinceMs = arrivalMs;
    window.leastMs = Math.min(window.leastMs, latenessMs);
    if (arrivalMs - window.sinceMs < WINDOW_MS) return;
    this.#judge(window.leastMs);
    this.#window = { sinceMs: arrivalMs, leastMs: Number.POSITIVE_INFINITY };
  }

  #judge(leastMs: number): void {
    this.#agreedMs ??= leastMs;
    const offMs = leastMs - this.#agreedMs;
    if (Math.abs(offMs) <= TOLERANCE_MS) {
      this.#agreedMs += Math.max(-DRIFT_MS, Math.min(DRIFT_MS, offMs));
      this.#hasGap = false;
      this.#owedTurns = 0;
    } else if (this.#hasGap && Math.abs(leastMs - this.#beforeMs) <= SAME_MS)
      this.#owedTurns = Math.round(offMs / this.#turnMs);
    this.#beforeMs = leastMs;
  }

  /**
   * A gap is being placed.
   * @param fewest turns that can be taken off it, at most 0
   * @returns turns that belong to it besides: below 0 where too many were counted before.
   */
  atGap(fewest: number): number {
    const turns = Math.max(fewest, this.#owedTurns);
    this.#owedTurns -= turns;
    this.#hasGap = true;
    this.#window = { sinceMs: Number.NaN, leastMs: Number.POSITIVE_INFINITY };
    this.#beforeMs = Number.NaN;
    return turns;
  }

  /** The device was away: nothing of before counts. */
  forget(): void {
    this.#agreedMs = undefined;
    this.#hasGap = false;
    this.#owedTurns = 0;
    this.#window = { sinceMs: Number.NaN, leastMs: Number.POSITIVE_INFINITY };
  }
}
