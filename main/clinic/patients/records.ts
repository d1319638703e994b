// People who were recorded here, or are to be.

import type { PatientFacts } from '../../../shared/signal/recording.ts';

/** A person who was recorded here, or is to be. */
export interface Patient {
  readonly id: number;
  readonly organizationId: number;
  /** What is known of the person; never an age, which passes. */
  readonly facts: Omit<PatientFacts, 'ageYears'>;
  /** When height or weight was last told. */
  readonly measuredMs: number | undefined;
  readonly seenMs: number;
  /** The same person, under whom everything is found. */
  readonly mergedInto: number | undefined;
}

/** Two patients became one, and what has to be known to part them again. */
export interface Merge {
  readonly id: number;
  readonly keptId: number;
  readonly goneId: number;
  /** The facts that the kept chart had before. */
  readonly keptFacts: Patient['facts'];
  /** Tasks that went from one to the other. */
  readonly taskIds: readonly number[];
  readonly mergedMs: number;
  readonly isUndone: boolean;
}

/** Nothing of the patient is deleted as long as it stands. */
export interface LegalHold {
  readonly reason: string;
  readonly sinceMs: number;
}
