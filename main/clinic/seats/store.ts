// What the domain needs of the store for seats.

import type { Seat } from './records.ts';

export interface SeatStore {
  /** Also those that were removed. */
  byId(id: number): Seat | undefined;
  byHash(secretHash: Uint8Array): Seat | undefined;
  /** The seats that may be used, in the order in which they were added. */
  all(): Seat[];
  add(seat: Pick<Seat, 'name' | 'madeMs'>, secretHash: Uint8Array): number;
  rename(id: number, name: string): void;
  touch(id: number, seenMs: number): void;
  remove(id: number, removedMs: number): void;
}
