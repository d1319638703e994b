// Results in a folder that other programs read: each as a report and its reading, whole or not at all; a folder that is away holds
// nothing up, and nothing is lost.

import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredItem } from '../../../../main/store/outbox/outbox-item.ts';
import type { ConnectionTo } from '../../../../shared/connections/connections.ts';
import { untilItem } from '../../../support/outbox-items.ts';
import {
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { V3Client } from '../../../support/v3-client.ts';
import { smallEdf } from '../../../support/varied-edf.ts';

let place: TempFolder;
let results: string;
let clinic: RunningWorkstation;
let client: V3Client;
beforeEach(async () => {
  place = await tempFolder();
  results = join(place.path, 'results');
  await mkdir(results);
  clinic = await runWorkstation({ overrides: FREE_OF_LIMITS });
  client = new V3Client(clinic.url, (await clinic.makeToken()).text);
});
afterEach(async () => {
  await clinic?.stop();
  await place.remove();
});

const folderAt = (path: string): ConnectionTo => ({ kind: 'folder', config: { path } });

async function connect(): Promise<number> {
  const { connectionId } = await clinic.bridge.call('connection.add', {
    to: folderAt(results),
    label: '',
    organization: 'clinic',
  });
  // These are approved by the rule that they came with.
  await clinic.bridge.call('connection.change', { connectionId, takesUnread: true });
  return connectionId;
}

async function record(n: number): Promise<number> {
  const { json } = await client.createTask({
    upload_id: await client.upload(smallEdf(n)),
    auto_complete: true,
    patient_last_name: 'Müller',
    patient_id: `48${n}`,
    recording_start_time: '2026-11-21T09:30:00+01:00',
  });
  return (json.created_task_ids as number[])[0] as number;
}

const untilState = (taskId: number, state: StoredItem['state']): Promise<StoredItem> =>
  untilItem(clinic.dataDir, taskId, state);
const names = async (): Promise<string[]> => (await readdir(results)).sort();

test('lie there as PDF and JSON of one name, with nothing unfinished beside them', async () => {
  const connectionId = await connect();
  expect(await clinic.bridge.call('connection.test', { connectionId })).toMatchObject({ isReached: true });
  expect(await names()).toEqual([]);
  await untilState(await record(1), 'DONE');
  const [json = '', pdf = '', ...more] = await names();
  expect(more).toEqual([]);
  expect(json.replace(/json$/, 'pdf')).toBe(pdf);
  expect((await readFile(join(results, pdf))).subarray(0, 5).toString()).toBe('%PDF-');
  expect(JSON.parse(await readFile(join(results, json), 'utf8'))).toMatchObject({
    patient: { id: '481', lastName: 'Müller' },
    recorded: '2026-11-21T08:30:00.000Z',
    status: 'unread',
    approval: { isByPhysician: false },
    measurements: { heartRateBpm: expect.any(Number) },
    statements: expect.any(Array),
    report: pdf,
  });
});

test('wait while the folder is away, which is said, and lie there when it is back', async () => {
  await rm(results, { recursive: true });
  const connectionId = await connect();
  expect(await clinic.bridge.call('connection.test', { connectionId })).toMatchObject({
    isReached: false,
    trouble: 'offline',
  });
  const taskId = await record(2);
  await expect
    .poll(async () => (await clinic.bridge.call('sync.overview', {})).connections[0])
    .toMatchObject({ waiting: 1, trouble: 'offline', host: results });
  await mkdir(results);
  await clinic.bridge.call('sync.now', { connectionId });
  await untilState(taskId, 'DONE');
  expect(await names()).toHaveLength(2);
});

test('are for whoever may read the folder, and for nobody else', async () => {
  await chmod(results, 0o750);
  await connect();
  await untilState(await record(3), 'DONE');
  for (const name of await names())
    expect([name, (await stat(join(results, name))).mode & 0o777]).toEqual([name, 0o640]);
});

test('a path that is none is refused in a sentence; the same folder is not added twice', async () => {
  const add = (path: string) =>
    clinic.bridge.call('connection.add', { to: folderAt(path), label: '', organization: 'clinic' });
  await expect(add('results')).rejects.toMatchObject({ reason: 'invalid_request' });
  await add(`${results}/`);
  await expect(add(results)).rejects.toMatchObject({ reason: 'centre_exists' });
});
