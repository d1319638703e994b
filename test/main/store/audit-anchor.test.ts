// What is noted of the audit trail outside the database (SEC72): a trail that is whole in itself is still
// held against it.

import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anchorFault, keepAuditAnchored, UNFIT } from '../../../main/store/audit/audit-anchor.ts';
import { ScriptedPool } from '../../doubles/pool.ts';
import { openTestClinic, type TestClinic } from '../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let opened: TestClinic;
beforeEach(async () => {
  folder = await tempFolder();
  opened = await openTestClinic(folder.path, new ScriptedPool(), () => 1000);
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const add = (count: number): void => {
  for (let i = 0; i < count; i++)
    opened.store.transaction(() =>
      opened.store.audit.append({
        timeMs: i,
        actor: 'cli',
        action: 'task.created',
        subject: 'task:1',
        detail: {},
      }),
    );
};

async function anchored(): Promise<void> {
  await using _keeping = await keepAuditAnchored(folder.path, opened.clinic.context);
  add(5);
}

/** As somebody would who knows how the trail is made and has the file of the database, but not the note. */
function tamper(change: (db: Database.Database) => void): void {
  const db = new Database(join(folder.path, 'isoline.sqlite'));
  db.exec('DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_cut');
  change(db);
  db.close();
}

function chainAnew(db: Database.Database): void {
  let previous = Buffer.alloc(32);
  for (const row of db.prepare('SELECT * FROM audit ORDER BY seq').all() as Record<
    string,
    string | number
  >[]) {
    const canonical = JSON.stringify([row.seq, row.time_ms, row.actor, row.action, row.subject, row.detail]);
    const hash = createHash('sha256').update(previous).update(canonical).digest();
    db.prepare('UPDATE audit SET prev_hash = ?, hash = ? WHERE seq = ?').run(previous, hash, row.seq);
    previous = hash;
  }
}

test('a trail that grew fits, also where the last entries were never noted', async () => {
  expect(await anchorFault(folder.path, opened.store.audit)).toBeUndefined();
  await anchored();
  expect(await anchorFault(folder.path, opened.store.audit)).toBeUndefined();
  add(3);
  expect(await anchorFault(folder.path, opened.store.audit)).toBeUndefined();
});

test.each([
  [
    'cut off at its end',
    (db: Database.Database) => db.exec('DELETE FROM audit WHERE seq > (SELECT max(seq) - 2 FROM audit)'),
    'cut',
  ],
  ['emptied', (db: Database.Database) => db.exec('DELETE FROM audit'), 'cut'],
  [
    'rewritten with fitting hashes',
    (db: Database.Database) => {
      db.exec("UPDATE audit SET actor = 'somebody else' WHERE seq = 2");
      chainAnew(db);
    },
    'rewritten',
  ],
] as const)('a trail that was %s is found, though it is whole in itself', async (_name, change, fault) => {
  await anchored();
  tamper(change);
  expect(opened.store.audit.verify().brokenAt).toBeUndefined();
  expect(await anchorFault(folder.path, opened.store.audit)).toBe(fault);
});

test('what was found stands in the trail from the next start on, so that a new note hides nothing', async () => {
  await anchored();
  tamper((db) => db.exec('DELETE FROM audit WHERE seq > 2'));
  await anchored();
  expect(await anchorFault(folder.path, opened.store.audit)).toBeUndefined();
  expect(opened.store.audit.of('audit').find(({ action }) => action === UNFIT)).toMatchObject({
    detail: { fault: 'cut' },
  });
});

test('a note that was removed or changed is found', async () => {
  await anchored();
  const path = join(folder.path, 'secrets', 'audit-anchor.json');
  await writeFile(path, JSON.stringify({ seq: 1, hash: opened.store.audit.hashAt(1), mac: '00'.repeat(32) }));
  expect(await anchorFault(folder.path, opened.store.audit)).toBe('forged');
  await rm(path);
  expect(await anchorFault(folder.path, opened.store.audit)).toBe('missing');
});
