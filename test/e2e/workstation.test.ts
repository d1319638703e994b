// A person's way through the screens, in real Chromium against the real workstation: import, watch, read the
// report.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowserHost } from '../../main/host/browser/browser.ts';
import { openWith } from '../../main/host/open-with.ts';
import { loadRenderer } from '../../main/host/page/renderer-files.ts';
import { builtScreens } from '../support/built-screens-folder.ts';
import { launchChromium } from '../support/chromium.ts';
import { makeZip } from '../support/make-archives.ts';
import { makeFrame } from '../support/make-frames.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { runWorkstation } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { dataFolder } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';

const wfdb = (name: string): string => join(dataFolder, 'wfdb', name);
const RECORD_100 = ['100.hea', '100.dat', '100.atr'].map(wfdb);
const RECORD_1 = ['1.hea', '1.dat'].map(wfdb);

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, host, context, page, faults } = {} as OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser, { reducedMotion: 'reduce' });
  ({ running, host, context, page, faults } = screens);
});
afterEach(() => screens?.close());

const open = async (): Promise<void> => {
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
};

async function importFiles(files: string[], isAutomatic: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('input[type=file]').setInputFiles(files);
  if (isAutomatic) await page.getByRole('switch', { name: /Approve automatically/ }).check();
  await page.getByRole('button', { name: /^Import \d+ files?$/ }).click();
}

const closeDialog = () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
const row = (text: string) => page.locator('tbody tr').filter({ hasText: text });

/** Record 1 is in the list, analysed, and waits for a physician. */
async function openWithRecord1(): Promise<void> {
  await open();
  await importFiles(RECORD_1, false);
  await page.getByText('imported as task 1').waitFor();
  await closeDialog();
  await row('Waiting for approval').waitFor();
}

