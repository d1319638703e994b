// A change that is broken off at any of its statements leaves no trace: not in the database, not in the memory of the program, and
// nobody was told of it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedPool } from '../../doubles/pool.ts';
import { centralAt, hospitalAt } from '../../support/made-connections.ts';
import { addImported, openTestClinic, type TestClinic } from '../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

/** Breaks a transaction off before one of its statements. */
class Breaker {
  /** Statements that are left before it breaks; undefined: it never does. */
  left: number | undefined;
  #isInside = false;

  watch(store: TestClinic['store']): void {
    const whole = store.transaction.bind(store);
    Object.assign(store, {
      transaction: <T>(work: () => T): T => {
        const wasInside = this.#isInside;
        this.#isInside = true;
        try {
          return whole(work);
        } finally {
          this.#isInside = wasInside;
        }
      },
    });
    for (const part of Object.values(store)) {
      if (typeof part !== 'object' || part === null) continue;
      const statements = part as Record<string, unknown>;
      for (const [name, statement] of Object.entries(statements))
        if (typeof statement === 'function')
          statements[name] = (...given: unknown[]) => {
            this.#count();
            return statement.apply(statements, given);
          };
    }
  }

  #count(): void {
    if (!this.#isInside || this.left === undefined) return;
    if (this.left-- === 0) throw new Error('broken off');
  }
}

let folder: TempFolder;
let opened: TestClinic;
let breaker: Breaker;
const told: string[] = [];
beforeEach(async () => {
  folder = await tempFolder();
  told.length = 0;
  breaker = new Breaker();
  opened = await openTestClinic(
    folder.path,
    new ScriptedPool(),
    Date.now,
    [
      ['sync.when', 'recorded'],
      ['sync.way', 'stream'],
    ],
    // Said half a second after what it tells of: the outbox itself tells at once.
    { publish: (name) => void (name !== 'sync.changed' && told.push(name)) },
  );
  breaker.watch(opened.store);
  opened.clinic.outbox.onChange(() => void told.push('outbox'));
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

/** All that the database holds. */
function content(): string {
  const database = new Database(join(folder.path, 'isoline.sqlite'), { readonly: true });
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();
    const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}"`).raw().all()]);
    return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  } finally {
    database.close();
  }
}

/** Tries it with a break before each of its statements in turn, until it passes. */
async function expectNoTrace(work: () => Promise<unknown>, mayTell = true): Promise<void> {
  for (let statements = 0; statements < 500; statements++) {
    await nextTurn();
    told.length = 0;
    const before = content();
    breaker.left = statements;
    const hasFailed = await work().then(
      () => false,
      (error: Error) => {
        expect(error.message).toBe('broken off');
        return true;
      },
    );
    breaker.left = undefined;
    await nextTurn();
    if (!hasFailed) {
      expect(statements).toBeGreaterThan(1);
      expect(content()).not.toBe(before);
      if (mayTell) expect(told).not.toEqual([]);
      return;
    }
    expect([statements, content() === before, told]).toEqual([statements, true, []]);
  }
  throw new Error('it never passes');
}

const connect = (): Promise<number> =>
  opened.clinic.connections.add(
    { to: centralAt('http://127.0.0.1:9'), label: '', localPath: 'clinic', secret: 't' },
    'test',
  );

test('a recording that is put into the queue', async () => {
  const taskId = await addImported(opened);
  await connect();
  await expectNoTrace(() => opened.clinic.enrolment.send(taskId, 'test'));
});

test('the intent of a call, and what comes of it', async () => {
  await connect();
  const taskId = await addImported(opened);
  const [{ item } = { item: undefined }] = opened.store.outbox.ofTask(taskId);
  const id = item?.id as number;
  const { outbox } = opened.clinic;
  const create = { kind: 'createTask', uploadId: 'u' } as const;
  await outbox.settle(id, { kind: 'createUpload' }, { kind: 'done', id: 'u' });
  // The intent of a call is told to nobody: its answer will be.
  await expectNoTrace(() => outbox.intend(id, create), false);
  await expectNoTrace(() => outbox.settle(id, create, { kind: 'done', id: '7' }));
});

test('a recording that is said to be of somebody else', async () => {
  await connect();
  const taskId = await addImported(opened);
  const entry = {
    fields: { patient: { lastName: 'Weber', id: '5123' } },
    isAutoComplete: false,
    identity: { name: 'said', birth: 'said' },
  } as const;
  await expectNoTrace(() =>
    opened.clinic.assignment
      .assign({ taskId, entry, reason: 'Identified' }, 'user:3')
      .catch((error: Error) => {
        // It is being analysed at the end of the first one that passes.
        throw error;
      }),
  );
});

test('a connection that is paused, and sent from at once', async () => {
  const id = await connect();
  await addImported(opened);
  const { decisions } = opened.clinic;
  await expectNoTrace(() => decisions.setStop(id, 'person', 'test'));
  await expectNoTrace(() => decisions.sendNow(id, 'test'));
});

test('a connection that is made known', async () => {
  await expectNoTrace(
    () =>
      opened.clinic.connections.add(
        { to: hospitalAt(2575), label: '', localPath: 'clinic', secret: '' },
        'test',
      ),
    false,
  );
});
