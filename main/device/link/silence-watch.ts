// Notices that a device which should be sending says nothing. No event of the system is relied upon: silence
// for long enough means that it is away (device protocols reference, 1.5).

const WATCH_MS = 250;
/** A look that comes later than this says that we were held up, not that the device is silent. */
const HELD_UP_MS = 500;
/** Unplugging is noticed within this. */
const NOTICED_WITHIN_MS = 2000;
const SHORTEST_SILENCE_MS = 1000;
const SILENT_PACKETS = 20;

/** @param maxSilenceMs the longest silence of a device of this kind that is there */
export const silenceLimitMs = (packetMs: number, maxSilenceMs: number): number =>
  Math.min(
    NOTICED_WITHIN_MS - 2 * WATCH_MS,
    Math.max(SHORTEST_SILENCE_MS, SILENT_PACKETS * packetMs, maxSilenceMs),
  );

export class SilenceWatch {
  /** When samples came last, by the monotonic clock. */
  lastSamplesMs = 0;
  readonly #limitMs: () => number;
  readonly #onSilent: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastLookMs = 0;

  constructor(limitMs: () => number, onSilent: () => void) {
    this.#limitMs = limitMs;
    this.#onSilent = onSilent;
  }

  start(): void {
    this.stop();
    this.#lastLookMs = performance.now();
    this.#timer = setInterval(() => this.#look(), WATCH_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const nowMs = performance.now();
    const wasHeldUp = nowMs - this.#lastLookMs > HELD_UP_MS;
    this.#lastLookMs = nowMs;
    // What arrived meanwhile has not been read yet.
    if (wasHeldUp) this.lastSamplesMs = Math.max(this.lastSamplesMs, nowMs - WATCH_MS);
    else if (nowMs - this.lastSamplesMs > this.#limitMs()) this.#onSilent();
  }
}
