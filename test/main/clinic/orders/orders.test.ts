// What an order comes to, on a clock of the test's.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { orderStateOf } from '../../../../main/clinic/orders/orders.ts';
import { checkTaskRequest } from '../../../../main/v3/task-fields.ts';
import { fitsOrder } from '../../../../shared/entry/order-fit.ts';
import type { EndedOrder, OrderFacts } from '../../../../shared/order.ts';
import type { PatientFacts } from '../../../../shared/signal/recording.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { inTransaction } from '../../../support/in-transaction.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const DAY_MS = 86_400_000;
const MUELLER: PatientFacts = { id: '004817', lastName: 'Müller', firstName: 'Zoë', birthDate: '1951-03-14' };
let folder: TempFolder;
let opened: TestClinic;
let now = 0;
let files = 0;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22);
  folder = await tempFolder();
  opened = await openTestClinic(folder.path, new ScriptedPool(), () => now);
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const take = (format: OrderFacts['format'], patient: PatientFacts = MUELLER): Promise<void> =>
  opened.clinic.orders.take({
    key: String(files++),
    name: 'a',
    orders: [{ format, patient, indications: [], warnings: [] }],
  });
const list = () => opened.clinic.orders.list().orders;

async function record(
  orderId: number,
  fields: object = { patient_last_name: 'Müller', patient_id: '004 817' },
): Promise<number> {
  const entry = {
    ...checkTaskRequest(fields, now),
    identity: { name: 'said', birth: 'said' },
    orderId,
  } as const;
  return opened.clinic.tasks.createForDesk(opened.organizationId, 'cart', entry, 'test');
}

const complete = (taskId: number): void =>
  inTransaction(opened.store, (tx) => {
    for (const event of ['dataComplete', 'taken', 'reportStored'] as const)
      opened.clinic.tasks.move(tx, taskId, event);
  });

test('each of its recordings is answered once; it is open again when all of them are given up', async () => {
  await take('gdt');
  const order = () => list()[0]!;
  const [first, second] = [await record(order().id), await record(order().id)];
  expect(orderStateOf(order())).toBe('started');
  complete(second);
  expect(orderStateOf(order())).toBe('done');
  expect(opened.clinic.orders.unanswered().map(({ taskId }) => taskId)).toEqual([second]);
  await opened.clinic.orders.noteAnswered(order().id, second);
  complete(first);
  expect(opened.clinic.orders.unanswered().map(({ taskId }) => taskId)).toEqual([first]);
  for (const id of [first, second])
    inTransaction(opened.store, (tx) => opened.clinic.tasks.move(tx, id, 'deleted'));
  expect(orderStateOf(order())).toBe('new');
  expect(opened.clinic.orders.unanswered()).toEqual([]);
});

test('a recording of somebody else is not its recording, whatever the screen sent; nor one that turned out to be', async () => {
  await take('gdt');
  await record(list()[0]!.id, { patient_last_name: 'Schmidt', patient_id: '9' });
  expect(orderStateOf(list()[0]!)).toBe('new');
  const id = await record(list()[0]!.id);
  expect(orderStateOf(list()[0]!)).toBe('started');
  const entry = {
    ...checkTaskRequest({ patient_last_name: 'Schmidt', patient_birth_date: '1960-01-01' }, now),
    identity: { name: 'said', birth: 'said' },
  } as const;
  await opened.clinic.assignment.assign({ taskId: id, entry, reason: 'wrong patient' }, 'test');
  expect(orderStateOf(list()[0]!)).toBe('new');
});

test('a table that is written again brings only what is new; a request is a request each time', async () => {
  for (const format of ['csv', 'csv', 'gdt', 'gdt'] as const) await take(format);
  expect(list().map(({ facts }) => facts.format)).toEqual(expect.arrayContaining(['csv', 'gdt', 'gdt']));
  expect(list()).toHaveLength(3);
});

test('open ones are shown for a month, done ones for a day; then their names go, and the files are known all the same', async () => {
  await take('gdt');
  await take('gdt', { lastName: 'Okafor' });
  complete(await record(list().find(({ facts }) => facts.patient.lastName === 'Müller')!.id));
  now += 2 * DAY_MS;
  expect(list().map(({ facts }) => facts.patient.lastName)).toEqual(['Okafor']);
  now += 29 * DAY_MS;
  await opened.clinic.orders.forgetOld();
  expect(list()).toEqual([]);
  expect(opened.clinic.orders.isKnown(String(files - 1))).toBe(true);
});

const requestFacts = (id: string): OrderFacts => ({
  format: 'fhir',
  patient: MUELLER,
  indications: [],
  asked: { requestUrl: `https://fhir.example.org/r4/ServiceRequest/${id}` },
  warnings: [],
});

test('a request that stays open for months does not come back, put away or recorded; an old worklist is forgotten', async () => {
  const { orders } = opened.clinic;
  const server = { format: 'fhir', url: 'https://fhir.example.org/r4' } as const;
  const look = (): Promise<void> =>
    orders.takeList(server, [requestFacts('1'), requestFacts('2'), requestFacts('3')]);
  await look();
  const idOf = (n: string): number =>
    list().find(({ facts }) => facts.asked?.requestUrl?.endsWith(`/${n}`))?.id ?? 0;
  await orders.putAway({ orderId: idOf('1') }, 'test');
  complete(await record(idOf('2')));
  const worklist: OrderFacts = { ...requestFacts('1'), format: 'dicom', asked: { studyUid: '1.2' } };
  await orders.takeList({ format: 'dicom' }, [worklist]);
  now += 60 * DAY_MS;
  await orders.forgetOld();
  await look();
  expect(list().map(({ facts }) => facts.asked?.requestUrl?.slice(-1))).toEqual(['3']);
  expect(opened.store.orders.ofFormat('dicom', 0)).toEqual([]);
  expect(opened.store.orders.isAnyBefore(now, now)).toBe(true);
  now += 400 * DAY_MS;
  await orders.forgetOld();
  expect(opened.store.orders.isAnyBefore(now, now)).toBe(false);
});

