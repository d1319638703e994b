// What the domain needs of the store for people, their tokens and organizations.

import type { NewPhrase, Phrase } from '../../../shared/review/phrases.ts';
import type { Organization, Token, User, WrongTries } from './records.ts';

export interface OrganizationStore {
  all(): Organization[];
  byPath(path: string): Organization | undefined;
  byId(id: number): Organization | undefined;
  add(path: string, name: string, createdMs: number): Organization;
}

export interface TokenStore {
  byHash(hash: Uint8Array): Token | undefined;
  list(): Token[];
  add(token: Omit<Token, 'id' | 'organizationPath'>): number;
  revoke(id: number, nowMs: number): void;
  touch(id: number, nowMs: number): void;
}

export interface PhraseStore {
  /** In the order in which they were made. */
  of(owner: string): Phrase[];
  /** Replaces one of the same name. @returns its id */
  put(owner: string, phrase: NewPhrase, nowMs: number): number;
  /** @returns false where this owner has no such one */
  remove(owner: string, id: number): boolean;
}

export interface UserStore {
  all(): User[];
  byId(id: number): User | undefined;
  byName(name: string): User | undefined;
  add(user: Pick<User, 'name' | 'role' | 'secret'>, nowMs: number): number;
  set(user: User): void;
  /** @param seatId undefined at the workstation itself */
  wrongTries(id: number, seatId: number | undefined): WrongTries;
  /** @param seatId as above */
  setWrongTries(id: number, seatId: number | undefined, tries: WrongTries): void;
  /** At every place. */
  forgetWrongTries(id: number): void;
}
