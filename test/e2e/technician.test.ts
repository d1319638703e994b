// A technician's day in real Chromium against the real workstation: patient, live leads, recording,
// unplugging, emergency, status, report. Devices are simulated ones at pseudo-terminals, through the real
// serial port.

import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MOST_ORDERS } from '../../shared/bridge/contract/orders.ts';
import { launchChromium } from '../support/chromium.ts';
import { enterPatient as enterAs, HOFFMANN, type TypedPatient } from '../support/enter-patient.ts';
import { scrolledPixels as scrolledPixelsOf, tracePixels as tracePixelsOf } from '../support/live-picture.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { openTerminals, PluggedDevice, socatMissing, type TerminalPair } from '../support/pseudo-terminal.ts';
import { eventually } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { V3Client } from '../support/v3-client.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, desk, host, page, faults } = {} as OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser);
  ({ running, desk, host, page, faults } = screens);
});
afterEach(() => screens?.close());

const shot = (name: string) => page.screenshot({ path: join(screenshotFolder, `${name}.png`) });

const enterPatient = (patient: TypedPatient) => enterAs(page, patient);

async function open(): Promise<void> {
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
}

const banner = () => page.getByTestId('patient-banner');
const recorded = () => page.getByTestId('recorded-time');
const taskRows = async () => (await running.bridge.call('task.list', { limit: 10 })).rows;
const stateOf = async (taskId: number) => (await running.bridge.call('task.get', { taskId })).state;
const tracePixels = () => tracePixelsOf(page);
const scrolledPixels = () => scrolledPixelsOf(page);

