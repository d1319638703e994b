// Seats: other computers and tablets of the clinic, each let in once by a code from this workstation's screen, and known by a
// secret of its own from then on. What people may do there follows from who signs in.

import { createHash } from 'node:crypto';
import { IsolineError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import { type ClinicContext, change, type Note } from '../context.ts';
import type { Sessions } from '../people/sessions.ts';
import { actorOf, type Person, type Where } from '../people/users.ts';
import type { Seat } from './records.ts';

const SECRET_BYTES = 32;
/** So long a code may be photographed by whoever stands before the screen. */
const INVITATION_MS = 10 * 60_000;
const MOST_INVITATIONS = 20;
const LONGEST_NAME = 64;
/** "Last seen" is for people. */
const TOUCH_EVERY_MS = 60_000;

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

interface Invitation {
  readonly name: string;
  readonly actor: string;
  readonly untilMs: number;
}

/** A seat as it is now. */
export interface OccupiedSeat extends Seat {
  /** A page of it is open. */
  readonly isOpen: boolean;
  readonly person: Person | undefined;
}

/** How the door to the seats is, as whoever opens it says. */
export interface SeatDoorState {
  readonly port?: number | undefined;
  readonly trouble?: 'port' | undefined;
}

function nameOf(text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > LONGEST_NAME)
    throw new IsolineError('invalid_seat', `A seat’s name must have 1 to ${LONGEST_NAME} characters.`);
  return name;
}

export class Seats {
  readonly #context: ClinicContext;
  readonly #sessions: Sessions;
  /** By the hash of their code; forgotten when the program ends. */
  readonly #invitations = new Map<string, Invitation>();
  /** Open pages, by their session. */
  readonly #pages = new Map<string, number>();
  #door: SeatDoorState = {};

  constructor(context: ClinicContext, sessions: Sessions) {
    this.#context = context;
    this.#sessions = sessions;
  }

  /** Wanted, and safe: without accounts everybody in the network could do everything. */
  get areOpen(): boolean {
    return this.#context.settings()['seats.on'] && this.#sessions.areNeeded;
  }

  get door(): SeatDoorState {
    return this.#door;
  }

  noteDoor(state: SeatDoorState): void {
    if (state.port === this.#door.port && state.trouble === this.#door.trouble) return;
    this.#door = state;
    this.#changed();
  }

  list(): OccupiedSeat[] {
    const pages = [...this.#pages];
    return this.#context.store.seats.all().map((seat) => {
      const sessions = pages.flatMap(([session, seatId]) => (seatId === seat.id ? [session] : []));
      const person = sessions
        .map((session) => this.#sessions.person(session))
        .find((each) => each !== undefined);
      return { ...seat, isOpen: sessions.length > 0, person };
    });
  }

  /** A code with which one browser becomes a seat, once. @throws IsolineError `invalid_seat` */
  invite(name: string, by: Person): { readonly code: string; readonly untilMs: number } {
    const nowMs = this.#context.clock.nowMs();
    for (const [hash, { untilMs }] of this.#invitations) if (untilMs <= nowMs) this.#invitations.delete(hash);
    const [oldest] = this.#invitations.keys();
    if (this.#invitations.size >= MOST_INVITATIONS && oldest !== undefined) this.#invitations.delete(oldest);
    const code = this.#newSecret();
    const invitation = { name: nameOf(name), actor: actorOf(by), untilMs: nowMs + INVITATION_MS };
    this.#invitations.set(hashOf(code).toString('hex'), invitation);
    return { code, untilMs: invitation.untilMs };
  }

  #newSecret(): string {
    return Buffer.from(this.#context.randomBytes(SECRET_BYTES)).toString('base64url');
  }

  /** @returns the secret of a new seat. @throws IsolineError `seat_refused` */
  async pair(code: string): Promise<string> {
    const key = hashOf(code).toString('hex');
    const invitation = this.#invitations.get(key);
    this.#invitations.delete(key);
    const { store, clock } = this.#context;
    if (invitation === undefined || invitation.untilMs <= clock.nowMs() || !this.areOpen)
      throw new IsolineError('seat_refused', 'This code has been used or has expired. Make a new one.');
    const secret = this.#newSecret();
    await change(this.#context, () => {
      const id = store.seats.add({ name: invitation.name, madeMs: clock.nowMs() }, hashOf(secret));
      return { result: undefined, notes: [this.#note('seat.added', id, invitation.actor)] };
    });
    this.#changed();
    return secret;
  }

  /** @throws IsolineError `seat_refused` where it is no seat, or none any more */
  recognise(secret: string): Seat {
    const seat = this.#context.store.seats.byHash(hashOf(secret));
    if (seat === undefined || seat.removedMs !== undefined || !this.areOpen)
      throw new IsolineError('seat_refused', 'This seat was removed, or was never added.');
    this.#noteSeen(seat);
    return seat;
  }

  /** For people: a store that can't be written to keeps nobody out. */
  #noteSeen({ id, seenMs }: Seat): void {
    const nowMs = this.#context.clock.nowMs();
    if (seenMs !== undefined && Math.abs(nowMs - seenMs) < TOUCH_EVERY_MS) return;
    change(this.#context, () => {
      this.#context.store.seats.touch(id, nowMs);
      return { result: undefined, notes: [] };
    }).catch((error: unknown) =>
      this.#context.log('seat.not_noted', {
        reason: error instanceof IsolineError ? error.reason : 'internal',
      }),
    );
  }

