import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import { makeTar, makeZip } from '../../support/make-archives.ts';
import { eventually, type RunningWorkstation, runWorkstation } from '../../support/running-workstation.ts';
import { dataFolder } from '../../support/test-data.ts';
import { V3Client } from '../../support/v3-client.ts';

const data = (path: string): Buffer => readFileSync(join(dataFolder, path));
const member = (name: string, path: string) => ({ name, content: data(path), method: 8 });
const DAMAGED = { name: 'bad.edf', content: data('edf/made_ecg12_plusC.edf').subarray(0, 300) };
const WFDB = [member('holter/1.hea', 'wfdb/1.hea'), member('holter/1.dat', 'wfdb/1.dat')];
const EDF = member('resting.edf', 'edf/made_ecg12_plusC.edf');

let running: RunningWorkstation;
let client: V3Client;
beforeAll(async () => {
  running = await runWorkstation();
  client = new V3Client(running.url, (await running.makeToken()).text);
});
afterAll(() => running.stop());

const create = async (bytes: Uint8Array, fields: object = {}) =>
  client.createTask({ upload_id: await client.upload(bytes), ...fields });
const idsOf = (json: Record<string, unknown>): number[] => json.created_task_ids as number[];
const detail = (taskId: number) => running.bridge.call('task.get', { taskId });
const countTasks = async (): Promise<number> => (await running.bridge.call('task.list', { limit: 1 })).total;
const incoming = (): string[] => readdirSync(join(running.dataDir, 'incoming'));

describe('archives as uploads (D53, D55 to D57)', () => {
  test('every record becomes a task, in the order of folder and name, through to its report', async () => {
    const { status, json } = await create(
      makeZip([EDF, ...WFDB, { name: 'readme.txt', content: data('README.md') }]),
      {
        auto_complete: true,
        patient_id: 'P9',
      },
    );
    expect(status).toBe(200);
    const ids = idsOf(json);
    expect(ids).toHaveLength(2);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    for (const id of ids)
      await eventually(
        async () => ((await client.status(id)).json.report_available === true ? true : undefined),
        `the report of task ${id}`,
      );
    // The folder "" stands before "holter/".
    expect((await Promise.all(ids.map(detail))).map(({ format }) => format)).toEqual(['EDF+C', 'WFDB']);
    expect((await detail(ids[1]!)).patient.id).toBe('P9');
    expect(incoming()).toEqual([]);
  });

  test('a record in a folder of a tar.gz finds its signals', async () => {
    const { json } = await create(gzipSync(makeTar(WFDB.map(({ name, content }) => ({ name, content })))));
    expect((await detail(idsOf(json)[0]!)).leadCount).toBe(12);
  });

  test('the same request twice makes no second tasks, and equal bytes are stored once', async () => {
    const upload_id = await client.upload(makeZip([EDF]));
    const first = await client.createTask({ upload_id });
    expect((await client.createTask({ upload_id })).json).toEqual(first.json);
    expect((await detail(idsOf(first.json)[0]!)).warnings.map(({ code }) => code)).toContainEqual(
      expect.stringMatching(/^same_recording_as:/),
    );
  });

  test.each([
    ['one without its signals', WFDB[0]!, 'record_incomplete'],
    ['a damaged one', DAMAGED, 'record_unreadable'],
  ])('good recordings are taken beside %s, which is told with its reason', async (_, bad, reason) => {
    const { json } = await create(makeZip([EDF, bad]));
    expect(idsOf(json)).toHaveLength(1);
    const { warnings } = await detail(idsOf(json)[0]!);
    const named = warnings.filter(({ code }) => code === 'record_left_out');
    expect(named.map(({ name }) => name)).toEqual([`record_left_out.${reason}`]);
    expect(JSON.stringify(warnings)).not.toContain(bad.name);
    expect(named.map(({ values }) => values)).toEqual([{ place: expect.any(Number), count: 2 }]);
    expect(incoming()).toEqual([]);
  });

  test('recordings of an archive in the archive are taken as well', async () => {
    const { json } = await create(makeZip([EDF, { name: 'inner.zip', content: makeZip(WFDB) }]));
    expect(idsOf(json)).toHaveLength(2);
  });

  test.each([
    ['a record alone whose signals are missing', [WFDB[0]!], 'record_incomplete'],
    ['a damaged record alone', [DAMAGED], 'record_unreadable'],
    ['no record', [{ name: 'a.txt', content: data('README.md') }], 'no_ecg_record'],
    ['nothing', [], 'no_ecg_record'],
    [
      'an unsafe name',
      [EDF, { name: '../x.edf', content: data('edf/made_ecg12_plusC.edf') }],
      'archive_unsafe_name',
    ],
    [
      'archives in an archive in it',
      [{ name: 'a.zip', content: makeZip([{ name: 'b.zip', content: makeZip([EDF]) }]) }],
      'no_ecg_record',
    ],
  ])('with %s makes no task at all, and leaves nothing behind', async (_, members, reason) => {
    const before = await countTasks();
    expect(await create(makeZip(members))).toMatchObject({
      status: 400,
      json: { reason, message: expect.stringMatching(/^[A-Z].*\.$/) },
    });
    expect(await countTasks()).toBe(before);
    expect(incoming()).toEqual([]);
  });

  test('warnings of the archive are those of its tasks', async () => {
    const members = [
      EDF,
      { name: 'inner.zip', content: makeZip([{ name: 'deep.zip', content: makeZip([EDF]) }]) },
      { name: 'a.txt', content: data('README.md') },
    ];
    const { json } = await create(makeZip(members, { suffix: new Uint8Array(100) }));
    const codes = (await detail(idsOf(json)[0]!)).warnings.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['trailing_bytes', 'nested_archive', 'files_ignored']));
  });
});

