import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nativeCompressors } from '../../main/formats/compressed-delta/compression.ts';
import { CODINGS, COMPRESSIONS } from '../../main/signal/compressed-delta/header.ts';
import { encodeCompressedDelta } from '../../main/signal/compressed-delta/write-frame.ts';
import { launchChromium } from '../support/chromium.ts';
import { projectRoot } from '../support/test-data.ts';

let browser: Browser;
let folder: string;
let script: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isoline-codec-page-'));
  const entry = join(folder, 'entry.ts');
  const from = (path: string): string => JSON.stringify(join(projectRoot, path));
  writeFileSync(
    entry,
    `import { decodeCompressedDelta } from ${from('main/signal/compressed-delta/read-frame.ts')};
globalThis.decodeFrame = (bytes) => {
  const result = decodeCompressedDelta(Uint8Array.from(bytes));
  return result.ok ? result.frame.channels.map((channel) => [...channel]) : result.message;
};`,
  );
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: false,
      lib: { entry, formats: ['es'], fileName: () => 'codec.js' },
    },
  });
  script = readFileSync(join(folder, 'codec.js'), 'utf8');
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a real browser decodes every coding and compression', async () => {
  const page = await browser.newPage();
  await page.addScriptTag({ content: script, type: 'module' });
  await page.waitForFunction(() => 'decodeFrame' in globalThis);
  const channels = [0, 1].map((phase) =>
    Int32Array.from({ length: 500 }, (_, i) => Math.round(900 * Math.sin(i / 11 + phase) + (i % 7))),
  );
  for (const bitsPerSample of [16, 24, 32] as const) {
    for (const coding of CODINGS) {
      for (const compression of COMPRESSIONS) {
        const frame = encodeCompressedDelta(
          { channels, sampleRateHz: 500, bitsPerSample },
          { coding, compression },
          nativeCompressors(),
        );
        const decoded = await page.evaluate(
          (bytes) => (globalThis as unknown as { decodeFrame(bytes: number[]): unknown }).decodeFrame(bytes),
          [...frame],
        );
        expect(decoded).toEqual(channels.map((channel) => [...channel]));
        const damaged = await page.evaluate(
          (bytes) => (globalThis as unknown as { decodeFrame(bytes: number[]): unknown }).decodeFrame(bytes),
          [...frame.subarray(0, -1)],
        );
        expect(damaged).toMatch(/^It announces/);
      }
    }
  }
});
