// The result of an examination as a practice system takes it: who, when, what was found, line by line.

import type { PatientFacts } from '../../shared/signal/recording.ts';

export interface ExaminationResult {
  readonly patient: PatientFacts;
  readonly orderNumber?: string;
  readonly examination: string;
  readonly sender: string;
  readonly receiver: string;
  /** Local day and time of the recording. */
  readonly date: string;
  readonly time: string;
  /** Findings, a line each. */
  readonly lines: readonly string[];
  /** Where the report lies. */
  readonly report?: { readonly path: string; readonly description: string };
}
