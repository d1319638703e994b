// What both sides know about a kind of connection: its configuration as a schema, how it is checked, and when two are
// the same. What speaks its protocol is in `main/connections`.

import type { Static, TObject } from 'typebox';
import type { OrderTrouble } from '../order.ts';
import type { SecretForm } from './connection-field.ts';

/** What tests of a connection have shown; absent where nobody has tried. */
export interface Proven {
  /** It is another workstation: the same creation twice makes one task there (D46). */
  readonly isIdempotent?: boolean;
  /** Streams work there (D123). */
  readonly isStreamProven?: boolean;
  /** It says what it keeps (storage commitment). */
  readonly isConfirming?: boolean;
}

/** A list of orders at a connection. */
export interface OrderTroubles {
  readonly list: { readonly format: 'fhir'; readonly url: string };
  readonly failed: OrderTrouble;
  readonly partial: OrderTrouble;
}

export interface ConnectionFacts<S extends TObject = TObject> {
  /** Its properties are the fields of the form, in their order. */
  readonly config: S;
  /** What goes there: recordings, whose reports come back, or results of those that are read. */
  readonly takes: 'recordings' | 'results';
  readonly secret?: SecretForm;
  /** Whether it is let in by a secret. */
  needsSecret(config: Static<S>): boolean;
  /**
   * @returns the configuration as it is kept
   * @throws IsolineError `invalid_request`
   */
  check(config: Static<S>): Static<S>;
  /** They lead to the same: what went to the one is known of the other. */
  isSame(one: Static<S>, other: Static<S>): boolean;
  /** They cannot both be set up, although they are not the same. */
  isInTheWay?(one: Static<S>, other: Static<S>): boolean;
  /** Where it is, for people and the audit. */
  hostOf(config: Static<S>): string;
  /** What it is called where nobody gives it a name. */
  nameOf(config: Static<S>): string;
  /**
   * What is said where its orders cannot be asked for, and where some of them cannot be taken; undefined where none come
   * from there.
   */
  orderTroubles?(config: Static<S>): OrderTroubles | undefined;
}
