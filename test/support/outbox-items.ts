// What is on its way out of a running workstation, as its database has it.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { StoredItem } from '../../main/store/outbox/outbox-item.ts';
import { eventually } from './running-workstation.ts';

const UNTIL_MS = 60_000;

export function outboxItem(dataDir: string, taskId: number): StoredItem | undefined {
  const db = new Database(join(dataDir, 'isoline.sqlite'), { readonly: true });
  try {
    const text = db
      .prepare<[number], string>('SELECT item FROM outbox WHERE task_id = ?')
      .pluck()
      .get(taskId);
    return text === undefined ? undefined : (JSON.parse(text) as StoredItem);
  } finally {
    db.close();
  }
}

export const untilItem = (dataDir: string, taskId: number, state: StoredItem['state']): Promise<StoredItem> =>
  eventually(
    async () => {
      const item = outboxItem(dataDir, taskId);
      return item?.state === state ? item : undefined;
    },
    `task ${taskId} is ${state}`,
    UNTIL_MS,
  );
