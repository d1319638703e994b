// The worklist: what is found, by what, in which order, and that it stays true while tasks change.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { taskDetail, taskRow } from '../../../../main/bridge/handlers/task-row.ts';
import type { FromUpload } from '../../../../main/clinic/tasks/tasks.ts';
import { checkTaskRequest } from '../../../../main/v3/task-fields.ts';
import type { TaskQuery } from '../../../../shared/bridge/views.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { analysedTask } from '../../../support/analysed-task.ts';
import { inTransaction } from '../../../support/in-transaction.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';

let folder: TempFolder;
let opened: TestClinic;
let pool: ScriptedPool;
let now = 0;
const DAY_MS = 86_400_000;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22);
  folder = await tempFolder();
  pool = new ScriptedPool();
  opened = await openTestClinic(folder.path, pool, () => now);
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const create = async (fields: object, from?: FromUpload): Promise<number> => {
  const [id] = await opened.clinic.tasks.create(
    opened.organizationId,
    checkTaskRequest(fields, now),
    'test',
    from,
  );
  return id as number;
};
const found = (query: Partial<TaskQuery> = {}): number[] => {
  const { tasks, total } = opened.clinic.worklist.list({ limit: 100, ...query });
  const rows = tasks.map(taskRow);
  expect(total).toBe(rows.length);
  return rows.map(({ taskId }) => taskId);
};

