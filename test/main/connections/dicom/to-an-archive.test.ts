// Approved ECGs go to a real archive (Orthanc): each object once, whatever happens meanwhile, and as it was.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bufferSource } from '../../../../main/formats/byte-source.ts';
import { readRecord } from '../../../../main/formats/read-record.ts';
import type { StoredItem } from '../../../../main/store/outbox/outbox-item.ts';
import { BridgeClient } from '../../../../shared/bridge/client.ts';
import { readAllSamples } from '../../../../shared/signal/recording.ts';
import { type ArchiveDouble, startArchiveDouble } from '../../../doubles/archive.ts';
import { addArchive, hasOrthanc, makeOrthanc, type Orthanc } from '../../../support/dicom-peers.ts';
import { freePort } from '../../../support/free-port.ts';
import { hasProgram, run } from '../../../support/independent.ts';
import { outboxItem, untilItem } from '../../../support/outbox-items.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';
import { V3Client } from '../../../support/v3-client.ts';

const EDF = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');
const TITLE = 'ISOLINE';
const PIN = '135790';
const UNTIL_MS = 60_000;
/** The archive is killed behind every third. */
const RECORDINGS = Number(process.env.ISOLINE_KILLS ?? 2) * 3;

let folder: Awaited<ReturnType<typeof tempFolder>>;
let orthanc: Orthanc;
let clinic: RunningWorkstation;
let client: V3Client;
let port: number;

async function begin(more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  folder = await tempFolder();
  port = await freePort();
  orthanc = await makeOrthanc(join(folder.path, 'orthanc'), { title: TITLE, port }, more);
  await orthanc.start();
  clinic = await runWorkstation({ overrides: [...FREE_OF_LIMITS, ['dicom.port', String(port)]] });
  client = new V3Client(clinic.url, (await clinic.makeToken()).text);
}

async function record(more: object = {}, bytes?: Uint8Array): Promise<number> {
  const upload_id = await client.upload(bytes ?? (await readFile(EDF)));
  const { json } = await client.createTask({
    upload_id,
    auto_complete: true,
    patient_last_name: 'Hoffmann',
    patient_first_name: 'Eva',
    patient_id: '4817',
    recording_start_time: '2026-11-21T09:30:00+01:00',
    ...more,
  });
  return (json.created_task_ids as number[])[0] as number;
}

const itemOf = (taskId: number): StoredItem | undefined => outboxItem(clinic.dataDir, taskId);
const untilState = (taskId: number, state: StoredItem['state']): Promise<StoredItem> =>
  untilItem(clinic.dataDir, taskId, state);

interface Tags {
  readonly [tag: string]: string | undefined;
}
const tagsOf = (id: string): Promise<Tags> => orthanc.json<Tags>(`/instances/${id}/simplified-tags`);
const instances = (): Promise<string[]> => orthanc.json<string[]>('/instances');

/** Prints the samples of the waveform, as pydicom reads them. */
const SAMPLES = `
import hashlib, pydicom, sys
[w] = pydicom.dcmread(sys.argv[1]).WaveformSequence
n = w.NumberOfWaveformSamples * w.NumberOfWaveformChannels
print(n, w.SamplingFrequency, hashlib.sha256(bytes(w.WaveformData)[:2 * n]).hexdigest())
`;
const hasPydicom = spawnSync('/usr/bin/python3', ['-c', 'import pydicom']).status === 0;
/** A disk of its own, that can be full. */
function mounts(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'isoline-mount-'));
  try {
    if (run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place]).status !== 0) return false;
    run('umount', ['-l', place]);
    return true;
  } finally {
    rmdirSync(place);
  }
}
const canMount = mounts();
const hasDicom3tools = hasProgram('dciodvfy');

/** All channels in turn, as the file has them. */
function interleaved(bytes: Uint8Array): Buffer {
  const file = { name: 'a.edf', source: bufferSource(bytes) };
  const read = readRecord(file, [file]);
  if (!read.ok) throw new Error(read.message);
  const columns = read.recording.channels.map(readAllSamples);
  const count = columns[0]?.length ?? 0;
  return Buffer.from(
    Int16Array.from(
      { length: count * columns.length },
      (_, i) => columns[i % columns.length]?.[Math.floor(i / columns.length)] ?? 0,
    ).buffer,
  );
}

const classesThere = async (): Promise<string[]> =>
  (await Promise.all((await instances()).map(tagsOf))).map(({ SOPClassUID }) => SOPClassUID ?? '').toSorted();
