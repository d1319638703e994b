// Who works at the workstation: signing in, accounts.

import type { PEOPLE_COMMANDS, PEOPLE_QUERIES } from '../../../shared/bridge/contract/people.ts';
import { given } from '../../../shared/given.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Person } from '../../clinic/people/users.ts';
import type { Answers } from './caller.ts';

export function peopleAnswers({
  seats,
  sessions,
  users,
}: Clinic): Answers<keyof typeof PEOPLE_QUERIES | keyof typeof PEOPLE_COMMANDS> {
  return {
    'session.get': async (_input, { person, session }) => ({
      isNeeded: sessions.areNeeded,
      ...(person !== undefined && { person }),
      ...given({ confirmedForMs: sessions.confirmedForMs(session) }),
      users: users.active(),
    }),
    'session.signIn': async ({ userId, secret, own }, { session }) =>
      sessions.signIn(session, userId, secret, own, seats.whereIs(session)),
    'session.touch': async (_input, { session }) => {
      sessions.touch(session);
      return {};
    },
    'session.signOut': async (_input, { session }) => {
      sessions.end(session);
      return {};
    },
    'user.add': async ({ name, role, secret }, { person }) => users.add(name, role, secret, person),
    'user.deactivate': async ({ userId }, { person }) => {
      await users.deactivate(userId, person as Person);
      return {};
    },
    'user.resetSecret': async ({ userId, temporary, own }, { person, session }) => {
      await users.resetSecret(userId, temporary, person as Person, own, seats.whereIs(session));
      sessions.endWhere((_session, person) => person.userId === userId);
      return {};
    },
    'user.changeSecret': async ({ before, after }, { person, session }) => {
      await users.changeSecret(person as Person, before, after, seats.whereIs(session));
      sessions.forgetConfirmed((person as Person).userId);
      return {};
    },
  };
}