describe('worklist and report', () => {
  test('files opened with the program are offered for import, wherever somebody is; put away, they stay away', async () => {
    await open();
    await page.keyboard.press('Alt+s');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const dialog = page.getByRole('dialog');
    await openWith(running.workstation, [wfdb('100.hea')], '/');
    await dialog.getByText('100.hea').waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'import-opened.png') });
    // Others that come meanwhile wait for their turn.
    await openWith(running.workstation, RECORD_1, '/');
    expect(await dialog.getByText('1.dat').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByText('1.dat').waitFor();
    expect(await dialog.getByText('100.hea').count()).toBe(0);
    await dialog.getByRole('button', { name: /^Import 2 files$/ }).click();
    await dialog.getByText('imported as task').waitFor();
    await closeDialog();
    await row('Waiting for approval').waitFor();
    await expect.poll(() => running.bridge.call('opened.list', {})).toEqual({ files: [] });
    await page.waitForTimeout(300);
    expect([await dialog.count(), faults]).toEqual([0, []]);
  });

  test('record 100 with automatic approval: imported, analysed, its report opened', async () => {
    await open();
    await page.screenshot({ path: join(screenshotFolder, 'worklist-empty.png') });
    await importFiles(RECORD_100, true);
    await page.getByText('100.hea: imported as task 1').waitFor();
    await closeDialog();
    await row('Report ready').waitFor();
    await expect.poll(() => row('Report ready').textContent()).toContain('30 min 6 s · 2 leads');
    await page.getByText('Sinus rhythm, 76/min').waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'worklist.png') });
    await page.getByRole('button', { name: /Open report/ }).click();
    await page.locator('canvas[data-drawn]').first().waitFor();
    expect(await page.locator('[data-page-text]').first().textContent()).toContain('Not read by a physician');
    expect(await page.getByText('NOT APPROVED').count()).toBe(0);
    expect(
      await page
        .locator('canvas')
        .first()
        .evaluate(
          (canvas: HTMLCanvasElement) =>
            new Set(canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height).data).size,
        ),
    ).toBeGreaterThan(50);
    await page.screenshot({ path: join(screenshotFolder, 'report.png') });
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Worklist' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('without it the task waits: the report is preliminary and marked, and /v3 says 409', async () => {
    await openWithRecord1();
    await page.getByRole('button', { name: /Open report/ }).click();
    await page.locator('canvas[data-drawn]').first().waitFor();
    await page.getByText('NOT APPROVED: this is a preliminary report.').waitFor();
    expect(await page.locator('[data-page-text]').first().textContent()).toContain('NOT APPROVED');
    expect((await page.getByTestId('patient-banner').textContent())?.replace(/\s+/g, ' ')).toContain(
      'Name not given 51 y · female',
    );
    await page.screenshot({ path: join(screenshotFolder, 'report-preliminary.png') });
    const client = new V3Client(running.url, (await running.makeToken()).text);
    expect((await client.report(1)).status).toBe(409);
    expect((await client.status(1)).json).toMatchObject({ processed: false, report_available: false });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /The report/ }).click();
    expect((await download).suggestedFilename()).toBe('ecg-1.pdf');
    expect(
      readFileSync(await (await download).path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(faults).toEqual([]);
  });

  test('the same content again opens the first task instead of making a second', async () => {
    await open();
    await importFiles(RECORD_1, false);
    await page.getByText('imported as task 1').waitFor();
    await closeDialog();
    await importFiles(RECORD_1, true);
    await page.getByText('1.hea: already imported as task 1').waitFor();
    await closeDialog();
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  test('an archive is opened: each of its recordings is imported', async () => {
    await using folder = await tempFolder();
    const archive = join(folder.path, 'from the ward.zip');
    const files = [...RECORD_1, join(dataFolder, 'edf', 'made_ecg12_plusC.edf')];
    writeFileSync(
      archive,
      makeZip(
        files.map((path) => ({ name: `ward/${basename(path)}`, content: readFileSync(path), method: 8 })),
      ),
    );
    await open();
    await importFiles([archive], false);
    await page.getByText('ward/made_ecg12_plusC.edf').waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'import-archive.png') });
    await closeDialog();
    expect(await page.locator('tbody tr').count()).toBe(2);
    expect(faults).toEqual([]);
  });

  test('files that can’t be read say why, one by one; the others are imported', async () => {
    await open();
    await importFiles([...RECORD_1, wfdb('100.hea')], false);
    await page.getByText('1 of 2 recordings imported').waitFor();
    await page.getByText(/100\.hea: .*100\.dat.*not here/).waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'import-outcome.png') });
    await closeDialog();
    await importFiles([join(dataFolder, 'README.md')], false);
    await page
      .getByText(/README\.md: The file is not an ECG format this program reads \(found: .*\)/)
      .waitFor();
    expect(faults).toEqual([]);
  });

  test('an import that was left while it ran is shown as it is by then; a menu closes when somebody leaves', async () => {
    await open();
    await page.getByRole('button', { name: 'Import' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles(RECORD_1);
    await dialog.getByRole('button', { name: 'Import 2 files' }).click();
    await page.evaluate(() => {
      location.hash = '#/devices';
    });
    await page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/worklist';
    });
    await dialog.getByText('imported as task 1').waitFor();
    expect(await page.getByRole('menuitemradio', { name: 'Dark' }).count()).toBe(0);
    await closeDialog();
    await row('Waiting for approval').waitFor();
    expect(faults).toEqual([]);
  });

  test('dropping files anywhere opens the import with them', async () => {
    await open();
    const transfer = await page.evaluateHandle(
      (files) => {
        const data = new DataTransfer();
        for (const { name, bytes } of files)
          data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
        return data;
      },
      RECORD_1.map((path) => ({
        name: path.split(/[\\/]/).at(-1)!,
        bytes: readFileSync(path).toString('base64'),
      })),
    );
    const target = page.locator('main > div');
    await target.dispatchEvent('dragenter', { dataTransfer: transfer });
    await page.getByText('Drop ECG files or archives here').waitFor();
    await target.dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByRole('button', { name: 'Import 2 files' }).click();
    await page.getByText('imported as task 1').waitFor();
  });

  test('a task that comes over /v3 appears by itself', async () => {
    await open();
    await page.getByText('No recordings yet').waitFor();
    const client = new V3Client(running.url, (await running.makeToken()).text);
    const upload_id = await client.upload(readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')));
    await client.createTask({
      upload_id,
      patient_last_name: '<img src=x onerror=alert(1)>',
      patient_first_name: 'Zoë',
      patient_birth_date: '1951-03-14',
      patient_gender: 'FEMALE',
    });
    await row('Waiting for approval').waitFor();
    expect(await row('<IMG SRC=X ONERROR=ALERT(1)>, Zoë').count()).toBe(1);
    expect(await row('14 Mar 1951').count()).toBe(1);
    await row('Zoë').click();
    await page.getByRole('button', { name: /Open report/ }).click();
    await page.locator('canvas[data-drawn]').first().waitFor();
    expect(faults).toEqual([]);
  });

  test('the list is searched while somebody types, and filtered by days, state and reality', async () => {
    const client = new V3Client(running.url, (await running.makeToken()).text);
    await client.createTask({
      patient_last_name: 'Müller',
      patient_first_name: 'Zoë',
      patient_birth_date: '1951-03-14',
    });
    await client.createTask({ patient_last_name: 'Hoffmann', searching_tags: ['ward 2'], device_id: 'cart' });
    await open();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mueller 14.3.1951');
    await expect
      .poll(() => page.locator('tbody tr').allTextContents())
      .toEqual([expect.stringContaining('MÜLLER, Zoë')]);
    await page.screenshot({ path: join(screenshotFolder, 'worklist-search.png') });
    await page.keyboard.press('Escape');
    await page.keyboard.type('ward');
    await expect
      .poll(() => page.locator('tbody tr').allTextContents())
      .toEqual([expect.stringContaining('HOFFMANN')]);
    await page.keyboard.type('xyz');
    await page.getByText('No recording matches').waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'worklist-no-matches.png') });
    await page.getByRole('button', { name: 'Remove: “wardxyz”' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nobody');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    await page.getByLabel('State').selectOption('Draft');
    await expect
      .poll(() => page.locator('tbody tr').allTextContents())
      .toEqual([expect.stringContaining('MÜLLER')]);
    await page.getByRole('radio', { name: /Today/ }).check({ force: true });
    await expect.poll(() => page.getByRole('radio', { name: /Today 1/ }).count()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('speaks the language that is chosen, also when the page is opened again', async () => {
    await open();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'Español' }).click();
    await page.getByRole('heading', { name: 'Lista de trabajo' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await page.reload();
    await page.getByText('Aún no hay registros').waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'worklist-es.png') });
    expect(faults).toEqual([]);
  });

  test('the list is worked by keyboard: arrows choose, Enter opens, Escape comes back', async () => {
    await openWithRecord1();
    await page.getByRole('grid', { name: 'Worklist' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('canvas[data-drawn]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid', { name: 'Worklist' }).waitFor();
    await page.keyboard.press('Control+o');
    await page.getByRole('dialog').waitFor();
  });

  test('a row that is clicked while its strip is being drawn is chosen all the same', async () => {
    await openWithRecord1();
    await page.getByRole('button', { name: 'Open report' }).waitFor();
    await page.keyboard.press('Alt+s');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    // The strip is drawn when the row has stood a moment; from here on, time passes only when the test says so.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('F4');
    const strip = row('Waiting for approval').locator('[class*=noStrip]');
    const box = await strip.boundingBox();
    await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
    await page.mouse.down();
    await page.clock.runFor(1000);
    await strip.waitFor({ state: 'detached' });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Open report' }).waitFor();
    expect(await row('Waiting for approval').getAttribute('aria-selected')).toBe('true');
  });

  test('dark, and 200 % text without a horizontal scroll bar', async () => {
    await openWithRecord1();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe('rgb(11, 18, 21)');
    await page.screenshot({ path: join(screenshotFolder, 'worklist-dark.png') });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
    });
    await page.screenshot({ path: join(screenshotFolder, 'worklist-200.png') });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});

