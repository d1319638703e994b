// The clocks of this computer: one that is right and may be set, one that only runs forward and stands still
// while the computer sleeps, and the system's own time since start, which counts sleep. A clock that was set
// and a computer that slept are told apart by them (device protocols reference, 1.3; durability reference,
// 3.5).

import { uptime } from 'node:os';

/** What is smaller may be the resolution of the system's own time. */
const STEP_MS = 2000;
const LOOK_EVERY_MS = 1000;

export interface ClockStep {
  readonly kind: 'slept' | 'clockSet';
  /** How long it slept; by how much the clock was set. */
  readonly byMs: number;
}

interface Readings {
  readonly wallMs: () => number;
  readonly monotonicMs: () => number;
  readonly sinceStartMs: () => number;
}

const OWN: Readings = {
  wallMs: Date.now,
  monotonicMs: () => performance.now(),
  sinceStartMs: () => 1000 * uptime(),
};

export class HostClock {
  readonly #read: Readings;
  readonly #listeners = new Set<(step: ClockStep) => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #last: { wallMs: number; monotonicMs: number; sinceStartMs: number };
  #sleptMs = 0;

  constructor(read: Readings = OWN) {
    this.#read = read;
    this.#last = {
      wallMs: read.wallMs(),
      monotonicMs: read.monotonicMs(),
      sinceStartMs: read.sinceStartMs(),
    };
  }

  /** From here on steps are noticed. */
  start(): this {
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    return this;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  onStep(listener: (step: ClockStep) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Compares the three clocks with the last time. */
  look(): void {
    const now = {
      wallMs: this.#read.wallMs(),
      monotonicMs: this.#read.monotonicMs(),
      sinceStartMs: this.#read.sinceStartMs(),
    };
    const sleptMs = now.sinceStartMs - this.#last.sinceStartMs - (now.monotonicMs - this.#last.monotonicMs);
    const elapsedMs = now.monotonicMs - this.#last.monotonicMs + Math.max(0, sleptMs > STEP_MS ? sleptMs : 0);
    const setByMs = now.wallMs - this.#last.wallMs - elapsedMs;
    this.#last = now;
    if (sleptMs > STEP_MS) {
      this.#sleptMs += sleptMs;
      this.#tell({ kind: 'slept', byMs: sleptMs });
    }
    if (Math.abs(setByMs) > STEP_MS) this.#tell({ kind: 'clockSet', byMs: setByMs });
  }

  #tell(step: ClockStep): void {
    for (const listener of this.#listeners) listener(step);
  }

  get wallMs(): number {
    return this.#read.wallMs();
  }

  /** Runs forward, sleep included as far as it was noticed. */
  get elapsedMs(): number {
    return this.#read.monotonicMs() + this.#sleptMs;
  }

  /** A reading of the monotonic clock in the time of `elapsedMs`. */
  fromMonotonic(monotonicMs: number): number {
    return monotonicMs + this.#sleptMs;
  }
}
