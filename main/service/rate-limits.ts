// Token buckets in memory, per token and per address (D32). Bounded: the bucket that was not used for longest
// goes first.

import { IsolineError } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';

const MAX_BUCKETS = 10_000;
const BURST_SECONDS = 4;

interface Bucket {
  level: number;
  filledMs: number;
}

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Seconds to wait, where there is nothing left. */
  readonly retryAfter?: number;
}

export const tooManyRequests = (retryAfter: number): IsolineError =>
  new IsolineError('rate_limit_exceeded', `Too many requests. Try again in ${retryAfter} s.`, { retryAfter });

class Buckets {
  readonly #buckets = new Map<string, Bucket>();

  #fill(key: string, perSecond: number, burst: number, nowMs: number): Bucket {
    const bucket = this.#buckets.get(key) ?? { level: burst, filledMs: nowMs };
    bucket.level = Math.min(burst, bucket.level + (Math.max(0, nowMs - bucket.filledMs) / 1000) * perSecond);
    bucket.filledMs = nowMs;
    // Put at the end: the first of the map is the one unused for longest.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const oldest = this.#buckets.keys().next().value;
    if (this.#buckets.size > MAX_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }

  take(key: string, perSecond: number, burst: number, nowMs: number): Allowance {
    const bucket = this.#fill(key, perSecond, burst, nowMs);
    if (bucket.level < 1) {
      const retryAfter = Math.max(1, Math.ceil((1 - bucket.level) / perSecond));
      return {
        limit: burst,
        remaining: 0,
        resetSeconds: Math.ceil((burst - bucket.level) / perSecond),
        retryAfter,
      };
    }
    bucket.level--;
    return {
      limit: burst,
      remaining: Math.floor(bucket.level),
      resetSeconds: Math.ceil((burst - bucket.level) / perSecond),
    };
  }
}

export type TrafficKind = 'control' | 'data';

export class RateLimits {
  readonly #buckets = new Buckets();
  readonly #settings: () => Settings;
  readonly #nowMs: () => number;

  constructor(settings: () => Settings, nowMs: () => number) {
    this.#settings = settings;
    this.#nowMs = nowMs;
  }

  #take(key: string, perSecond: number): Allowance | undefined {
    return this.#settings()['service.rate.enabled'] && perSecond > 0
      ? this.#buckets.take(key, perSecond, BURST_SECONDS * perSecond, this.#nowMs())
      : undefined;
  }

  /** @throws IsolineError `rate_limit_exceeded` */
  address(address: string): void {
    const allowance = this.#take(`address ${address}`, this.#settings()['service.rate.addressPerSecond']);
    if (allowance?.retryAfter !== undefined) throw tooManyRequests(allowance.retryAfter);
  }

  /** What is left to a token; the answer carries it also when nothing is. */
  token(tokenId: number, kind: TrafficKind): Allowance | undefined {
    return this.#take(
      `${kind} ${tokenId}`,
      this.#settings()[kind === 'data' ? 'service.rate.dataPerSecond' : 'service.rate.tokenPerSecond'],
    );
  }

  /**
   * Counts a request that ended in 401, and refuses in its place once an address sends too many of them.
   * @throws IsolineError `rate_limit_exceeded`
   */
  refused(address: string): void {
    const perMinute = this.#settings()['service.rate.refusedPerMinute'];
    if (!this.#settings()['service.rate.enabled'] || perMinute <= 0) return;
    const { retryAfter } = this.#buckets.take(`refused ${address}`, perMinute / 60, perMinute, this.#nowMs());
    if (retryAfter !== undefined) throw tooManyRequests(retryAfter);
  }
}
