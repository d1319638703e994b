// The phrases of a reader: kept under a name, replaced by one of the same name, nobody else's.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../../../main/clinic/people/sessions.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
let opened: TestClinic;
const by = (userId: number): Caller => ({
  session: 'page',
  actor: `user:${userId}`,
  person: { userId, name: `Dr. ${userId}`, role: 'reviewer' },
});
const phrase = (name: string, text = 'Sinus rhythm') => ({
  name,
  isWhole: false,
  findings: [{ text, severity: 'NONE' as const }],
});

beforeEach(async () => {
  folder = await tempFolder();
  opened = await openTestClinic(folder.path, new ScriptedPool(), () => Date.UTC(2026, 10, 22));
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

test('each reader has phrases of their own, in the order in which they were made', async () => {
  const { phrases } = opened.clinic;
  await phrases.keep(phrase('one'), by(1));
  await phrases.keep(phrase('two'), by(1));
  await phrases.keep(phrase('one'), by(2));
  expect([phrases.of(by(1)).map(({ name }) => name), phrases.of(by(2)).length]).toEqual([['one', 'two'], 1]);
});

test('one of the same name is replaced, whatever its capitals', async () => {
  const { phrases } = opened.clinic;
  await phrases.keep(phrase('Old infarct', 'before'), by(1));
  await phrases.keep({ ...phrase(' OLD INFARCT ', 'after'), isWhole: true }, by(1));
  expect(phrases.of(by(1))).toEqual([
    { phraseId: 1, name: 'OLD INFARCT', isWhole: true, findings: [{ text: 'after', severity: 'NONE' }] },
  ]);
});

test('nobody removes a phrase of somebody else, and each change stands in the audit', async () => {
  const { phrases } = opened.clinic;
  await phrases.keep(phrase('mine'), by(1));
  await phrases.remove(1, by(2));
  expect(phrases.of(by(1))).toHaveLength(1);
  await phrases.remove(1, by(1));
  await phrases.remove(1, by(1));
  expect(phrases.of(by(1))).toEqual([]);
  const actions = opened.store.audit.of('phrase:1').map(({ action }) => action);
  expect(actions).toEqual(['phrase.kept', 'phrase.removed']);
});

test('fifty are enough, and a name is needed', async () => {
  const { phrases } = opened.clinic;
  for (let n = 1; n <= 50; n++) await phrases.keep(phrase(`phrase ${n}`), by(1));
  await expect(phrases.keep(phrase('one more'), by(1))).rejects.toMatchObject({ reason: 'invalid_request' });
  await phrases.keep(phrase('phrase 7', 'again'), by(1));
  await expect(phrases.keep(phrase('  '), by(1))).rejects.toMatchObject({ reason: 'invalid_request' });
  expect(phrases.of(by(1))).toHaveLength(50);
});
