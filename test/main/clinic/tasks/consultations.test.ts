// A reader asks a colleague: who sees the question until when, who may answer, and what a deletion leaves of it.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../../../../main/clinic/people/users.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { analysedTask } from '../../../support/analysed-task.ts';
import { inTransaction } from '../../../support/in-transaction.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
let opened: TestClinic;
let taskId: number;
let lind: Person;
let osei: Person;
let keller: Person;

beforeEach(async () => {
  folder = await tempFolder();
  opened = await openTestClinic(folder.path, new ScriptedPool(), () => Date.UTC(2026, 10, 22));
  const { users } = opened.clinic;
  const admin = await users.add('Admin', 'administrator', 'correct horse', undefined);
  lind = await users.add('Dr. Lind', 'reviewer', 'correct horse', admin);
  osei = await users.add('Dr. Osei', 'reviewer', 'correct horse', admin);
  keller = await users.add('M. Keller', 'technician', 'correct horse', admin);
  taskId = await analysedTask(opened, 'an ECG', { patient_last_name: 'Okafor' });
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const actorOf = ({ userId }: Person): string => `user:${userId}`;
const ask = (from: Person, to: Person, note = 'Is this flutter?'): Promise<void> =>
  opened.clinic.consultations.ask({ taskId, toUserId: to.userId, note, atSample: 500 }, from, actorOf(from));
const callerOf = (person: Person) => ({ session: 'page', actor: actorOf(person), person });
const waiting = (person: Person): string[] =>
  opened.clinic.consultations.waitingFor(person).map(({ note, answer }) => answer ?? note);
const refused = { reason: 'task_state_conflict' };

describe('a question', () => {
  test('waits for the one who is asked, its answer for the one who asked, and closed it waits for nobody', async () => {
    const { consultations } = opened.clinic;
    await ask(lind, osei);
    expect([waiting(lind), waiting(osei), waiting(keller)]).toEqual([[], ['Is this flutter?'], []]);
    expect(consultations.ofTask(taskId)).toMatchObject([
      { from: 'Dr. Lind', to: 'Dr. Osei', atSample: 500, patient: { lastName: 'Okafor' }, answer: undefined },
    ]);
    await consultations.answer(1, ' Typical flutter. ', osei, actorOf(osei));
    expect([waiting(lind), waiting(osei)]).toEqual([['Typical flutter.'], []]);
    await consultations.close(1, true, callerOf(lind));
    expect([waiting(lind), waiting(osei), consultations.ofTask(taskId)]).toEqual([[], [], []]);
  });

  test('is answered once, by the one who is asked, and closed by the one who asked', async () => {
    const { consultations } = opened.clinic;
    await ask(lind, osei);
    await expect(consultations.answer(1, 'Yes', lind, actorOf(lind))).rejects.toMatchObject(refused);
    await expect(consultations.close(1, true, callerOf(osei))).rejects.toMatchObject(refused);
    await consultations.answer(1, 'Yes', osei, actorOf(osei));
    await expect(consultations.answer(1, 'No', osei, actorOf(osei))).rejects.toMatchObject(refused);
    await consultations.close(1, true, callerOf(lind));
    await expect(consultations.close(1, true, callerOf(lind))).rejects.toMatchObject(refused);
    await expect(consultations.answer(1, 'No', osei, actorOf(osei))).rejects.toMatchObject(refused);
  });

  test('is not taken back while its answer comes: nobody would ever read it', async () => {
    const { consultations } = opened.clinic;
    await ask(lind, osei);
    await consultations.answer(1, 'Yes', osei, actorOf(osei));
    await expect(consultations.close(1, false, callerOf(lind))).rejects.toMatchObject(refused);
    expect(waiting(lind)).toEqual(['Yes']);
    await consultations.close(1, true, callerOf(lind));
    await ask(lind, osei);
    await consultations.close(2, false, callerOf(lind));
    expect(waiting(osei)).toEqual([]);
  });

  test('goes to somebody else who reads here, and says something', async () => {
    const wrong = { reason: 'invalid_request' };
    await expect(ask(lind, lind)).rejects.toMatchObject(wrong);
    await expect(ask(lind, keller)).rejects.toMatchObject(wrong);
    await expect(ask(lind, osei, '  ')).rejects.toMatchObject(wrong);
    expect(opened.clinic.consultations.colleaguesOf(lind).map(({ name }) => name)).toEqual(['Dr. Osei']);
  });

  test('goes with the recording that it is about', async () => {
    await ask(lind, osei);
    inTransaction(opened.store, (tx) => opened.clinic.tasks.move(tx, taskId, 'deleted'));
    expect(waiting(osei)).toEqual([]);
  });
});
