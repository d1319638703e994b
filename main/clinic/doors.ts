// Connections that were turned away, for whoever looks after the workstation. Of the last minutes only: what is over is in
// the log.

import type { DoorName } from '../../shared/door-name.ts';
import type { ClinicContext } from './context.ts';

/** Without another one for so long, it is over. */
const OVER_MS = 10 * 60_000;
const LOG_EVERY_MS = 60_000;

/** What one door turned away in the last minutes. */
export interface TurnedAway {
  readonly name: DoorName;
  readonly count: number;
  /** By the time of day. */
  readonly sinceMs: number;
  /** By the clock that only runs forward. */
  readonly lastMs: number;
  /** Where the last one came from. */
  readonly address: string;
}

export class Doors {
  readonly #context: Pick<ClinicContext, 'clock' | 'log'>;
  readonly #turnedAway = new Map<DoorName, TurnedAway>();
  readonly #loggedMs = new Map<DoorName, number>();

  constructor(context: Pick<ClinicContext, 'clock' | 'log'>) {
    this.#context = context;
  }

  /** Connections were refused, or had to make room for others. */
  note(name: DoorName, address: string, count = 1): void {
    const nowMs = this.#context.clock.monotonicMs();
    const before = this.#turnedAway.get(name);
    const isOver = before === undefined || nowMs - before.lastMs > OVER_MS;
    const { count: counted, sinceMs } = isOver ? { count: 0, sinceMs: this.#context.clock.nowMs() } : before;
    const now = { name, count: counted + count, sinceMs, lastMs: nowMs, address };
    this.#turnedAway.set(name, now);
    if (nowMs - (this.#loggedMs.get(name) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedMs.set(name, nowMs);
    this.#context.log('door.turned_away', { door: name, count: now.count, address });
  }

  /** @returns the doors that turn somebody away now */
  list(): readonly TurnedAway[] {
    const nowMs = this.#context.clock.monotonicMs();
    return [...this.#turnedAway.values()].filter(({ lastMs }) => nowMs - lastMs <= OVER_MS);
  }
}
