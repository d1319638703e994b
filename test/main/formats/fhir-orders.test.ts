// ServiceRequests of FHIR R4 as orders.

import { expect, test } from 'vitest';
import { readFhirOrders } from '../../../main/formats/fhir/fhir-orders.ts';
import { zonedTime } from '../../../shared/civil-time.ts';
import type { StoredResource } from '../../doubles/fhir-server.ts';
import { PATIENT_SYSTEM, patientResource, requestResource } from '../../support/fhir-requests.ts';
import { faultsOf } from '../../support/fhir-schema.ts';

const URL = 'https://fhir.example.org/r4';
const TODAY = '2026-11-26';
const SOURCE = { url: URL, patientSystem: PATIENT_SYSTEM, today: TODAY };

function read(resources: readonly StoredResource[], source = SOURCE) {
  for (const resource of resources) expect(faultsOf(resource)).toEqual([]);
  const entry = resources.map((resource) => ({ resource }));
  return readFhirOrders({ resourceType: 'Bundle', type: 'searchset', entry }, source);
}
/** What is read of one request for one patient. */
function readOne(request: object = {}, patient: object = {}, source = SOURCE) {
  const answer = read(
    [requestResource('7', '17', { ...request }), patientResource('17', { ...patient })],
    source,
  );
  return answer?.orders[0];
}

test('a request says who is to come, for what, and by which names the server knows both', () => {
  expect(readOne()).toEqual({
    format: 'fhir',
    patient: { id: '4711', lastName: 'Müller', firstName: 'Zoë', birthDate: '1951-03-14', gender: 'FEMALE' },
    orderNumber: 'P7',
    examination: 'ECG 12 leads',
    indications: ['Chest pain'],
    asked: {
      accession: 'ACC7',
      referrer: 'Dr. Arias',
      wholeName: 'Müller^Zoë^Maria^Dr.',
      service: '11524-6^EKG study^http://loinc.org',
      requestUrl: `${URL}/ServiceRequest/7`,
      patientUrl: `${URL}/Patient/17`,
    },
    warnings: [],
  });
});

test.each<[string, object]>([
  ['ended', { status: 'revoked' }],
  ['a draft', { status: 'draft' }],
  ['a proposal', { intent: 'proposal' }],
  ['not to be done', { doNotPerform: true }],
  ['for tomorrow', { occurrenceDateTime: '2026-11-27' }],
  ['for a later hour of another day', { occurrencePeriod: { start: '2026-11-28T12:00:00Z' } }],
])('one that is %s is none, whatever was asked for', (_what, request) => {
  expect(read([requestResource('7', '17', { ...request }), patientResource('17')])).toMatchObject({
    orders: [],
    unread: 0,
  });
});

test('day and hour are those of the clock here', () => {
  const start = '2026-11-26T09:30:00+14:00';
  const here = zonedTime(Date.parse(start));
  const source = { ...SOURCE, today: here.isoDay };
  expect(readOne({ occurrenceDateTime: start }, {}, source)).toMatchObject({
    day: here.isoDay,
    time: here.clock.slice(0, 5),
  });
  expect(readOne({ occurrenceDateTime: '2026-11-20T09:30:00Z' })).toMatchObject({ orderNumber: 'P7' });
  expect(readOne({ occurrenceDateTime: '2026-11' })).not.toHaveProperty('day');
});

test('a number is that of the record, of the system that was named; where several could be meant, none', () => {
  const [a, b] = [
    { system: 'urn:x', value: '1' },
    { system: 'urn:y', value: '2' },
  ];
  const mr = { ...b, type: { coding: [{ code: 'MR' }] } };
  const any = { ...SOURCE, patientSystem: '' };
  const idOf = (identifier: readonly object[], source = any) =>
    readOne({}, { identifier }, source)?.patient.id;
  expect(idOf([a])).toBe('1');
  expect(idOf([a, b])).toBeUndefined();
  expect(idOf([a, mr])).toBe('2');
  expect(idOf([{ ...a, use: 'old' }, b])).toBe('2');
  expect(idOf([a, mr], { ...SOURCE, patientSystem: 'urn:x' })).toBe('1');
  expect(idOf([a, mr], SOURCE)).toBeUndefined();
  expect(idOf([{ ...a, value: '1'.repeat(65) }])).toBeUndefined();
});

test('a patient of another server is nobody here, nor is a number that two have; the same one twice is one', () => {
  const elsewhere = { subject: { reference: 'https://other.example.org/fhir/Patient/17' } };
  expect(read([requestResource('1', '17', elsewhere), patientResource('17')])).toMatchObject({
    orders: [],
    unread: 1,
  });
  const twins = [patientResource('17'), patientResource('17', { name: [{ family: 'Roe' }] })];
  expect(read([requestResource('1', '17'), ...twins])).toMatchObject({ orders: [], unread: 1 });
  const same = [patientResource('17'), patientResource('17')];
  expect(read([requestResource('1', '17'), ...same])).toMatchObject({ orders: [{}], unread: 0 });
  for (const reference of [`${URL}/Patient/17`, 'Patient/17/_history/3'])
    expect(readOne({ subject: { reference } })?.patient.id).toBe('4711');
});

test('of a year of birth no day is made', () => {
  expect(readOne({}, { birthDate: '1951' })?.patient).not.toHaveProperty('birthDate');
});

test('a request of nobody known is counted, and keeps no other back', () => {
  const answer = read([
    requestResource('1', 'gone'),
    requestResource('2', '18'),
    patientResource('18', { name: undefined, identifier: undefined }),
    requestResource('3', '17'),
    patientResource('17'),
  ]);
  expect(answer).toMatchObject({ orders: [{ orderNumber: 'P3' }], unread: 2 });
});

test('what is not as it must be keeps no other back', () => {
  const resources = [
    null,
    { resourceType: 'ServiceRequest', status: 'active', id: '../7', intent: 'order', subject: {} },
    { ...requestResource('8', '17'), code: 'ECG' },
    { resourceType: 'OperationOutcome', issue: [] },
    requestResource('9', '17'),
    patientResource('17'),
    { ...patientResource('18'), name: 'Müller' },
  ];
  const entry = resources.flatMap((resource) => (resource === null ? [{}] : [{ resource }]));
  const answer = readFhirOrders({ resourceType: 'Bundle', entry }, SOURCE);
  expect(answer).toMatchObject({ orders: [{ orderNumber: 'P9' }], unread: 2 });
});

test.each([
  undefined,
  null,
  'page',
  [],
  { resourceType: 'OperationOutcome' },
  { resourceType: 'Bundle', entry: 7 },
])('%j is no answer to a search', (body) => {
  expect(readFhirOrders(body, SOURCE)).toBeUndefined();
});
