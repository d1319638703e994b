// A rule makes one statement. It declares what it needs, which statements suppress it, and its evidence. Each rule has
// one of three outcomes in the result, so that a finding nobody looked for never reads as absent.

import type { StatementCode, UnassessedCode, UnassessedReason } from '../../../shared/findings/codes.ts';
import type { FindingValues } from '../../../shared/findings/finding-text.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { Range } from '../signal/time-base.ts';
import type { Facts } from './facts.ts';

/** The evidence of a statement. */
export interface Grounds {
  /** All leads where left out. */
  readonly leads?: readonly string[];
  /** Where in the recording; all of it that was read where left out. */
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

/** Without it a rule says neither present nor absent. */
export interface Need {
  /** Why it is not met; undefined where it is. */
  unmet(facts: Facts): UnassessedReason | undefined;
}

export interface Rule {
  readonly code: StatementCode;
  /** What is listed as unassessed when this rule is; none for technical rules, and others that are one of many of a topic. */
  readonly topic?: UnassessedCode;
  /** The reason of the first one that is not met is given. */
  readonly needs: readonly Need[];
  /** What must be there as well before it is called absent: a finding on some leads is one whatever the others say. */
  readonly absenceNeeds?: readonly Need[];
  /** Statements of earlier rules, any of which suppresses this one. */
  readonly suppressedBy?: readonly StatementCode[];
  /** @returns undefined when it is absent */
  find(facts: Facts): Finding | undefined;
}
