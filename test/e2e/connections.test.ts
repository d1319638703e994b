// The connections of a workstation in real Chromium: an archive is set up, an approved ECG goes there, and the card says what was
// proven; what is wrong is said with its remedy. With a real archive (Orthanc).

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFhirDouble } from '../doubles/fhir-server.ts';
import { launchChromium } from '../support/chromium.ts';
import { hasDcmtk, hasOrthanc, makeOrthanc, type Orthanc, startWorklist } from '../support/dicom-peers.ts';
import { patientResource, requestResource } from '../support/fhir-requests.ts';
import { freePort } from '../support/free-port.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { FREE_OF_LIMITS } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { V3Client } from '../support/v3-client.ts';
import { smallEdf } from '../support/varied-edf.ts';

let browser: Browser;
let folder: TempFolder;
let orthanc: Orthanc;
let screens: OpenScreens;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.skipIf(!hasOrthanc)('an archive on the screen (left out where orthanc is missing)', () => {
  beforeEach(async () => {
    folder = await tempFolder();
    const port = await freePort();
    orthanc = await makeOrthanc(join(folder.path, 'orthanc'), { title: 'ISOLINE', port });
    await orthanc.start();
    screens = await openScreens(
      browser,
      {},
      { overrides: [...FREE_OF_LIMITS, ['dicom.port', String(port)]] },
    );
  });
  afterEach(async () => {
    await screens?.close();
    await orthanc[Symbol.asyncDispose]();
    await folder.remove();
  });

  const shot = (name: string) => screens.page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
  const approved = async (n: number): Promise<void> => {
    const { running } = screens;
    const script = new V3Client(running.url, (await running.makeToken()).text);
    await script.createTask({
      upload_id: await script.upload(smallEdf(n)),
      auto_complete: true,
      patient_last_name: 'Hoffmann',
      patient_id: `48${n}`,
      recording_start_time: '2026-11-21T09:30:00+01:00',
    });
  };

  test('is set up, tested, gets an ECG and confirms it; away, that is said, and nothing is lost', async () => {
    const { page, host, faults, running } = screens;
    await page.goto(host.newLink());
    await page.getByRole('heading', { name: 'Worklist' }).waitFor();
    await page.keyboard.press('Alt+y');
    await page.getByText('This workstation works on its own').waitFor();
    await page.getByRole('button', { name: 'Set up an archive (PACS)' }).click();
    await page.getByText('AE title ISOLINE').waitFor();
    await page.getByLabel('Address of the archive').fill('127.0.0.1');
    await page.getByLabel('AE title of the archive').fill('WRONG');
    await page.getByRole('textbox', { name: /^Port/ }).fill('70000');
    await page.getByRole('button', { name: 'Connect archive' }).click();
    await page.getByRole('alert').getByText('The port must be a number from 1 to 65535.').waitFor();
    await page.getByRole('textbox', { name: /^Port/ }).fill(String(orthanc.dicomPort));
    await shot('connections-set-up');
    await page.getByRole('button', { name: 'Connect archive' }).click();
    await page.getByRole('radio', { name: 'Connections' }).check();
    const card = page.getByRole('region', { name: 'PACS' });
    await card.getByText('Not tried yet').waitFor();
    await card.getByRole('button', { name: 'Test connection' }).click();
    await card.getByRole('alert').getByText('The archive does not know this workstation').waitFor();
    await shot('connections-wrong-name');
    // Another one, with its right name.
    await card.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Disconnect …' }).click();
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByRole('button', { name: 'Set up an archive (PACS)' }).click();
    await page.getByLabel('Address of the archive').fill('127.0.0.1');
    await page.getByRole('textbox', { name: /^Port/ }).fill(String(orthanc.dicomPort));
    await page.getByLabel('AE title of the archive').fill('ORTHANC');
    await page.getByLabel('Name', { exact: true }).fill('Hospital archive');
    await page.getByRole('button', { name: 'Connect archive' }).click();
    await page.getByRole('radio', { name: 'Connections' }).check();
    await card.getByRole('button', { name: 'Test connection' }).click();
    await card.getByText('12-lead ECGs: yes').waitFor();
    // These are approved by the rule that they came with: without it they would stay here.
    await card.getByRole('button', { name: 'Details' }).click();
    const unread = page.getByRole('switch', { name: 'Send unread ECGs, too' });
    expect(await unread.isChecked()).toBe(false);
    await unread.click({ force: true });
    await expect.poll(() => unread.isChecked()).toBe(true);
    await shot('connections-unread');
    await page.getByRole('radio', { name: 'Connections' }).check();
    await approved(1);
    await card.getByText('Stored and confirmed').waitFor({ timeout: 30_000 });
    await card.getByText('Working').waitFor();
    expect(await orthanc.json<string[]>('/instances')).toHaveLength(3);
    await orthanc.stop();
    await approved(2);
    await card.getByText('Not reached').waitFor({ timeout: 30_000 });
    await card
      .getByText('The archive cannot be reached. Check the network, its address and its port.')
      .waitFor();
    if (hasDcmtk) {
      const worklist = await startWorklist(join(folder.path, 'worklist'));
      await running.bridge.call('setting.change', { key: 'worklist.port', text: String(worklist.port) });
      await running.bridge.call('setting.change', { key: 'worklist.title', text: worklist.title });
      await running.bridge.call('setting.change', { key: 'worklist.host', text: '127.0.0.1' });
      await page.reload();
      await page.getByRole('radio', { name: 'Connections' }).check();
      await page.getByRole('region', { name: 'DICOM worklist' }).waitFor();
      await page.waitForTimeout(1500);
      await worklist[Symbol.asyncDispose]();
    }
    await shot('connections');
    await card.getByRole('button', { name: 'Details' }).click();
    await page.getByText(/1 recording is waiting; nothing is lost/).waitFor();
    await shot('connections-queue');
    await orthanc.start();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('radio', { name: 'Sent 2' }).check({ timeout: 30_000 });
    await page.getByText('Accepted by the archive').first().waitFor();
    await page
      .getByRole('button', { name: /HOFFMANN/ })
      .first()
      .click();
    await page.getByText('The archive has accepted the ECG and its report.').waitFor();
    await shot('connections-sent');
    expect(faults).toEqual([]);
  }, 120_000);
});