describe.skipIf(socatMissing !== undefined)(
  `with a device at a port${socatMissing === undefined ? '' : ` (${socatMissing})`}`,
  () => {
    let folder: TempFolder;
    let pair: TerminalPair;
    let device: PluggedDevice;
    beforeEach(async () => {
      folder = await tempFolder();
      pair = await openTerminals(folder.path);
      device = new PluggedDevice('isoline-idp');
      await device.plugInto(pair.device);
    });
    afterEach(async () => {
      await device.switchOff();
      await pair.unplug();
      await folder.remove();
    });

    test('patient, connect, ten seconds with the plug pulled in the middle, finish, status, report', async () => {
      await open();
      await page.getByRole('link', { name: 'Devices' }).click();
      await page.getByLabel('Other port').fill(pair.host);
      await page.getByRole('button', { name: 'Connect' }).first().click();
      await page.getByRole('link', { name: /· Ready$/ }).waitFor({ timeout: 20_000 });
      await enterPatient(HOFFMANN);
      await page.keyboard.press('F3');
      await expect.poll(() => banner().textContent()).toContain('HOFFMANN, Anneliese 14 Mar 1951');
      await expect.poll(tracePixels, { timeout: 10_000 }).toBeGreaterThan(2000);
      await page.keyboard.press('F5');
      await recorded().waitFor();
      await page.waitForTimeout(3000);
      await pair.unplug();
      await device.pullOut();
      await page.getByRole('link', { name: /· Disconnected$/ }).waitFor({ timeout: 5000 });
      await page.getByText('Device disconnected.').waitFor();
      await expect.poll(() => page.getByTestId('heart-rate').textContent(), { timeout: 3000 }).toBe('--');
      await shot('live-lost');
      pair = await openTerminals(folder.path);
      await device.plugInto(pair.device);
      await page.getByRole('link', { name: /· Recording$/ }).waitFor({ timeout: 10_000 });
      await page.waitForTimeout(1500);
      await shot('live-gap');
      await page.getByText('10 s stored.').waitFor({ timeout: 20_000 });
      await shot('live-stored');
      await page.keyboard.press('Enter');

      // The patient is gone from the screen, and the recording stands in the list.
      await expect.poll(() => banner().textContent(), { timeout: 1000 }).toBe('No patient open');
      const row = page.getByRole('row', { name: /HOFFMANN, Anneliese/ });
      await row.waitFor();
      const [{ taskId } = { taskId: 0 }] = await taskRows();
      await eventually(
        async () => ((await stateOf(taskId)) === 'AWAITING_APPROVAL' ? true : undefined),
        'the analysis',
      );
      const [task] = await taskRows();
      expect(task).toMatchObject({
        patient: { lastName: 'Hoffmann', birthDate: '1951-03-14', id: '004 817' },
        leadCount: 8,
      });
      // Ten seconds of samples, and the gap between them.
      expect(task?.durationMs).toBeGreaterThan(10_100);
      await row.getByText('Waiting for approval').waitFor();
      await page.getByRole('button', { name: 'Open report' }).click();
      await page.locator('canvas[data-drawn]').first().waitFor();
      await shot('report-of-gap');
      expect(faults).toEqual([]);
    }, 90_000);

    test('a device of a wrong rate: Live says that only an emergency can be recorded, and records one', async () => {
      await screens.close();
      screens = await openScreens(browser, {}, { overrides: [['devices.wrongRate', 'refuse']] });
      ({ running, desk, host, page, faults } = screens);
      const other = await openTerminals(folder.path, 'fast');
      const fast = new PluggedDevice('openbci-cyton', undefined, {}, 1.2);
      try {
        await fast.plugInto(other.device);
        await open();
        const id = await desk.connect(other.host, { driver: 'openbci-cyton' });
        await eventually(async () => desk.device(id).view.isRateRefused, 'its rate is known to be wrong');
        await enterPatient(HOFFMANN);
        await page.keyboard.press('F3');
        await page.getByText('Only an emergency can be recorded with it.').waitFor();
        await shot('live-rate-refused');
        await page.keyboard.press('F5');
        await page.getByText('so only an emergency can be recorded with it').waitFor();
        expect(await taskRows()).toEqual([]);
        // Where nobody is known, it records; and whoever was entered is not who is recorded.
        await page.keyboard.press('F9');
        await recorded().waitFor();
        await expect.poll(() => banner().textContent()).toMatch(/^EMERGENCY/);
        await expect.poll(() => recorded().textContent()).toMatch(/^00:0[2-9]/);
        await page.keyboard.press('F5');
        await page.getByRole('button', { name: /^Save, next patient/ }).waitFor();
        expect(await taskRows()).toMatchObject([{ isPatientMissing: true }]);
      } finally {
        await fast.switchOff();
        await other.unplug();
      }
    });

    test('an electrode that falls off is named within two seconds, in words and in the picture', async () => {
      await open();
      await desk.connect(pair.host, { driver: 'isoline-idp' });
      await page.keyboard.press('F3');
      await expect.poll(tracePixels, { timeout: 10_000 }).toBeGreaterThan(2000);
      device.device.electrodes.setContact('C4', false);
      await page.getByText('Electrode C4 (V4) has no contact.').waitFor({ timeout: 2000 });
      await page.getByText('5th intercostal space, mid-clavicular line').waitFor();
      await page.getByRole('img', { name: 'No contact: C4.', exact: true }).waitFor();
      await page.getByText('--').first().waitFor();
      await page.waitForTimeout(1500);
      await shot('live-lead-off');
      const onLive = await page
        .getByText(/screen not calibrated|1 : 1 true mm/)
        .first()
        .textContent();

      // Devices says the same of the same device: one naming, one state, one scale.
      await page.getByRole('link', { name: 'Devices' }).click();
      const panel = page.getByRole('complementary', { name: 'Selected device' });
      await panel.getByRole('img', { name: /No contact: C4/ }).waitFor();
      await panel.getByText('No contact: C4', { exact: true }).waitFor();
      await panel.getByText('Check electrodes · Ready').waitFor();
      expect(await panel.getByText(/V4 has no contact|No contact: V4/).count()).toBe(0);
      expect(await panel.getByText(/Live lead II/).textContent()).toContain(
        onLive?.match(/screen.*|1 : 1.*/)?.[0] ?? '-',
      );
      await page.keyboard.press('F3');
      device.device.electrodes.setContact('C4', true);
      await page.getByText('Electrode C4 (V4) has no contact.').waitFor({ state: 'hidden', timeout: 3000 });
    });
  },
);

