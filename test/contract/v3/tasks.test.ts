import { describe, expect, test } from 'vitest';
import { expectRefusal, expectSuccess, service, strangers } from '../service-under-test.ts';

const newDraft = async (fields: object = {}): Promise<number> => {
  const [id = 0] = expectSuccess(await service.createTask(fields)).created_task_ids as number[];
  return id;
};

describe('a draft', () => {
  test('needs nothing, and is neither processed nor reported', async () => {
    const id = await newDraft();
    expect(expectSuccess(await service.status(id))).toMatchObject({
      processed: false,
      report_available: false,
      creation_time: expect.any(String),
    });
    expectRefusal(await service.report(id), 409);
  });

  test('takes every field of the specification', async () => {
    await newDraft({
      auto_complete: false,
      investigation_id: 'I-1',
      device_id: 'contract-device',
      indications: ['chest pain', 'palpitations'],
      searching_tags: ['contract'],
      patient_id: 'P-1',
      patient_first_name: 'Anneliese',
      patient_last_name: 'Hoffmann',
      patient_gender: 'FEMALE',
      patient_birth_date: '1951-03-14',
      patient_age: 75,
      patient_height: 168,
      patient_weight: 71_500,
      recording_start_time: '2026-01-15T12:00:00Z',
      recording_time_zone: 'Europe/Riga',
    });
  });

  test.each([
    { patient_gender: 'female' },
    { patient_birth_date: '14.03.1951' },
    { patient_birth_date: '2026-02-30' },
    { patient_age: 'old' },
    { patient_height: 1.5 },
    { patient_weight: [] },
    { auto_complete: 'yes' },
    { indications: 'chest pain' },
    { searching_tags: [1] },
    { recording_start_time: 'yesterday' },
    { recording_time_zone: 'Mars/Olympus' },
    { upload_id: 'nonsense' },
    { upload_id: '' },
  ])('is refused with %j', async (fields) => {
    expectRefusal(await service.createTask(fields), 400);
  });

  test('wants JSON that is called so', async () => {
    expectRefusal(
      await service.request('POST', `/v3/orgs/${service.org}/tasks`, '{}', { 'Content-Type': 'text/plain' }),
      415,
    );
  });
});

describe('a task', () => {
  test.each(['0', '-1', 'x', '1.5'])('has no number %s', async (id) => {
    expectRefusal(await service.status(id), 400);
    expectRefusal(await service.report(id), 400);
  });

  test('that is not there is not found', async () => {
    expectRefusal(await service.status('9007199254740991'), 404);
    expectRefusal(await service.report('9007199254740991'), 404);
  });

  test('of another organization is forbidden', async () => {
    const path = '/v3/orgs/contract-suite-foreign-organization/tasks';
    expectRefusal(await service.post(path, {}), 403);
    expectRefusal(await service.get(`${path}/1/status`), 403);
    expectRefusal(await service.get(`${path}/1/report`), 403);
  });

  test('needs a token', async () => {
    expectRefusal(await strangers.createTask({}), 401);
    expectRefusal(await strangers.status(1), 401);
    expectRefusal(await strangers.report(1), 401);
  });
});