test('a FHIR server is set up with a client; a wrong secret is said, another one lets a result go', async () => {
  const client = { id: 'isoline', secret: 'right' };
  await using server = await startFhirDouble({ client });
  server.add(patientResource('17'));
  server.add(requestResource('1', '17'));
  screens = await openScreens(browser, {}, { overrides: FREE_OF_LIMITS });
  const { page, host, faults, running } = screens;
  try {
    await page.goto(host.newLink());
    await page.getByRole('heading', { name: 'Worklist' }).waitFor();
    await page.keyboard.press('Alt+y');
    await page.getByRole('button', { name: 'Set up FHIR results' }).click();
    await page.getByLabel('Address of the FHIR server').fill(server.url);
    await page.getByLabel('System of the patient numbers').fill('urn:oid:1.2.3');
    await page.getByLabel('Client ID').fill(client.id);
    await page.getByLabel('Client secret').fill('wrong');
    await page.getByLabel('Token address (URL)').fill(server.tokenUrl);
    await page.getByLabel('Also take orders from this server').check();
    // The tick is drawn a moment later.
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(screenshotFolder, 'connections-fhir-set-up.png') });
    await page.getByRole('button', { name: 'Connect FHIR server' }).click();
    await page.getByRole('radio', { name: 'Connections' }).check();
    const card = page.getByRole('region', { name: 'FHIR results' });
    await card.getByRole('button', { name: 'Test connection' }).click();
    await card.getByText('The FHIR server denies access. Check the client').waitFor();
    await card.getByRole('button', { name: 'Details' }).click();
    const unread = page.getByRole('switch', { name: 'Send unread ECGs, too' });
    await unread.click({ force: true });
    await expect.poll(() => unread.isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Connections' }).check();
    const script = new V3Client(running.url, (await running.makeToken()).text);
    await script.createTask({
      upload_id: await script.upload(smallEdf(1)),
      auto_complete: true,
      patient_last_name: 'Hoffmann',
      patient_id: '481',
      recording_start_time: '2026-11-21T09:30:00+01:00',
    });
    await card.getByText('Enter a new client secret').waitFor({ timeout: 30_000 });
    await card.getByRole('button', { name: 'Details' }).click();
    await page.getByLabel('New client secret').fill(client.secret);
    await page.getByRole('button', { name: 'Save secret' }).click();
    await page.getByRole('radio', { name: 'Sent 1' }).check({ timeout: 30_000 });
    await page.screenshot({ path: join(screenshotFolder, 'connections-fhir-sent.png') });
    expect(server.resources.filter(({ resourceType }) => resourceType === 'DiagnosticReport')).toHaveLength(
      1,
    );
    // Orders come with the next question.
    const orders = page.getByRole('region', { name: 'FHIR orders' });
    await page.getByRole('radio', { name: 'Connections' }).check();
    await orders
      .getByText('Open orders of the FHIR server are listed under Patient.')
      .waitFor({ timeout: 30_000 });
    await page.screenshot({ path: join(screenshotFolder, 'connections-fhir-orders.png') });
    await page.keyboard.press('F2');
    await page.getByText('Müller').waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'patient-fhir-order.png') });
    expect(faults).toEqual([]);
  } finally {
    await screens.close();
  }
}, 120_000);