describe('archives that a person imports', () => {
  async function importFiles(files: readonly { name: string; bytes: Uint8Array }[]) {
    const { bridge } = running;
    const { importId } = await bridge.call('import.open', {
      files: files.map(({ name, bytes }) => ({ name, sizeBytes: bytes.length })),
    });
    for (const [fileIndex, { bytes }] of files.entries())
      await bridge.call('import.write', { importId, fileIndex, offsetBytes: 0, bytes });
    return bridge.call('import.finish', { importId, autoComplete: false });
  }

  test('give their records beside those of single files; one bad one does not stop the others', async () => {
    const { records, ignored } = await importFiles([
      {
        name: 'a.zip',
        bytes: makeZip([
          member('x/100_3chan.hea', 'wfdb/100_3chan.hea'),
          member('x/100_3chan.dat', 'wfdb/100_3chan.dat'),
          { name: 'bad.edf', content: data('edf/made_ecg12_plusC.edf').subarray(0, 300) },
        ]),
      },
      { name: 'b.edf', bytes: Uint8Array.from(data('edf/made_fractional_record.edf')) },
      { name: 'note.txt', bytes: Uint8Array.from(data('README.md')) },
    ]);
    expect(records.map((record) => [record.name, 'taskId' in record && record.taskId !== undefined])).toEqual(
      [
        ['b.edf', true],
        ['bad.edf', false],
        ['x/100_3chan.hea', true],
      ],
    );
    expect(ignored).toEqual(['note.txt']);
    expect(incoming()).toEqual([]);
  });

  test('are those of the page that hands them over: another one cannot end or take them', async () => {
    const { bridge, workstation } = running;
    const { importId } = await bridge.call('import.open', { files: [{ name: 'a.edf', sizeBytes: 1 }] });
    const other = new BridgeClient(workstation.connect());
    const piece = { importId, fileIndex: 0, offsetBytes: 0, bytes: Uint8Array.of(1) };
    for (const tried of [
      other.call('import.write', piece),
      other.call('import.finish', { importId, autoComplete: false }),
      other.call('import.cancel', { importId }),
    ])
      await expect(tried).rejects.toMatchObject({ reason: 'import_not_found' });
    await bridge.call('import.write', piece);
    await bridge.call('import.cancel', { importId });
  });

  test('that are damaged say so', async () => {
    const { records } = await importFiles([{ name: 'cut.zip', bytes: makeZip([EDF]).subarray(0, 1000) }]);
    expect(records).toEqual([
      { name: 'cut.zip', reason: 'archive_corrupt', message: expect.stringMatching(/damaged/) },
    ]);
    expect(incoming()).toEqual([]);
  });
});
