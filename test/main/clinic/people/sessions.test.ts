// How long a PIN that was typed to approve counts: at its page, for its person, for the time that was set, and no longer.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const PASSWORD = 'correct horse';
const PIN = '135790';
const MINUTE_MS = 60_000;

let folder: TempFolder;
let opened: TestClinic;
let now = 0;
beforeEach(async () => {
  now = Date.UTC(2026, 10, 22);
  folder = await tempFolder();
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

async function readerAt(session: string, pinMinutes: number): Promise<void> {
  const settings = [['security.pinMinutes', String(pinMinutes)]] as const;
  opened = await openTestClinic(folder.path, new ScriptedPool(), () => now, settings);
  const { users, sessions } = opened.clinic;
  const admin = await users.add('A', 'administrator', PASSWORD, undefined);
  const lind = await users.add('Dr. Lind', 'reviewer', PIN, admin);
  await sessions.signIn(session, lind.userId, PIN);
}

test('it counts at that page alone, until its time is over, however busy the page is', async () => {
  await readerAt('page', 5);
  const { sessions } = opened.clinic;
  expect(sessions.confirmedForMs('page')).toBeUndefined();
  sessions.confirming('page')();
  expect(sessions.confirmedForMs('page')).toBe(5 * MINUTE_MS);
  expect(sessions.confirmedForMs('another page')).toBeUndefined();
  now += 4 * MINUTE_MS;
  sessions.touch('page');
  expect(sessions.confirmedForMs('page')).toBeDefined();
  now += MINUTE_MS;
  expect(sessions.person('page')?.name).toBe('Dr. Lind');
  expect(sessions.confirmedForMs('page')).toBeUndefined();
});

test('it ends with the session', async () => {
  await readerAt('page', 60);
  const { sessions, users } = opened.clinic;
  sessions.confirming('page')();
  sessions.end('page');
  const lind = users.active().find(({ name }) => name === 'Dr. Lind')!;
  await sessions.signIn('page', lind.userId, PIN);
  expect(sessions.confirmedForMs('page')).toBeUndefined();
});

test('nobody has to set it: each report takes a PIN then', async () => {
  await readerAt('page', 0);
  opened.clinic.sessions.confirming('page')();
  expect(opened.clinic.sessions.confirmedForMs('page')).toBeUndefined();
});

test('an idle page is signed out, and its PIN with it', async () => {
  await readerAt('page', 60);
  const { sessions } = opened.clinic;
  sessions.confirming('page')();
  now += 11 * MINUTE_MS;
  expect(sessions.confirmedForMs('page')).toBeUndefined();
});

test('of somebody who typed it and left meanwhile, it does not count for who came then', async () => {
  await readerAt('page', 60);
  const { sessions, users } = opened.clinic;
  const admin = users.active().find(({ name }) => name === 'A')!;
  const ruiz = await users.add('Dr. Ruiz', 'reviewer', '864209', admin);
  const confirmed = sessions.confirming('page');
  sessions.end('page');
  await sessions.signIn('page', ruiz.userId, '864209');
  confirmed();
  expect(sessions.confirmedForMs('page')).toBeUndefined();
});

test('a new secret takes it away', async () => {
  await readerAt('page', 60);
  const { sessions } = opened.clinic;
  sessions.confirming('page')();
  expect(sessions.confirmedForMs('page')).toBeDefined();
  sessions.forgetConfirmed(sessions.person('page')!.userId);
  expect(sessions.confirmedForMs('page')).toBeUndefined();
});