describe('the worklist', () => {
  test.each<[Partial<TaskQuery>, number[]]>([
    [{}, [3, 2, 1]],
    [{ text: 'mueller' }, [1]],
    [{ text: 'zoe 1951' }, [1]],
    [{ text: 'chest' }, [2]],
    [{ text: 'ward' }, [3, 2]],
    [{ text: 'ward 2' }, [2]],
    [{ text: 'inv-7' }, [3]],
    [{ text: '14.3.1951' }, [1]],
    [{ text: 'nobody' }, []],
    [{ states: ['WAITING'] }, [3]],
    [{ states: ['DRAFT', 'WAITING'], text: 'ward' }, [3, 2]],
    [{ states: ['COMPLETED'] }, []],
    [{ sinceMs: Date.UTC(2026, 10, 23) }, [3]],
    [{ isRealOnly: true }, [3, 2, 1]],
    [{ lowestSeverity: 'LOW' }, []],
  ])('%j', async (query, ids) => {
    await create({
      patient_last_name: 'Müller',
      patient_first_name: 'Zoë',
      patient_birth_date: '1951-03-14',
    });
    await create({ patient_last_name: 'Hoffmann', indications: ['Chest pain'], searching_tags: ['ward 2'] });
    now += DAY_MS;
    await create({ patient_id: '9', device_id: 'cart', searching_tags: ['ward'], investigation_id: 'INV-7' });
    expect(found(query)).toEqual(ids);
  });

  test('gives pages, and says how many there are', async () => {
    for (let n = 0; n < 25; n++) await create({ patient_last_name: `Reihe ${n}` });
    for (const text of ['', 'reihe']) {
      const { tasks, total } = opened.clinic.worklist.list({ limit: 10, offset: 20, text });
      const rows = tasks.map(taskRow);
      expect([rows.map(({ taskId }) => taskId), total]).toEqual([[5, 4, 3, 2, 1], 25]);
    }
  });

  test('shows some first where that is wanted, in their order, each once, over all pages', async () => {
    for (let n = 0; n < 25; n++) await create({ patient_last_name: `Reihe ${n}` });
    for (const text of ['', 'reihe']) {
      const page = (offset: number) =>
        opened.clinic.worklist
          .list({ limit: 10, offset, text, first: [7, 3, 99, 24] })
          .tasks.map(({ task }) => task.id);
      expect([...page(0), ...page(10), ...page(20)]).toEqual([
        7,
        3,
        24,
        ...Array.from({ length: 25 }, (_, i) => 25 - i).filter((id) => ![7, 3, 24].includes(id)),
      ]);
      expect(
        opened.clinic.worklist
          .list({ limit: 2, offset: 1, text, first: [7, 3, 24] })
          .tasks.map(({ task }) => task.id),
      ).toEqual([3, 24]);
      // What is not asked for does not come by being wanted first.
      expect(
        opened.clinic.worklist
          .list({ limit: 10, text, first: [7], newestId: 2 })
          .tasks.map(({ task }) => task.id),
      ).toEqual([2, 1]);
    }
  });

  test('finds an analysed recording by what was found, by its severity, and no more when it is deleted', async () => {
    pool.statements = [
      { code: 'AFIB', text: 'Atrial fibrillation', severity: 'IMPORTANT', certainty: 'definite' },
    ];
    pool.severity = 'IMPORTANT';
    const task = await analysedTask(opened, 'an ECG', { patient_last_name: 'Okafor' });
    const { store } = opened;
    expect(found({ text: 'fibril okafor' })).toEqual([task]);
    expect([found({ lowestSeverity: 'MODERATE' }), found({ lowestSeverity: 'CRITICAL' })]).toEqual([
      [task],
      [],
    ]);
    expect(
      found({ lowestSeverity: 'LOW', text: 'okafor', states: ['AWAITING_APPROVAL'], isRealOnly: true }),
    ).toEqual([task]);
    inTransaction(store, (tx) => opened.clinic.tasks.move(tx, task, 'deleted'));
    expect([found({ text: 'okafor' }), found()]).toEqual([[], []]);
  });

  test('finds a finding by its acronym and its words in both languages, and a name never by an acronym that begins so', async () => {
    pool.statements = [
      {
        code: 'RHY-AFIB',
        text: 'Atrial fibrillation',
        values: {},
        severity: 'IMPORTANT',
        certainty: 'definite',
      },
      { code: 'ECT-PVC', text: 'Ventricular ectopic beats', severity: 'LOW', certainty: 'definite' },
      { code: 'SUM-VARIANT', text: 'Normal variant', severity: 'NONE', certainty: 'definite' },
    ];
    pool.severity = 'IMPORTANT';
    const task = await analysedTask(opened, 'an ECG', { patient_last_name: 'Okafor' });
    for (const text of ['afib', 'AF', 'a-fib', 'fibrilación', 'PVC okafor', 'atrial'])
      expect([text, found({ text })]).toEqual([text, [task]]);
    // `afi` is the beginning of no word, and `v` of no acronym that a physician would mean.
    for (const text of ['afi', 'fibrillation nobody', 'stemi', 'pv'])
      expect([text, found({ text })]).toEqual([text, []]);
    const [row] = opened.clinic.worklist.list({ limit: 1 }).tasks.map(taskRow);
    expect(row!.firstFinding).toEqual({ code: 'RHY-AFIB', text: 'Atrial fibrillation', values: {}, more: 1 });
  });

  test('finds a name with one slip of the finger, says so, and takes no number for another one', async () => {
    await create({ patient_last_name: 'Müller', patient_id: '20017' });
    await create({ patient_last_name: 'Milner', patient_id: '20018' });
    const listed = (text: string, query: Partial<TaskQuery> = {}) => {
      const { tasks, isSimilar } = opened.clinic.worklist.list({ limit: 10, text, ...query });
      return [tasks.map(({ task }) => task.id), isSimilar];
    };
    expect(listed('muler')).toEqual([[1], true]);
    expect(listed('müllr')).toEqual([[1], true]);
    expect(listed('muller')).toEqual([[1], false]);
    expect(listed('milnre')).toEqual([[2], true]);
    // Another first letter, two slips, a short word and a number are something else.
    for (const text of ['nuller', 'muelxlerx', 'mli', '20019', 'muler 20018'])
      expect(listed(text)).toEqual([[], false]);
    // The name is there, and the other conditions leave it out: nothing like it is offered in its place.
    expect(listed('müller', { states: ['COMPLETED'] })).toEqual([[], false]);
  });

  test('of a large folder of an earlier version is told of the newest at once, and of all behind that', async () => {
    for (let n = 0; n < 620; n++) await create({ patient_last_name: `Reihe ${n}` });
    await opened.close();
    const db = new Database(join(folder.path, 'isoline.sqlite'));
    db.exec('UPDATE task SET is_listed = 0; DELETE FROM task_word;');
    db.close();
    opened = await openTestClinic(folder.path, pool, () => now);
    expect(found({ text: 'reihe 619' })).toEqual([620]);
    expect(opened.store.tasks.unlisted(1)).not.toEqual([]);
    await expect.poll(() => opened.store.tasks.unlisted(1)).toEqual([]);
    expect(found({ text: 'reihe 0' })).toEqual([1]);
  });

  test.each(readdirSync(join(dataFolder, 'databases')))(
    'of a data folder of schema %s holds what was there',
    async (schema) => {
      await using old = await tempFolder();
      const source = new Database(join(dataFolder, 'databases', schema), { readonly: true });
      await source.backup(join(old.path, 'isoline.sqlite'));
      source.close();
      const upgraded = await openTestClinic(old.path, new ScriptedPool(), () => now);
      const { tasks, total } = upgraded.clinic.worklist.list({ limit: 100 });
      const rows = tasks.map(taskRow);
      expect(total).toBeGreaterThan(0);
      const [row] = rows;
      const [statement] = taskDetail(upgraded.clinic.worklist.lookAt(row!.taskId)).statements;
      const byWords = upgraded.clinic.worklist.list({ limit: 100, text: statement!.text.split(' ')[0]! });
      expect(byWords.tasks.map(({ task }) => task.id)).toContain(row!.taskId);
      expect(row!.severity).toBeDefined();
      expect(upgraded.store.tasks.unlisted(1)).toEqual([]);
      await upgraded.close();
    },
  );
});
