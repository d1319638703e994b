// Orders of a practice system through the running workstation: files that appear in a real folder, a
// recording for one of them, its result.

import {
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeWhole } from '../../../../main/connections/write-whole.ts';
import { encodeText } from '../../../../main/formats/gdt/character-sets.ts';
import { readGdtLines } from '../../../../main/formats/gdt/gdt-lines.ts';
import { openDesk } from '../../../../main/host/desk-host.ts';
import { eventually, type RunningWorkstation, runWorkstation } from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
let orders: string;
let results: string;
let running: RunningWorkstation;
const start = (afterReading = 'keep') =>
  runWorkstation({
    dataDir: join(folder.path, 'data'),
    overrides: [
      ['storage.reserve', '0'],
      ['orders.folder', orders],
      ['orders.afterReading', afterReading],
      ['orders.resultFolder', results],
    ],
  });

beforeEach(async () => {
  folder = await tempFolder();
  orders = join(folder.path, 'orders');
  results = join(folder.path, 'results');
  await mkdir(orders);
});
afterEach(async () => {
  await running.stop();
  await folder.remove();
});

const REQUEST = [
  ['8000', '6302'],
  ['8316', 'PRAXIS'],
  ['9206', '3'],
  ['3000', '004817'],
  ['3101', 'Müller'],
  ['3102', 'Zoë'],
  ['3103', '14031951'],
  ['3110', '2'],
  ['8310', 'A-77'],
  ['8402', 'EKG01'],
] as const;
const gdt = Buffer.concat(
  REQUEST.map(([id, value]) => {
    const bytes = encodeText(value, 'iso-8859-1');
    return Buffer.concat([
      Buffer.from(`${String(bytes.length + 9).padStart(3, '0')}${id}`),
      bytes,
      Buffer.from('\r\n'),
    ]);
  }),
);
const list = () => running.bridge.call('order.list', {});
const names = async () => (await list()).orders.map(({ facts }) => facts.patient.lastName);

const message = (id: string, control: string): string =>
  [
    `MSH|^~\\&|KIS|ANNA|ISOLINE||20261125083000||ORM^O01|${id}|P|2.5.1||||||UNICODE UTF-8`,
    'PID|1||4711^^^ANNA^MR||Müller^Zoë||19510314|F',
    `ORC|${control}|A1`,
    'OBR|1|||EKG12^ECG 12 leads',
  ].join('\r');

