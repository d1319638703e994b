// Twelve recordings as people have them – of several files, of DICOM, members of an archive – and one that cannot be made ready:
// each arrives once, at another workstation and at a service, however often it is synced, and the one holds up nothing.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { StoredItem } from '../../../../main/store/outbox/outbox-item.ts';
import { STANDARD_LEADS } from '../../../../shared/signal/lead.ts';
import { makeToken, serveFolder } from '../../../faults/served-folder.ts';
import { addCentre } from '../../../support/clinic-and-centre.ts';
import { makeZip } from '../../../support/make-archives.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  NEW_THREAD,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { toRecording, twelveLeads } from '../../../support/synthetic-recording.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { V3Client } from '../../../support/v3-client.ts';
import { smallEdf } from '../../../support/varied-edf.ts';
import { write } from '../../../support/written-records.ts';

const OF_EACH = 4;
const ALL = 3 * OF_EACH;

const START = { utcMs: Date.UTC(2026, 0, 2, 8), isZoneKnown: true };

type Member = { readonly name: string; readonly content: Uint8Array };

/** Each of another length. */
function membersOf(format: string, fileName: string, n: number): Member[] {
  const ecg = twelveLeads({
    durationSeconds: 10 + n,
    ...(format === 'wfdb' && { leads: STANDARD_LEADS.slice(0, 2) }),
  });
  const { files } = write({ ...toRecording(ecg), startTime: START }, format, fileName);
  return files.map(({ name, source }) => ({ name, content: source.read(0, source.sizeBytes) }));
}

const read = <T>(dataDir: string, query: string): T[] => {
  const db = new Database(join(dataDir, 'isoline.sqlite'), { readonly: true });
  try {
    return db.prepare<[], T>(query).all();
  } finally {
    db.close();
  }
};
const items = (dataDir: string): StoredItem[] =>
  read<{ item: string }>(dataDir, 'SELECT item FROM outbox ORDER BY id').map(
    ({ item }) => JSON.parse(item) as StoredItem,
  );
/** Names of files of the recordings there. */
const arrived = (dataDir: string): string[] =>
  read<{ fields: string }>(dataDir, 'SELECT fields FROM task').map(
    ({ fields }) => (JSON.parse(fields) as { patient_id: string }).patient_id,
  );

async function importAll(client: V3Client): Promise<number[]> {
  const send = async (bytes: Uint8Array, id: string): Promise<number[]> => {
    const { json } = await client.createTask({
      upload_id: await client.upload(bytes),
      auto_complete: true,
      patient_last_name: 'Hoffmann',
      patient_id: id,
    });
    return json.created_task_ids as number[];
  };
  for (let n = 0; n < OF_EACH; n++) {
    await send(makeZip(membersOf('wfdb', `w${n}.hea`, n)), `W${n}`);
    await send(membersOf('dicom', `d${n}.dcm`, n)[0]?.content as Uint8Array, `D${n}`);
  }
  const archive = Array.from({ length: OF_EACH }, (_, n) => ({ name: `a${n}.edf`, content: smallEdf(n) }));
  expect(await send(makeZip(archive), 'A')).toHaveLength(OF_EACH);
  return send(smallEdf(99), 'LOST');
}

const EXPECTED = [
  ...Array.from({ length: OF_EACH }, () => 'A'),
  ...Array.from({ length: OF_EACH }, (_, n) => `D${n}`),
  ...Array.from({ length: OF_EACH }, (_, n) => `W${n}`),
];

async function syncThrice(centre: {
  readonly url: string;
  readonly token: string;
  readonly dataDir: string;
}) {
  await using clinic = await runWorkstation({ ...NEW_THREAD, overrides: FREE_OF_LIMITS });
  const { bridge, dataDir } = clinic;
  await addCentre(dataDir, centre.url, centre.token);
  const connectionId = 1;
  await bridge.call('sync.pause', { connectionId });
  const [lost = 0] = await importAll(new V3Client(clinic.url, (await clinic.makeToken()).text));
  const isAnalysed = `SELECT id FROM task WHERE state <> 'COMPLETED'`;
  await eventually(async () => (read(dataDir, isAnalysed).length === 0 ? true : undefined), 'the analyses');
  const [gone] = read<{ sha256: string }>(
    dataDir,
    `SELECT recording.sha256 FROM task JOIN recording ON recording.id = task.recording_id WHERE task.id = ${lost}`,
  );
  const sha256 = gone?.sha256 ?? '';
  rmSync(join(dataDir, 'files', sha256.slice(0, 2), sha256.slice(2)));
  await bridge.call('sync.resume', { connectionId });
  const isThere = ({ state }: StoredItem): boolean => state === 'WAITING_REPORT' || state === 'DONE';
  for (let times = 0; times < 3; times++) {
    await eventually(
      async () => (items(dataDir).filter(isThere).length === ALL ? true : undefined),
      'twelve of twelve',
    );
    await bridge.call('sync.now', { connectionId });
    expect(arrived(centre.dataDir).toSorted()).toEqual(EXPECTED);
  }
  const left = items(dataDir).filter((item) => !isThere(item));
  expect(left).toHaveLength(1);
  expect(left[0]?.id).toBe(ALL + 1);
}

test('at another workstation', async () => {
  await using centre = await runWorkstation({ ...NEW_THREAD, overrides: FREE_OF_LIMITS });
  await syncThrice({ url: centre.url, token: (await centre.makeToken()).text, dataDir: centre.dataDir });
});

test('at a service that is a process of its own', async () => {
  await using folder = await tempFolder();
  const token = makeToken(folder.path);
  await using served = await serveFolder(folder.path);
  await syncThrice({ url: served.url, token, dataDir: folder.path });
});
