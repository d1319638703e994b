// Who gets the next free worker: the first of the foremost lane; of long jobs never so many that a short one would have to
// wait for their end.

import { ANALYSIS_LANES } from '../../shared/analysis-lane.ts';
import type { Turn } from '../clinic/tasks/analysis-lanes.ts';

interface Waiting {
  readonly turn: Turn;
  start(): void;
}

export class Turns {
  readonly #places: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #long = 0;

  /** @param workers jobs at a time; at least one of them is left for short ones where there are several */
  constructor(workers: number) {
    this.#places = workers;
  }

  /**
   * Runs a job when its turn has come.
   * @param signal gives it up while it waits; what runs is the job's own matter
   */
  async take<T>(turn: Turn, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#wait(turn, signal);
    try {
      return await job();
    } finally {
      this.#running--;
      if (turn.isLong) this.#long--;
      this.#begin();
    }
  }

  #wait(turn: Turn, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) return Promise.reject(signal.reason);
    const giveUp = (): void => {
      const place = this.#waiting.indexOf(waiting);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal?.reason);
    };
    const waiting: Waiting = {
      turn,
      start: () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      },
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#waiting.push(waiting);
    this.#begin();
    return promise;
  }

  #begin(): void {
    while (this.#running < this.#places) {
      const next = this.#next();
      if (next === undefined) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running++;
      if (next.turn.isLong) this.#long++;
      next.start();
    }
  }

  #next(): Waiting | undefined {
    const isLongFull = this.#long >= Math.max(1, this.#places - 1);
    let best: Waiting | undefined;
    for (const each of this.#waiting) {
      if (each.turn.isLong && isLongFull) continue;
      if (best === undefined || rankOf(each) < rankOf(best)) best = each;
    }
    return best;
  }
}

const rankOf = ({ turn }: Waiting): number => ANALYSIS_LANES.indexOf(turn.lane);
