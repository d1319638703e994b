// Room on the disk, and for how long it lasts.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedPool } from '../../doubles/pool.ts';
import { openTestClinic, type TestClinic } from '../../support/open-clinic.ts';
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
