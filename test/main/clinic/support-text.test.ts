// What goes to somebody who helps: everything that helps, and nothing of anybody (SEC71).

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { supportFacts } from '../../../main/host/support-facts.ts';
import { openLog } from '../../../main/store/folder/log.ts';
import { ScriptedPool } from '../../doubles/pool.ts';
import { addImported, openTestClinic, type TestClinic } from '../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let open: TestClinic;
beforeEach(async () => {
  folder = await tempFolder();
  openLog(folder.path)('clinic.started', { version: '0.1.0' });
  open = await openTestClinic(
    folder.path,
    new ScriptedPool(),
    () => Date.UTC(2026, 10, 25),
    [
      ['report.clinic', 'Canary Clinic'],
      ['sync.proxy', 'http://canary:3128'],
      ['backup.warnDays', '9'],
    ],
    { support: supportFacts(folder.path) },
  );
});
afterEach(async () => {
  await open.close();
  await folder.remove();
});

test('says what runs, what there is, what was set, and what the log says last', async () => {
  await addImported(open);
  const text = await open.clinic.supportText();
  expect(text).toMatch(/^Isoline 0\.1\.0, 2026-11-25T00:00:00\.000Z\n\w+ .*Node 24\./);
  expect(text).toMatch(/Tasks: \w+ 1\n/);
  expect(text).toContain('Backup: none');
  expect(text).toContain('  backup.warnDays: 9');
  expect(text).toContain('"event":"clinic.started"');
});

test('has no name, no text that was typed, no address and no path', async () => {
  await addImported(open);
  await open.clinic.users.add('Canary Admin', 'administrator', 'canary horse', undefined);
  await open.store.transaction(() => open.store.settings.set('backup.folder', '/canary/backup', 0));
  const text = await open.clinic.supportText();
  expect(text).toContain('  report.clinic: set');
  expect(text).not.toMatch(/canary|hoffmann|scrypt/i);
  expect(text).not.toContain(folder.path);
});

test('of an error in the log its name and its places in the program, without its message', async () => {
  const stack = `Error: ENOENT, open '/srv/canary/orders/Hoffmann.gdt'\n    at read (/srv/canary/isoline/main/connections/practice/order-folder.ts:41:9)\n    at file:///opt/canary/dist/main/pool-worker.mjs:7:1`;
  openLog(folder.path)('pool.job_failed', { stack, path: '/srv/canary', kind: 'analyse' });
  appendFileSync(join(folder.path, 'logs', `${new Date().toISOString().slice(0, 10)}.log`), '{"canary":"cu');
  const text = await open.clinic.supportText();
  expect(text).toContain('"stack":"Error < order-folder.ts:41 < pool-worker.mjs:7"');
  expect(text).toContain('"kind":"analyse"');
  expect(text).not.toMatch(/canary|hoffmann|ENOENT/i);
});

test('of a long log the last lines alone', async () => {
  const name = `${new Date().toISOString().slice(0, 10)}.log`;
  for (let line = 0; line < 500; line++)
    appendFileSync(join(folder.path, 'logs', name), `{"line":${line}}\n`);
  const text = await open.clinic.supportText();
  expect(text.split('\n').filter((line) => line.startsWith('{"line"')).length).toBe(300);
  expect(text).toContain('{"line":499}');
});
