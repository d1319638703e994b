// Worker pools that outlive the workstation that they were opened for.

import { Piscina } from 'piscina';
import type { PoolAnswer, PoolRequest } from '../../main/pool/jobs.ts';
import type { OpenWorkers } from '../../main/pool/pool.ts';

/** The workers that nobody has, by how many threads they may have. */
const kept = new Map<number | undefined, KeptWorkers[]>();

class KeptWorkers extends Piscina<PoolRequest, PoolAnswer> {
  #jobs = 0;

  override async run(...job: Parameters<Piscina<PoolRequest>['run']>): Promise<PoolAnswer> {
    this.#jobs++;
    try {
      return await super.run(...job);
    } finally {
      this.#jobs--;
    }
  }

  /** Where a job still runs it ends as in the product: with its thread. */
  override async destroy(): Promise<void> {
    this.removeAllListeners('message');
    if (this.#jobs > 0) return super.destroy();
    const { maxThreads } = this.options;
    kept.set(maxThreads, [...(kept.get(maxThreads) ?? []), this]);
  }
}

export const openKeptWorkers: OpenWorkers = (options) =>
  kept.get(options?.maxThreads)?.pop() ?? new KeptWorkers(options);
