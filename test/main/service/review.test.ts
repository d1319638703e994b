// What a page gets of a recording that somebody reads: its samples piece by piece, and its beats.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLeads } from '../../../main/analysis/signal/lead-signals.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../support/running-workstation.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';
import { V3Client } from '../../support/v3-client.ts';

const PATH = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');
const SECONDS = 3;

let running: RunningWorkstation;
let client: V3Client;
let taskId: number;
beforeAll(async () => {
  running = await runWorkstation({ overrides: FREE_OF_LIMITS });
  client = new V3Client(running.url, (await running.makeToken()).text);
  const upload_id = await client.upload(readFileSync(PATH));
  const { json } = await client.createTask({ upload_id });
  taskId = (json.created_task_ids as number[])[0]!;
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId })).state === 'AWAITING_APPROVAL' ? true : undefined,
    'the analysis',
  );
});
afterAll(() => running.stop());

const floats = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

test('the samples of a stretch are those of the file, in millivolts', async () => {
  const reader = openLeads(recordingFrom(PATH));
  const sampleCount = SECONDS * reader.sampleRateHz;
  const startSample = reader.sampleRateHz;
  const part = await running.bridge.call('review.signal', { taskId, startSample, sampleCount });
  expect(part).toMatchObject({
    sampleRateHz: reader.sampleRateHz,
    recordedSamples: reader.sampleCount,
    startSample,
  });
  expect(part.leads.map(({ name }) => name)).toEqual(reader.leads.map(({ name }) => name));
  const { leads } = reader.window(startSample, startSample + sampleCount);
  for (const [i, { mv }] of part.leads.entries()) {
    const shown = floats(mv);
    expect(shown).toHaveLength(sampleCount);
    for (const [k, value] of shown.entries()) {
      const { mv: own, invalid } = leads[i]!;
      if (invalid[k] === 1) expect(value).toBeNaN();
      else expect(value).toBe(own[k]);
    }
  }
});

test('a stretch that runs over the end is shorter, and one behind it has no samples', async () => {
  const all = await running.bridge.call('review.signal', { taskId, startSample: 0, sampleCount: 600_000 });
  expect(floats(all.leads[0]!.mv)).toHaveLength(all.recordedSamples);
  const { leads, startSample } = await running.bridge.call('review.signal', {
    taskId,
    startSample: all.recordedSamples + 10,
    sampleCount: 100,
  });
  expect([startSample, leads[0]!.mv.length]).toEqual([all.recordedSamples, 0]);
});

test('beats are those of the findings, one letter each', async () => {
  const { beatSamples, beatLabels, rhythms } = await running.bridge.call('review.marks', { taskId });
  const samples = new Uint32Array(Uint8Array.from(beatSamples).buffer);
  expect(samples.length).toBeGreaterThan(5);
  expect(beatLabels).toHaveLength(samples.length);
  expect(beatLabels).toMatch(/^[NSVFQP]+$/);
  expect([...samples]).toEqual([...samples].sort((a, b) => a - b));
  expect(rhythms.length).toBeGreaterThan(0);
});

test('fiducials are R and the marks of the waves, in order, each once; without a pacemaker no spikes', async () => {
  const { fiducialSamples, spikeSamples, beatSamples } = await running.bridge.call('review.marks', {
    taskId,
  });
  const samples = [...new Uint32Array(Uint8Array.from(fiducialSamples).buffer)];
  expect(samples).toEqual([...new Set(samples)].sort((a, b) => a - b));
  expect(samples).toEqual(expect.arrayContaining([...new Uint32Array(Uint8Array.from(beatSamples).buffer)]));
  expect(samples.length).toBeGreaterThan(4 * (beatSamples.length / 4));
  expect(spikeSamples).toHaveLength(0);
});

test('a recording that nobody knows, or that has no signal yet, gets a sentence', async () => {
  const { json } = await client.createTask({ device_id: 'D1' });
  const [waiting] = json.created_task_ids as number[];
  const ask = (id: number) =>
    running.bridge.call('review.signal', { taskId: id, startSample: 0, sampleCount: 10 });
  await expect(ask(99_999)).rejects.toMatchObject({ reason: 'task_not_found' });
  await expect(ask(waiting!)).rejects.toMatchObject({ reason: 'report_not_available' });
  await expect(running.bridge.call('review.marks', { taskId: waiting! })).rejects.toMatchObject({
    reason: 'report_not_available',
  });
});

test('who read it is noted once, however many pieces the page asked for', () => {
  const database = new Database(join(running.dataDir, 'isoline.sqlite'), { readonly: true });
  const rows = database.prepare("SELECT subject FROM audit WHERE action = 'review.read'").all();
  database.close();
  expect(rows).toEqual([{ subject: `task:${taskId}` }]);
});

test('damaged findings are said to be, and never shown as a recording without beats', async () => {
  const folder = join(running.dataDir, 'files');
  const results = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).subarray(0, 13).toString() === '{"recording":');
  expect(results).toHaveLength(1);
  const whole = readFileSync(results[0]!, 'utf8');
  writeFileSync(results[0]!, whole.replace(/"beats":\[.*?\],"rhythms"/, '"beats":[],"rhythms"'));
  await expect(running.bridge.call('review.marks', { taskId })).rejects.toMatchObject({
    reason: 'report_damaged',
  });
  writeFileSync(results[0]!, whole);
  expect((await running.bridge.call('review.marks', { taskId })).beatLabels.length).toBeGreaterThan(5);
});
