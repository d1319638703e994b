import { describe, expect, test } from 'vitest';
import { checkTaskRequest, readTaskRequest, writeTaskRequest } from '../../../main/v3/task-fields.ts';
import { isTimeZone, parseInstant } from '../../../shared/instant.ts';
import { TaskRequest } from '../../../shared/v3/v3.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('instants (D51)', () => {
  test.each([
    ['2026-11-21T14:32:11Z', Date.UTC(2026, 10, 21, 14, 32, 11)],
    ['2026-11-21t14:32:11.5z', Date.UTC(2026, 10, 21, 14, 32, 11, 500)],
    ['2026-11-21T14:32:11.123456789Z', Date.UTC(2026, 10, 21, 14, 32, 11, 123)],
    ['2026-11-21T16:32:11+02:00', Date.UTC(2026, 10, 21, 14, 32, 11)],
    ['2026-11-20T22:32:11-16:00', Date.UTC(2026, 10, 21, 14, 32, 11)],
    ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59, 999)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ])('%s is understood', (text, ms) => {
    expect(parseInstant(text)).toBe(ms);
  });

  test.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T12:60:00Z',
    '2026-11-21T12:00:61Z',
    '2026-11-21T12:00:60Z',
    '2026-11-21T12:00:00',
    '2026-11-21 12:00:00Z',
    '2026-11-21',
    '',
    '2026-11-21T12:00Z',
    '2026-13-01T00:00:00Z',
  ])('"%s" is not', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('zones (D52)', () => {
  test.each(['UTC', 'Europe/Riga', 'Europe/Kyiv', 'Etc/GMT+3', 'America/Argentina/Buenos_Aires'])(
    '%s is one',
    (zone) => expect(isTimeZone(zone)).toBe(true),
  );
  test.each(['+03:00', 'Mars/Base', '', 'UTC+3', ' UTC'])('"%s" is none', (zone) =>
    expect(isTimeZone(zone)).toBe(false),
  );
});

describe('task fields (D50)', () => {
  test.each([
    [{ patient_birth_date: '2023-02-30' }, 'invalid_patient_birth_date'],
    [{ patient_birth_date: '1849-12-31' }, 'invalid_patient_birth_date'],
    [{ patient_birth_date: '2026-12-01' }, 'invalid_patient_birth_date'],
    [{ patient_last_name: 'a\u0000b' }, 'invalid_patient_last_name'],
    [{ patient_id: '\ud800' }, 'invalid_patient_id'],
    [{ indications: ['a\u0007'] }, 'invalid_indications'],
    [{ recording_time_zone: 'Nowhere/At_All' }, 'invalid_recording_time_zone'],
    [{ recording_start_time: '2026-11-23T12:00:01Z' }, 'invalid_recording_start_time'],
    [{ recording_start_time: '1969-12-31T23:59:59Z' }, 'invalid_recording_start_time'],
  ])('%j is refused', (request, reason) => {
    expect(() => checkTaskRequest(request, NOW)).toThrow(expect.objectContaining({ reason }));
  });

  test('keeps what is right, cleans lists and turns the start into an instant', () => {
    const stated = checkTaskRequest(
      {
        patient_birth_date: '1951-03-14',
        searching_tags: ['a', 'b', 'a'],
        indications: ['', 'chest\npain'],
        recording_start_time: '2026-11-21T11:00:00Z',
        auto_complete: true,
        upload_id: 'x',
      },
      NOW,
    );
    expect(stated).toEqual({
      fields: {
        patient: { birthDate: '1951-03-14' },
        tags: ['a', 'b'],
        indications: ['chest\npain'],
        recordingStartMs: Date.UTC(2026, 10, 21, 11),
      },
      isAutoComplete: true,
    });
  });

  test('what is written with the names of the interface is read as it was', () => {
    const request: TaskRequest = {
      auto_complete: false,
      investigation_id: 'I-1',
      device_id: 'cart 3',
      indications: ['chest pain'],
      searching_tags: ['ward 3'],
      patient_id: '004 817',
      patient_first_name: 'Anneliese',
      patient_last_name: 'Hoffmann',
      patient_gender: 'FEMALE',
      patient_birth_date: '1951-03-14',
      patient_age: 75,
      patient_height: 166,
      patient_weight: 71_000,
      recording_start_time: '2026-11-21T11:00:00.000Z',
      recording_time_zone: 'Europe/Riga',
    };
    expect(writeTaskRequest(readTaskRequest(request))).toEqual(request);
    expect(Object.keys(request).sort()).toEqual(
      Object.keys(TaskRequest.properties)
        .filter((name) => name !== 'upload_id')
        .sort(),
    );
  });

  test('a height or weight of 0 is none', () => {
    expect(checkTaskRequest({ patient_height: 0, patient_weight: 0 }, NOW).fields.patient).toEqual({});
  });
});
