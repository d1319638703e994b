// Every operation of the contract, asked by everybody: who may is what the contract says, and nothing else.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageHandlers } from '../../../main/bridge/handlers/page.ts';
import { rowsFor } from '../../../main/bridge/handlers/tasks.ts';
import type { ConnectionLink } from '../../../main/clinic/ports.ts';
import type { Operation } from '../../../shared/bridge/contract/operation.ts';
import { CLINIC_CALLS, type ClinicCall } from '../../../shared/bridge/contract.ts';
import { mayDo, ROLES } from '../../../shared/roles.ts';
import { ScriptedPool } from '../../doubles/pool.ts';
import { addImported, openTestClinic, type TestClinic } from '../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const NAMES = Object.keys(CLINIC_CALLS) as ClinicCall[];
const operationOf = (name: ClinicCall): Operation => CLINIC_CALLS[name];

let folder: TempFolder;
let open: TestClinic;
beforeAll(async () => {
  folder = await tempFolder();
  open = await openTestClinic(folder.path, new ScriptedPool(), Date.now);
});
afterAll(async () => {
  await open.close();
  await folder.remove();
});

const refusal = (session: string, name: ClinicCall): string | undefined => {
  try {
    open.clinic.sessions.callerOf(session, operationOf(name));
    return undefined;
  } catch (error) {
    return (error as { reason: string }).reason;
  }
};

test('without accounts everybody has every right but those that need an account', () => {
  const refused = NAMES.filter((name) => refusal('page', name) !== undefined);
  expect(refused.sort()).toEqual([
    'consultation.answer',
    'consultation.ask',
    'consultation.close',
    'seat.invite',
    'seat.remove',
    'seat.rename',
    'task.approve',
    'task.reject',
    'user.changeSecret',
    'user.deactivate',
    'user.resetSecret',
  ]);
  expect(open.clinic.sessions.callerOf('page', operationOf('setting.change'))).toMatchObject({
    actor: 'workstation',
  });
});

describe('with accounts', () => {
  beforeAll(async () => {
    const { users, sessions } = open.clinic;
    const admin = await users.add('administrator', 'administrator', 'correct horse battery', undefined);
    const person = await sessions.signIn('administrator', admin.userId, 'correct horse battery');
    for (const role of ['technician', 'reviewer'] as const) {
      const { userId } = await users.add(role, role, '135790', person);
      await sessions.signIn(role, userId, '135790');
    }
  });

  test('nobody who is not signed in gets further than the sign-in', () => {
    const open = NAMES.filter((name) => refusal('stranger', name) === undefined);
    expect(open.sort()).toEqual([
      'session.get',
      'session.signIn',
      'session.signOut',
      'session.touch',
      'workstation.about',
    ]);
  });

  test.each(ROLES)(
    '%s: each operation is refused where the role has not its right, and only there',
    (role) => {
      for (const name of NAMES) {
        const { right } = operationOf(name);
        const may = right === 'anybody' || right === 'signedIn' || mayDo(role, right);
        expect([name, refusal(role, name)]).toEqual([name, may ? undefined : 'not_allowed']);
      }
      expect(NAMES.filter((name) => refusal(role, name) !== undefined).length).toBeGreaterThan(0);
    },
  );

  test('the guard stands before every handler of a page', async () => {
    const facts = { version: '0', isDemo: false, serviceUrl: '' };
    const of = (session: string) =>
      pageHandlers(
        open.clinic,
        facts,
        {} as ConnectionLink,
        () => Promise.reject(new Error('none')),
        session,
        false,
      );
    expect(Object.keys(of('stranger')).sort()).toEqual([...NAMES].sort());
    const signal = new AbortController().signal;
    await expect(of('stranger')['setting.list']({}, signal)).rejects.toMatchObject({
      reason: 'sign_in_needed',
    });
    const change = { key: 'report.paper', text: 'Letter' };
    await expect(of('technician')['setting.change'](change, signal)).rejects.toMatchObject({
      reason: 'not_allowed',
    });
    await of('administrator')['setting.change'](change, signal);
    expect(open.store.settings.all().get('report.paper')).toBe('Letter');
  });

  test('at a seat, only a page of a seat gets anywhere, and what belongs to the workstation stays there', async () => {
    const facts = { version: '0', isDemo: false, serviceUrl: '' };
    const { clinic, store } = open;
    const handlers = pageHandlers(
      clinic,
      facts,
      {} as ConnectionLink,
      () => Promise.reject(new Error('none')),
      'administrator',
      true,
    );
    const signal = new AbortController().signal;
    await expect(handlers['setting.list']({}, signal)).rejects.toMatchObject({ reason: 'seat_refused' });
    store.transaction(() => store.settings.set('seats.on', 'true', Date.now()));
    const seatId = store.transaction(() =>
      store.seats.add({ name: 'Tablet', madeMs: Date.now() }, Buffer.alloc(32)),
    );
    clinic.seats.cameIn('administrator', seatId);
    await handlers['setting.list']({}, signal);
    await expect(handlers['backup.stop']({}, signal)).rejects.toMatchObject({ reason: 'desk_only' });
  });

  test('news of a task bring its row to whoever is signed in, and to nobody else', async () => {
    const taskId = await addImported(open);
    const of = (session: string) => rowsFor(open.clinic, session, [taskId, taskId + 1]);
    expect(of('technician')).toMatchObject([{ taskId, state: 'QUEUED', patient: { lastName: 'Hoffmann' } }]);
    expect(of('stranger')).toEqual([]);
    open.clinic.sessions.end('reviewer');
    expect(of('reviewer')).toEqual([]);
  });
});
