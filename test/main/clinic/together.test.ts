// Changes that come at the same time are one transaction, and each is whole or not at all by itself.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { Together } from '../../../main/clinic/context.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { ScriptedPool } from '../../doubles/pool.ts';
import { openTestClinic } from '../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let opened: Awaited<ReturnType<typeof openTestClinic>>;
beforeEach(async () => {
  folder = await tempFolder();
  opened = await openTestClinic(folder.path, new ScriptedPool(), Date.now);
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const key = 'report.clinic';
const stored = (): string | undefined => opened.store.settings.all().get(key);
const setTo = (value: string) => () => {
  opened.store.settings.set(key, value, 1);
  return {
    result: value,
    notes: [{ actor: 'test', action: 'setting.changed' as const, subject: key, detail: {} }],
  };
};

test('are committed once, in their order, with the notes of all', async () => {
  const { context } = opened.clinic;
  let commits = 0;
  const store = {
    ...opened.store,
    transaction: <T>(work: () => T): T => {
      commits++;
      return opened.store.transaction(work);
    },
  };
  const together = new Together({ ...context, store });
  const before = opened.store.audit.lastSeq();
  const results = await Promise.all(['a', 'b', 'c'].map((value) => together.change(setTo(value))));
  expect(results).toEqual(['a', 'b', 'c']);
  expect(stored()).toBe('c');
  // The one around them, and one in it for each.
  expect(commits).toBe(4);
  expect(opened.store.audit.lastSeq() - before).toBe(3);
});

test('one that fails leaves nothing of itself, and all of the others', async () => {
  const together = new Together(opened.clinic.context);
  const failing = together.change(() => {
    setTo('half')();
    throw new Error('in the middle');
  });
  const settled = await Promise.allSettled([together.change(setTo('a')), failing]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(stored()).toBe('a');
});

test('what the disk refuses is refused to all, and nothing of any is there', async () => {
  const together = new Together(opened.clinic.context);
  const full = together.change(() => {
    setTo('half')();
    throw new IsolineError('storage_full', 'The disk is full.');
  });
  const settled = await Promise.allSettled([together.change(setTo('a')), full, together.change(setTo('b'))]);
  expect(settled.map((each) => (each.status === 'rejected' ? each.reason.reason : each.value))).toEqual([
    'storage_full',
    'storage_full',
    'storage_full',
  ]);
  expect(stored()).toBeUndefined();
  // The next ones are not held up by it.
  await together.change(setTo('later'));
  expect(stored()).toBe('later');
});
