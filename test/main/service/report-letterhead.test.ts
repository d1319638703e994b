// The clinic's letterhead on real reports: what may be a logo, and that a report of before stays what it was.

import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGdtLines } from '../../../main/formats/gdt/gdt-lines.ts';
import { openDataStore } from '../../../main/host/data-folder.ts';
import { madePng } from '../../support/made-png.ts';
import { readPdf } from '../../support/read-pdf.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
  whenAnalysed,
} from '../../support/running-workstation.ts';
import { dataFolder } from '../../support/test-data.ts';
import { V3Client } from '../../support/v3-client.ts';

const FILE = readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf'));
const CLINIC = 'Harbour Street Clinic';

let running: RunningWorkstation;
let client: V3Client;
beforeAll(async () => {
  running = await runWorkstation({ overrides: FREE_OF_LIMITS });
  client = new V3Client(running.url, (await running.makeToken()).text);
});
afterAll(() => running.stop());

async function taskOf(fields: object): Promise<number> {
  const { json } = await client.createTask({ upload_id: await client.upload(FILE), ...fields });
  const [taskId] = json.created_task_ids as [number];
  return whenAnalysed(running.bridge, taskId);
}
const finished = async (): Promise<number> => {
  const taskId = await taskOf({ auto_complete: true, patient_last_name: 'Hoffmann' });
  await eventually(
    async () => ((await client.status(taskId)).json.report_available === true ? true : undefined),
    'the report',
  );
  return taskId;
};

describe('the logo', () => {
  test.each([
    ['what is no PNG', Buffer.from('<svg/>')],
    ['a PNG that is cut off', madePng(200, 40).subarray(0, 90)],
    ['fewer pixels than its header says', madePng(200, 40, { rows: 10 })],
    ['more pixels than its header says', madePng(200, 40, { rows: 4000 })],
    ['sixteen bits a colour', madePng(200, 40, { bits: 16 })],
    ['larger than any letterhead', madePng(4000, 40)],
  ])('is refused in one sentence: %s', async (_name, png) => {
    await expect(
      running.bridge.call('setting.changeLogo', { png: Uint8Array.from(png) }),
    ).rejects.toMatchObject({ reason: 'invalid_setting', message: expect.stringMatching(/Choose a PNG/) });
    expect(await running.bridge.call('setting.logo', {})).toEqual({});
  });

  test('stands on new reports with the name; a lost report of before comes back as it was', async () => {
    const { bridge } = running;
    const plain = await finished();
    const before = (await client.report(plain)).bytes;
    const png = madePng(300, 60);
    await bridge.call('setting.changeLogo', { png: Uint8Array.from(png) });
    await bridge.call('setting.change', { key: 'report.clinic', text: CLINIC });
    expect(Buffer.from((await bridge.call('setting.logo', {})).png!)).toEqual(png);
    const withLogo = await finished();
    const report = (await client.report(withLogo)).bytes;
    const [page] = await readPdf(report);
    expect(page!.text).toContain(CLINIC);
    expect(page!.alts).toContain(CLINIC);

    // Both files are gone, and the letterhead is another one: each is made again as it was.
    await bridge.call('setting.changeLogo', {});
    await bridge.call('setting.change', { key: 'report.clinic', text: '' });
    {
      using store = openDataStore(running.dataDir, 'command');
      for (const taskId of [plain, withLogo]) {
        const { sha256 } = store.reports.latest(taskId)!;
        await rm(join(running.dataDir, 'files', sha256.slice(0, 2), sha256.slice(2)));
      }
      const actions = store.audit.of('setting:report.logo').map(({ action }) => action);
      expect(actions).toEqual(['setting.changed', 'setting.changed']);
    }
    expect(Buffer.compare((await client.report(plain)).bytes, before)).toBe(0);
    expect(Buffer.compare((await client.report(withLogo)).bytes, report)).toBe(0);
  });

  test('rhythm strips are leads, at most three', async () => {
    const set = (text: string) => running.bridge.call('setting.change', { key: 'report.rhythmLeads', text });
    await set('V1,aVF');
    await set('');
    for (const text of ['V7', 'II, II, II, II', 'V1 V5'])
      await expect(set(text)).rejects.toMatchObject({ reason: 'invalid_setting' });
  });
});

describe('what else is given out', () => {
  test('every beat on paper: preliminary before the approval, with its words after it', async () => {
    const open = await taskOf({ patient_last_name: 'Okafor' });
    const { name, bytes } = await running.bridge.call('recording.export', {
      taskId: open,
      format: 'everyBeat',
    });
    expect(name).toBe(`ecg-${open}-every-beat.pdf`);
    const [page] = await readPdf(bytes);
    expect(page!.text).toContain('NOT APPROVED');
    expect(page!.text).toContain('Every beat of lead II');
    const approved = await finished();
    const other = await running.bridge.call('recording.export', { taskId: approved, format: 'everyBeat' });
    expect((await readPdf(other.bytes))[0]!.text).toContain('Not read by a physician');
  });

  test('GDT 6310 only of what was approved, and it says if no physician has read it', async () => {
    const open = await taskOf({ patient_last_name: 'Okafor' });
    await expect(
      running.bridge.call('recording.export', { taskId: open, format: 'gdt' }),
    ).rejects.toMatchObject({
      reason: 'report_not_available',
      message: expect.stringMatching(/Approve the ECG/),
    });
    const taskId = await finished();
    const { name, bytes } = await running.bridge.call('recording.export', { taskId, format: 'gdt' });
    expect(name).toBe(`ecg-${taskId}.gdt`);
    const { fields } = readGdtLines(Buffer.from(bytes));
    const valuesOf = (id: string): string[] =>
      fields.filter((field) => field.id === id).map(({ value }) => value);
    expect(valuesOf('8000')).toEqual(['6310']);
    expect(valuesOf('3101')).toEqual(['Hoffmann']);
    expect(valuesOf('6228')[0]).toBe('Not read by a physician');
    expect(valuesOf('6228').some((line) => /^HR \d+ \/min$/.test(line))).toBe(true);
  });
});
