// What every domain operation works with, and the one way in which state is changed: a transaction that holds the change and the
// audit row that tells of it.

import type { EventName, EventPayload } from '../../shared/bridge/contract.ts';
import type { Settings } from '../../shared/settings.ts';
import type { AuditEntry, Clock, Files, Log, Pool, RandomBytes, Store } from './ports.ts';

export type Publish = <K extends EventName>(name: K, payload: EventPayload<K>) => void;

export interface ClinicContext {
  readonly store: Store;
  readonly files: Files;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Log;
  /** Printed on reports. */
  readonly productVersion: string;
  readonly publish: Publish;
  /** The settings in force; they may change while the program runs. */
  settings(): Settings;
}

export type Note = Omit<AuditEntry, 'timeMs'>;

/**
 * Changes state: everything `work` does and the audit rows it returns, or nothing.
 * @param work is plain and synchronous; it returns its result and the audit notes of what it did.
 */
export function change<T>(context: ClinicContext, work: () => { result: T; notes: readonly Note[] }): T {
  const timeMs = context.clock.nowMs();
  return context.store.transaction(() => {
    const { result, notes } = work();
    for (const note of notes) context.store.audit.append({ ...note, timeMs });
    return result;
  });
}

const BASE_32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Random text of letters and digits that can't be mistaken for each other when read aloud (D122). */
export function base32Id(randomBytes: RandomBytes, length: number): string {
  return Array.from(randomBytes(length), (byte) => BASE_32[byte & 31]).join('');
}