describe('with the simulator', () => {
  const connect = async (rhythm = 'sinus'): Promise<void> => {
    await open();
    await page.getByRole('heading', { name: 'Worklist' }).waitFor();
    await desk.connect(`simulator:isoline-idp?rhythm=${rhythm}`);
    await page.getByRole('link', { name: /Ready$/ }).waitFor({ timeout: 10_000 });
  };

  test('emergency: one key records, and who it was is said later', async () => {
    await connect('afib');
    await page.keyboard.press('F9');
    await recorded().waitFor({ timeout: 2000 });
    await expect
      .poll(() => banner().textContent())
      .toMatch(/^EMERGENCY, not identified · started \d\d:\d\d$/);
    await page.waitForTimeout(5500);
    await shot('emergency');
    // On every other screen it is said that it runs.
    await page.keyboard.press('F4');
    await page.getByText(/^Recording in progress: 00:\d\d\.\d\.$/).waitFor();
    await page.keyboard.press('F3');
    await page.getByText(/^Recording in progress/).waitFor({ state: 'hidden' });
    await page.keyboard.press('F5');
    // A busy machine gets here later.
    await page.getByText(/^(?:[5-9]\.\d|[1-9]\d) s stored\.$/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /UNKNOWN, emergency .*No patient assigned/ }).waitFor();
    await shot('worklist-emergency');
    await page.getByRole('link', { name: 'Assign patient' }).click();
    await page.getByRole('heading', { name: 'Assign patient' }).waitFor();
    // Without knowing who it is nothing is assigned, and the screen says what is missing.
    await page.getByRole('button', { name: 'Assign patient' }).click();
    await page.getByText('Enter a last name or a patient ID.').waitFor();
    await page.getByLabel('Last name').fill('Okafor');
    await page.getByLabel('First name').fill('Chidi');
    await page.getByRole('textbox', { name: 'Date of birth' }).fill('2 Sep 1968');
    await page.getByRole('radio', { name: 'Male', exact: true }).check();
    await page.getByLabel('Name is correct').check();
    await page.getByLabel('Date of birth is correct').check();
    await shot('assign');
    await page.getByRole('button', { name: 'Assign patient' }).click();
    await page.getByRole('row', { name: /OKAFOR, Chidi/ }).waitFor();
    const [task] = await taskRows();
    expect(task).toMatchObject({ patient: { lastName: 'Okafor', birthDate: '1968-09-02' } });
    expect(task).not.toHaveProperty('isPatientMissing');
    await eventually(
      async () => ((await stateOf(task!.taskId)) === 'AWAITING_APPROVAL' ? true : undefined),
      'the second analysis',
    );
    // What happened to it, step by step.
    await page.getByRole('link', { name: `Task ${task!.taskId}: status` }).click();
    const status = page.getByRole('dialog');
    await status.getByText('Recorded and stored').waitFor();
    await status.getByText('Analysed').waitFor();
    await status.getByText('Patient assigned').waitFor();
    await status.getByText('Identified after an emergency').waitFor();
    expect(await status.locator('[aria-current=step]').textContent()).toContain('Approval');
    await page.waitForTimeout(400);
    await shot('task-status');
    await page.keyboard.press('Escape');
    await status.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).hash).toBe(`#/worklist/${task!.taskId}`);
    expect(faults).toEqual([]);
  }, 60_000);

  test('who it was is said beside whoever lies on the couch now: neither takes anything of the other', async () => {
    await connect();
    const { id } = (await desk.handlersFor('test')['desk.list']({}, new AbortController().signal))
      .devices[0]!;
    const emergency = await desk.device(id).record({});
    await page.waitForTimeout(1200);
    await desk.device(id).stop();
    await enterPatient(HOFFMANN);
    await page.evaluate((taskId) => (location.hash = `#/patient/${taskId}`), emergency);
    await page.getByRole('heading', { name: 'Assign patient' }).waitFor();
    await expect.poll(() => banner().textContent()).toMatch(/^EMERGENCY/);
    expect(await page.getByLabel('Last name').inputValue()).toBe('');
    expect(await page.getByLabel('Name is correct').isChecked()).toBe(false);
    await page.getByLabel('Last name').fill('Okafor');
    await page.keyboard.press('F2');
    // Both screens ask who the patient is; only one assigns.
    await page.getByRole('heading', { name: 'Assign patient' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Last name').inputValue()).toBe('Hoffmann');
    expect(await page.getByLabel('Name is correct').isChecked()).toBe(true);
  }, 60_000);

  test('whichever way leads to the live picture: the seconds before somebody was confirmed are not saved as theirs', async () => {
    await connect();
    await page.waitForTimeout(5000);
    await enterPatient(HOFFMANN);
    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByRole('button', { name: /[0-3] s so far/ }).waitFor();
    // F9 while somebody is being recorded leaves that recording and its patient alone.
    await page.keyboard.press('F5');
    await recorded().waitFor();
    await page.keyboard.press('F9');
    await page.getByText('10 s stored.').waitFor({ timeout: 20_000 });
    expect(await banner().textContent()).toContain('HOFFMANN');
    expect(await taskRows()).toHaveLength(1);
  }, 60_000);

  test('save last 10 s: exactly ten seconds, never of the patient before', async () => {
    await connect();
    await enterPatient(HOFFMANN);
    await page.keyboard.press('F3');
    const save = page.getByRole('button', { name: /Save last 10 s/ });
    // Only what was measured since this patient lies there counts.
    await page.getByRole('button', { name: /\d s so far/ }).waitFor();
    await expect(save.waitFor({ timeout: 14_000 })).resolves.toBeUndefined();
    await page.keyboard.press('F6');
    await page.getByText('10 s stored.').waitFor();
    const [task] = await taskRows();
    await eventually(
      async () => (await running.bridge.call('task.get', { taskId: task!.taskId })).durationMs,
      'the recording',
    );
    expect((await running.bridge.call('task.get', { taskId: task!.taskId })).durationMs).toBe(10_000);
    // Whoever presses the next key before the workstation has answered stays where that key leads.
    await page.evaluate(() => {
      for (const key of ['Enter', 'F2'])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    });
    await page.getByLabel('Last name').waitFor();
    await page.waitForTimeout(500);
    expect(new URL(page.url()).hash).toBe('#/patient');
    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByRole('button', { name: /[0-3] s so far/ }).waitFor();
    await page.keyboard.press('F5');
    await page.getByText('No patient is confirmed for this recording.').waitFor();
    expect(await taskRows()).toHaveLength(1);
  }, 60_000);

  test('the picture: speed, gain, filter, layout, freeze, scroll, by keys and by hand', async () => {
    await connect();
    await page.keyboard.press('F3');
    await expect.poll(tracePixels, { timeout: 10_000 }).toBeGreaterThan(2000);
    const caption = page.getByText(/mm\/s · .* mm\/mV/);
    await expect
      .poll(() => caption.textContent())
      .toBe('25 mm/s · 10 mm/mV · 0.05–150 Hz · mains off · screen not calibrated');
    await page.getByRole('img', { name: /Live ECG/ }).click();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => caption.textContent()).toContain('50 mm/s · 20 mm/mV');
    await page.getByRole('button', { name: /^Filter/ }).click();
    await page.getByRole('menuitemradio', { name: /Muscle 40 Hz/ }).click();
    await expect.poll(() => caption.textContent()).toContain('0.05–40 Hz');
    await page.keyboard.press('Escape');
    await page.getByRole('img', { name: /Live ECG/ }).click();
    for (const [key, canvases] of [
      ['2', 2],
      ['3', 2],
      ['4', 2],
      ['1', 2],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(tracePixels, { timeout: 5000 }).toBeGreaterThan(300);
      expect(await page.locator('[data-testid=live-picture] canvas').count()).toBe(canvases);
    }
    await page.keyboard.press('w');
    await expect.poll(() => page.locator('[data-testid=live-picture] canvas').count()).toBeGreaterThan(4);
    await expect.poll(scrolledPixels, { timeout: 5000 }).toBeGreaterThan(2000);
    await page.waitForTimeout(2500);
    await shot('live-scroll');
    await page.keyboard.press('w');
    await page.waitForTimeout(800);
    await page.keyboard.press('Space');
    await page.getByText('Frozen. Nothing is being recorded.').waitFor();
    const still = await tracePixels();
    await page.waitForTimeout(600);
    expect(await tracePixels()).toBe(still);
    await page.keyboard.press('Space');
    await expect.poll(tracePixels).not.toBe(still);
    expect(faults).toEqual([]);
  }, 60_000);

  test('with the keyboard alone: patient, identity, recording, end', async () => {
    await connect();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const type = (text: string) => page.keyboard.type(text);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name);
    await press('F2');
    await page.getByRole('heading', { name: 'Who is the patient?' }).waitFor();
    await type('Ivanova');
    await press('F7');
    await expect.poll(focused).toBe('lastName');
    await press('Tab');
    await type('Elena');
    await press('Tab');
    await type('23 aug 1957');
    await press('Tab', 'Tab');
    expect(await focused()).toBe('patientNumber');
    await type('001 145');
    await press('Tab', 'Space');
    expect(await focused()).toBe('gender');
    await press('Tab');
    await type('164');
    await press('Tab');
    await type('61,5');
    for (
      let i = 0;
      i < 20 &&
      (await page.evaluate(() => document.activeElement?.matches('aside [type=checkbox]') !== true));
      i++
    )
      await press('Tab');
    await press('Space', 'Tab', 'Space');
    await press('F3');
    await page.getByTestId('live-picture').waitFor();
    await page.keyboard.press('F5');
    await recorded().waitFor();
    await press('e');
    await page.getByText('Event · 1 set').waitFor();
    await page.getByText('10 s stored.').waitFor({ timeout: 20_000 });
    await press('Enter');
    await page.getByRole('row', { name: /IVANOVA, Elena/ }).waitFor();
    const [task] = await taskRows();
    expect(task?.patient).toMatchObject({
      gender: 'FEMALE',
      birthDate: '1957-08-23',
      heightCm: 164,
      weightG: 61_500,
      id: '001 145',
    });
    expect(faults).toEqual([]);
  }, 60_000);
});

