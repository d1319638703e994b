// Who works at the workstation: signing in, accounts.

import { Type } from 'typebox';
import { ROLES } from '../../roles.ts';
import { closed, none, secret, text } from '../fields.ts';
import { UserView } from '../views.ts';
import type { Operation } from './operation.ts';

export const PEOPLE_QUERIES = {
  /** Who is signed in at this page, and who could be. */
  'session.get': {
    input: none,
    output: Type.Object(
      {
        isNeeded: Type.Boolean(),
        person: Type.Optional(UserView),
        /** How long approving needs no PIN here yet. */
        confirmedForMs: Type.Optional(Type.Number()),
        users: Type.Array(UserView),
      },
      closed,
    ),
    right: 'anybody',
  },
} as const satisfies Record<string, Operation>;

export const PEOPLE_COMMANDS = {
  'session.signIn': {
    /** `own`: in place of one that an administrator has set. @throws `secret_temporary` where it is needed */
    input: Type.Object({ userId: Type.Integer(), secret, own: Type.Optional(secret) }, closed),
    output: UserView,
    right: 'anybody',
  },
  'session.signOut': { input: none, output: none, right: 'anybody' },
  /** Somebody did something at the page. */
  'session.touch': { input: none, output: none, right: 'anybody' },
  'user.add': {
    input: Type.Object({ name: text(256), role: Type.Enum([...ROLES]), secret }, closed),
    output: UserView,
    right: 'signedIn',
  },
  'user.deactivate': {
    input: Type.Object({ userId: Type.Integer() }, closed),
    output: none,
    right: 'users',
    needsAccount: true,
  },
  /** For somebody who has forgotten it; `own` is that of the administrator. */
  'user.resetSecret': {
    input: Type.Object({ userId: Type.Integer(), temporary: secret, own: secret }, closed),
    output: none,
    right: 'users',
    needsAccount: true,
  },
  'user.changeSecret': {
    input: Type.Object({ before: secret, after: secret }, closed),
    output: none,
    right: 'record',
    needsAccount: true,
  },
} as const satisfies Record<string, Operation>;
