// How long a stream has been quiet. Somebody may set the time of day while a device is away, so the program measures what it
// hears itself by a clock that only runs forward. What came before it started is known by the time of day alone, and that is
// believed only after another hour in which nothing comes.

import type { Clock } from '../ports.ts';

const LEAST_WATCHED_MS = 3_600_000;
/** Looks come once a minute. */
const FRESH_MS = 180_000;

interface Heard {
  /** When, by the time of day. */
  lastMs: number;
  /** Since when nothing else was heard, by the clock that only runs forward. */
  sinceMs: number;
  /** Something was heard while the program ran. */
  isHeardHere: boolean;
}

export class IdleWatch {
  readonly #clock: Clock;
  readonly #limitMs: () => number;
  readonly #heard = new Map<number, Heard>();

  constructor(clock: Clock, limitMs: () => number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** The clinic asks this once a minute. @param lastMs when the stream last sent something, by the time of day */
  isIdle(taskId: number, lastMs: number): boolean {
    const nowMs = this.#clock.monotonicMs();
    const heard = this.#heard.get(taskId);
    if (heard === undefined || heard.lastMs !== lastMs) {
      const isFresh = Math.abs(this.#clock.nowMs() - lastMs) < FRESH_MS;
      this.#heard.set(taskId, { lastMs, sinceMs: nowMs, isHeardHere: heard !== undefined || isFresh });
      return false;
    }
    const quietMs = nowMs - heard.sinceMs;
    if (quietMs >= this.#limitMs()) return true;
    const isOld = this.#clock.nowMs() - lastMs >= this.#limitMs();
    return isOld && !heard.isHeardHere && quietMs >= LEAST_WATCHED_MS;
  }

  /** Forgets all others. */
  keep(taskIds: readonly number[]): void {
    const kept = new Set(taskIds);
    for (const taskId of this.#heard.keys()) if (!kept.has(taskId)) this.#heard.delete(taskId);
  }
}