const WAVEFORM = '1.2.840.10008.5.1.4.1.1.9.1.1';
const READING = '1.2.840.10008.5.1.4.1.1.88.22';
const REPORT = '1.2.840.10008.5.1.4.1.1.104.1';
/** The sets that so many ECGs make, each once. */
const setsOf = (ecgs: number): string[] =>
  [WAVEFORM, READING, REPORT].flatMap((each) => Array<string>(ecgs).fill(each)).toSorted();
const overview = async () => (await clinic.bridge.call('sync.overview', {})).connections[0];
/** A recording of its own: the same with another value at one place. */
async function anotherEdf(n: number): Promise<Uint8Array> {
  const bytes = Uint8Array.from(await readFile(EDF));
  bytes[bytes.length - 1000] = n;
  return bytes;
}

describe.skipIf(!hasOrthanc)('an archive, Orthanc (left out where orthanc is missing)', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await clinic?.stop();
    await orthanc?.[Symbol.asyncDispose]();
    await folder?.remove();
  });

  test('takes an approved ECG with its reading and report, says that it keeps them, and has each once', async () => {
    const connectionId = await addArchive(clinic, orthanc);
    const tested = await clinic.bridge.call('connection.test', { connectionId });
    expect(tested).toMatchObject({
      isReached: true,
      offers: { ecg: true, longEcg: true, report: true, findings: true, confirmation: true },
    });
    const taskId = await record();
    const item = await untilState(taskId, 'DONE');
    expect(item.sentObjects).toHaveLength(3);
    const all = await Promise.all((await instances()).map(tagsOf));
    expect(
      all
        .map(({ SOPClassUID, PatientName, PatientID, Modality }) => [
          SOPClassUID,
          PatientName,
          PatientID,
          Modality,
        ])
        .toSorted(),
    ).toEqual([
      [REPORT, 'Hoffmann^Eva', '4817', 'ECG'],
      [READING, 'Hoffmann^Eva', '4817', 'SR'],
      [WAVEFORM, 'Hoffmann^Eva', '4817', 'ECG'],
    ]);
    // One study, and the report names the waveform.
    expect(new Set(all.map(({ StudyInstanceUID }) => StudyInstanceUID)).size).toBe(1);
    const { connections } = await clinic.bridge.call('sync.overview', {});
    expect(connections).toMatchObject([
      { facts: { title: 'ORTHANC' }, isConfirming: true, done: 1, doneToday: 1, waiting: 0 },
    ]);
  });

  test.skipIf(!hasPydicom || !hasDicom3tools || !hasProgram('dsrdump'))(
    'gives it back bit by bit, to pydicom; dciodvfy finds no error, dsrdump reads the numbers (left out where one is missing)',
    async () => {
      await addArchive(clinic, orthanc);
      await untilState(await record(), 'DONE');
      const paths = await Promise.all(
        (await instances()).map(async (id) => {
          const path = join(folder.path, `${(await tagsOf(id)).SOPClassUID}.dcm`);
          await writeFile(
            path,
            Buffer.from(await (await orthanc.get(`/instances/${id}/file`)).arrayBuffer()),
          );
          return path;
        }),
      );
      for (const path of paths) {
        const { stdout, stderr } = run('dciodvfy', [path]);
        expect(stdout.toString() + stderr).toMatch(/ECG|EncapsulatedPDF|EnhancedSR/);
        expect((stdout.toString() + stderr).split('\n').filter((line) => line.startsWith('Error'))).toEqual(
          [],
        );
      }
      const reading = run('dsrdump', [join(folder.path, `${READING}.dcm`)]);
      expect(reading.stderr.toString()).not.toMatch(/^[EF]:/m);
      const told = reading.stdout.toString();
      expect(told).toContain('Enhanced SR Document');
      expect(told).toMatch(/QRS duration global,?.*="\d+"/);
      expect(told).toContain('Not read by a physician');
      const script = join(folder.path, 'samples.py');
      await writeFile(script, SAMPLES);
      const own = interleaved(await readFile(EDF));
      const { stdout } = run('/usr/bin/python3', [script, join(folder.path, `${WAVEFORM}.dcm`)]);
      expect(stdout.toString().trim()).toBe(
        `${own.length / 2} 1000 ${createHash('sha256').update(own).digest('hex')}`,
      );
    },
  );

  test('that is switched off gets everything when it is back, each once', async () => {
    await addArchive(clinic, orthanc);
    await orthanc.stop();
    const tasks = [await record(), await record({ patient_id: '4818' }, await anotherEdf(1))];
    await eventually(
      async () => (await overview())?.trouble === 'offline' && (await overview())?.waiting === 2,
      'it is noticed',
      UNTIL_MS,
    );
    await orthanc.start();
    for (const task of tasks) await untilState(task, 'DONE');
    expect(await classesThere()).toEqual(setsOf(2));
  });

  test('that is killed in the middle, again and again, has each once', async () => {
    await addArchive(clinic, orthanc);
    const tasks: number[] = [];
    for (let n = 0; n < RECORDINGS; n++) {
      tasks.push(await record({ patient_id: String(n) }, await anotherEdf(n)));
      if (n % 3 !== 2) continue;
      await orthanc.stop('SIGKILL');
      await orthanc.start();
    }
    for (const task of tasks) await untilState(task, 'DONE');
    expect(await classesThere()).toEqual(setsOf(tasks.length));
  });

  test.skipIf(!canMount)(
    'whose disk is full gets it when there is room (left out where nothing can be mounted)',
    async () => {
      const disk = join(folder.path, 'disk');
      await mkdir(disk);
      run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
      try {
        await orthanc.stop();
        await orthanc.change({ StorageDirectory: disk });
        await orthanc.start();
        await writeFile(join(disk, 'full'), Buffer.alloc(8 << 20)).catch(() => undefined);
        await addArchive(clinic, orthanc);
        const taskId = await record();
        await eventually(async () => (await overview())?.trouble, 'it is noticed', UNTIL_MS);
        expect(await overview()).toMatchObject({ trouble: 'server', waiting: 1, toDecide: 0 });
        await rm(join(disk, 'full'));
        await untilState(taskId, 'DONE');
        expect(await classesThere()).toEqual(setsOf(1));
        await orthanc.stop();
      } finally {
        run('umount', ['-l', disk]);
      }
    },
  );

  test('does not know our name: that is said, and what waits goes when it does', async () => {
    await orthanc.stop();
    await orthanc.change({ DicomCheckCalledAet: true, DicomAet: 'OTHER' });
    await orthanc.start();
    const connectionId = await addArchive(clinic, orthanc);
    const taskId = await record();
    await eventually(async () => (await overview())?.trouble, 'it is noticed', UNTIL_MS);
    expect(await overview()).toMatchObject({ trouble: 'nameRefused', waiting: 1 });
    expect(await clinic.bridge.call('connection.test', { connectionId })).toMatchObject({
      isReached: false,
      trouble: 'nameRefused',
    });
    await orthanc.stop();
    await orthanc.change({ DicomAet: 'ORTHANC' });
    await orthanc.start();
    await untilState(taskId, 'DONE');
  });

  test('does not let us store: that is said, by the test too, and what waits goes when it does', async () => {
    await orthanc.stop();
    await orthanc.change({ DicomAlwaysAllowStore: false, DicomAlwaysAllowEcho: true, DicomModalities: {} });
    await orthanc.start();
    const connectionId = await addArchive(clinic, orthanc);
    const taskId = await record();
    await eventually(
      async () => (await overview())?.trouble === 'storeRefused' || undefined,
      'it is noticed',
      UNTIL_MS,
    );
    expect(await overview()).toMatchObject({ waiting: 1, toDecide: 0 });
    expect(await clinic.bridge.call('connection.test', { connectionId })).toMatchObject({
      isReached: false,
      trouble: 'storeRefused',
    });
    await orthanc.stop();
    await orthanc.change({ DicomModalities: { isoline: [TITLE, '127.0.0.1', port] } });
    await orthanc.start();
    await clinic.bridge.call('sync.now', { connectionId });
    await untilState(taskId, 'DONE');
    expect(await overview()).not.toHaveProperty('trouble');
  });

  test('that lost what it took is asked, says so, and gets it again', async () => {
    const connectionId = await addArchive(clinic, orthanc);
    await clinic.bridge.call('connection.test', { connectionId });
    await clinic.bridge.call('sync.pause', { connectionId });
    const taskId = await record();
    await untilState(taskId, 'READY');
    // Away as soon as it is there, before the archive is asked for it.
    const thief = (async () => {
      const [id] = await eventually(
        async () => ((await instances()).length > 0 ? instances() : undefined),
        'there',
        UNTIL_MS,
      );
      await orthanc.remove(`/instances/${id}`);
    })();
    await clinic.bridge.call('sync.resume', { connectionId });
    await thief;
    await untilState(taskId, 'DONE');
    expect(await classesThere()).toEqual(setsOf(1));
  });
});

