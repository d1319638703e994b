// A rule makes one statement. It declares what it needs, what takes its place, and what it found on: the three
// outcomes of each rule are in the result, so that what was not looked at never reads as not there.

import type { StatementCode, UnassessedCode, UnassessedReason } from '../../../shared/findings/codes.ts';
import type { FindingValues } from '../../../shared/findings/finding-text.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { Range } from '../time-base.ts';
import type { Facts } from './facts.ts';

/** What a statement rests on. */
export interface Grounds {
  /** All leads where left out. */
  readonly leads?: readonly string[];
  /** Where in the recording; the whole of it where left out. */
  readonly ranges?: readonly Range[];
  /** Numbers with their units in their names. */
  readonly values: Readonly<Record<string, number>>;
  /** What the values of the same names are held against. */
  readonly limits?: Readonly<Record<string, number>>;
}

export interface Finding {
  readonly severity: Severity;
  /** What the text of the code is filled with. */
  readonly values?: FindingValues;
  readonly certainty?: 'definite' | 'probable' | 'possible';
  readonly grounds: Grounds;
}

/** Without it a rule says neither that something is there nor that it is not. */
export interface Need {
  isMet(facts: Facts): boolean;
  reason(facts: Facts): UnassessedReason;
}

export interface Rule {
  readonly code: StatementCode;
  /** What a reader looks for and finds unassessed where this rule is; none for what is technical. */
  readonly topic?: UnassessedCode;
  /** In the order in which they are told. */
  readonly needs: readonly Need[];
  /** Statements of rules before this one, any of which takes its place. */
  readonly suppressedBy?: readonly StatementCode[];
  /** @returns undefined where it is not there */
  find(facts: Facts): Finding | undefined;
}
