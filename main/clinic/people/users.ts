// Who works here: accounts with roles, signing in by PIN, and what happens to those who guess (SEC50, SEC51).
// Who did what stands in the audit as `user:<id>`.

import type { AuditAction } from '../../../shared/audit-actions.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { mayDo, type Right, type Role } from '../../../shared/roles.ts';
import { type ClinicContext, change, type Note } from '../context.ts';
import type { User } from './records.ts';
import { hashSecret, isCheaper, isGoodSecret, isSecret } from './secrets.ts';

const TRIES = 5;
const FIRST_BLOCK_MS = 30_000;
const LONGEST_BLOCK_MS = 15 * 60_000;
const LONGEST_NAME = 64;

/** Somebody who is signed in. */
export interface Person {
  readonly userId: number;
  readonly name: string;
  readonly role: Role;
}

/** The seat at which a secret is typed; nothing at the workstation itself. */
export interface Where {
  readonly seat?: number;
}

/** Two hashes of one secret. */
interface Rehash {
  readonly from: string;
  readonly to: string;
}

export const actorOf = ({ userId }: Person): string => `user:${userId}`;

const toPerson = ({ id, name, role }: User): Person => ({ userId: id, name, role });

/** @throws IsolineError `not_allowed` */
export function requireRight({ name, role }: Person, right: Right): void {
  if (!mayDo(role, right))
    throw new IsolineError('not_allowed', `${name} is not allowed to do this. It needs another role.`, {
      right,
    });
}

export class Users {
  readonly #context: ClinicContext;
  /** Secrets are checked one after the other, because each check takes a third of a second and 128 MB. */
  #checking: Promise<unknown> = Promise.resolve();

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /** The people who can sign in. */
  active(): Person[] {
    return this.#context.store.users
      .all()
      .filter(({ isActive }) => isActive)
      .map(toPerson);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#checking.then(work, work);
    this.#checking = done.catch(() => undefined);
    return done;
  }