describe('what a physician does meanwhile', () => {
  let archive: ArchiveDouble;
  let lind: BridgeClient;

  const start = async (reports: boolean): Promise<void> => {
    folder = await tempFolder();
    archive = await startArchiveDouble(reports);
    clinic = await runWorkstation({
      overrides: [...FREE_OF_LIMITS, ['dicom.port', String(await freePort())]],
    });
    client = new V3Client(clinic.url, (await clinic.makeToken()).text);
    await addArchive(clinic, { dicomPort: archive.port, title: 'DOUBLE' });
    const { bridge } = clinic;
    const secret = '5 words of a password';
    const admin = await bridge.call('user.add', { name: 'A', role: 'administrator', secret });
    await bridge.call('session.signIn', { userId: admin.userId, secret });
    await bridge.call('user.add', { name: 'Dr. Lind', role: 'reviewer', secret: PIN });
    lind = new BridgeClient(clinic.workstation.connect());
    const { users } = await lind.call('session.get', {});
    const userId = users.find(({ name }) => name === 'Dr. Lind')?.userId ?? 0;
    await lind.call('session.signIn', { userId, secret: PIN });
  };
  afterEach(async () => {
    await clinic?.stop();
    await archive[Symbol.asyncDispose]();
    await folder?.remove();
  });

  const approve = async (taskId: number, reason?: string): Promise<void> => {
    const { revision, version } = await lind.call('review.reading', { taskId });
    await lind.call('task.approve', {
      taskId,
      revision,
      version,
      secret: PIN,
      ...(reason !== undefined && { reason }),
    });
  };
  const analysed = async (): Promise<number> => {
    const taskId = await record({ auto_complete: false });
    // Before anybody has approved it, nothing goes.
    await untilState(taskId, 'HELD');
    await eventually(
      async () =>
        (await lind.call('task.get', { taskId })).state === 'AWAITING_APPROVAL' ? true : undefined,
      'analysed',
      UNTIL_MS,
    );
    return taskId;
  };
  const amend = async (taskId: number): Promise<void> => {
    await lind.call('review.correct', { taskId, change: { kind: 'mark', name: 'tEnd', ms: 430 } });
    await approve(taskId, 'T wave measured again');
  };
  const untilRevision = (taskId: number, revision: number): Promise<StoredItem> =>
    eventually(
      async () => {
        const item = itemOf(taskId);
        return item?.state === 'DONE' && item.revision === revision ? item : undefined;
      },
      `revision ${revision} is there`,
      UNTIL_MS,
    );

  test('an amended reading: its report goes too, and the recording under the name that it has', async () => {
    await start(true);
    const taskId = await analysed();
    expect(archive.stored).toEqual([]);
    // What is not approved is not sent, whoever wants it.
    const held = (await clinic.bridge.call('sync.items', { connectionId: 1, list: 'queue', limit: 5 }))
      .items[0];
    await expect(
      clinic.bridge.call('sync.answer', { itemId: held?.itemId ?? 0, answer: 'again' }),
    ).rejects.toMatchObject({ reason: 'task_state_conflict' });
    await approve(taskId);
    const first = await untilState(taskId, 'DONE');
    await amend(taskId);
    const second = await untilRevision(taskId, 2);
    expect(archive.stored).toEqual([WAVEFORM, READING, REPORT, WAVEFORM, READING, REPORT]);
    expect(second.sentObjects?.[0]).toEqual(first.sentObjects?.[0]);
    for (const n of [1, 2]) expect(second.sentObjects?.[n]).not.toEqual(first.sentObjects?.[n]);
  });

  test('one that is amended while its report is on the way: what counts arrives', async () => {
    await start(true);
    const taskId = await analysed();
    const { promise: isAmended, resolve: go } = Promise.withResolvers<void>();
    archive.onStore = async (classUid) => {
      if (classUid === REPORT && archive.stored.length === 2) await isAmended;
    };
    await approve(taskId);
    await eventually(async () => archive.stored.length === 2 || undefined, 'the waveform is there', UNTIL_MS);
    await amend(taskId);
    go();
    await untilRevision(taskId, 2);
    expect(archive.stored.filter((each) => each === REPORT)).toHaveLength(2);
  });

  test.each(['unknown', 'refused'] as const)(
    'an archive to which structured reports are %s gets the ECG and its report, and is asked for these',
    async (how) => {
      await start(true);
      archive[how] = [READING];
      const taskId = await analysed();
      await approve(taskId);
      const { sentObjects } = await untilState(taskId, 'DONE');
      expect(archive.stored).toEqual([WAVEFORM, REPORT]);
      expect(sentObjects?.map(({ isLeftOut }) => isLeftOut === true)).toEqual([false, true, false]);
    },
  );

  test('an archive that never says what it keeps: that is shown, and it is not asked at every look', async () => {
    await start(false);
    const taskId = await analysed();
    await approve(taskId);
    await untilState(taskId, 'WAITING_REPORT');
    await eventually(async () => archive.asked === 1 || undefined, 'it is asked', UNTIL_MS);
    expect(await overview()).toMatchObject({ atCentre: 1, done: 0, isConfirming: true });
  });
});
