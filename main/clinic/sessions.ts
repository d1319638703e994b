// Who is signed in at which page. As long as a data folder has no account everybody at the screen acts for the workstation; from the first
// account on somebody has to be signed in for everything but an emergency.

import { IsolineError } from '../../shared/errors.ts';
import type { Right } from '../../shared/roles.ts';
import type { Store } from './stores.ts';
import { actorOf, type Person, requireRight, type Users } from './users.ts';

/** The program itself, or whoever sits at a workstation without accounts. */
export const WORKSTATION = 'workstation';

export class Sessions {
  readonly #store: Store;
  readonly #users: Users;
  readonly #persons = new Map<string, Person>();

  constructor(store: Store, users: Users) {
    this.#store = store;
    this.#users = users;
  }

  /** Whether people have to sign in here. */
  get areNeeded(): boolean {
    return this.#store.users.all().some(({ isActive }) => isActive);
  }

  /** Whoever is signed in, and still has the account. */
  person(session: string): Person | undefined {
    const person = this.#persons.get(session);
    return person !== undefined && this.#store.users.byId(person.userId)?.isActive === true ? person : undefined;
  }

  /** @throws as `Users.signIn` */
  async signIn(session: string, userId: number, secret: string): Promise<Person> {
    const person = await this.#users.signIn(userId, secret);
    this.#persons.set(session, person);
    return person;
  }

  /** A page that went away, or is locked. */
  end(session: string): void {
    this.#persons.delete(session);
  }

  /** @throws IsolineError `sign_in_needed` where there are accounts and nobody is signed in */
  requireAnybody(session: string): Person | undefined {
    const person = this.person(session);
    if (person === undefined && this.areNeeded) throw new IsolineError('sign_in_needed', 'Nobody is signed in: sign in first.');
    return person;
  }

  /**
   * Who acts, for the audit.
   * @throws IsolineError `sign_in_needed`, `not_allowed`
   */
  actor(session: string, right: Right): string {
    const person = this.requireAnybody(session);
    if (person === undefined) return WORKSTATION;
    requireRight(person, right);
    return actorOf(person);
  }

  /** For what only somebody with an account may do. @throws as `actor` */
  requirePerson(session: string, right: Right): Person {
    const person = this.person(session);
    if (person === undefined) throw new IsolineError('sign_in_needed', 'This needs an account: sign in first.');
    requireRight(person, right);
    return person;
  }
}