test.each<[PatientFacts, boolean]>([
  [{ id: '004 817', lastName: 'Mueller', firstName: 'Zoe', birthDate: '1951-03-14' }, true],
  [{ lastName: 'Müller' }, true],
  [{ id: '004817' }, true],
  [{ ...MUELLER, firstName: 'Zoé-Marie' }, false],
  [{ ...MUELLER, id: '5' }, false],
  [{ ...MUELLER, birthDate: '1951-03-15' }, false],
  [{ lastName: 'Schmidt', firstName: 'Zoë' }, false],
])('%j may be whom it is for: %s', (patient, fits) => {
  expect(fitsOrder(MUELLER, patient)).toBe(fits);
});

test('an order that is cancelled after its recording and then sent again is open again, also within one file', async () => {
  const asked = (examination: string): OrderFacts => ({
    format: 'hl7',
    orderNumber: 'A1',
    patient: MUELLER,
    examination,
    indications: [],
    warnings: [],
  });
  const send = (...messages: { orders: OrderFacts[]; ended: string[] }[]): Promise<void> => {
    const file = { key: String(files++), name: 'a', orders: messages.flatMap(({ orders }) => orders) };
    return opened.clinic.orders.take(
      file,
      messages.map(({ orders, ended }) => ({
        orders,
        ended: ended.map((number) => ({ number, patient: MUELLER })),
      })),
    );
  };
  const open = () => list().filter((order) => orderStateOf(order) === 'new');
  await send({ orders: [asked('ECG 28')], ended: [] });
  await record(open()[0]!.id);
  expect(open()).toEqual([]);
  // Changed: the recording is that of the order.
  await send({ orders: [asked('ECG 29')], ended: ['A1'] });
  expect(open()).toEqual([]);
  // Word for word, as it is now that it is known to be cancelled.
  await send({ orders: [], ended: ['A1'] }, { orders: [asked('ECG 28')], ended: [] });
  expect(open()).toMatchObject([{ facts: { examination: 'ECG 28' } }]);
  await send({ orders: [], ended: ['A1'] }, { orders: [asked('ECG 38')], ended: [] });
  expect(open()).toMatchObject([{ facts: { examination: 'ECG 38' } }]);
  // Cancelled again within one file, and asked for twice.
  const last = asked('ECG 48');
  await send(
    { orders: [asked('ECG 39')], ended: ['A1'] },
    { orders: [], ended: ['A1'] },
    { orders: [last], ended: [] },
    { orders: [last], ended: [] },
  );
  expect(open().map(({ facts }) => facts)).toEqual([last]);
});

describe('a number is one’s own only with whoever gave it', () => {
  const asked = (sender: string, patient: PatientFacts, more: Partial<OrderFacts> = {}): OrderFacts => ({
    format: 'hl7',
    orderNumber: 'B1',
    patient,
    sender,
    indications: [],
    warnings: [],
    ...more,
  });
  const ANNA = { id: '1', lastName: 'Anna' };
  const BERT = { id: '2', lastName: 'Bert' };
  const take = (orders: OrderFacts[], ended: EndedOrder[] = []): Promise<void> =>
    opened.clinic.orders.take({ key: String(files++), name: 'a', orders }, [{ orders, ended }]);
  const open = () => list().map(({ facts }) => facts.patient.id);

  test('of two systems that order under one number, each ends its own', async () => {
    await take([asked('KIS', ANNA)]);
    await take([asked('LAB', BERT)]);
    await take([], [{ number: 'B1', sender: 'LAB', patient: BERT }]);
    expect(open()).toEqual(['1']);
    await take([asked('LAB', BERT)]);
    await take(
      [asked('KIS', ANNA, { examination: 'ECG at night' })],
      [{ number: 'B1', sender: 'KIS', patient: ANNA }],
    );
    expect(
      list()
        .map(({ facts: { patient, examination } }) => [patient.id, examination])
        .sort(),
    ).toEqual([
      ['1', 'ECG at night'],
      ['2', undefined],
    ]);
  });

  test('the issuer goes before the sender: an engine speaks for several', async () => {
    await take([asked('ENGINE', ANNA, { asked: { orderIssuer: 'KIS' } })]);
    await take([asked('ENGINE', BERT, { asked: { orderIssuer: 'LAB' } })]);
    await take([], [{ number: 'B1', issuer: 'LAB', sender: 'ENGINE', patient: BERT }]);
    expect(open()).toEqual(['1']);
  });

  test('one of another system or patient is refused, and nothing is changed', async () => {
    await take([asked('KIS', ANNA)]);
    for (const [end, of] of [
      [{ number: 'B1', sender: 'LAB', patient: ANNA }, 'system'],
      [{ number: 'B1', sender: 'KIS', patient: BERT }, 'patient'],
    ] as const)
      await expect(take([asked('KIS', BERT)], [end])).rejects.toMatchObject({
        reason: 'order_of_another',
        message: expect.stringContaining(`another ${of}`),
      });
    expect(open()).toEqual(['1']);
    // What is not known here may end: there is nothing to do.
    await take([], [{ number: 'B2', sender: 'KIS', patient: BERT }]);
  });
});
