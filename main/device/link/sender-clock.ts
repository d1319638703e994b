// The times that a sender writes beside its samples, on our clock: what the network held up is no pause in the signal,
// and what the sender left out is one, however fast the rest came.

/** Nothing was sent before it was recorded. */
const FUTURE_MS = 500;
/** A network that holds more up has lost its connection long since: a clock was set. */
const BEHIND_MS = 60_000;
/** How much slower than ours a clock may be: 200 parts in a million. */
const DRIFT_MS_PER_MS = 2e-4;
/** The quickest way in so long shows how the clocks stand. */
const LOOK_MS = 60_000;

export class SenderClock {
  /** Ours less the sender's, by what came quickest. */
  #offsetMs: number | undefined;
  #look = { sinceMs: 0, leastMs: Number.POSITIVE_INFINITY };

  /** A new connection: its first samples come as they are recorded. */
  restart(): void {
    this.#offsetMs = undefined;
  }

  /**
   * @param stampMs when the newest sample was recorded, by the sender's clock
   * @param arrivalMs when it came, by ours
   * @returns when it was recorded, by ours; `arrivalMs` where the sender's clock was set since the last one
   */
  toOurs(stampMs: number, arrivalMs: number): number {
    const offsetMs = arrivalMs - stampMs;
    const known = this.#offsetMs;
    const lateMs = known === undefined ? 0 : offsetMs - known;
    if (known === undefined || lateMs < -FUTURE_MS || lateMs > BEHIND_MS) {
      this.#offsetMs = offsetMs;
      this.#look = { sinceMs: arrivalMs, leastMs: Number.POSITIVE_INFINITY };
      return arrivalMs;
    }
    this.#follow(known, offsetMs, arrivalMs);
    return (this.#offsetMs as number) + stampMs;
  }

  /** What comes more quickly than anything before shows how the clocks stand; a slow clock is followed at its pace, a jam is not. */
  #follow(known: number, offsetMs: number, arrivalMs: number): void {
    const look = this.#look;
    look.leastMs = Math.min(look.leastMs, offsetMs);
    this.#offsetMs = Math.min(known, offsetMs);
    const passedMs = arrivalMs - look.sinceMs;
    if (passedMs < LOOK_MS) return;
    this.#offsetMs += Math.max(0, Math.min(look.leastMs - known, DRIFT_MS_PER_MS * passedMs));
    this.#look = { sinceMs: arrivalMs, leastMs: Number.POSITIVE_INFINITY };
  }
}
