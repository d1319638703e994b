// What a centre really holds, which a sender can only ask for: tasks by the mark of the recording that they
// are of.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LONGEST_CREATION_MS } from '../../main/clinic/outbox/item.ts';
import type { StoredItem } from '../../main/store/outbox/outbox-item.ts';

export interface TrueTask {
  readonly id: number;
  readonly state: string;
  readonly marker: string;
}

function query<T>(dataDir: string, read: (db: Database.Database) => T): T {
  const db = new Database(join(dataDir, 'isoline.sqlite'), { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

const markerIn = (fields: string): string | undefined => /isoline:[a-z2-7]{8}:[a-z2-7]{12}/.exec(fields)?.[0];

/** The tasks that hold a recording: a draft that nobody fed is none. */
export const examinationsAt = (dataDir: string): TrueTask[] =>
  query(dataDir, (db) =>
    db
      .prepare<[], { id: number; state: string; fields: string }>(
        "SELECT id, state, fields FROM task WHERE state NOT IN ('DRAFT', 'WAITING', 'RECEIVING')",
      )
      .all()
      .flatMap(({ id, state, fields }) => {
        const marker = markerIn(fields);
        return marker === undefined ? [] : [{ id, state, marker }];
      }),
  );

export interface TrueEntry {
  readonly item: StoredItem;
  readonly taskId: number;
  readonly marker: string;
}

export const outboxOf = (dataDir: string): TrueEntry[] =>
  query(dataDir, (db) =>
    db
      .prepare<[], { item: string; task_id: number; marker: string }>(
        'SELECT item, task_id, marker FROM outbox ORDER BY id',
      )
      .all()
      .map(({ item, task_id, marker }) => ({
        item: JSON.parse(item) as StoredItem,
        taskId: task_id,
        marker,
      })),
  );

/** Tasks that a script began to feed and has not finished. */
export const receivingAt = (dataDir: string): number[] =>
  query(dataDir, (db) =>
    db.prepare<[], number>("SELECT id FROM task WHERE state = 'RECEIVING'").pluck().all(),
  );

/** Tasks whose recording is complete: those that go to a centre. */
export const countComplete = (dataDir: string): number =>
  query(
    dataDir,
    (db) =>
      db
        .prepare<[], number>("SELECT count(*) FROM task WHERE state NOT IN ('DRAFT', 'WAITING', 'RECEIVING')")
        .pluck()
        .get() ?? 0,
  );

/** As it is three minutes later: what was to be created at a centre is there by then, or will never be. */
export function passCreationTime(dataDir: string): void {
  const db = new Database(join(dataDir, 'isoline.sqlite'));
  try {
    db.prepare(
      `UPDATE outbox SET item = json_set(item, '$.intendedMs', json_extract(item, '$.intendedMs') - ?)
       WHERE json_extract(item, '$.intendedMs') IS NOT NULL`,
    ).run(LONGEST_CREATION_MS);
  } finally {
    db.close();
  }
}
