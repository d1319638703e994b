// Accounts: who may sign in, what becomes of those who guess, what each role may do.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret, isGoodSecret, isSecret, SECRET_COST } from '../../../../main/clinic/people/secrets.ts';
import { requireRight } from '../../../../main/clinic/people/users.ts';
import { mayDo, RIGHTS, ROLES } from '../../../../shared/roles.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
let opened: TestClinic;
let now = 0;
const PASSWORD = 'correct horse';

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22);
  folder = await tempFolder();
  await open();
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});
async function open(parts: Parameters<typeof openTestClinic>[4] = {}): Promise<void> {
  opened = await openTestClinic(folder.path, new ScriptedPool(), () => now, [], parts);
}

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    ({ reason }: { reason: string }) => reason,
  );

describe('secrets', () => {
  test('are kept as scrypt with a salt of their own, and known again', async () => {
    const [a, b] = await Promise.all([hashSecret('123456', SECRET_COST), hashSecret('123456', SECRET_COST)]);
    expect(a).toMatch(/^scrypt\$131072\$8\$1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(a).not.toBe(b);
    expect(
      await Promise.all([
        isSecret('123456', a),
        isSecret('123457', a),
        isSecret('', a),
        isSecret('123456', 'plain'),
      ]),
    ).toEqual([true, false, false, false]);
    // However its letters are composed.
    expect(
      await isSecret('Zoe\u0308 1234567', await hashSecret('Zo\u00eb 1234567', { n: 1024, r: 8, p: 1 })),
    ).toBe(true);
  });

  test.each([
    ['12345', false],
    ['135790', true],
    ['40718293', true],
    ['123456', false],
    ['12345678', false],
    ['987654', false],
    ['890123', false],
    ['111111', false],
    ['121212', false],
    ['123123', false],
    ['12341234', false],
    ['140351', false],
    ['510314', false],
    ['14031951', false],
    ['19510314', false],
    ['aaaaaaaaaaaa', false],
    ['123456789', false],
    ['1234567890', true],
    ['short', false],
    ['long enough', true],
  ])('%s', (secret, isGood) => expect(isGoodSecret(secret)).toBe(isGood));
});

describe('accounts', () => {
  test('a secret that was hashed at a lower cost is rehashed at the next sign-in', async () => {
    const { userId } = await opened.clinic.users.add('Admin', 'administrator', PASSWORD, undefined);
    const stored = (): string => opened.store.users.byId(userId)?.secret ?? '';
    const before = stored();
    expect(before).toMatch(/^scrypt\$1024\$8\$1\$/);
    await opened.clinic.users.signIn(userId, PASSWORD);
    expect(stored()).toBe(before);
    await opened.close();
    await open({ secretCost: { n: 2048, r: 8, p: 1 } });
    const { users } = opened.clinic;
    expect(await refusal(users.signIn(userId, 'another horse'))).toBe('wrong_secret');
    expect(stored()).toBe(before);
    await users.signIn(userId, PASSWORD);
    const rehashed = stored();
    expect(rehashed).toMatch(/^scrypt\$2048\$8\$1\$/);
    // It is still the same secret, and is not rehashed again.
    await users.signIn(userId, PASSWORD);
    expect(stored()).toBe(rehashed);
    expect(await refusal(users.signIn(userId, 'another horse'))).toBe('wrong_secret');
    // The cost never goes down.
    await opened.close();
    await open();
    await opened.clinic.users.signIn(userId, PASSWORD);
    expect(stored()).toBe(rehashed);
  });

  test('sign in by their secret, whoever else is there', async () => {
    const { users } = opened.clinic;
    const admin = await users.add('A. Admin', 'administrator', PASSWORD, undefined);
    const keller = await users.add(' M. Keller ', 'technician', '135790', admin);
    const lind = await users.add('Dr. Lind', 'reviewer', '246801', admin);
    expect(users.active().map(({ name }) => name)).toEqual(['A. Admin', 'Dr. Lind', 'M. Keller']);
    expect(await users.signIn(keller.userId, '135790')).toEqual({
      userId: keller.userId,
      name: 'M. Keller',
      role: 'technician',
    });
    expect(await refusal(users.signIn(keller.userId, '246801'))).toBe('wrong_secret');
    expect(await refusal(users.signIn(99, '135790'))).toBe('user_not_found');
    expect(await refusal(users.add('m. keller', 'reviewer', '135790', admin))).toBe('user_exists');
    expect(await refusal(users.add('x', 'technician', '1234', admin))).toBe('weak_secret');
    expect(await refusal(users.add('x', 'administrator', '12345678', admin))).toBe('weak_secret');
    expect(await refusal(users.add('  ', 'technician', '135790', admin))).toBe('invalid_user');
    for (const by of [keller, lind, undefined])
      expect(await refusal(users.add('y', 'administrator', PASSWORD, by))).toBe('not_allowed');
    await users.changeSecret(lind, '246801', '582946');
    expect(await refusal(users.signIn(lind.userId, '246801'))).toBe('wrong_secret');
    expect(await refusal(users.confirm(lind, '582946'))).toBe('accepted');
  });

  test('whoever guesses at a tablet keeps nobody away from the workstation, nor from another tablet', async () => {
    const { users } = opened.clinic;
    const admin = await users.add('A', 'administrator', PASSWORD, undefined);
    const { userId } = await users.add('K', 'technician', '135790', admin);
    const at = (seat: number | undefined, secret: string) =>
      refusal(users.signIn(userId, secret, undefined, seat === undefined ? {} : { seat }));
    for (let n = 0; n < 5; n++) expect(await at(7, '000000')).toBe('wrong_secret');
    expect(await at(7, '135790')).toBe('user_blocked');
    expect(await at(8, '135790')).toBe('accepted');
    expect(await at(undefined, '135790')).toBe('accepted');
    // What went right elsewhere opens nothing there.
    expect(await at(7, '135790')).toBe('user_blocked');
    await opened.close();
    await open();
    expect(await refusal(opened.clinic.users.signIn(userId, '135790', undefined, { seat: 7 }))).toBe(
      'user_blocked',
    );
    // A new secret is a new beginning everywhere.
    await opened.clinic.users.resetSecret(userId, '864209', admin, PASSWORD);
    expect(await refusal(opened.clinic.users.signIn(userId, '864209', '975318', { seat: 7 }))).toBe(
      'accepted',
    );
  });

  test('who guesses waits, longer each time, also behind a restart; the right secret in time forgets it', async () => {
    const admin = await opened.clinic.users.add('A', 'administrator', PASSWORD, undefined);
    const { userId } = await opened.clinic.users.add('K', 'technician', '135790', admin);
    for (let n = 0; n < 4; n++)
      expect(await refusal(opened.clinic.users.signIn(userId, '000000'))).toBe('wrong_secret');
    expect(await refusal(opened.clinic.users.signIn(userId, '135790'))).toBe('accepted');
    for (let n = 0; n < 5; n++)
      expect(await refusal(opened.clinic.users.signIn(userId, '000000'))).toBe('wrong_secret');
    expect(await refusal(opened.clinic.users.signIn(userId, '135790'))).toBe('user_blocked');
    await opened.close();
    await open();
    now += 29_999;
    expect(await refusal(opened.clinic.users.signIn(userId, '135790'))).toBe('user_blocked');
    now += 1;
    expect(await refusal(opened.clinic.users.signIn(userId, '000000'))).toBe('wrong_secret');
    now += 59_999;
    expect(await refusal(opened.clinic.users.signIn(userId, '135790'))).toBe('user_blocked');
    now += 1;
    expect(await refusal(opened.clinic.users.signIn(userId, '135790'))).toBe('accepted');
    expect(opened.store.users.wrongTries(userId, undefined)).toEqual({ tries: 0, blockedUntilMs: 0 });
    expect(opened.store.audit.verify().brokenAt).toBeUndefined();
  });

  test('a forgotten secret is replaced for one sign-in; whoever it is for chooses another one first', async () => {
    const { users, sessions } = opened.clinic;
    const admin = await users.add('A. Admin', 'administrator', PASSWORD, undefined);
    const lind = await users.add('Dr. Lind', 'reviewer', '135790', admin);
    await sessions.signIn('L', lind.userId, '135790');
    expect(await refusal(users.resetSecret(lind.userId, '246801', admin, 'wrong horse'))).toBe(
      'wrong_secret',
    );
    expect(await refusal(users.resetSecret(lind.userId, '111111', admin, PASSWORD))).toBe('weak_secret');
    expect(await refusal(users.resetSecret(admin.userId, 'another horse', admin, PASSWORD))).toBe(
      'not_allowed',
    );
    expect(await refusal(users.resetSecret(admin.userId, 'another horse', lind, '135790'))).toBe(
      'not_allowed',
    );
    await users.resetSecret(lind.userId, '246801', admin, PASSWORD);
    sessions.endWhere((_session, person) => person.userId === lind.userId);
    expect(sessions.person('L')).toBeUndefined();
    // The old one is gone, the new one is for one sign-in, and not for two.
    expect(await refusal(users.signIn(lind.userId, '135790'))).toBe('wrong_secret');
    expect(await refusal(users.signIn(lind.userId, '246801'))).toBe('secret_temporary');
    expect(await refusal(users.signIn(lind.userId, '246801', '246801'))).toBe('secret_same');
    expect(await refusal(users.signIn(lind.userId, '975318', '864209'))).toBe('wrong_secret');
    expect(await users.signIn(lind.userId, '246801', '864209')).toMatchObject({ name: 'Dr. Lind' });
    expect(await refusal(users.signIn(lind.userId, '246801'))).toBe('wrong_secret');
    expect(await users.signIn(lind.userId, '864209')).toMatchObject({ name: 'Dr. Lind' });
    const actions = opened.store.audit
      .of(`user:${lind.userId}`)
      .map(({ action, actor }) => `${actor} ${action}`);
    expect(actions).toContain(`user:${admin.userId} user.secret_reset`);
    expect(actions).toContain(`user:${lind.userId} user.secret_changed`);
  });

  test('are taken away by administrators alone, and the last of these stays', async () => {
    const { users } = opened.clinic;
    expect(await refusal(users.add('K', 'technician', '135790', undefined))).toBe('not_allowed');
    const admin = await users.add('A', 'administrator', PASSWORD, undefined);
    const keller = await users.add('K', 'technician', '135790', admin);
    expect(await refusal(users.deactivate(admin.userId, keller))).toBe('not_allowed');
    expect(await refusal(users.deactivate(admin.userId, admin))).toBe('not_allowed');
    await users.deactivate(keller.userId, admin);
    expect(await refusal(users.signIn(keller.userId, '135790'))).toBe('user_not_found');
    expect(users.active().map(({ name }) => name)).toEqual(['A']);
  });
});

test('rights are those of the roles: an administrator approves nothing, a reviewer changes no setting', () => {
  const table = Object.fromEntries(
    ROLES.map((role) => [role, RIGHTS.filter((right) => mayDo(role, right)).length]),
  );
  expect(table).toEqual({ technician: 5, reviewer: 9, administrator: 12 });
  const person = (role: (typeof ROLES)[number]) => ({ userId: 1, name: 'X', role });
  expect(() => requireRight(person('administrator'), 'approve')).toThrow('X is not allowed to do this');
  expect(() => requireRight(person('reviewer'), 'settings')).toThrow();
  expect(() => requireRight(person('technician'), 'record')).not.toThrow();
});

describe('at a page at which nobody does anything (SEC52)', () => {
  const minutes = (count: number): void => {
    now += count * 60_000;
  };

  test('whoever is signed in is signed out after ten minutes, whatever the page says later', async () => {
    const { users, sessions } = opened.clinic;
    const admin = await users.add('A', 'administrator', PASSWORD, undefined);
    await sessions.signIn('page', admin.userId, PASSWORD);
    minutes(9);
    expect(sessions.person('page')?.name).toBe('A');
    sessions.touch('page');
    minutes(9);
    expect(sessions.person('page')?.name).toBe('A');
    minutes(1);
    expect(sessions.person('page')).toBeUndefined();
    sessions.touch('page');
    expect(sessions.person('page')).toBeUndefined();
    expect(() => sessions.requireAnybody('page')).toThrow(/Sign in/);
  });

  test('the pages are told once, and the others stay', async () => {
    const { users, sessions } = opened.clinic;
    const admin = await users.add('A', 'administrator', PASSWORD, undefined);
    await sessions.signIn('left', admin.userId, PASSWORD);
    minutes(6);
    await sessions.signIn('used', admin.userId, PASSWORD);
    minutes(5);
    sessions.endIdle();
    expect([sessions.person('left'), sessions.person('used')?.name]).toEqual([undefined, 'A']);
    opened.clinic.seats.lockDesk();
    expect(sessions.person('used')).toBeUndefined();
  });
});
