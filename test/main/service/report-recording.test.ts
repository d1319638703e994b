// A report that carries its recording gives it back, bit by bit; and a changed byte of it is found.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pdfAttachments } from '../../../main/formats/archive/pdf.ts';
import { bufferSource } from '../../../main/formats/byte-source.ts';
import type { Recording } from '../../../shared/signal/recording.ts';
import { isoline } from '../../support/run-isoline.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';
import { V3Client } from '../../support/v3-client.ts';

const FILE = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');

let folder: TempFolder;
let running: RunningWorkstation;
let client: V3Client;
/** As the service gives it out. */
let report: Buffer;

/** The hash of all samples of all channels, as the file has them. */
function samplesHash(recording: Recording): string {
  const hash = createHash('sha256');
  for (const channel of recording.channels) {
    const samples = new Int32Array(channel.sampleCount);
    channel.read(0, samples);
    hash.update(`${channel.label} ${channel.sampleCount} `).update(new Uint8Array(samples.buffer));
  }
  return hash.digest('hex');
}

async function finished(bytes: Uint8Array): Promise<number> {
  const upload_id = await client.upload(bytes);
  const { json } = await client.createTask({ upload_id, auto_complete: true, patient_last_name: 'Hoffmann' });
  const [taskId] = json.created_task_ids as [number];
  await eventually(
    async () => ((await client.status(taskId)).json.report_available === true ? true : undefined),
    'the report',
  );
  return taskId;
}

beforeAll(async () => {
  folder = await tempFolder();
  running = await runWorkstation({ overrides: [...FREE_OF_LIMITS, ['report.recording', 'true']] });
  client = new V3Client(running.url, (await running.makeToken()).text);
  report = (await client.report(await finished(readFileSync(FILE)))).bytes;
});
afterAll(async () => {
  await running.stop();
  await folder.remove();
});

test('the attached recording has the samples of the file, all of them', async () => {
  const attached = await pdfAttachments(bufferSource(report));
  expect(attached.map(({ name }) => name).sort()).toEqual([
    'isoline-report.json',
    'recording.edf',
    'result.json',
  ]);
  const path = join(folder.path, 'recording.edf');
  writeFileSync(path, attached.find(({ name }) => name === 'recording.edf')!.bytes);
  expect(samplesHash(recordingFrom(path))).toBe(samplesHash(recordingFrom(FILE)));
});

test('uploaded, the report gives the recording back, with the same findings', async () => {
  const taskId = await finished(report);
  const again = await running.bridge.call('task.get', { taskId });
  const first = await running.bridge.call('task.get', { taskId: 1 });
  expect(again.measurements).toEqual(first.measurements);
  expect(again.statements).toEqual(first.statements);
});

test('a PDF that carries nothing is no recording', async () => {
  const bare = Buffer.from(
    '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  );
  const upload_id = await client.upload(bare);
  const { status, json } = await client.createTask({ upload_id });
  expect(status).toBe(400);
  expect(JSON.stringify(json)).toMatch(/ECG/);
});

test('the command line knows the report that was given out, and finds one changed byte', async () => {
  const path = join(folder.path, 'report.pdf');
  writeFileSync(path, report);
  const known = await isoline('verify', path, '--data-dir', running.dataDir);
  expect(known).toMatchObject({ code: 0 });
  expect(known.stdout).toContain('Unchanged: version 1 of task 1');
  const alone = await isoline('verify', path);
  expect(alone.stdout).toContain('It claims to be version 1 of task 1.');
  for (const at of [report.length >> 3, report.length >> 1, report.length - 400]) {
    const changed = Buffer.from(report);
    changed[at] = changed[at]! ^ 1;
    writeFileSync(path, changed);
    const found = await isoline('verify', path, '--data-dir', running.dataDir);
    expect(found.code).toBe(1);
    expect(found.stderr).toMatch(/was changed/);
  }
});
