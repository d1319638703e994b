// Known patients: who becomes one, who is whom, and who is found by what is typed.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isSamePerson } from '../../../../main/clinic/patients/patients.ts';
import { checkTaskRequest } from '../../../../main/v3/task-fields.ts';
import type { PatientFacts } from '../../../../shared/signal/recording.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { inTransaction } from '../../../support/in-transaction.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
let opened: TestClinic;
let now = 0;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22);
  folder = await tempFolder();
  opened = await openTestClinic(folder.path, new ScriptedPool(), () => now);
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const see = (facts: PatientFacts, organizationId = opened.organizationId): number | undefined =>
  inTransaction(opened.store, (tx) => opened.clinic.patients.noteSeen(tx, organizationId, facts));
const search = (text: string, organizationId = opened.organizationId) =>
  opened.clinic.patients.search(organizationId, text, 'dayFirst');
const namesFound = (text: string): string[] =>
  search(text).patients.map(({ facts }) => `${facts.lastName} ${facts.firstName}`);

const MUELLER: PatientFacts = {
  lastName: 'Müller',
  firstName: 'Zoë',
  birthDate: '1951-03-14',
  id: '004 817',
  gender: 'FEMALE',
};

describe('who is who', () => {
  test.each([
    ['the same', MUELLER, MUELLER, true],
    ['other spelling', MUELLER, { ...MUELLER, lastName: 'MUELLER', firstName: 'Zoe' }, true],
    ['number alone', MUELLER, { id: '004 817' }, true],
    [
      'name and birth without a number',
      MUELLER,
      { lastName: 'Müller', firstName: 'Zoë', birthDate: '1951-03-14' },
      true,
    ],
    ['other number', MUELLER, { ...MUELLER, id: '004 818' }, false],
    ['other birth', MUELLER, { ...MUELLER, birthDate: '1951-03-15' }, false],
    ['same number, other name', MUELLER, { id: '004 817', lastName: 'Hoffmann' }, false],
    ['name alone', { lastName: 'Müller', firstName: 'Zoë' }, { lastName: 'Müller', firstName: 'Zoë' }, false],
    ['birth alone', { birthDate: '1951-03-14' }, { birthDate: '1951-03-14' }, false],
    ['nothing', {}, {}, false],
  ] as const)('%s', (_, a, b, isSame) => {
    expect([isSamePerson(a, b), isSamePerson(b, a)]).toEqual([isSame, isSame]);
  });
});

describe('a known patient', () => {
  test('is known by the first task that says enough, and learns from the next ones', async () => {
    const { clinic, organizationId, store } = opened;
    const create = async (fields: object): Promise<number | undefined> => {
      const [id] = await clinic.tasks.create(organizationId, checkTaskRequest(fields, now), 'test');
      return store.tasks.byId(id as number)?.patientId;
    };
    expect(await create({ patient_last_name: 'Müller' })).toBeUndefined();
    const first = await create({
      patient_last_name: 'Müller',
      patient_first_name: 'Zoë',
      patient_birth_date: '1951-03-14',
      patient_age: 75,
    });
    now += 86_400_000;
    const fields = {
      patient_last_name: 'Mueller',
      patient_first_name: 'Zoe',
      patient_birth_date: '1951-03-14',
      patient_id: '7',
    };
    expect(await create({ ...fields, patient_weight: 61_500 })).toBe(first);
    expect(store.patients.byId(first as number)).toEqual({
      id: first,
      organizationId,
      facts: { lastName: 'Müller', firstName: 'Zoë', birthDate: '1951-03-14', id: '7', weightG: 61_500 },
      measuredMs: now,
      seenMs: now,
    });
    expect(await create({ ...fields, patient_birth_date: '1980-01-01' })).not.toBe(first);
  });

  test('its chart is never renamed by another recording: another spelling is kept out, another name is another chart', () => {
    const first = see(MUELLER);
    expect(see({ ...MUELLER, lastName: 'MUELLER', firstName: 'zoe' })).toBe(first);
    expect(see({ id: '004 817' })).toBe(first);
    expect(see({ ...MUELLER, lastName: 'Hoffmann' })).not.toBe(first);
    expect(opened.store.patients.byId(first as number)?.facts).toMatchObject({
      lastName: 'Müller',
      firstName: 'Zoë',
    });
    const nameless = see({ id: '11' });
    expect(see({ id: '11', lastName: 'Lind', birthDate: '1960-01-01' })).toBe(nameless);
    expect(opened.store.patients.byId(nameless as number)?.facts).toMatchObject({
      lastName: 'Lind',
      id: '11',
    });
  });

  test('who may be the same person as another is asked about, and no one else is', () => {
    see(MUELLER);
    see({ lastName: 'Schmidt', firstName: 'Zoë', birthDate: '1951-03-14' });
    const { clinic, organizationId } = opened;
    const ask = (facts: PatientFacts) =>
      clinic.patients.mayBeSame(organizationId, facts).map(({ facts: { lastName } }) => lastName);
    expect(ask({ lastName: 'Miller', firstName: 'Zoe', birthDate: '1951-03-14' })).toEqual(['Müller']);
    expect(ask({ lastName: 'Zoë', firstName: 'Müller', birthDate: '1951-03-14' })).toEqual(['Müller']);
    expect(ask({ lastName: 'Hoffmann', firstName: 'Anna', id: '004 817' })).toEqual(['Müller']);
    expect(ask({ lastName: 'Miller', firstName: 'Zoe', birthDate: '1951-03-15' })).toEqual([]);
    expect(ask(MUELLER)).toEqual([]);
  });
});

