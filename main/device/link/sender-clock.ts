// The times that a sender writes beside its samples, on our clock: what the network held up is no pause in the signal,
// and what the sender left out is one, however fast the rest came.

/** Nothing was sent before it was recorded. */
const FUTURE_MS = 500;
/** A time that falls back further is none that goes with our seconds. */
const BEHIND_MS = 5000;

export class SenderClock {
  #offsetMs: number | undefined;
  #isBelieved = true;

  /** A new connection: its first samples come as they are recorded. */
  restart(): void {
    this.#offsetMs = undefined;
    this.#isBelieved = true;
  }

  /**
   * @param stampMs when the newest sample was recorded, by the sender's clock
   * @param arrivalMs when it came, by ours
   * @returns when it was recorded, by ours; `arrivalMs` where the sender's times can't be believed
   */
  toOurs(stampMs: number, arrivalMs: number): number {
    if (!this.#isBelieved) return arrivalMs;
    this.#offsetMs ??= arrivalMs - stampMs;
    const oursMs = this.#offsetMs + stampMs;
    const isPossible = oursMs <= arrivalMs + FUTURE_MS && oursMs >= arrivalMs - BEHIND_MS;
    if (isPossible) return oursMs;
    this.#isBelieved = false;
    return arrivalMs;
  }
}
