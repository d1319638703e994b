// Whom a result goes to, where an order of the same server has named the patient.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { FhirClient, type FhirParcel } from '../../../../main/connections/fhir/fhir-client.ts';
import { type FhirDouble, startFhirDouble } from '../../../doubles/fhir-server.ts';
import { PATIENT_SYSTEM, patientResource } from '../../../support/fhir-requests.ts';

let server: FhirDouble;
let client: FhirClient;
beforeEach(async () => {
  server = await startFhirDouble();
  client = new FhirClient({ url: server.url });
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const OF_ORDER: FhirParcel['patient'] = {
  query: '_id=17',
  isOrdered: true,
  id: '4711',
  system: PATIENT_SYSTEM,
  lastName: 'Müller',
  birthDate: '1951-03-14',
};

function send(patient: Partial<FhirParcel['patient']> = {}) {
  const bundle = Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry: [] }));
  const parcel: FhirParcel = {
    bundle,
    name: 'abc.1',
    patient: { ...OF_ORDER, ...patient },
    load: { sizeBytes: bundle.length, frames: 0, isFinished: true, objects: { count: 1, revision: 1 } },
    isCurrent: () => true,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return client.perform({ kind: 'object', index: 0, of: { count: 1, revision: 1 } }, parcel);
}

test('it goes to the patient whom the order named', async () => {
  server.add(patientResource('17'));
  expect(await send()).toMatchObject({ kind: 'done' });
  // Nobody was asked for a number, so that there is none to contradict.
  expect(await send({ id: undefined })).toMatchObject({ kind: 'done' });
});

test('one who is gone, or has another number, is refused with the reason, and nothing is sent', async () => {
  expect(await send()).toEqual({ kind: 'refused', message: expect.stringContaining('not there any more') });
  server.add(patientResource('17', { identifier: [{ system: PATIENT_SYSTEM, value: '4712' }] }));
  expect(await send()).toEqual({ kind: 'refused', message: expect.stringContaining('another number') });
  // A number of another system says nothing about ours.
  expect(await send({ system: 'urn:oid:9' })).toMatchObject({ kind: 'done' });
  expect(await send({ lastName: 'Roe', id: '4712' })).toMatchObject({ cause: 'otherPatient' });
  expect(server.transactions).toBe(1);
});

test('one whom nobody has ordered anything for may be new there', async () => {
  expect(await send({ isOrdered: false, query: 'identifier=4711' })).toMatchObject({ kind: 'done' });
});

test.each([
  [
    'before its first request',
    (sending: () => Promise<unknown>) => client[Symbol.asyncDispose]().then(sending),
  ],
  [
    'while its first request is on its way',
    async (sending: () => Promise<unknown>) => {
      const sent = sending();
      await client[Symbol.asyncDispose]();
      return sent;
    },
  ],
])('a client that ends %s sends nothing', async (_, endAround) => {
  server.add(patientResource('17'));
  expect(await endAround(send)).toMatchObject({ kind: 'notDone' });
  expect(server.requests).toBe(0);
});
