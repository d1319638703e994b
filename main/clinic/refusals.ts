// What the service refused to whom, for the audit: one row for each minute, reason, token and address (D34).
// Never the body.

import type { Reason } from '../../shared/errors.ts';
import { type ClinicContext, change } from './context.ts';

const PERIOD_MS = 60_000;
/** An attacker has many addresses; what goes beyond is counted together. */
const MAX_KEYS = 1000;

export interface Refusal {
  readonly status: number;
  readonly reason: Reason;
  readonly address: string;
  /** First characters of the token, where the request carried one. */
  readonly tokenPrefix: string;
}

export class Refusals {
  readonly #context: ClinicContext;
  readonly #counts = new Map<string, Refusal & { count: number }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  count(refusal: Refusal): void {
    const keyOf = ({ status, reason, address, tokenPrefix }: Refusal): string =>
      [status, reason, address, tokenPrefix].join(' ');
    const isFull = this.#counts.size >= MAX_KEYS && !this.#counts.has(keyOf(refusal));
    const counted: Refusal = isFull ? { ...refusal, address: 'others', tokenPrefix: '' } : refusal;
    const known = this.#counts.get(keyOf(counted)) ?? { ...counted, count: 0 };
    known.count++;
    this.#counts.set(keyOf(counted), known);
    this.#timer ??= setTimeout(() => void this.flush(), PERIOD_MS);
  }

  /** Writes down what was counted. A store that can't be written to keeps the counts for the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counted = [...this.#counts];
    if (counted.length === 0) return;
    this.#counts.clear();
    try {
      await change(this.#context, () => ({
        result: undefined,
        notes: counted.map(([, { status, reason, address, tokenPrefix, count }]) => ({
          actor: 'service',
          action: 'request.refused',
          subject: tokenPrefix === '' ? `address:${address}` : `token:${tokenPrefix}`,
          detail: { status, reason, address, count },
        })),
      }));
    } catch (error) {
      for (const [key, refusal] of counted)
        this.#counts.set(key, { ...refusal, count: refusal.count + (this.#counts.get(key)?.count ?? 0) });
      this.#context.log('refusals.not_written', { reason: error instanceof Error ? error.name : 'unknown' });
      this.#timer = setTimeout(() => void this.flush(), PERIOD_MS);
    }
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }
}
