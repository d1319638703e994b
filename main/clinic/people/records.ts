// Who works here, with which key, and for whom.

import type { Role } from '../../../shared/roles.ts';
import type { Scope } from '../../../shared/token-scopes.ts';

export interface Organization {
  readonly id: number;
  readonly path: string;
  readonly name: string;
}

export interface Token {
  readonly id: number;
  readonly organizationId: number;
  readonly organizationPath: string;
  readonly hash: Uint8Array;
  /** First characters of the token, to tell tokens apart in lists and logs. */
  readonly prefix: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly creator: string;
  readonly createdMs: number;
  readonly expiresMs: number | undefined;
  readonly revokedMs: number | undefined;
  readonly lastUsedMs: number | undefined;
}

export interface User {
  readonly id: number;
  /** Told apart without regard to capitals. */
  readonly name: string;
  readonly role: Role;
  /** `scrypt$N$r$p$salt$hash` */
  readonly secret: string;
  /** Set by an administrator: whoever it is for replaces it at the next sign-in. */
  readonly isTemporary: boolean;
  readonly isActive: boolean;
}

/** Wrong secrets for an account, typed at one place since the last right one there. */
export interface WrongTries {
  readonly tries: number;
  readonly blockedUntilMs: number;
}
