// Who is signed in at which page. As long as a data folder has no account everybody at the screen acts for
// the workstation; from the first account on somebody has to be signed in for everything but an emergency. A
// page at which nobody does anything is signed out here, whatever the page itself thinks (SEC52).

import type { Operation } from '../../../shared/bridge/contract/operation.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { ClinicContext } from '../context.ts';
import { actorOf, type Person, requireRight, type Users, type Where } from './users.ts';

/** The program itself, or whoever sits at a workstation without accounts. */
export const WORKSTATION = 'workstation';

/** Who asks at a page, and may. */
export interface Caller {
  readonly session: string;
  /** For the audit. */
  readonly actor: string;
  /** Absent where nobody is signed in and nobody has to be. */
  readonly person: Person | undefined;
}

interface SignedIn {
  readonly person: Person;
  touchedMs: number;
  /** When a PIN was last typed here to approve, by a clock that nobody sets (SEC53). */
  confirmedMs: number | undefined;
}

export class Sessions {
  readonly #context: ClinicContext;
  readonly #users: Users;
  readonly #signedIn = new Map<string, SignedIn>();

  constructor(context: ClinicContext, users: Users) {
    this.#context = context;
    this.#users = users;
  }

  /** Whether people have to sign in here. */
  get areNeeded(): boolean {
    return this.#context.store.users.all().some(({ isActive }) => isActive);
  }

  /** The person who is signed in, if the account still exists. */
  person(session: string): Person | undefined {
    const signedIn = this.#signedIn.get(session);
    if (signedIn === undefined || this.#isIdle(signedIn)) return undefined;
    return this.#context.store.users.byId(signedIn.person.userId)?.isActive === true
      ? signedIn.person
      : undefined;
  }

  /** @throws as `Users.signIn` */
  async signIn(
    session: string,
    userId: number,
    secret: string,
    own?: string,
    where?: Where,
  ): Promise<Person> {
    const person = await this.#users.signIn(userId, secret, own, where);
    this.#signedIn.set(session, {
      person,
      touchedMs: this.#context.clock.nowMs(),
      confirmedMs: undefined,
    });
    this.#context.publish('session.changed', {});
    return person;
  }

  /**
   * Somebody types the PIN to approve at this page: for a set time it need not be typed again there.
   * @returns for when it has been approved; whoever has signed in at the page since then has typed none
   */
  confirming(session: string): () => void {
    const signedIn = this.#signedIn.get(session);
    return () => {
      if (signedIn === undefined || this.#signedIn.get(session) !== signedIn) return;
      signedIn.confirmedMs = this.#context.clock.monotonicMs();
      this.#context.publish('session.changed', {});
    };
  }

  /** How long no PIN is needed yet to approve at this page; undefined where it is needed. */
  confirmedForMs(session: string): number | undefined {
    const { confirmedMs } = this.#signedIn.get(session) ?? {};
    if (confirmedMs === undefined || this.person(session) === undefined) return undefined;
    const passedMs = this.#context.clock.monotonicMs() - confirmedMs;
    const leftMs = 60_000 * this.#context.settings()['security.pinMinutes'] - passedMs;
    return leftMs > 0 ? leftMs : undefined;
  }

  /** The secret is another one now: what was typed before counts no more. */
  forgetConfirmed(userId: number): void {
    for (const signedIn of this.#signedIn.values())
      if (signedIn.person.userId === userId) signedIn.confirmedMs = undefined;
    this.#context.publish('session.changed', {});
  }

  #isIdle({ touchedMs }: SignedIn): boolean {
    return (
      this.#context.clock.nowMs() - touchedMs >= 60_000 * this.#context.settings()['security.idleMinutes']
    );
  }

  /** Somebody did something at the page. */
  touch(session: string): void {
    const signedIn = this.#signedIn.get(session);
    if (signedIn !== undefined && !this.#isIdle(signedIn)) signedIn.touchedMs = this.#context.clock.nowMs();
  }

  /** Signs out where nobody did anything for too long; the pages are told. */
  endIdle(): void {
    this.endWhere((session) => this.#isIdle(this.#signedIn.get(session) as SignedIn));
  }

  /** At some pages; they are told. */
  endWhere(isMeant: (session: string, person: Person) => boolean): void {
    const meant = [...this.#signedIn].filter(([session, { person }]) => isMeant(session, person));
    for (const [session] of meant) this.#signedIn.delete(session);
    if (meant.length > 0) this.#context.publish('session.changed', {});
  }

  /** A page that went away, or is locked. */
  end(session: string): void {
    if (this.#signedIn.delete(session)) this.#context.publish('session.changed', {});
  }

  /** @throws IsolineError `sign_in_needed` where there are accounts and nobody is signed in */
  requireAnybody(session: string): Person | undefined {
    const person = this.person(session);
    if (person === undefined && this.areNeeded) throw new IsolineError('sign_in_needed', 'Sign in first.');
    return person;
  }

  /**
   * The one guard of rights for everything that a page asks. @throws IsolineError `sign_in_needed`,
   * `not_allowed`
   */
  callerOf(session: string, { right, needsAccount }: Pick<Operation, 'right' | 'needsAccount'>): Caller {
    const person = right === 'anybody' ? this.person(session) : this.requireAnybody(session);
    if (needsAccount === true && person === undefined)
      throw new IsolineError('sign_in_needed', 'Sign in first. This needs an account.');
    if (person !== undefined && right !== 'anybody' && right !== 'signedIn') requireRight(person, right);
    return { session, person, actor: person === undefined ? WORKSTATION : actorOf(person) };
  }

  /** @returns whether the one at the page may ask for this operation */
  may(session: string, operation: Pick<Operation, 'right' | 'needsAccount'>): boolean {
    try {
      this.callerOf(session, operation);
      return true;
    } catch (error) {
      if (error instanceof IsolineError) return false;
      throw error;
    }
  }

  /**
   * Who acts, for the audit.
   * @throws IsolineError `sign_in_needed`, `not_allowed`
   */
  actor(session: string, right: Operation['right']): string {
    return this.callerOf(session, { right }).actor;
  }
}
