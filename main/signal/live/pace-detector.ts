// Spikes of a pacemaker: steeper than any heart, over within two milliseconds or samples. What a device
// samples too slowly to hold is not found here; devices with a detector of their own tell it.

const SPIKE_MV = 0.7;
const WIDTH_MS = 2;
const DEAD_MS = 20;
/** Slower sampling smears a spike into what a QRS can be. */
const LOWEST_RATE_HZ = 450;

/** What a detector knows of the signal so far. */
export interface PaceMemory {
  /** The last samples of all leads: the spike is what sticks out of both its sides. */
  past: Float64Array[];
  /** Samples for which nothing is looked for. */
  quiet: number;
}

export class PaceDetector {
  readonly #isAble: boolean;
  readonly #dead: number;
  readonly #width: number;
  readonly state: PaceMemory;

  /** @param state of a detector that is gone on with */
  constructor(rateHz: number, state: PaceMemory = { past: [], quiet: 0 }) {
    this.state = state;
    this.#isAble = rateHz >= LOWEST_RATE_HZ;
    this.#dead = Math.round((DEAD_MS * rateHz) / 1000);
    this.#width = Math.max(1, Math.round((WIDTH_MS * rateHz) / 1000));
  }

  restart(): void {
    this.state.past = [];
    this.state.quiet = this.#dead;
  }

  /** @returns true where a spike has just ended. */
  next(mv: Float64Array): boolean {
    if (!this.#isAble) return false;
    const length = this.#width + 2;
    const { state } = this;
    const { past } = state;
    // Reused in turn: nothing is made a sample.
    const slot = past.length < length ? new Float64Array(mv.length) : (past.shift() as Float64Array);
    slot.set(mv);
    past.push(slot);
    if (state.quiet > 0) {
      state.quiet--;
      return false;
    }
    if (past.length < length || !this.#sticksOut(past)) return false;
    state.quiet = this.#dead;
    return true;
  }

  #sticksOut(past: readonly Float64Array[]): boolean {
    const first = past[0] as Float64Array;
    const last = past.at(-1) as Float64Array;
    for (let lead = 0; lead < first.length; lead++) {
      const [before, behind] = [first[lead] as number, last[lead] as number];
      if (Math.abs(before - behind) > SPIKE_MV / 2) continue;
      for (let i = 1; i < past.length - 1; i++) {
        const value = past[i]?.[lead] as number;
        if (Math.abs(value - (before + behind) / 2) > SPIKE_MV) return true;
      }
    }
    return false;
  }
}
