// A step from one shape of the database to the next.

import type Database from 'better-sqlite3';

export interface Migration {
  /** Numbered in steps of ten; the highest one is the database's `user_version`. */
  readonly id: number;
  readonly name: string;
  up(db: Database.Database): void;
}