  cameIn(session: string, seatId: number): void {
    this.#pages.set(session, seatId);
    this.#changed();
  }

  left(session: string): void {
    const seatId = this.#pages.get(session);
    if (!this.#pages.delete(session)) return;
    const seat = seatId === undefined ? undefined : this.#context.store.seats.byId(seatId);
    if (seat !== undefined) this.#noteSeen(seat);
    this.#changed();
  }

  /** The seat whose page it is; undefined at the workstation itself. */
  seatOf(session: string): Seat | undefined {
    const seatId = this.#pages.get(session);
    return seatId === undefined ? undefined : this.#context.store.seats.byId(seatId);
  }

  /** Where a page is, for the audit, and for counting wrong secrets. */
  whereIs(session: string): Where {
    return given({ seat: this.seatOf(session)?.id });
  }

  /** A seat that was removed asks for nothing any more, however its page stays open. @throws IsolineError `seat_refused` */
  requireSeat(session: string): void {
    const seat = this.seatOf(session);
    if (seat === undefined || seat.removedMs !== undefined || !this.areOpen)
      throw new IsolineError('seat_refused', 'This seat was removed, or was never added.');
  }

  /** The workstation's computer was locked: whoever is signed in at a seat goes on. */
  lockDesk(): void {
    this.#sessions.endWhere((session) => !this.#pages.has(session));
  }

  async rename(id: number, text: string, actor: string): Promise<void> {
    const name = nameOf(text);
    await change(this.#context, () => {
      this.#require(id);
      this.#context.store.seats.rename(id, name);
      return { result: undefined, notes: [this.#note('seat.renamed', id, actor)] };
    });
    this.#changed();
  }

  /** Whoever is signed in there is signed out; the door closes its pages. */
  async remove(id: number, actor: string): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      this.#require(id);
      store.seats.remove(id, clock.nowMs());
      return { result: undefined, notes: [this.#note('seat.removed', id, actor)] };
    });
    for (const [session, seatId] of this.#pages) if (seatId === id) this.#sessions.end(session);
    this.#changed();
  }

  #require(id: number): void {
    const seat = this.#context.store.seats.byId(id);
    if (seat === undefined || seat.removedMs !== undefined)
      throw new IsolineError('seat_not_found', 'This seat does not exist any more.');
  }

  #note(action: 'seat.added' | 'seat.renamed' | 'seat.removed', id: number, actor: string): Note {
    return { actor, action, subject: `seat:${id}`, detail: {} };
  }

  #changed(): void {
    this.#context.publish('seat.changed', {});
  }
}
