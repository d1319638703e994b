// All analysed ECGs of one patient: in which order, which of them not, and what they say of the patient.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkTaskRequest } from '../../../../main/v3/task-fields.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { analysedTask } from '../../../support/analysed-task.ts';
import { inTransaction } from '../../../support/in-transaction.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
let opened: TestClinic;
let pool: ScriptedPool;

beforeEach(async () => {
  folder = await tempFolder();
  pool = new ScriptedPool();
  opened = await openTestClinic(folder.path, pool, () => Date.UTC(2026, 10, 22));
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const HOFFMANN = {
  patient_last_name: 'Hoffmann',
  patient_first_name: 'Anneliese',
  patient_birth_date: '1951-03-14',
  patient_id: '1',
};

/** An analysed recording of that day. */
const recorded = (start: string, patient: object = HOFFMANN): Promise<number> =>
  analysedTask(opened, start, { ...patient, recording_start_time: start });
const idsOf = (taskId: number): number[] => opened.clinic.patientEcgs.of(taskId).map(({ task }) => task.id);

test('the newest recording first, whenever it came in; those of others, deleted and unanalysed ones not', async () => {
  const { clinic, organizationId, store } = opened;
  const second = await recorded('2023-02-02T08:00:00Z');
  const third = await recorded('2026-11-21T13:24:00Z');
  const first = await recorded('2019-06-14T08:00:00Z');
  await recorded('2022-01-01T08:00:00Z', { ...HOFFMANN, patient_first_name: 'Max', patient_id: '2' });
  await clinic.tasks.create(organizationId, checkTaskRequest(HOFFMANN, Date.UTC(2026, 10, 22)), 'test');
  expect(idsOf(third)).toEqual([third, second, first]);
  expect(idsOf(first)).toEqual([third, second, first]);
  inTransaction(store, (tx) => clinic.tasks.move(tx, second, 'deleted'));
  expect(idsOf(third)).toEqual([third, first]);
});

test('the same recording in two tasks is there once; a rejected one not', async () => {
  const { clinic, organizationId, store } = opened;
  const first = await recorded('2019-06-14T08:00:00Z');
  const second = await recorded('2023-02-02T08:00:00Z');
  const [twin] = (await clinic.tasks.create(
    organizationId,
    checkTaskRequest({ ...HOFFMANN, recording_start_time: '2019-06-14T08:00:00Z' }, Date.UTC(2026, 10, 22)),
    'test',
  )) as [number];
  store.transaction(() => {
    store.tasks.setRecording(twin, store.tasks.byId(first)!.recordingId!);
    store.tasks.setState(twin, 'AWAITING_APPROVAL', {});
    store.findings.add({ ...store.findings.latest(first)!, taskId: twin });
  });
  expect(idsOf(first)).toEqual([second, first]);
  expect(idsOf(twin)).toEqual([second, twin]);
  store.transaction(() => store.tasks.setState(second, 'CANCELLED', {}));
  expect(idsOf(first)).toEqual([first]);
});

test('an ECG without a patient is compared with no other', async () => {
  const one = await recorded('2023-02-02T08:00:00Z', {});
  await recorded('2024-02-02T08:00:00Z', {});
  expect(idsOf(one)).toEqual([one]);
});

test('after a merge, an ECG under another name or of another sex says so', async () => {
  const { clinic, store } = opened;
  const kept = await recorded('2023-02-02T08:00:00Z', { ...HOFFMANN, patient_gender: 'FEMALE' });
  const gone = await recorded('2024-02-02T08:00:00Z', {
    ...HOFFMANN,
    patient_id: '2',
    patient_first_name: 'Annegret',
    patient_gender: 'MALE',
  });
  const [keptId, goneId] = [kept, gone].map((id) => store.tasks.byId(id)?.patientId) as [number, number];
  const facts = { lastName: 'Hoffmann', firstName: 'Anneliese', birthDate: '1951-03-14', id: '1' };
  await clinic.patientMerge.merge({ keptId, goneId, facts, reason: 'Same person, two cards' }, 'test');
  expect(clinic.patientEcgs.of(kept).map(({ differs }) => differs)).toEqual([['name', 'gender'], []]);
});

test('the gravest finding stands first, in the numbers of the newest findings', async () => {
  pool.measurements = { heartRateBpm: 74 };
  pool.statements = [
    { code: 'RHY-SINUS', text: 'Sinus rhythm', severity: 'NONE', certainty: 'definite' },
    { code: 'CON-LBBB', text: 'Left bundle branch block', severity: 'MODERATE', certainty: 'definite' },
  ];
  const [ecg] = opened.clinic.patientEcgs.of(await recorded('2023-02-02T08:00:00Z'));
  expect(ecg?.statements.map(({ code }) => code)).toEqual(['CON-LBBB', 'RHY-SINUS']);
  expect(ecg?.finding.summary.measurements).toEqual({ heartRateBpm: 74 });
});