describe('search', () => {
  beforeEach(() => {
    see(MUELLER);
    see({ lastName: 'Müller', firstName: 'Bernd', birthDate: '1980-12-01' });
    see({ lastName: 'Łukasz', firstName: 'Anna-Maria', birthDate: '1951-11-02', id: 'AB-12/7' });
    see({ lastName: 'Hoffmann', firstName: 'Bernd', birthDate: '1933-05-05', id: '817' });
  });

  test.each([
    ['mueller', ['Müller Bernd', 'Müller Zoë']],
    ['MÜLL', ['Müller Bernd', 'Müller Zoë']],
    ['muller, z', ['Müller Zoë']],
    ['zoe mü', ['Müller Zoë']],
    ['lukasz', ['Łukasz Anna-Maria']],
    ['maria', ['Łukasz Anna-Maria']],
    ['004817', ['Müller Zoë']],
    ['004 817', ['Müller Zoë']],
    ['817', ['Hoffmann Bernd', 'Müller Zoë']],
    ['ab12', ['Łukasz Anna-Maria']],
    ['14.3.1951', ['Müller Zoë']],
    ['14031951', ['Müller Zoë']],
    ['14 Mar 1951', ['Müller Zoë']],
    ['1951', ['Łukasz Anna-Maria', 'Müller Zoë']],
    ['bernd 1933', ['Hoffmann Bernd']],
    ['xyz', []],
    ['', []],
    ['"*()', []],
    ["o'neill -- ; DROP", []],
    ['NEAR OR AND', []],
  ])('%j', (text, names) => {
    expect(namesFound(text)).toEqual(names);
    expect(search(text).total).toBe(names.length);
  });

  test('shows nobody of another organization', () => {
    const other = opened.store.organizations.add('ward', 'Ward', now);
    see({ ...MUELLER, firstName: 'Otto' }, other.id);
    expect(search('muller').total).toBe(2);
    expect(search('muller', other.id).patients.map(({ facts }) => facts.firstName)).toEqual(['Otto']);
    for (const text of ['_', '_2', 'organization']) expect(search(text, other.id).total).toBe(0);
  });

  test('finds a patient by the new name and not by the old one', () => {
    see({ id: '9', lastName: 'Alt', firstName: 'Eva', birthDate: '1990-01-01' });
    const known = search('alt').patients[0]!;
    opened.store.transaction(() =>
      opened.store.patients.set({ ...known, facts: { ...known.facts, lastName: 'Neu' } }, ['neu', 'eva']),
    );
    expect([search('alt').total, search('neu').total]).toEqual([0, 1]);
  });

  test('of many shows the newest fifty and says how many there are', () => {
    inTransaction(opened.store, (tx) => {
      for (let n = 0; n < 2000; n++)
        opened.clinic.patients.noteSeen(tx, opened.organizationId, { lastName: `Reihe${n}`, id: `R${n}` });
    });
    const { patients, total } = search('reihe');
    expect([patients.length, total, patients[0]?.facts.lastName]).toEqual([50, 2000, 'Reihe1999']);
  });
});

