// Results to a FHIR server (a double of ours, which checks every resource by the schema of R4): each there once, whatever becomes
// of the answers; and none with somebody else.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredItem } from '../../../../main/store/outbox/outbox-item.ts';
import { type FhirDouble, type FhirDoubleOptions, startFhirDouble } from '../../../doubles/fhir-server.ts';
import { fhirAt } from '../../../support/made-connections.ts';
import { untilItem } from '../../../support/outbox-items.ts';
import {
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { V3Client } from '../../../support/v3-client.ts';
import { smallEdf } from '../../../support/varied-edf.ts';

let clinic: RunningWorkstation;
let client: V3Client;
let server: FhirDouble;
beforeEach(async () => {
  clinic = await runWorkstation({ overrides: FREE_OF_LIMITS });
  client = new V3Client(clinic.url, (await clinic.makeToken()).text);
});
afterEach(async () => {
  await clinic?.stop();
  await server?.[Symbol.asyncDispose]();
});

const CLIENT = { id: 'isoline', secret: 'a:secret' };

async function connect(
  options: FhirDoubleOptions = {},
  secret = options.client?.secret ?? '',
): Promise<number> {
  server = await startFhirDouble(options);
  const { connectionId } = await clinic.bridge.call('connection.add', {
    to: fhirAt(server.url, {
      patientSystem: 'urn:oid:1.2.3',
      clientId: options.client?.id ?? '',
      tokenUrl: options.client === undefined ? '' : server.tokenUrl,
    }),
    label: '',
    organization: 'clinic',
    secret,
  });
  // These are approved by the rule that they came with.
  await clinic.bridge.call('connection.change', { connectionId, takesUnread: true });
  return connectionId;
}

const untilState = (taskId: number, state: StoredItem['state']): Promise<StoredItem> =>
  untilItem(clinic.dataDir, taskId, state);

async function record(n: number, more: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const { json } = await client.createTask({
    upload_id: await client.upload(smallEdf(n)),
    auto_complete: true,
    patient_last_name: 'Müller',
    patient_first_name: 'Zoë',
    patient_id: '4711',
    patient_birth_date: '1951-03-14',
    recording_start_time: '2026-11-21T09:30:00+01:00',
    ...more,
  });
  return (json.created_task_ids as number[])[0] as number;
}

const kept = (type: string) => server.resources.filter(({ resourceType }) => resourceType === type);

test('go with numbers, signal, report and whose they are, once; two of one patient are of one', async () => {
  await connect();
  await untilState(await record(1), 'DONE');
  await untilState(await record(2), 'DONE');
  expect(kept('Patient')).toHaveLength(1);
  expect(kept('DiagnosticReport')).toHaveLength(2);
  const [report] = kept('DiagnosticReport');
  expect(report).toMatchObject({
    status: 'preliminary',
    effectiveDateTime: expect.stringMatching(/^2026-11-21T/),
    subject: { reference: `Patient/${kept('Patient')[0]?.id}` },
    conclusion: expect.stringContaining('Not read by a physician'),
  });
  const [form] = (report?.presentedForm ?? []) as { data: string }[];
  expect(
    Buffer.from(form?.data ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const signal = kept('Observation').find(({ component }) => component !== undefined);
  const [lead] = (signal?.component ?? []) as { valueSampledData: { data: string; period: number } }[];
  const { data = '', period = 0 } = lead?.valueSampledData ?? {};
  expect(data.split(' ')).toHaveLength(10_000 / period);
  expect((await clinic.bridge.call('sync.overview', {})).connections).toMatchObject([
    { kind: 'fhir', done: 2, waiting: 0 },
  ]);
});

test('whose answer is lost, or who meet a busy server or a fault, are there once', async () => {
  await connect();
  server.plan('lose', 'busy', 'fault');
  await untilState(await record(3), 'DONE');
  expect(server.transactions).toBe(4);
  expect(kept('DiagnosticReport')).toHaveLength(1);
  expect(kept('DocumentReference')).toHaveLength(1);
});

test('that are refused wait for a person, with what was said; others go on', async () => {
  await connect();
  server.plan('deny');
  const taskId = await record(4);
  expect(await untilState(taskId, 'REFUSED')).toMatchObject({ message: 'Patient not known' });
  await untilState(await record(5), 'DONE');
});

test('whose number is somebody else’s there are not sent', async () => {
  await connect();
  server.add({
    resourceType: 'Patient',
    id: '9',
    identifier: [{ system: 'urn:oid:1.2.3', value: '4711' }],
    name: [{ family: 'Jäger' }],
    birthDate: '1951-03-14',
  });
  expect(await untilState(await record(6), 'REFUSED')).toMatchObject({ cause: 'otherPatient' });
  expect(server.transactions).toBe(0);
  // Written otherwise it is the same name.
  await untilState(
    await record(7, { patient_last_name: 'JAEGER', patient_birth_date: '1951-03-14' }),
    'DONE',
  );
});

test('go to a server that asks for a client with a token; a wrong secret stops them until there is another', async () => {
  const connectionId = await connect({ client: CLIENT }, 'wrong');
  expect(await clinic.bridge.call('connection.test', { connectionId })).toMatchObject({
    isReached: false,
    trouble: 'serviceRefused',
  });
  const taskId = await record(8);
  await expect
    .poll(async () => (await clinic.bridge.call('sync.overview', {})).connections[0]?.stop)
    .toBe('token');
  expect(server.transactions).toBe(0);
  await clinic.bridge.call('connection.change', { connectionId, secret: CLIENT.secret });
  await untilState(taskId, 'DONE');
  expect(await clinic.bridge.call('connection.test', { connectionId })).toMatchObject({ isReached: true });
});

test('something else at the address is told apart, and what cannot be is refused in a sentence', async () => {
  const connectionId = await connect();
  const other = await clinic.bridge.call('connection.add', {
    to: fhirAt(`${server.url}/nothing`),
    label: '',
    organization: 'clinic',
  });
  expect(await clinic.bridge.call('connection.test', { connectionId: other.connectionId })).toMatchObject({
    isReached: false,
    trouble: 'odd',
  });
  expect(await clinic.bridge.call('connection.test', { connectionId })).toMatchObject({ isReached: true });
  await expect(
    clinic.bridge.call('connection.add', {
      to: fhirAt(server.url, { clientId: 'isoline' }),
      label: '',
      organization: 'clinic',
    }),
  ).rejects.toMatchObject({ reason: 'invalid_request' });
  await expect(
    clinic.bridge.call('connection.add', {
      to: fhirAt('http://10.0.0.1/fhir'),
      label: '',
      organization: 'clinic',
    }),
  ).rejects.toMatchObject({ reason: 'invalid_request' });
});
