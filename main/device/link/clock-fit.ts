// How fast the clock of a device runs against ours. Bytes arrive late and never early: the earliest arrivals
// of each ten seconds lie on a line, whose slope is the drift (device protocols reference, 1.3).

const WINDOW_MS = 10_000;
/** Two points make a line, three make one that can be trusted. */
const MIN_WINDOWS = 3;
/** A day of windows; older ones go. */
const MAX_WINDOWS = 8640;

export interface ClockDrift {
  readonly nominalHz: number;
  readonly measuredHz: number;
  readonly driftPpm: number;
  /** Seconds that were looked at. */
  readonly windowSeconds: number;
}

export class ClockFit {
  readonly #rateHz: number;
  readonly #windows: { atMs: number; latenessMs: number }[] = [];
  #windowStartMs = Number.NaN;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
  }

  /** @param sample that was the last one of what arrived at `arrivalMs`. */
  add(sample: number, arrivalMs: number): void {
    const latenessMs = arrivalMs - (1000 * sample) / this.#rateHz;
    const current = this.#windows.at(-1);
    if (current === undefined || arrivalMs - this.#windowStartMs >= WINDOW_MS) {
      this.#windowStartMs = arrivalMs;
      this.#windows.push({ atMs: arrivalMs, latenessMs });
      if (this.#windows.length > MAX_WINDOWS) this.#windows.shift();
    } else if (latenessMs < current.latenessMs) {
      current.latenessMs = latenessMs;
      current.atMs = arrivalMs;
    }
  }

  /** Undefined until three windows are over. */
  get drift(): ClockDrift | undefined {
    const windows = this.#windows.slice(0, -1);
    const [first] = windows;
    const last = windows.at(-1);
    if (first === undefined || last === undefined || windows.length < MIN_WINDOWS) return undefined;
    const n = windows.length;
    const meanX = windows.reduce((sum, { atMs }) => sum + atMs, 0) / n;
    const meanY = windows.reduce((sum, { latenessMs }) => sum + latenessMs, 0) / n;
    let [xy, xx] = [0, 0];
    for (const { atMs, latenessMs } of windows) {
      xy += (atMs - meanX) * (latenessMs - meanY);
      xx += (atMs - meanX) ** 2;
    }
    // Lateness per millisecond of our clock: of the time that passed, the samples account for 1 − slope.
    const slope = xx === 0 ? 0 : xy / xx;
    return {
      nominalHz: this.#rateHz,
      measuredHz: this.#rateHz * (1 - slope),
      driftPpm: -slope * 1e6,
      windowSeconds: (last.atMs - first.atMs) / 1000,
    };
  }
}
