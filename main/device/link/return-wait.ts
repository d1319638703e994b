// The first samples of a device that is back. They wait until it has sent all that it kept: before that
// nobody knows how much is missing.

/** It has sent what it kept when its lateness has not fallen for so long; at last it is judged anyway. */
const SETTLED_MS = 400;
const LONGEST_MS = 10_000;
const FALLS_MS = 5;

export interface WaitingPiece {
  readonly count: number;
  readonly break: { readonly lost: number } | undefined;
}

export class ReturnWait<P extends WaitingPiece> {
  readonly pieces: P[] = [];
  /** Samples since it is back, those that are missing among them included. */
  length = 0;
  /** What the clock says is missing before them: the least so far. */
  leastMs = Number.POSITIVE_INFINITY;
  readonly #sinceMs: number;
  #fellMs: number;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
    this.#fellMs = nowMs;
  }

  /** @param missingMs what the clock says is missing before `length` samples */
  add(piece: P, nowMs: number, missingMs: (length: number) => number): void {
    // What is missing before the first one is the question.
    this.length += piece.count + (this.pieces.length === 0 ? 0 : (piece.break?.lost ?? 0));
    this.pieces.push(piece);
    const leastMs = missingMs(this.length);
    if (leastMs < this.leastMs - FALLS_MS) this.#fellMs = nowMs;
    this.leastMs = Math.min(this.leastMs, leastMs);
  }

  isOver(nowMs: number): boolean {
    return nowMs - this.#fellMs >= SETTLED_MS || nowMs - this.#sinceMs >= LONGEST_MS;
  }
}