describe('patient entry', () => {
  const WRONG: readonly (readonly [label: string, typed: string, said: RegExp, hint?: string])[] = [
    ['Last name', 'x'.repeat(257), /too long/i],
    ['First name', 'An\u0007na', /cannot be displayed/],
    ['Date of birth', '31.2.1990', /Not a valid date/],
    ['Date of birth', '1.1.1849', /Before 1850/],
    ['Date of birth', `31.12.${new Date().getFullYear() + 1}`, /in the future/],
    ['Age', '151', /0 to 150/],
    ['Patient ID', 'x'.repeat(257), /too long/i],
    ['Height', '301', /1 to 300/],
    ['Weight', '1001', /0\.2 to 1000/],
    ['Investigation no.', 'x'.repeat(257), /too long/i],
  ];

  test('wrong input in every field: a sentence under it, and nothing starts', async () => {
    await open();
    await page.keyboard.press('F2');
    await page.getByRole('heading', { name: 'Who is the patient?' }).waitFor();
    for (const [label, typed, said] of WRONG) {
      await page.keyboard.press('F7');
      await page.getByLabel('Last name').fill('Meier');
      const field = page.getByRole('textbox', { name: label, exact: true });
      await field.fill(typed);
      await field.blur();
      await page.locator('[data-field]').getByText(said).first().waitFor({ timeout: 5000 });
      expect(await field.getAttribute('aria-invalid'), label).toBe('true');
      await page.getByLabel('Name is correct').check();
      await page.getByRole('button', { name: /Start live leads/ }).click();
      expect(page.url()).toContain('#/patient');
    }
    await shot('patient-wrong');
    for (const list of ['Reason for ECG', 'Tags']) {
      await page.keyboard.press('F7');
      await page.getByLabel(list).fill('x'.repeat(1001));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /Start live leads/ }).click();
      await page
        .locator('[data-field]')
        .getByText(/too long/i)
        .first()
        .waitFor();
    }
    expect(faults).toEqual([]);
  }, 60_000);

  test('a known patient is found by how it is spoken, asked about when it may be the same, and never confirmed by being chosen', async () => {
    const { text } = await running.makeToken();
    const made = await new V3Client(running.url, text).post('/v3/orgs/clinic/tasks', {
      patient_last_name: 'Müller',
      patient_first_name: 'Karl-Heinz',
      patient_birth_date: '1940-05-06',
      patient_id: '7',
      patient_gender: 'MALE',
      patient_height: 170,
      patient_weight: 80_500,
      searching_tags: ['before'],
    });
    expect(made.status).toBe(200);
    await open();
    await page.keyboard.press('F2');
    await page.getByLabel('Name, ID, date of birth').fill('mueller');
    await page.getByRole('button', { name: /MÜLLER, Karl-Heinz/ }).waitFor();
    await shot('patient-search');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Last name').inputValue()).toBe('Müller');
    expect(await page.getByRole('textbox', { name: 'Date of birth' }).inputValue()).toBe('06 May 1940');
    expect(await page.getByLabel('Name is correct').isChecked()).toBe(false);
    expect(await page.getByLabel('Height').inputValue()).toBe('');
    await page.getByText(/Measured .*: 170 cm, 80\.5 kg/).waitFor();
    await page.getByLabel('Name is correct').check();
    await page.getByLabel('Date of birth is correct').check();
    // Whoever edits the name has to ask again.
    await page.getByLabel('First name').fill('Karl-Heins');
    expect(await page.getByLabel('Name is correct').isChecked()).toBe(false);
    await page.getByLabel('Patient ID').fill('');
    await page.getByText('Same person?', { exact: true }).waitFor();
    await shot('patient-same');
    await page.getByRole('button', { name: 'No, someone else' }).click();
    await page.getByText('Same person?', { exact: true }).waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
  });

  test('an order: its folder is tried in the settings, it appears, is picked with the keyboard, and is done by its recording', async () => {
    await using folder = await tempFolder();
    await writeFile(
      join(folder.path, 'list.csv'),
      'ID;Nachname;Vorname;Geburtsdatum;Geschlecht;Auftrag;Uhrzeit;Indikation\n',
    );
    const add = (row: string) => appendFile(join(folder.path, 'list.csv'), `${row}\n`);
    await add('004 817;Müller;Zoë;14.3.1951;w;2026-1187;14:30;Brustschmerz');
    await add('003 310;Hoff;Stefan;8.7.1980;m;2026-1188;14:45;');
    await open();
    await desk.connect('simulator:isoline-idp?rhythm=sinus');
    await page.keyboard.press('Alt+s');
    await page.getByRole('button', { name: 'Orders' }).click();
    await page.getByLabel('Order folder').fill(join(folder.path, 'nowhere'));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Test folder' }).click();
    await page.getByText(/The folder does not exist/).waitFor();
    await page.getByLabel('Order folder').fill(folder.path);
    await page.keyboard.press('Enter');
    // The answer about another folder goes once the new one counts.
    await page.getByText(/The folder does not exist/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test folder' }).click();
    await page.getByText('MÜLLER, Zoë').waitFor();
    await shot('settings-orders');
    await writeFile(join(folder.path, 'broken.gdt'), '01380006310\r\n');
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: /HOFF, Stefan/ }).waitFor();
    await page.getByText('1 order file could not be read').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText(/no request of an examination/).waitFor();
    await shot('patient-orders');
    await page.getByLabel('Name, ID, date of birth').fill('muell');
    await page.getByRole('button', { name: /HOFF, Stefan/ }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByText('Order · 2026-1187 · 14:30').waitFor();
    expect(await page.getByLabel('Name is correct').isChecked()).toBe(false);
    expect(await page.getByLabel('Investigation no.').inputValue()).toBe('2026-1187');
    await page.getByText('Brustschmerz').waitFor();
    await page.getByLabel('Approve automatically').check();
    await page.getByText('On: the report is final without a physician.').waitFor();
    await page.getByLabel('Name is correct').check();
    await page.getByLabel('Date of birth is correct').check();
    await shot('patient-order');
    await page.keyboard.press('F3');
    await page.getByTestId('live-picture').waitFor();
    await page.keyboard.press('F5');
    await page.getByText('10 s stored.').waitFor({ timeout: 25_000 });
    await page.keyboard.press('Enter');
    const [task] = await taskRows();
    expect(task?.patient).toMatchObject({ lastName: 'Müller', birthDate: '1951-03-14', gender: 'FEMALE' });
    await eventually(
      async () => ((await stateOf(task!.taskId)) === 'COMPLETED' ? true : undefined),
      'the report',
    );
    await page.keyboard.press('F2');
    await expect
      .poll(() => page.getByRole('button', { name: /MÜLLER, Zoë/ }).textContent())
      .toContain('done');
    await page.getByRole('button', { name: /HOFF, Stefan/ }).click();
    await page.getByText('Order · 2026-1188 · 14:45').waitFor();
    await shot('patient-order-chosen');
    await page.getByRole('button', { name: 'Not coming' }).click();
    await page.getByRole('button', { name: /HOFF, Stefan/ }).waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Last name').inputValue()).toBe('');
    expect(faults).toEqual([]);
  }, 60_000);

  test('an order behind more of them than a page is sent is found by its name all the same', async () => {
    await using folder = await tempFolder();
    for (const part of [1, 2]) {
      const rows = Array.from({ length: MOST_ORDERS / 2 }, (_, n) => `Okafor${part}x${n},12:00`);
      await writeFile(join(folder.path, `${part}.csv`), ['Last name,Time', ...rows].join('\n'));
    }
    await writeFile(join(folder.path, '3.csv'), 'Last name,Time\nVandermeer,23:59\n');
    await running.bridge.call('setting.change', { key: 'orders.folder', text: folder.path });
    await eventually(async () => {
      const { total, orders } = await running.bridge.call('order.list', {});
      return total === MOST_ORDERS + 1 && orders.length === MOST_ORDERS ? true : undefined;
    }, 'the orders');
    await open();
    await page.keyboard.press('F2');
    const last = page.getByRole('button', { name: /VANDERMEER/ });
    await page.getByText('OKAFOR1X7', { exact: true }).waitFor();
    expect(await last.count()).toBe(0);
    await page.getByLabel('Name, ID, date of birth').fill('vander');
    await last.waitFor();
    await page.getByText('OKAFOR1X7', { exact: true }).waitFor({ state: 'hidden' });
    await shot('patient-order-by-name');
    await last.click();
    expect(await page.getByLabel('Last name').inputValue()).toBe('Vandermeer');
    expect(faults).toEqual([]);
  }, 60_000);

  test('two charts of one person are joined, with a reason, and parted again', async () => {
    const client = new V3Client(running.url, (await running.makeToken()).text);
    const born = { patient_birth_date: '1951-03-14' };
    for (const fields of [
      { patient_last_name: 'Hoffmann', patient_first_name: 'Anneliese', patient_id: '1' },
      {
        patient_last_name: 'Hoffmann',
        patient_first_name: 'Annelise',
        patient_id: '2',
        patient_gender: 'FEMALE',
      },
    ])
      expect((await client.post('/v3/orgs/clinic/tasks', { ...fields, ...born })).status).toBe(200);
    await open();
    await page.keyboard.press('F2');
    await page.getByLabel('Name, ID, date of birth').fill('anneliese');
    await page.getByRole('button', { name: /HOFFMANN, Anneliese/ }).click();
    await page.getByText('Same person?', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Merge records …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Merge 2 records' }).click();
    await dialog.getByText('Give a reason of at least three letters.').waitFor();
    await dialog.getByLabel('Reason').fill('Two cards of one patient');
    await shot('patient-merge');
    await dialog.getByRole('button', { name: 'Merge 2 records' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Same person?', { exact: true }).waitFor({ state: 'hidden' });
    expect(await page.getByRole('radio', { name: 'Female' }).isChecked()).toBe(true);
    const found = async () =>
      (await running.bridge.call('patient.search', { text: 'hoffmann', dateOrder: 'dayFirst' })).total;
    expect(await found()).toBe(1);
    await page.keyboard.press('Alt+s');
    await page.getByRole('button', { name: 'Patients' }).click();
    await page.getByRole('button', { name: 'Undo merge' }).click();
    await page.getByText('No records merged in the last 30 days.').waitFor();
    expect(await found()).toBe(2);
    expect(faults).toEqual([]);
  });

  test('a scanner’s code opens the patient from any screen, confirms nothing, and presses no keys', async () => {
    const client = new V3Client(running.url, (await running.makeToken()).text);
    await client.createTask({
      patient_last_name: 'Hoffmann',
      patient_id: '0048 17',
      patient_birth_date: '1951-03-14',
    });
    await open();
    await desk.connect('simulator:isoline-idp?rhythm=sinus');
    await page.keyboard.press('F3');
    const caption = page.getByText(/mm\/s · .* mm\/mV/);
    await caption.waitFor();
    // As fast as a scanner, and all of it by one call, so that nothing comes between.
    const scan = (code: string) =>
      page.evaluate((text) => {
        for (const key of [...text, 'Enter'])
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }, code);
    await scan('004817');
    await expect.poll(() => page.getByLabel('Last name').inputValue()).toBe('Hoffmann');
    expect(await page.getByLabel('Name is correct').isChecked()).toBe(false);
    await page.getByRole('link', { name: 'Live leads' }).click();
    await caption.waitFor();
    // Its digits chose no other layout.
    await page.getByRole('button', { name: /Layout.*6 × 2|Layout.*6×2/ }).waitFor();
    await scan('999999');
    await expect.poll(() => page.getByLabel('Name, ID, date of birth').inputValue()).toBe('999999');
    expect(faults).toEqual([]);
  }, 60_000);
});
