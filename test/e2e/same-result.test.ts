// The same recording has the same result wherever it is analysed: to the bit, in Node.js and in Chromium.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnalysisResult } from '../../shared/analysis-result.ts';
import { launchChromium } from '../support/chromium.ts';
import { analysePlain, plainOf } from '../support/plain-recording.ts';
import { toRecording, twelveLeads } from '../support/synthetic-recording.ts';
import { dataFolder, projectRoot, recordingFrom } from '../support/test-data.ts';

/** The bundle, in the page. */
declare const isoline: { analysePlain: typeof analysePlain };

let browser: Browser;
let script: string;
beforeAll(async () => {
  browser = await launchChromium();
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    build: {
      write: false,
      lib: {
        entry: join(projectRoot, 'test', 'support', 'plain-recording.ts'),
        formats: ['iife'],
        name: 'isoline',
      },
    },
  });
  const [bundle] = [built].flat();
  if (bundle === undefined || !('output' in bundle)) throw new Error('Nothing was built.');
  script = bundle.output[0].code;
});
afterAll(() => browser?.close());

test.each([
  ['a record of twelve leads', () => recordingFrom(join(dataFolder, 'wfdb', '11.hea'))],
  ['half an hour of two leads', () => recordingFrom(join(dataFolder, 'wfdb', '100.hea'))],
  ['fibrillation', () => toRecording(twelveLeads({ durationSeconds: 60, rhythm: 'afib' }))],
])('%s', async (_, recording) => {
  const plain = plainOf(recording());
  const page = await browser.newPage();
  await page.addScriptTag({ content: script });
  const inChromium = await page.evaluate((given) => isoline.analysePlain(given), plain);
  await page.close();
  expect(inChromium).toBe(analysePlain(plain));
  expect((JSON.parse(inChromium) as AnalysisResult).waves?.length).toBeGreaterThan(5);
});
