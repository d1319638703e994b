// The audit trail for those who may look into it: searched, checked, exported.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedPool } from '../../doubles/pool.ts';
import { addImported, openTestClinic, type TestClinic } from '../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const DAY = 86_400_000;
let nowMs = Date.UTC(2026, 10, 1);
let folder: TempFolder;
let open: TestClinic;
beforeEach(async () => {
  folder = await tempFolder();
  open = await openTestClinic(folder.path, new ScriptedPool(), () => nowMs);
});
afterEach(async () => {
  await open.close();
  await folder.remove();
});

function add(count: number, actor: string, detail: Record<string, string> = {}): void {
  const { store } = open;
  store.transaction(() => {
    for (let i = 0; i < count; i++)
      store.audit.append({ timeMs: nowMs, actor, action: 'report.read', subject: `task:${i}`, detail });
  });
}

test('entries are found by kind, person, recording, time and words, newest first, page by page', () => {
  const { auditTrail } = open.clinic;
  add(30, 'user:1');
  nowMs += 10 * DAY;
  add(5, 'program', { reason: '100 % sure_thing' });
  const newest = open.store.audit.lastSeq();
  const seqs = (beforeSeq: number): number[] =>
    auditTrail.list({}, beforeSeq, 10).entries.map(({ seq }) => seq);
  expect(seqs(Number.MAX_SAFE_INTEGER)).toEqual(Array.from({ length: 10 }, (_, i) => newest - i));
  expect(auditTrail.list({}, Number.MAX_SAFE_INTEGER, 10).nextBeforeSeq).toBe(newest - 9);
  expect(seqs(newest - 9)).toEqual(Array.from({ length: 10 }, (_, i) => newest - 10 - i));
  const count = (filter: Parameters<typeof auditTrail.list>[0]): number =>
    auditTrail.list(filter, Number.MAX_SAFE_INTEGER, 200).entries.length;
  expect(count({ actor: 'user:1' })).toBe(30);
  expect(count({ sinceMs: nowMs - DAY })).toBe(5);
  expect(count({ subject: 'task:3' })).toBe(2);
  expect([count({ kind: 'reading' }), count({ kind: 'patients' })]).toEqual([35, 0]);
  // What an action is called on the screen counts, too.
  expect(count({ text: 'gelesen', orActions: ['report.read'] })).toBe(35);
  // Nothing that is typed is a pattern.
  expect([count({ text: '100 % sure_thing' }), count({ text: '%' }), count({ text: '___' })]).toEqual([
    5, 5, 0,
  ]);
});

test('what was done with a recording is found by the name of its patient', async () => {
  const taskId = await addImported(open);
  add(taskId + 1, 'user:1');
  const found = (text: string): string[] =>
    open.clinic.auditTrail.list({ text }, Number.MAX_SAFE_INTEGER, 50).entries.map(({ subject }) => subject);
  expect(found('hoffm')).toEqual([`task:${taskId}`]);
  expect(found('nobody')).toEqual([]);
});

test('however long the trail is, one search looks at a stretch of it and says how far it got', () => {
  add(25_000, 'program');
  const first = open.clinic.auditTrail.list({ actor: 'user:9' }, Number.MAX_SAFE_INTEGER, 100);
  expect([first.entries, first.nextBeforeSeq]).toEqual([[], open.store.audit.lastSeq() + 1 - 20_000]);
  const rest = open.clinic.auditTrail.list({ actor: 'user:9' }, first.nextBeforeSeq ?? 0, 100);
  expect([rest.entries.length, rest.nextBeforeSeq]).toEqual([0, undefined]);
});

test('checked in parts while the clinic works on; the first entry that was changed is named', async () => {
  const { auditTrail } = open.clinic;
  add(3500, 'user:1');
  await Promise.all([auditTrail.check('user:1'), auditTrail.check('user:1')]);
  expect(auditTrail.state().checked).toMatchObject({ entries: 3501 });
  expect(auditTrail.state().checked).not.toHaveProperty('brokenAt');
  const database = new Database(join(folder.path, 'isoline.sqlite'));
  database.exec("DROP TRIGGER audit_is_not_changed; UPDATE audit SET actor = 'user:2' WHERE seq = 2222");
  database.close();
  await auditTrail.check('user:1');
  expect(auditTrail.state().checked).toMatchObject({ brokenAt: 2222 });
});

test('an export is text to a spreadsheet, and an entry of its own', async () => {
  add(1, '=cmd()', { reason: 'he said "no", -5' });
  const csv = new TextDecoder().decode(await open.clinic.auditTrail.exported({}, 'user:1'));
  expect(csv).toContain(",'=cmd(),");
  expect(csv).toContain('""reason"":""he said \\""no\\"", -5""');
  expect(
    open.clinic.auditTrail.list({ kind: 'reading' }, Number.MAX_SAFE_INTEGER, 1).entries[0],
  ).toMatchObject({
    action: 'audit.exported',
    actor: 'user:1',
  });
});