describe('a network device', () => {
  test('shows what it reports, is told to start, is seen recording, and lost when it falls silent', async () => {
    const client = new V3Client(running.url, (await running.makeToken()).text);
    const fields = {
      device_id: 'Ward cart 2',
      patient_first_name: 'Anneliese',
      patient_last_name: 'Hoffmann',
      patient_birth_date: '1951-03-14',
    };
    const [id = 0] = (await client.createTask(fields)).json.created_task_ids as number[];
    await client.post(`/v3/streams/${id}/params`, { device_state: 'WAITING_FOR_START' });
    await open();
    await row('Hoffmann').click();
    const device = page.getByRole('region', { name: 'Device' });
    await device.getByText('Waiting for start').waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'device-waiting.png') });
    await device.getByRole('button', { name: 'Start' }).click();
    await device.getByText('Start requested').waitFor();
    expect((await client.get(`/v3/streams/${id}/params`)).json.device_command).toBe('START_DEVICE');
    await client.post('/v3/streams/start', {
      task_id: id,
      processing_mode: 'PROCESS_ON_FINISH',
      frame_format: 'COMPRESSED_DELTA',
      sample_rate: 500,
      lead_codes: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II'],
      device_state: 'RECORDING',
    });
    for (let n = 0; n < 12; n++)
      await client.request(
        'POST',
        `/v3/streams/${id}/frames?timestamp=${n * 500_000}`,
        makeFrame({ leads: 2, from: n * 250 }),
      );
    await device.getByText('12 frames stored').waitFor();
    expect(await device.getByText('Start requested').count()).toBe(0);
    await device.getByRole('button', { name: 'Stop' }).waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'device-recording.png') });
    await row('Hoffmann').getByText('Device disconnected').waitFor({ timeout: 60_000 });
    await device.getByText(/^Disconnected/).waitFor();
    await device.getByRole('button', { name: 'Finish with what is stored' }).waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'device-lost.png') });
    // Nothing changed for the device: it goes on where it was.
    expect(
      (
        await client.request(
          'POST',
          `/v3/streams/${id}/frames?timestamp=6000000`,
          makeFrame({ leads: 2, from: 3000 }),
        )
      ).status,
    ).toBe(200);
    await row('Hoffmann').getByText('Recording').waitFor({ timeout: 20_000 });
    await running.bridge.call('stream.finish', { taskId: id });
    await row('Hoffmann').getByText('Waiting for approval').waitFor({ timeout: 20_000 });
    expect(faults).toEqual([]);
  });
});

