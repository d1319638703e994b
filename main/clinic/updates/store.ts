// Where updates are noted.

import type { ProgramUpdate } from './records.ts';

export interface UpdateStore {
  begin(update: Pick<ProgramUpdate, 'fromVersion' | 'toVersion' | 'startedMs'>): void;
  setOutcome(id: number, outcome: 'installed' | 'failed'): void;
  last(): ProgramUpdate | undefined;
  /** When a signed list was last read there. */
  verifiedMs(source: string): number | undefined;
  noteVerified(source: string, nowMs: number): void;
}
