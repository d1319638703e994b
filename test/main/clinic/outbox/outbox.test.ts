import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HeldItem } from '../../../../main/clinic/outbox/item.ts';
import { done, released, sent } from '../../../../main/clinic/outbox/item-states.ts';
import type { OutboxEntry } from '../../../../main/clinic/outbox/records.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { inTransaction } from '../../../support/in-transaction.ts';
import { centralAt } from '../../../support/made-connections.ts';
import { addImported, openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
let opened: TestClinic;
beforeEach(async () => {
  folder = await tempFolder();
  opened = await openTestClinic(folder.path, new ScriptedPool(), () => Date.UTC(2026, 10, 23));
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

async function heldEntry(): Promise<OutboxEntry> {
  const { clinic, store } = opened;
  await clinic.connections.add(
    { to: centralAt('http://127.0.0.1:9'), label: '', localPath: 'clinic', secret: 't' },
    'test',
  );
  const taskId = await addImported(opened);
  return store.outbox.ofTask(taskId)[0] as OutboxEntry;
}

test('a step that is in no table is left to a person, and undoes nothing else', async () => {
  const { clinic, store } = opened;
  const { item } = await heldEntry();
  expect(item.state).toBe('HELD');
  inTransaction(store, (tx) => clinic.outbox.keep(tx, item, done(sent(item, '7', 0, 0))));
  expect(store.outbox.byId(item.id)?.item).toMatchObject({
    state: 'NEEDS_CHECK',
    cause: 'unclearAnswer',
    centralId: undefined,
  });
});

test('a step of the table is kept as it is', async () => {
  const { clinic, store } = opened;
  const { item } = await heldEntry();
  const ready = released(item as HeldItem, 'upload', false, 5000);
  inTransaction(store, (tx) => clinic.outbox.keep(tx, item, ready));
  expect(store.outbox.byId(item.id)?.item).toEqual(ready);
});

test('a call is not sent for an upload that the item has no more, nor of what is not current any more', async () => {
  const { clinic, store } = opened;
  const { item } = await heldEntry();
  store.transaction(() => store.outbox.set(released(item as HeldItem, 'upload', false, 0), 0));
  await clinic.outbox.settle(item.id, { kind: 'createUpload' }, { kind: 'done', id: 'u' });
  const create = { kind: 'createTask', uploadId: 'u' } as const;
  expect(await clinic.outbox.intend(item.id, { ...create, uploadId: 'before' })).toBeUndefined();
  expect(await clinic.outbox.intend(item.id, create, () => false)).toBeUndefined();
  expect(store.outbox.byId(item.id)?.item).not.toMatchObject({ intent: 'createTask' });
  expect(await clinic.outbox.intend(item.id, create)).toMatchObject({ intent: 'createTask' });
});
