// One operation of the bridge: what goes in, what comes out, and who may ask.

import type { TSchema } from 'typebox';
import type { Right } from '../../roles.ts';

/** What one side asks of the other. */
export interface Call {
  readonly input: TSchema;
  readonly output: TSchema;
}

/** `anybody`: also before signing in. `signedIn`: whoever is signed in, where people have to. */
export type WhoMay = Right | 'anybody' | 'signedIn';

/**
 * What a page may ask. Where the workstation has no accounts, whoever sits there has every right but those
 * that need one.
 */
export interface Operation extends Call {
  readonly right: WhoMay;
  /** Only somebody with an account: it is about that person, or signed by that person. */
  readonly needsAccount?: true;
  /** It is about this very computer: no other seat may ask. */
  readonly isDeskOnly?: true;
}
