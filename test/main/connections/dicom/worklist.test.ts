// A hospital's day: an entry of its worklist becomes an order, the order a recording, and the approved recording an object of
// its archive, in the study that the worklist named. With peers of others: wlmscpfs of DCMTK, and Orthanc.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDesk } from '../../../../main/host/desk-host.ts';
import {
  addArchive,
  hasDcmtk,
  hasOrthanc,
  makeOrthanc,
  startWorklist,
  type Worklist,
} from '../../../support/dicom-peers.ts';
import { freePort } from '../../../support/free-port.ts';
import { eventually, type RunningWorkstation, runWorkstation } from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const TITLE = 'ISOLINE';
const UNTIL_MS = 60_000;
const STUDY = '1.2.276.0.7230010.3.1.2.1001';

let folder: TempFolder;
let running: RunningWorkstation;
let worklist: Worklist;

const today = (): string => {
  const now = new Date();
  return `${now.getFullYear()}${String(now.getMonth() + 1).padStart(2, '0')}${String(now.getDate()).padStart(2, '0')}`;
};

const entry = (number: number, name: string, { modality = 'ECG', day = today() } = {}): string => `
(0008,0005) CS [ISO_IR 192]
(0008,0050) SH [ACC${number}]
(0008,0090) PN [Arias^Marta]
(0010,0010) PN [${name}]
(0010,0020) LO [${number}]
(0010,0030) DA [19510314]
(0010,0040) CS [F]
(0020,000d) UI [1.2.276.0.7230010.3.1.2.${number}]
(0032,1060) LO [Resting ECG]
(0040,1001) SH [RP${number}]
(0040,1002) LO [Chest pain]
(0040,0100) SQ
  (fffe,e000) na
    (0008,0060) CS [${modality}]
    (0040,0001) AE [${TITLE}]
    (0040,0002) DA [${day}]
    (0040,0003) TM [0930]
    (0040,0007) LO [ECG 12 leads]
    (0040,0009) SH [SPS${number}]
  (fffe,e00d) na
(fffe,e0dd) na
`;

const list = () => running.bridge.call('order.list', {});
const names = async (): Promise<string[]> =>
  (await list()).orders.map(({ facts }) => facts.patient.lastName ?? '').toSorted();

