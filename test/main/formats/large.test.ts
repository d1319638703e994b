import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edfBytes } from '../../../main/formats/edf/write-edf.ts';
import { synthesiseEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { recordSynthetic } from '../../../main/signal/synthetic/synthetic-recording.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { projectRoot } from '../../support/test-data.ts';

const DAY_SECONDS = 86_400;
const MEMORY_BYTES = 300 * 2 ** 20;

test('a day of twelve leads at 500 Hz, 1 GB, is read in blocks, within 300 MB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isoline-large-'));
  try {
    const ecg = synthesiseEcg({ leads: STANDARD_LEADS, sampleRateHz: 500, durationSeconds: 2 });
    const [header = new Uint8Array(0), ...records] = edfBytes(
      recordSynthetic(ecg, { resolutionUv: 1, startTimeMs: 0, patient: {} }),
    );
    const twoSeconds = records.reduce((sum, bytes) => sum + bytes.length, 0);
    // The rest of the day is a hole in the file: zeros that take no room on the disk.
    const text = Buffer.from(header).toString('latin1');
    const announced = text.slice(0, 236) + String(DAY_SECONDS).padEnd(8) + text.slice(244);
    const path = join(folder, 'day.edf');
    writeFileSync(path, Buffer.concat([Buffer.from(announced, 'latin1'), ...records]));
    truncateSync(path, header.length + (twoSeconds / 2) * DAY_SECONDS);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(projectRoot, 'test/bench/read-file.ts'), path],
      {
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { samples, peakBytes } = JSON.parse(stdout) as { samples: number; peakBytes: number };
    expect(samples).toBe(12 * 500 * DAY_SECONDS);
    expect(peakBytes).toBeLessThan(MEMORY_BYTES);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
