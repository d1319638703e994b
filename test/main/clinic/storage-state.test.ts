// Room on the disk, and for how long it lasts.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedPool } from '../../doubles/pool.ts';
import { addImported, openTestClinic, type TestClinic } from '../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const DAY = 86_400_000;
const BEGAN = Date.UTC(2026, 10, 1);
let nowMs = BEGAN;
let folder: TempFolder;
let open: TestClinic;
beforeEach(async () => {
  nowMs = BEGAN;
  folder = await tempFolder();
  open = await openTestClinic(folder.path, new ScriptedPool(), () => nowMs);
});
afterEach(async () => {
  await open.close();
  await folder.remove();
});

const facts = { format: 'EDF', leadCount: 12, durationMs: 10_000, patient: {}, warnings: [] };
function keep(n: number, sizeBytes: number): void {
  const sha256 = n.toString(16).padStart(64, '0');
  open.store.recordings.add({ sha256, facts, files: [{ name: 'a.edf', sha256, sizeBytes }] }, nowMs);
}

test('nothing is foretold before a week has passed; then by the pace of the last 30 days', async () => {
  const { storage } = open.clinic;
  const free = (await storage.state()).freeBytes;
  expect((await storage.state()).roomHours).toBe(Math.floor(free / 86_400_000));
  expect((await storage.state()).lastsDays).toBeUndefined();
  keep(1, 5e8);
  nowMs += 6 * DAY;
  expect((await storage.state()).lastsDays).toBeUndefined();
  nowMs += 4 * DAY;
  keep(2, 5e8);
  // 1 GB in ten days.
  const { freeBytes, lastsDays } = await storage.state();
  expect(Math.abs((lastsDays ?? 0) - freeBytes / 1e8)).toBeLessThan(2);
  // What came in long ago says nothing about the weeks to come.
  nowMs += 31 * DAY;
  keep(3, 1e6);
  nowMs += 8 * DAY;
  expect((await storage.state()).lastsDays).toBeGreaterThan(8 * (lastsDays ?? 0));
});

test('the reserve is no room', async () => {
  const all = (await open.clinic.storage.state()).freeBytes;
  open.store.settings.set('storage.reserve', '1000000000', nowMs);
  const rest = (await open.clinic.storage.state()).freeBytes;
  expect(Math.abs(all - rest - 1e9)).toBeLessThan(5e7);
});

test('results and reports count: those of a short ECG are larger than its signal', async () => {
  const { storage, context } = open.clinic;
  keep(1, 1e6);
  const taskId = await addImported(open);
  nowMs += 10 * DAY;
  const lasts = async (): Promise<number> => (await storage.state()).lastsDays ?? 0;
  const signalAlone = await lasts();
  const resultSha256 = await context.files.put(new Uint8Array(9e6));
  open.store.findings.add({
    taskId,
    revision: 1,
    analysisVersion: 'x',
    resultSha256,
    summary: { measurements: {}, statements: [], quality: [], warnings: [] },
    corrections: [],
    createdMs: nowMs,
  });
  expect((await lasts()) / signalAlone).toBeCloseTo(1 / 10, 2);
  const look = {
    approval: { kind: 'automatic' },
    paper: 'A4',
    productVersion: '0',
    createdMs: nowMs,
  } as const;
  open.store.reports.add({ taskId, revision: 1, sha256: resultSha256, sizeBytes: 10e6, look });
  expect((await lasts()) / signalAlone).toBeCloseTo(1 / 20, 2);
});
