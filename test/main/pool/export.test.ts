// A recording as a file for another program: what comes out is read again, and who took it is noted.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDataStore } from '../../../main/host/data-folder.ts';
import { exportRecording } from '../../../main/pool/export-recording.ts';
import { SIGNAL_FORMATS } from '../../../shared/export-formats.ts';
import { importTestFiles, wfdbFiles } from '../../support/import-test-files.ts';
import {
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../support/running-workstation.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';

let running: RunningWorkstation;
beforeAll(async () => {
  running = await runWorkstation({ overrides: FREE_OF_LIMITS });
  await importTestFiles(running.bridge, wfdbFiles('1.hea', '1.dat'));
});
afterAll(() => running.stop());

async function signalOf(taskId: number): Promise<Record<string, number[]>> {
  const { leads } = await running.bridge.call('review.signal', { taskId, startSample: 0, sampleCount: 5000 });
  return Object.fromEntries(
    leads.map(({ name, mv }) => [name, [...new Float32Array(Uint8Array.from(mv).buffer)]]),
  );
}

test.each([
  ['edf', 'ecg-1.edf'],
  ['wfdb', 'ecg-1.zip'],
  ['flac', 'ecg-1.oga'],
] as const)('%s is read again as the same recording', async (format, name) => {
  const file = await running.bridge.call('recording.export', { taskId: 1, format });
  expect(file.name).toBe(name);
  const before = await signalOf(1);
  const after = await signalOf(await importTestFiles(running.bridge, [file]));
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
  for (const [lead, mv] of Object.entries(before)) {
    // A file may be padded to its last whole second or block.
    const other = after[lead]!.slice(0, mv.length);
    expect(Math.max(...mv.map((value, i) => Math.abs(value - other[i]!)))).toBeLessThan(0.001);
  }
});

test('a table has a line a sample', async () => {
  const { name, bytes } = await running.bridge.call('recording.export', { taskId: 1, format: 'csv' });
  expect(name).toBe('ecg-1.csv');
  const { recordedSamples } = await running.bridge.call('review.signal', {
    taskId: 1,
    startSample: 0,
    sampleCount: 1,
  });
  const lines = Buffer.from(bytes).toString('utf8').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(recordedSamples);
});

test('what a format cannot keep comes with the file', async () => {
  const taskId = await importTestFiles(running.bridge, wfdbFiles('100_3chan.hea', '100_3chan.dat'));
  const { name, warnings } = await running.bridge.call('recording.export', { taskId, format: 'scp' });
  // 360 Hz are no whole number of microseconds.
  expect([name, warnings.map(({ code }) => code)]).toEqual([
    `ecg-${taskId}.scp`,
    ['values_rounded', 'rate_rounded'],
  ]);
  expect((await running.bridge.call('recording.export', { taskId: 1, format: 'json' })).warnings).toEqual([]);
});

test('as DICOM, a recording without a time is refused with another format to take', async () => {
  await expect(running.bridge.call('recording.export', { taskId: 1, format: 'dicom' })).rejects.toMatchObject(
    {
      reason: 'format_unsuitable',
      message: expect.stringContaining('Convert it to EDF+.'),
    },
  );
});

test('a simulated signal says so in the name of every file, and inside where there is a place for it', async () => {
  const recording = {
    ...recordingFrom(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')),
    device: { isSimulated: true, class: 'diagnostic' },
  } as const;
  for (const format of SIGNAL_FORMATS) {
    const { name, bytes } = await exportRecording(recording, {
      format,
      name: 'ecg-1',
      files: [],
      patient: {},
    });
    expect(name).toMatch(/^SIMULATED-ecg-1\./);
    if (['edf', 'dicom', 'aecg'].includes(format))
      expect(Buffer.from(bytes).toString('latin1')).toContain('SIMULATED SIGNAL: not of a patient');
  }
});

test('who took which recording in which format is in the audit', async () => {
  await running.bridge.call('recording.export', { taskId: 1, format: 'csv' });
  using store = openDataStore(running.dataDir, 'command');
  const rows = store.audit.of('task:1').filter(({ action }) => action === 'recording.exported');
  expect(rows.at(-1)).toMatchObject({ subject: 'task:1', detail: { format: 'csv' } });
});
