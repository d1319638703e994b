// How large the next chunk of an upload is: so that one takes some seconds on this network, and a broken one
// costs little (D127).

const LEAST_BYTES = 256 << 10;
const FIRST_BYTES = 1 << 20;
const MOST_BYTES = 8 << 20;
const QUICK_MS = 2000;
const SLOW_MS = 10_000;

export class ChunkSize {
  #bytes = FIRST_BYTES;
  #most = MOST_BYTES;

  get bytes(): number {
    return this.#bytes;
  }

  /** Halves the size after a proxy on the way refused a piece. @returns false where it is the least already */
  shrink(): boolean {
    if (this.#bytes <= LEAST_BYTES) return false;
    this.#bytes = Math.max(LEAST_BYTES, this.#bytes / 2);
    this.#most = this.#bytes;
    return true;
  }

  note(tookMs: number, isDone: boolean): void {
    if (!isDone || tookMs > SLOW_MS) this.#bytes = Math.max(LEAST_BYTES, this.#bytes / 2);
    else if (tookMs < QUICK_MS) this.#bytes = Math.min(this.#most, this.#bytes * 2);
  }
}