describe('orders', () => {
  test('of a hospital may lie in the folder, too; a later file cancels them', async () => {
    running = await start();
    await writeFile(join(orders, '1.hl7'), message('1', 'NW'));
    await eventually(async () => ((await list()).orders.length === 1 ? true : undefined), 'the order');
    expect((await list()).orders[0]?.facts).toMatchObject({ format: 'hl7', orderNumber: 'A1' });
    await writeFile(join(orders, '2.hl7'), message('2', 'CA'));
    await eventually(async () => ((await list()).orders.length === 0 ? true : undefined), 'no order');
    expect((await list()).unread).toEqual([]);
  });

  test('of hundreds, as many are handed over as are asked for, and whoever is meant is found', async () => {
    running = await start();
    const rows = Array.from({ length: 300 }, (_, n) => `Okafor${n},${String(n % 24).padStart(2, '0')}:00`);
    await writeFile(join(orders, 'list.csv'), `Last name,Time\n${rows.join('\n')}\n`);
    await eventually(async () => ((await list()).total === 300 ? true : undefined), 'the orders');
    const { orders: shown, found, sources } = await running.bridge.call('order.list', { limit: 200 });
    expect([shown.length, found]).toEqual([200, 300]);
    expect(sources).toMatchObject([{ format: 'csv', count: 300, open: 300 }]);
    const times = shown.map(({ facts }) => facts.time);
    expect(times).toEqual([...times].sort());
    const meant = await running.bridge.call('order.list', { text: 'okafor299' });
    expect([meant.orders.map(({ facts }) => facts.patient.lastName), meant.found, meant.total]).toEqual([
      ['Okafor299'],
      1,
      300,
    ]);
    expect((await running.bridge.call('order.list', { limit: 0 })).orders).toEqual([]);
  });

  test('that were put there while the program was closed are read in the order in which they were written', async () => {
    await writeFile(join(orders, '1.hl7'), message('2', 'CA'));
    await writeFile(join(orders, '2.hl7'), message('1', 'NW'));
    await utimes(join(orders, '2.hl7'), new Date(), new Date(Date.now() - 60_000));
    running = await start('move');
    await eventually(
      async () => ((await readdir(orders)).every((name) => name === 'read') ? true : undefined),
      'both are read',
    );
    expect((await list()).orders).toEqual([]);
  });

  test('a file that appears is shown; one that is being written is left until it is whole; none is read twice', async () => {
    running = await start();
    await writeFile(join(orders, 'ekg1.gdt'), gdt);
    await eventually(async () => ((await list()).orders.length === 1 ? true : undefined), 'the order');
    expect((await list()).orders[0]).toMatchObject({
      state: 'new',
      facts: {
        format: 'gdt',
        orderNumber: 'A-77',
        patient: { lastName: 'Müller', firstName: 'Zoë', birthDate: '1951-03-14' },
      },
    });

    // A table that grows for a while is read once, when it is done.
    for (let rows = 1; rows <= 6; rows++) {
      await writeFile(join(orders, 'list.csv'), `Last name,Time\n${'Okafor,14:00\n'.repeat(rows)}`);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await eventually(async () => ((await list()).orders.length === 7 ? true : undefined), 'the table');
    expect((await list()).unread).toEqual([]);

    await running.stop();
    running = await start();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await names()).toHaveLength(7);
    expect((await readdir(orders)).sort()).toEqual(['ekg1.gdt', 'list.csv']);
  });

  test('what cannot be read stays where it is, is listed with the reason, and goes when somebody has seen it', async () => {
    running = await start('delete');
    await writeFile(join(orders, 'broken.gdt'), '01380006310\r\n');
    await writeFile(join(orders, 'good.gdt'), gdt);
    await writeFile(join(orders, 'half.tmp'), 'name\n');
    await eventually(
      async () =>
        (await list()).unread.length === 1 && (await list()).orders.length === 1 ? true : undefined,
      'both',
    );
    const [file] = (await list()).unread;
    expect(file).toMatchObject({
      name: 'broken.gdt',
      trouble: expect.stringMatching(/no request of an examination/),
    });
    await eventually(
      async () => ((await readdir(orders)).length === 2 ? true : undefined),
      'the one that was read is deleted',
    );
    expect((await readdir(orders)).sort()).toEqual(['broken.gdt', 'half.tmp']);
    await running.bridge.call('order.putFileAway', { fileId: file!.fileId });
    expect((await list()).unread).toEqual([]);
  });

  test('what was read is moved aside where that is wanted, each under a name of its own', async () => {
    running = await start('move');
    const moved = async (): Promise<number> =>
      (await readdir(join(orders, 'read')).catch(() => [])).filter((name) => name.endsWith('ekg1.gdt'))
        .length;
    for (const times of [1, 2]) {
      await writeFile(join(orders, 'ekg1.gdt'), gdt);
      // An order is shown first, and its file moved behind that: written before, the second would replace the first.
      await eventually(
        async () => ((await list()).orders.length === times && (await moved()) === times ? true : undefined),
        'the order',
      );
    }
  });

  test('one that cannot be put aside keeps no other back; our own results are no orders', async () => {
    running = await start('move');
    // Where the folder for what was read should be, there is a file.
    await writeFile(join(orders, 'read'), 'name\nHoff\n');
    for (const name of ['a.gdt', 'b.gdt', 'isoline-5.gdt']) await writeFile(join(orders, name), gdt);
    await eventually(async () => ((await list()).orders.length === 3 ? true : undefined), 'the orders');
    expect((await names()).sort()).toEqual(['Hoff', 'Müller', 'Müller']);
    await eventually(
      async () => ((await list()).troubles[0] === 'unreadable' ? true : undefined),
      'the trouble',
    );
    expect((await readdir(orders)).sort()).toEqual(['a.gdt', 'b.gdt', 'isoline-5.gdt', 'read']);
  });

  test('a folder that is away is said, and read again when it is back', async () => {
    running = await start();
    await rm(orders, { recursive: true });
    const trouble = async () => (await list()).troubles[0];
    expect(await eventually(trouble, 'the trouble')).toBe('unreadable');
    await mkdir(orders);
    await writeFile(join(orders, 'a.gdt'), gdt);
    await eventually(async () => ((await list()).orders.length === 1 ? true : undefined), 'the order');
    expect(await trouble()).toBeUndefined();
    await expect(
      running.bridge.call('order.look', {
        folder: join(orders, 'nowhere'),
        characterSet: 'auto',
        dateOrder: 'dayFirst',
      }),
    ).rejects.toMatchObject({ reason: 'folder_unusable' });
    const look = await running.bridge.call('order.look', {
      folder: orders,
      characterSet: 'cp437',
      dateOrder: 'dayFirst',
    });
    expect(look).toMatchObject({ files: 1, newest: { name: 'a.gdt', characterSet: 'cp437' } });
    // The wrong set gives the wrong name: the preview shows it before it counts.
    expect(look.newest?.orders[0]?.patient.lastName).not.toBe('Müller');
  });

  test('its recording marks it, and its report goes back', async () => {
    running = await start();
    await writeFile(join(orders, 'ekg1.gdt'), gdt);
    const order = await eventually(async () => (await list()).orders[0], 'the order');
    const desk = await openDesk(running.workstation, { isWatching: false });
    try {
      const id = await desk.connect('simulator:isoline-idp?rhythm=sinus');
      const taskId = await desk.device(id).record({
        entry: {
          fields: {
            patient_last_name: 'Müller',
            patient_first_name: 'Zoë',
            patient_id: '004817',
            auto_complete: true,
          },
          identity: { name: 'said', birth: 'said' },
          orderId: order.orderId,
        },
        durationMs: 10_000,
      });
      expect((await list()).orders[0]).toMatchObject({ orderId: order.orderId, state: 'started' });
      await desk.device(id).untilEnded();
      await eventually(
        async () => ((await list()).orders[0]?.state === 'done' ? true : undefined),
        'the order is done',
      );
      const result = await eventually(
        async () => readFile(join(results, `isoline-${taskId}.gdt`)).catch(() => undefined),
        'the result',
      );
      const { fields } = readGdtLines(result);
      const valuesOf = (field: string): string[] =>
        fields.filter((each) => each.id === field).map(({ value }) => value);
      expect(
        ['8000', '8315', '3000', '3101', '8310', '8402', '6305'].map((field) => valuesOf(field)[0]),
      ).toEqual([
        '6310',
        'PRAXIS',
        '004817',
        'Müller',
        'A-77',
        'EKG01',
        join(results, `isoline-${taskId}.pdf`),
      ]);
      // Whoever reads it in the practice system must know.
      expect(valuesOf('6228')[0]).toBe('SIMULATED SIGNAL: not of a patient');
      expect(valuesOf('6228')).toContainEqual(expect.stringMatching(/^HR \d+ \/min$/));
      expect((await readFile(join(results, `isoline-${taskId}.pdf`))).subarray(0, 5).toString()).toBe(
        '%PDF-',
      );
      // It is told once.
      await rename(join(results, `isoline-${taskId}.gdt`), join(results, 'taken'));
      await new Promise((resolve) => setTimeout(resolve, 2500));
      expect((await readdir(results)).sort()).toEqual([`isoline-${taskId}.pdf`, 'taken']);
    } finally {
      await desk.close();
    }
  }, 60_000);

  test('what somebody planted in the folders is neither followed nor written through (SEC37)', async () => {
    await mkdir(results);
    const victim = join(folder.path, 'victim');
    await writeFile(victim, 'untouched');
    await writeFile(join(folder.path, 'elsewhere.gdt'), gdt);
    await symlink(join(folder.path, 'elsewhere.gdt'), join(orders, 'linked.gdt'));
    for (let taskId = 1; taskId < 5; taskId++)
      for (const name of [
        `isoline-${taskId}.pdf`,
        `isoline-${taskId}.gdt`,
        `.isoline-${taskId}.pdf.tmp`,
        `.isoline-${taskId}.gdt.tmp`,
      ])
        await symlink(victim, join(results, name));
    running = await start();
    await writeFile(join(orders, 'a.gdt'), gdt);
    await eventually(async () => ((await names()).length > 0 ? true : undefined), 'the order that is a file');
    expect(await names()).toEqual(['Müller']);
    const planted = (await readdir(results)).length;
    await writeWhole(results, 'isoline-1.pdf', Buffer.from('a report'));
    const path = join(results, 'isoline-1.pdf');
    expect((await lstat(path)).isSymbolicLink()).toBe(false);
    expect(await readFile(path, 'utf8')).toBe('a report');
    expect((await stat(path)).mode & 0o777).toBe((await stat(results)).mode & 0o666);
    // In the place of the link, and nothing unfinished beside it.
    expect(await readdir(results)).toHaveLength(planted);
    expect(await readFile(victim, 'utf8')).toBe('untouched');
  });
});
