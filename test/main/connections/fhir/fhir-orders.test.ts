// Orders of a FHIR server (a double of ours, which checks every resource by the schema of R4): from the search to the order, the
// recording, and the report in the server that names both.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConnectionHub } from '../../../../main/connections/hub.ts';
import { openDesk } from '../../../../main/host/desk-host.ts';
import type { FhirConfig } from '../../../../shared/connections/fhir.ts';
import { type FhirDouble, startFhirDouble } from '../../../doubles/fhir-server.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import {
  ECG_SEARCH,
  PATIENT_SYSTEM,
  patientResource,
  requestResource,
} from '../../../support/fhir-requests.ts';
import { fhirAt } from '../../../support/made-connections.ts';
import { openTestClinic } from '../../../support/open-clinic.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const CLIENT = { id: 'isoline', secret: 'a:secret' };

let clinic: RunningWorkstation;
let server: FhirDouble;
beforeEach(async () => {
  server = await startFhirDouble({ client: CLIENT });
  clinic = await runWorkstation({ overrides: [...FREE_OF_LIMITS, ['sync.simulated', 'true']] });
});
afterEach(async () => {
  await clinic?.stop();
  await server[Symbol.asyncDispose]();
});

async function connect({
  secret = CLIENT.secret,
  ...more
}: Partial<FhirConfig> & { secret?: string } = {}): Promise<number> {
  const { connectionId } = await clinic.bridge.call('connection.add', {
    to: fhirAt(`${server.url}/`, {
      patientSystem: PATIENT_SYSTEM,
      clientId: CLIENT.id,
      tokenUrl: server.tokenUrl,
      orders: ECG_SEARCH,
      ...more,
    }),
    label: '',
    organization: 'clinic',
    secret,
  });
  await clinic.bridge.call('connection.change', { connectionId, takesUnread: true });
  return connectionId;
}

/** Removed, and added with the same search in other words, it is asked at once. */
async function askAgain(connectionId: number, more: Parameters<typeof connect>[0] = {}): Promise<number> {
  await clinic.bridge.call('connection.remove', { connectionId });
  return connect({ orders: `_count=100&${ECG_SEARCH}`, ...more });
}

const list = () => clinic.bridge.call('order.list', {});
const numbers = async (): Promise<string[]> =>
  (await list()).orders.map(({ facts }) => facts.orderNumber ?? '').toSorted();
const untilNumbers = (wanted: readonly string[]): Promise<unknown> =>
  expect.poll(numbers, { timeout: 10_000 }).toEqual(wanted);

test('are those of its search, over all pages; what it holds no more is not shown, what is recorded stays', async () => {
  server.pageEntries = 1;
  server.add(patientResource('17'));
  for (const id of ['1', '2', '3']) server.add(requestResource(id, '17'));
  server.add(requestResource('4', '17', { code: { coding: [{ system: 'http://loinc.org', code: '1-8' }] } }));
  const connectionId = await connect();
  await untilNumbers(['P1', 'P2', 'P3']);
  expect((await list()).troubles[0]).toBeUndefined();
  server.change(requestResource('2', '17', { status: 'revoked' }));
  server.change(requestResource('3', '17', { reasonCode: [{ text: 'Syncope' }] }));
  const orderId = (await list()).orders.find(({ facts }) => facts.orderNumber === 'P1')?.orderId ?? 0;
  // Who does not come does not come back by himself.
  await clinic.bridge.call('order.putAway', { orderId });
  await askAgain(connectionId);
  await expect
    .poll(async () => (await list()).orders.map(({ facts }) => facts.indications), { timeout: 10_000 })
    .toEqual([['Syncope']]);
  expect(await numbers()).toEqual(['P3']);
});

test('stay when the server does not answer, and it is said; without the server they go', async () => {
  server.add(patientResource('17'));
  server.add(requestResource('1', '17'));
  const connectionId = await connect();
  await untilNumbers(['P1']);
  server.searchStatus = 500;
  const again = await askAgain(connectionId);
  await expect.poll(async () => (await list()).troubles[0], { timeout: 10_000 }).toBe('fhir');
  expect(await numbers()).toEqual(['P1']);
  await clinic.bridge.call('connection.remove', { connectionId: again });
  await untilNumbers([]);
  await expect.poll(async () => (await list()).troubles[0], { timeout: 10_000 }).toBeUndefined();
});