  /**
   * @param by who makes the account; the first one of a data folder makes itself.
   * @throws IsolineError `not_allowed`, `invalid_user`, `weak_secret`, `user_exists`
   */
  async add(name: string, role: Role, secret: string, by: Person | undefined): Promise<Person> {
    this.#requireMaker(role, by);
    const trimmed = name.trim();
    if (trimmed === '' || [...trimmed].length > LONGEST_NAME)
      throw new IsolineError('invalid_user', `A name must have 1 to ${LONGEST_NAME} characters.`);
    this.#requireGood(secret, role);
    const hashed = await this.#inTurn(() => this.#hash(secret));
    const { store, clock } = this.#context;
    const added = await change(this.#context, () => {
      // Somebody else may have been the first meanwhile.
      this.#requireMaker(role, by);
      if (store.users.byName(trimmed) !== undefined)
        throw new IsolineError('user_exists', `There is already an account named ${trimmed}.`);
      const id = store.users.add({ name: trimmed, role, secret: hashed }, clock.nowMs());
      return {
        result: { userId: id, name: trimmed, role },
        notes: [
          {
            actor: by === undefined ? `user:${id}` : actorOf(by),
            action: 'user.added',
            subject: `user:${id}`,
            detail: { role },
          },
        ],
      };
    });
    // Who could sign in is new.
    this.#context.publish('session.changed', {});
    return added;
  }

  /** The first account is an administrator's, who makes the others. */
  #requireMaker(role: Role, by: Person | undefined): void {
    if (by !== undefined) requireRight(by, 'users');
    else if (role !== 'administrator' || this.#context.store.users.all().length > 0)
      throw new IsolineError(
        'not_allowed',
        'Only an administrator can create accounts. Sign in as one first.',
      );
  }

  #requireGood(secret: string, role: Role): void {
    const isPin = /^\d+$/.test(secret);
    if (isGoodSecret(secret) && !(role === 'administrator' && isPin)) return;
    throw new IsolineError(
      'weak_secret',
      role === 'administrator'
        ? 'An administrator needs a password of 10 characters or more.'
        : 'A PIN has 6 to 8 digits; a password 10 characters or more.',
    );
  }

  /**
   * @param own takes the place of a secret that an administrator has set
   * @param where for the audit
   * @throws IsolineError `user_not_found`, `wrong_secret`, `user_blocked` with the time until when,
   * `secret_temporary` where one of one's own is needed, `secret_same`, `weak_secret`
   */
  async signIn(userId: number, secret: string, own?: string, where: Where = {}): Promise<Person> {
    const { isTemporary, role } = this.#require(userId);
    if (isTemporary && own !== undefined) this.#requireOther(secret, own, role);
    const person = await this.#verify(
      userId,
      secret,
      isTemporary ? 'user.confirmed' : 'user.signed_in',
      where,
    );
    if (!isTemporary) return person;
    if (own === undefined)
      throw new IsolineError(
        'secret_temporary',
        'An administrator has set this PIN or password. Choose one of your own.',
      );
    await this.#setSecret(person.userId, own, false, {
      actor: actorOf(person),
      action: 'user.secret_changed',
    });
    return this.#accept(userId, 'user.signed_in', where);
  }

  #requireOther(temporary: string, own: string, role: Role): void {
    this.#requireGood(own, role);
    if (own === temporary)
      throw new IsolineError(
        'secret_same',
        'Choose a different one from the one that the administrator set.',
      );
  }

  /** For what asks for the acting person once more, such as an approval (SEC53). @throws as `signIn` */
  confirm({ userId }: Person, secret: string, where: Where = {}): Promise<Person> {
    return this.#verify(userId, secret, 'user.confirmed', where);
  }

  #verify(userId: number, secret: string, action: AuditAction, where: Where): Promise<Person> {
    return this.#inTurn(async () => {
      const user = this.#require(userId);
      this.#requireUnblocked(userId, where);
      if (await isSecret(secret, user.secret))
        return this.#accept(userId, action, where, await this.#rehash(user, secret));
      await this.#refuse(userId, where);
      throw new IsolineError('wrong_secret', 'Wrong PIN or password.');
    });
  }

  #hash(secret: string): Promise<string> {
    return hashSecret(secret, this.#context.secretCost);
  }

  /** A secret that an earlier version hashed at a lower cost is hashed again (SEC50). */
  async #rehash({ secret: from }: User, secret: string): Promise<Rehash | undefined> {
    if (!isCheaper(from, this.#context.secretCost)) return undefined;
    return { from, to: await this.#hash(secret) };
  }

  #require(userId: number): User {
    const user = this.#context.store.users.byId(userId);
    if (user === undefined || !user.isActive)
      throw new IsolineError('user_not_found', 'There is no active account with this name.');
    return user;
  }

  #requireUnblocked(userId: number, { seat }: Where): void {
    const { blockedUntilMs } = this.#context.store.users.wrongTries(userId, seat);
    const waitMs = blockedUntilMs - this.#context.clock.nowMs();
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new IsolineError('user_blocked', `Too many wrong PINs. Try again in ${seconds} s.`, { seconds });
  }

  #accept(userId: number, action: AuditAction, where: Where, rehash?: Rehash): Promise<Person> {
    const { store } = this.#context;
    return change(this.#context, () => {
      const user = this.#require(userId);
      // The secret may have been changed in the meantime.
      if (user.secret === rehash?.from) store.users.set({ ...user, secret: rehash.to });
      store.users.setWrongTries(userId, where.seat, { tries: 0, blockedUntilMs: 0 });
      return {
        result: toPerson(user),
        notes: [{ actor: `user:${userId}`, action, subject: `user:${userId}`, detail: { ...where } }],
      };
    });
  }

  /**
   * The fifth wrong try at a place blocks the account there for half a minute, each one behind it for twice as long; a
   * restart forgets nothing. Whoever guesses at a tablet keeps nobody away from the workstation.
   */
  #refuse(userId: number, where: Where): Promise<void> {
    const { store, clock } = this.#context;
    return change(this.#context, () => {
      this.#require(userId);
      const wrongTries = store.users.wrongTries(userId, where.seat).tries + 1;
      const blockMs =
        wrongTries < TRIES ? 0 : Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** (wrongTries - TRIES));
      store.users.setWrongTries(userId, where.seat, {
        tries: wrongTries,
        blockedUntilMs: blockMs === 0 ? 0 : clock.nowMs() + blockMs,
      });
      const note: Note = {
        actor: 'program',
        action: 'user.refused',
        subject: `user:${userId}`,
        detail: { wrongTries, ...where },
      };
      return { result: undefined, notes: [note] };
    });
  }

  /** @throws IsolineError `not_allowed`, `wrong_secret`, `weak_secret` */
  async changeSecret(person: Person, before: string, after: string, where: Where = {}): Promise<void> {
    this.#requireGood(after, person.role);
    await this.confirm(person, before, where);
    await this.#setSecret(person.userId, after, false, {
      actor: actorOf(person),
      action: 'user.secret_changed',
    });
  }

  /**
   * For somebody who has forgotten it. Whoever it is for replaces it before anything else, so that nobody signs
   * with what another one knows.
   * @param own of the administrator, once more (SEC53)
   * @throws IsolineError `not_allowed`, `wrong_secret`, `weak_secret`, `user_not_found`
   */
  async resetSecret(
    userId: number,
    temporary: string,
    by: Person,
    own: string,
    where: Where = {},
  ): Promise<void> {
    requireRight(by, 'users');
    const { role } = this.#require(userId);
    if (userId === by.userId)
      throw new IsolineError('not_allowed', 'Change your own PIN or password with the one that you have.');
    this.#requireGood(temporary, role);
    await this.confirm(by, own, where);
    await this.#setSecret(userId, temporary, true, { actor: actorOf(by), action: 'user.secret_reset' });
  }

  async #setSecret(
    userId: number,
    secret: string,
    isTemporary: boolean,
    note: Pick<Note, 'actor' | 'action'>,
  ): Promise<void> {
    const hashed = await this.#inTurn(() => this.#hash(secret));
    const { store } = this.#context;
    await change(this.#context, () => {
      const user = this.#require(userId);
      store.users.set({ ...user, secret: hashed, isTemporary });
      store.users.forgetWrongTries(userId);
      return { result: undefined, notes: [{ ...note, subject: `user:${userId}`, detail: {} }] };
    });
  }

  /** Nobody is deleted who stands in the audit; the last administrator stays. */
  async deactivate(userId: number, by: Person): Promise<void> {
    requireRight(by, 'users');
    const { store } = this.#context;
    await change(this.#context, () => {
      const user = this.#require(userId);
      const others = store.users
        .all()
        .filter(({ id, role, isActive }) => id !== userId && role === 'administrator' && isActive);
      if (user.role === 'administrator' && others.length === 0)
        throw new IsolineError(
          'not_allowed',
          'The last administrator cannot be removed. Create another one first.',
        );
      store.users.set({ ...user, isActive: false });
      return {
        result: undefined,
        notes: [{ actor: actorOf(by), action: 'user.deactivated', subject: `user:${userId}`, detail: {} }],
      };
    });
    this.#context.publish('session.changed', {});
  }
}
