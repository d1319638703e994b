// How fast the clock of a device runs against ours. Bytes arrive late and never early: the earliest arrivals
// of each second lie on a line, whose slope is the drift (device protocols reference, 1.3).

const WINDOW_MS = 1000;
/** Two points make a line; how far others lie from it tells how far it can be trusted. */
const MIN_WINDOWS = 4;
/** A link may come to deliver that much later in the middle, however well the points lie on a line. */
const LEAST_ERROR_MS = 30;

export interface ClockDrift {
  readonly nominalHz: number;
  readonly measuredHz: number;
  readonly driftPpm: number;
  /** One standard deviation. */
  readonly uncertaintyPpm: number;
  /** Seconds that were looked at. */
  readonly windowSeconds: number;
}

/** A line through points, of which only sums are kept: a day is as small as a minute. */
class Line {
  n = 0;
  #meanX = 0;
  #meanY = 0;
  xx = 0;
  xy = 0;
  yy = 0;
  #firstX = 0;
  #lastX = 0;

  /** Welford (1962): means and squares are carried on, so that large times lose no digits. */
  add(x: number, y: number): void {
    if (this.n === 0) this.#firstX = x;
    this.#lastX = x;
    this.n++;
    const dx = x - this.#meanX;
    const dy = y - this.#meanY;
    this.#meanX += dx / this.n;
    this.#meanY += dy / this.n;
    this.xx += dx * (x - this.#meanX);
    this.xy += dx * (y - this.#meanY);
    this.yy += dy * (y - this.#meanY);
  }

  get span(): number {
    return this.#lastX - this.#firstX;
  }
}

export class ClockFit {
  readonly #rateHz: number;
  /** Stretches without a break; all have one slope. */
  readonly #ended: Line[] = [];
  #line = new Line();
  #window: { readonly startMs: number; atMs: number; latenessMs: number } | undefined;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
  }

  /** @param sample that was the last one of what arrived at `arrivalMs`. */
  add(sample: number, arrivalMs: number): void {
    const latenessMs = arrivalMs - (1000 * sample) / this.#rateHz;
    const window = this.#window;
    if (window === undefined || arrivalMs - window.startMs >= WINDOW_MS) {
      if (window !== undefined) this.#line.add(window.atMs, window.latenessMs);
      this.#window = { startMs: arrivalMs, atMs: arrivalMs, latenessMs };
    } else if (latenessMs < window.latenessMs) {
      window.latenessMs = latenessMs;
      window.atMs = arrivalMs;
    }
  }

  /** What comes next was placed by our clock: its place says nothing about that of the device. */
  break(): void {
    if (this.#line.n >= MIN_WINDOWS) this.#ended.push(this.#line);
    this.#line = new Line();
    this.#window = undefined;
  }

  /** Undefined until a few seconds are over. */
  get drift(): ClockDrift | undefined {
    const lines = [...this.#ended, ...(this.#line.n >= MIN_WINDOWS ? [this.#line] : [])];
    if (lines.length === 0) return undefined;
    const sum = (part: (line: Line) => number): number =>
      lines.reduce((total, line) => total + part(line), 0);
    const [xx, xy, yy] = [sum((line) => line.xx), sum((line) => line.xy), sum((line) => line.yy)];
    if (xx === 0) return undefined;
    // Lateness per millisecond of our clock: of the time that passed, the samples account for 1 − slope.
    const slope = xy / xx;
    const freedom = sum(({ n }) => n - 1) - 1;
    const residual = Math.max(0, yy - slope * xy) / freedom;
    const spanMs = sum(({ span }) => span);
    const uncertainty = Math.max(Math.sqrt(residual / xx), LEAST_ERROR_MS / spanMs);
    return {
      nominalHz: this.#rateHz,
      measuredHz: this.#rateHz * (1 - slope),
      driftPpm: -slope * 1e6,
      uncertaintyPpm: 1e6 * uncertainty,
      windowSeconds: spanMs / 1000,
    };
  }
}