test('are not taken where the search asks for what the server does not know, or nobody is let in', async () => {
  server.add(patientResource('17'));
  server.add(requestResource('1', '17'));
  const connectionId = await connect({ orders: `${ECG_SEARCH}&performer-kind=ecg` });
  await expect.poll(async () => (await list()).troubles[0], { timeout: 10_000 }).toBe('fhir');
  expect(await numbers()).toEqual([]);
  const again = await askAgain(connectionId);
  await untilNumbers(['P1']);
  await askAgain(again, { secret: 'wrong', orders: ECG_SEARCH });
  await expect.poll(async () => (await list()).troubles[0], { timeout: 10_000 }).toBe('fhir');
  expect(await numbers()).toEqual(['P1']);
});

test('that cannot be read, or are too many, are said to be missing; the others are there', async () => {
  server.pageEntries = 1;
  server.add(patientResource('17'));
  server.add(requestResource('gone', '99'));
  const connectionId = await connect();
  await expect.poll(async () => (await list()).troubles, { timeout: 10_000 }).toEqual(['fhirPart']);
  server.change(requestResource('gone', '17'));
  for (let id = 1; id <= 10; id++) server.add(requestResource(String(id), '17'));
  await askAgain(connectionId);
  await expect.poll(async () => (await numbers()).length, { timeout: 10_000 }).toBe(10);
  expect((await list()).troubles).toEqual(['fhirPart']);
  // The same server is not asked by two.
  await expect(connect({ patientSystem: '' })).rejects.toMatchObject({ reason: 'centre_exists' });
});

test('a search that could be no search is refused in a sentence', async () => {
  await expect(connect({ orders: 'status=active & more' })).rejects.toMatchObject({
    reason: 'invalid_request',
  });
});

test('become a recording, and a report with the same patient and request, whatever numbers they have', async () => {
  // Without a number nobody could be found by one.
  server.add(patientResource('17', { identifier: undefined }));
  server.add(requestResource('1', '17'));
  await connect();
  const order = await eventually(async () => (await list()).orders[0], 'the order');
  const desk = await openDesk(clinic.workstation, { isWatching: false });
  try {
    const id = await desk.connect('simulator:isoline-idp?rhythm=sinus');
    await desk.device(id).record({
      entry: {
        fields: { patient_last_name: 'Müller', patient_first_name: 'Zoë', auto_complete: true },
        identity: { name: 'said', birth: 'said' },
        orderId: order.orderId,
      },
      durationMs: 3000,
    });
    await desk.device(id).untilEnded();
    const report = await eventually(
      async () => server.resources.find(({ resourceType }) => resourceType === 'DiagnosticReport'),
      'the report',
      60_000,
    );
    expect(report).toMatchObject({
      subject: { reference: 'Patient/17' },
      basedOn: [{ reference: 'ServiceRequest/1', type: 'ServiceRequest', identifier: { value: 'P1' } }],
    });
    expect(server.resources.filter(({ resourceType }) => resourceType === 'Patient')).toHaveLength(1);
    expect((await list()).orders[0]).toMatchObject({ state: 'done' });
  } finally {
    await desk.close();
  }
});

test('a secret that is stored after its server is found at the next look', async () => {
  server.add(patientResource('17'));
  server.add(requestResource('1', '17'));
  await using folder = await tempFolder();
  const opened = await openTestClinic(folder.path, new ScriptedPool(), Date.now);
  const { clinic: late } = opened;
  const config = {
    patientSystem: PATIENT_SYSTEM,
    clientId: CLIENT.id,
    tokenUrl: server.tokenUrl,
    orders: ECG_SEARCH,
  };
  const { connectionSecrets } = late.context;
  const id = await late.connections.add(
    { to: fhirAt(server.url, config), label: '', localPath: 'clinic', secret: CLIENT.secret },
    'test',
  );
  await connectionSecrets.remove(id);
  try {
    await using hub = new ConnectionHub(late);
    await hub.refresh();
    await expect.poll(() => late.orders.list().troubles, { timeout: 5000 }).toEqual(['fhir']);
    expect(hub.stateOf(id).trouble).toBe('noToken');
    await connectionSecrets.write(id, CLIENT.secret);
    // Sooner than a server is asked a second time.
    await expect
      .poll(() => late.orders.list().orders.map(({ facts }) => facts.orderNumber), { timeout: 10_000 })
      .toEqual(['P1']);
    await expect.poll(() => late.orders.list().troubles).toEqual([]);
  } finally {
    await opened.close();
  }
});