test('a service that is open to the network is shown so all the time, with what devices pin (SEC20, SEC41)', async () => {
  await using secure = await runWorkstation({
    overrides: [
      ['storage.reserve', '0'],
      ['service.tls', 'self-signed'],
    ],
  });
  const own = await startBrowserHost(() => secure.workstation.connect(), loadRenderer(builtScreens));
  const window = await context.newPage();
  await window.goto(own.newLink());
  const chip = window.getByRole('button', { name: 'Open to the network' });
  await chip.click();
  await window.getByText(`Certificate SHA-256 ${secure.workstation.fingerprint}`).waitFor();
  await window.screenshot({ path: join(screenshotFolder, 'network.png') });
  await own.close();
});

describe('connection', () => {
  test('a link that was used says so, and a new one opens', async () => {
    const link = host.newLink();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Worklist' }).waitFor();
    expect(page.url()).not.toContain('key=');
    const other = await browser.newContext();
    const stranger = await other.newPage();
    await stranger.goto(link);
    await stranger.getByRole('heading', { name: 'This window is not connected.' }).waitFor();
    await stranger.screenshot({ path: join(screenshotFolder, 'refused.png') });
    await other.close();
  });

  test('when the store dies the page says so and comes back by itself', async () => {
    await open();
    await running.workstation.crash();
    await page.getByText('Connection to the workstation lost.').waitFor();
    await page.getByRole('heading', { name: 'Worklist' }).waitFor();
    await importFiles(RECORD_1, false);
    await page.getByText('imported as task 1').waitFor();
  });

  test('when the program ends the page says how to start it again', async () => {
    await open();
    await host.close();
    await page
      .getByText(
        'If Isoline was closed, start it again: open it from the menu, or run “isoline start” in a terminal.',
      )
      .waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'ended.png') });
  });

  test('a page can’t run foreign script, leave, or open windows (SEC3, SEC4)', async () => {
    await open();
    const outcome = await page.evaluate(async () => {
      const script = document.createElement('script');
      try {
        script.textContent = 'window.evil = 1';
        document.body.append(script);
      } catch {
        // Trusted types refuse it already here.
      }
      const fetched = await fetch('http://127.0.0.1:9/').then(
        () => true,
        () => false,
      );
      return { evil: 'evil' in window, fetched };
    });
    expect(outcome).toEqual({ evil: false, fetched: false });
  });

  test('a foreign page can’t reach the service: nothing it tries succeeds or creates anything (SEC22, D5)', async () => {
    const { createServer } = await import('node:http');
    const foreign = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>foreign</title>'),
    );
    await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done));
    const { port } = foreign.address() as { port: number };
    const token = (await running.makeToken()).text;
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(`http://127.0.0.1:${port}/`);
    const tried = await stranger.evaluate(
      async ([url, token]) => {
        const settled = async (work: Promise<unknown>): Promise<string> =>
          work.then(
            () => 'succeeded',
            () => 'failed',
          );
        const headers = { 'X-Api-Token': token as string, 'Content-Type': 'application/json' };
        const results = [
          await settled(fetch(`${url}/v3/orgs/clinic/tasks`, { method: 'POST', headers, body: '{}' })),
          await settled(fetch(`${url}/v3/orgs/clinic/tasks/1/status`, { headers })),
          await settled(fetch(`${url}/docs/openapi.json`)),
        ];
        await settled(fetch(`${url}/v3/orgs/clinic/tasks`, { method: 'POST', mode: 'no-cors', body: '{}' }));
        const form = document.createElement('form');
        Object.assign(form, { action: `${url}/v3/orgs/clinic/tasks`, method: 'post', target: 'frame' });
        document.body.append(Object.assign(document.createElement('iframe'), { name: 'frame' }), form);
        form.submit();
        const socket = new WebSocket(`${(url as string).replace('http', 'ws')}/bridge`);
        results.push(
          await new Promise<string>((done) =>
            Object.assign(socket, { onopen: () => done('succeeded'), onerror: () => done('failed') }),
          ),
        );
        return results;
      },
      [running.url, token],
    );
    expect(tried).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect((await running.bridge.call('task.list', { limit: 10 })).total).toBe(0);
    await stranger.context().close();
    foreign.close();
  });
});