describe('two charts of one person', () => {
  const HOFFMANN: PatientFacts = {
    lastName: 'Hoffmann',
    firstName: 'Anneliese',
    birthDate: '1951-03-14',
    id: '1',
  };
  const ANNELISE: PatientFacts = {
    lastName: 'Hoffman',
    firstName: 'Annelise',
    birthDate: '1951-03-14',
    id: '2',
    gender: 'FEMALE',
  };
  const taskOf = async (facts: PatientFacts): Promise<number> => {
    const { clinic, organizationId } = opened;
    const fields = {
      patient_last_name: facts.lastName!,
      patient_first_name: facts.firstName!,
      patient_birth_date: facts.birthDate!,
      patient_id: facts.id!,
    };
    return (await clinic.tasks.create(organizationId, checkTaskRequest(fields, now), 'test'))[0] as number;
  };
  const patientOfTask = (id: number): number | undefined => opened.store.tasks.byId(id)?.patientId;

  test('become one: one is found, has all recordings, and whoever comes under the other number is the same; parted again within a month', async () => {
    const { patientMerge } = opened.clinic;
    const [a, b] = [await taskOf(HOFFMANN), await taskOf(ANNELISE)];
    const [keptId, goneId] = [patientOfTask(a)!, patientOfTask(b)!];
    expect(keptId).not.toBe(goneId);
    const facts = { ...HOFFMANN, gender: 'FEMALE' } as const;
    const mergeId = await patientMerge.merge(
      { keptId, goneId, facts, reason: 'Same person, two cards' },
      'user:2',
    );
    expect([patientOfTask(a), patientOfTask(b)]).toEqual([keptId, keptId]);
    expect(search('14 mar 1951').patients.map(({ id }) => id)).toEqual([keptId]);
    expect(search('annelise').total).toBe(0);
    const later = await taskOf(ANNELISE);
    expect(patientOfTask(later)).toBe(keptId);
    expect(opened.store.patients.byId(keptId)?.facts).toEqual(facts);
    expect(
      opened.clinic.patients
        .mayBeSame(opened.organizationId, { ...HOFFMANN, firstName: 'Anneliesa' })
        .map(({ id }) => id),
    ).toEqual([keptId]);
    now += 29 * 86_400_000;
    expect(patientMerge.recent().map(({ id }) => id)).toEqual([mergeId]);
    await patientMerge.undo(mergeId, 'user:2');
    expect([patientOfTask(a), patientOfTask(b), patientOfTask(later)]).toEqual([keptId, goneId, keptId]);
    expect(search('annelise').patients.map(({ id }) => id)).toEqual([goneId]);
    expect(opened.store.patients.byId(keptId)?.facts).toEqual(HOFFMANN);
    expect(patientMerge.recent()).toEqual([]);
    await expect(patientMerge.undo(mergeId, 'user:2')).rejects.toMatchObject({ reason: 'patient_not_found' });
  });

  test('are refused without a reason, with themselves, or when one is merged already; after a month it is too late', async () => {
    const { patientMerge } = opened.clinic;
    const [keptId, goneId] = [patientOfTask(await taskOf(HOFFMANN))!, patientOfTask(await taskOf(ANNELISE))!];
    const merging = { keptId, goneId, facts: HOFFMANN, reason: 'Same person' };
    await expect(async () => patientMerge.merge({ ...merging, reason: 'x' }, 'user:2')).rejects.toMatchObject(
      { reason: 'reason_missing' },
    );
    await expect(patientMerge.merge({ ...merging, goneId: keptId }, 'user:2')).rejects.toMatchObject({
      reason: 'patient_not_found',
    });
    const mergeId = await patientMerge.merge(merging, 'user:2');
    await expect(patientMerge.merge(merging, 'user:2')).rejects.toMatchObject({
      reason: 'patient_not_found',
    });
    now += 30 * 86_400_000;
    await expect(patientMerge.undo(mergeId, 'user:2')).rejects.toMatchObject({ reason: 'patient_not_found' });
  });
});