describe.skipIf(!hasDcmtk)('a worklist, wlmscpfs (left out where dcmtk is missing)', () => {
  beforeEach(async () => {
    folder = await tempFolder();
    worklist = await startWorklist(join(folder.path, 'worklist'));
  });
  afterEach(async () => {
    await running?.stop();
    await worklist[Symbol.asyncDispose]();
    await folder.remove();
  });

  const start = async (more: readonly (readonly [string, string])[] = []): Promise<void> => {
    running = await runWorkstation({
      dataDir: join(folder.path, 'data'),
      overrides: [
        ['storage.reserve', '0'],
        ['worklist.host', '127.0.0.1'],
        ['worklist.port', String(worklist.port)],
        ['worklist.title', worklist.title],
        ['sync.simulated', 'true'],
        ...more,
      ],
    });
  };

  test('says whom it expects today for an ECG, with every letter of the name', async () => {
    await worklist.add('one', entry(1001, 'Müller^Zoë'));
    await worklist.add('other', entry(1002, 'Roe^Jane', { modality: 'CT' }));
    await worklist.add('long-ago', entry(1003, 'Old^Ann', { day: '20200101' }));
    await start();
    const order = await eventually(async () => (await list()).orders[0], 'the order');
    expect(await names()).toEqual(['Müller']);
    expect(order).toMatchObject({
      state: 'new',
      facts: {
        format: 'dicom',
        patient: { id: '1001', firstName: 'Zoë', birthDate: '1951-03-14', gender: 'FEMALE' },
        orderNumber: 'ACC1001',
        examination: 'ECG 12 leads',
        time: '09:30',
        indications: ['Chest pain'],
        asked: { accession: 'ACC1001', studyUid: STUDY, procedureId: 'RP1001', stepId: 'SPS1001' },
      },
    });
    expect((await list()).troubles).toEqual([]);
  });

  test('that takes implicit little endian alone says it too, in its own letters', async () => {
    await using implicit = await startWorklist(join(folder.path, 'implicit'), '+xi');
    await implicit.add('one', entry(1001, 'Müller^Zoë^Maria'));
    await start([['worklist.port', String(implicit.port)]]);
    const order = await eventually(async () => (await list()).orders[0], 'the order');
    expect(order.facts).toMatchObject({
      patient: { lastName: 'Müller', firstName: 'Zoë' },
      asked: { studyUid: STUDY, wholeName: 'Müller^Zoë^Maria' },
    });
  });

  test('that changes an entry changes the order, and makes no second one', async () => {
    await worklist.add('one', entry(1001, 'Muller^Zoe'));
    await start();
    await eventually(async () => (await list()).orders[0], 'the order');
    await worklist.add('one', entry(1001, 'Müller^Zoë'));
    await running.bridge.call('setting.change', { key: 'worklist.modality', text: 'any' });
    await eventually(
      async () => ((await names())[0] === 'Müller' ? true : undefined),
      'the change',
      UNTIL_MS,
    );
    expect(await names()).toEqual(['Müller']);
    const { entries } = await running.bridge.call('audit.list', { limit: 50 });
    expect(entries.filter(({ action }) => action === 'order.changed')).toHaveLength(1);
    // Who does not come does not come back by himself.
    const orderId = (await list()).orders[0]?.orderId ?? 0;
    await running.bridge.call('order.putAway', { orderId });
    await running.bridge.call('setting.change', { key: 'worklist.modality', text: 'ECG' });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await names()).toEqual([]);
  });

  test('that holds an entry no more, or does not answer: the one is not shown any more, the other is said', async () => {
    await worklist.add('one', entry(1001, 'Müller^Zoë'));
    await worklist.add('two', entry(1004, 'Weber^Karl'));
    await start();
    await eventually(async () => ((await list()).orders.length === 2 ? true : undefined), 'the orders');
    await rm(join(folder.path, 'worklist', worklist.title, 'two.wl'));
    // A changed setting is asked for at once, as is the first.
    await running.bridge.call('setting.change', { key: 'worklist.modality', text: 'any' });
    await eventually(
      async () => ((await list()).orders.length === 1 ? true : undefined),
      'one left',
      UNTIL_MS,
    );
    expect(await names()).toEqual(['Müller']);
    await running.bridge.call('setting.change', { key: 'worklist.modality', text: 'ECG' });
    await worklist[Symbol.asyncDispose]();
    expect(await eventually(async () => (await list()).troubles[0], 'the trouble', UNTIL_MS)).toBe(
      'worklist',
    );
    // What is known stays.
    expect(await names()).toEqual(['Müller']);
  });

  test.skipIf(!hasOrthanc)(
    'to order, to recording, to archive (left out where orthanc is missing)',
    async () => {
      await worklist.add('one', entry(1001, 'Müller^Zoë'));
      const port = await freePort();
      await using orthanc = await makeOrthanc(join(folder.path, 'orthanc'), { title: TITLE, port });
      await orthanc.start();
      await start([['dicom.port', String(port)]]);
      await addArchive(running, orthanc);
      const order = await eventually(async () => (await list()).orders[0], 'the order');
      const desk = await openDesk(running.workstation, { isWatching: false });
      try {
        const id = await desk.connect('simulator:isoline-idp?rhythm=sinus');
        await desk.device(id).record({
          entry: {
            fields: {
              patient_last_name: 'Müller',
              patient_first_name: 'Zoë',
              patient_id: '1001',
              auto_complete: true,
            },
            identity: { name: 'said', birth: 'said' },
            orderId: order.orderId,
          },
          durationMs: 10_000,
        });
        await desk.device(id).untilEnded();
        const ids = await eventually(
          async () => {
            const found = await orthanc.json<string[]>('/instances');
            return found.length === 3 ? found : undefined;
          },
          'all objects',
          UNTIL_MS,
        );
        for (const each of ids)
          expect(await orthanc.json(`/instances/${each}/simplified-tags`)).toMatchObject({
            StudyInstanceUID: STUDY,
            AccessionNumber: 'ACC1001',
            PatientID: '1001',
            PatientName: 'Müller^Zoë',
            StudyDescription: expect.stringMatching(/SIMULATED/i),
          });
        const requests = await Promise.all(
          ids.map(async (each) => {
            const tags = await orthanc.json<Record<string, unknown>>(`/instances/${each}/simplified-tags`);
            return tags.RequestAttributesSequence ?? tags.ReferencedRequestSequence;
          }),
        );
        for (const request of requests) expect(request).toMatchObject([{ RequestedProcedureID: 'RP1001' }]);
        expect((await list()).orders[0]).toMatchObject({ state: 'done' });
      } finally {
        await desk.close();
      }
    },
  );
});
