// A day at the desk as people see it: two pages in real Chromium, two simulated devices, a centre and a hospital that take what
// goes out. The rules that hold after every step are methods here, because they read what the pages show.

import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { addCentre } from '../support/clinic-and-centre.ts';
import { enterPatient } from '../support/enter-patient.ts';
import { type Hl7Peer, startHl7Peer } from '../support/hl7-peer.ts';
import { hospitalAt } from '../support/made-connections.ts';
import { makeZip } from '../support/make-archives.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { toRecording, twelveLeads } from '../support/synthetic-recording.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { V3Client } from '../support/v3-client.ts';
import { smallEdf, variedEdf } from '../support/varied-edf.ts';
import { write } from '../support/written-records.ts';

export const PEOPLE = ['Adams', 'Baker', 'Clark'] as const;
const NOBODY = '';
const BORN = { Adams: '3.2.1950', Baker: '4.5.1960', Clark: '6.7.1970' } as const;
export type Person = (typeof PEOPLE)[number];

/** Long enough that an emergency which ends meanwhile finds most of them waiting. */
const MANY = 30;
/** With fewer, the queue may end before the emergency does, in either order. */
const LEAST_WAITING = 10;
const SOON_MS = 2500;
const ARRIVAL_MS = 15_000;
const RECORDED_MS = 700;

interface Known {
  readonly whom: string;
  /** The one it was recorded from; files have none. */
  readonly deviceId?: string;
  isDeleted: boolean;
  /** Others get it under this number, where it was sent in and given out by its rule. */
  readonly givenOutAs?: string;
}

export interface ScreenPage {
  readonly page: Page;
  chosenDevice: string | undefined;
}

export class ScreenDay implements AsyncDisposable {
  readonly pages: ScreenPage[] = [];
  readonly #known = new Map<number, Known>();
  #screens!: OpenScreens;
  #centre!: RunningWorkstation;
  #hospital!: Hl7Peer;
  #folder!: TempFolder;
  #client!: V3Client;
  #sent = 0;
  /** How often a step could be taken; a day in which nothing can be done shows nothing. */
  readonly taken = new Map<string, number>();

  static async begin(browser: Browser): Promise<ScreenDay> {
    const day = new ScreenDay();
    try {
      await day.#open(browser);
      return day;
    } catch (error) {
      await day[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #open(browser: Browser): Promise<void> {
    this.#folder = await tempFolder();
    this.#hospital = await startHl7Peer(this.#folder.path);
    this.#centre = await runWorkstation({ overrides: FREE_OF_LIMITS });
    this.#screens = await openScreens(browser, {}, { overrides: FREE_OF_LIMITS });
    const { running, desk, host, page, faults } = this.#screens;
    await addCentre(running.dataDir, this.#centre.url, (await this.#centre.makeToken()).text);
    const { connectionId } = await running.bridge.call('connection.add', {
      to: hospitalAt(this.#hospital.port),
      label: 'Hospital',
      organization: 'clinic',
    });
    await running.bridge.call('connection.change', { connectionId, takesUnread: true });
    this.#client = new V3Client(running.url, (await running.makeToken()).text);
    for (const rhythm of ['sinus', 'afib']) await desk.connect(`simulator:isoline-idp?rhythm=${rhythm}`);
    const other = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const second = await other.newPage();
    second.on('pageerror', (error) => faults.push(String(error)));
    for (const each of [page, second]) {
      this.pages.push({ page: each, chosenDevice: undefined });
      await each.goto(host.newLink());
      await each.getByRole('heading', { name: 'Worklist' }).waitFor();
      await each.getByRole('link', { name: /· Ready$/ }).waitFor();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pages[1]?.page.context().close();
    await this.#screens?.close();
    await this.#centre?.stop();
    await this.#hospital?.[Symbol.asyncDispose]();
    await this.#folder?.remove();
  }

  /** What both pages show, in the folder of screenshots. */
  async shoot(name: string): Promise<void> {
    for (const [place, { page }] of this.pages.entries())
      await page
        .screenshot({ path: join(screenshotFolder, `${name}-page-${place + 1}.png`) })
        .catch(() => undefined);
  }

  #took(step: string): void {
    this.taken.set(step, (this.taken.get(step) ?? 0) + 1);
  }

  // What is seen.

  async #toLive({ page }: ScreenPage): Promise<void> {
    await page.keyboard.press('F3');
    await page.getByTestId('record-bar').waitFor();
  }

  async #whom({ page }: ScreenPage): Promise<string> {
    const banner = (await page.getByTestId('patient-banner').textContent()) ?? '';
    return PEOPLE.find((name) => banner.includes(name.toUpperCase())) ?? NOBODY;
  }

  #places({ page }: ScreenPage, name: RegExp) {
    return page.getByTestId('record-bar').getByRole('button', { name });
  }

  async #offers(of: ScreenPage, name: RegExp): Promise<boolean> {
    return (await this.#places(of, name).count()) > 0;
  }

  async #rows() {
    return (await this.#screens.running.bridge.call('task.list', { limit: 500 })).rows;
  }

  // What people do.

  async choose(of: ScreenPage, name: Person): Promise<void> {
    await this.#toLive(of);
    if (await this.#offers(of, /^Stop/)) return;
    await enterPatient(of.page, { last: name, first: 'Pat', born: BORN[name], number: `no ${name}` });
    this.#took('choose');
  }

  async emergency(of: ScreenPage): Promise<void> {
    await this.#toLive(of);
    if (!(await this.#offers(of, /^Stop/))) await this.#begin(of, 'F9', 'emergency');
  }

  async record(of: ScreenPage): Promise<void> {
    await this.#toLive(of);
    if (await this.#offers(of, /^Record/)) await this.#begin(of, 'F5', 'record');
  }

  async #begin(of: ScreenPage, key: string, step: 'emergency' | 'record'): Promise<void> {
    // An emergency is nobody's, whoever was entered before.
    const whom = step === 'emergency' ? NOBODY : await this.#whom(of);
    await of.page.keyboard.press(key);
    const begun = await this.#within(SOON_MS, async () =>
      this.#screens.desk.views.find(
        ({ recording }) => recording !== undefined && !this.#known.has(recording.taskId),
      ),
    );
    if (begun?.recording === undefined) return;
    this.#known.set(begun.recording.taskId, { whom, deviceId: begun.id, isDeleted: false });
    if (of.chosenDevice !== undefined && begun.id !== of.chosenDevice)
      throw new Error('another device than the chosen one is recorded from');
    await of.page.waitForTimeout(RECORDED_MS);
    this.#took(step);
  }

  async stop(of: ScreenPage): Promise<void> {
    await this.#toLive(of);
    if (!(await this.#offers(of, /^Stop/))) return;
    const running = () => this.#screens.desk.views.flatMap(({ recording }) => recording?.taskId ?? []);
    const before = running();
    await of.page.keyboard.press('F5');
    const ended = await this.#within(SOON_MS, async () => before.find((id) => !running().includes(id)));
    if (ended === undefined) return;
    this.#took('stop');
    if (this.#known.get(ended)?.whom === NOBODY) await this.#checkTurn(ended);
  }

  async repeat(of: ScreenPage): Promise<void> {
    await this.#toLive(of);
    if (!(await this.#offers(of, /Repeat/))) return;
    await of.page.keyboard.press('r');
    this.#took('repeat');
  }

  async save(of: ScreenPage): Promise<void> {
    await this.#toLive(of);
    if (!(await this.#offers(of, /^Save, next/))) return;
    await this.#places(of, /^Save, next/).click();
    this.#took('save');
  }

  /** Whatever is discarded must be of whom the page names. */
  async discard(of: ScreenPage): Promise<void> {
    await this.#toLive(of);
    if (!(await this.#offers(of, /^Discard/))) return;
    const whom = await this.#whom(of);
    await this.#untilQuiet();
    await of.page.keyboard.press('Delete');
    const dialog = of.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('test');
    await dialog.getByRole('button', { name: /^Discard 1/ }).click();
    await dialog
      .waitFor({ state: 'detached', timeout: SOON_MS })
      .catch(() => of.page.keyboard.press('Escape'));
    const left = new Set((await this.#rows()).map(({ taskId }) => taskId));
    for (const [taskId, known] of this.#known) {
      if (known.isDeleted || left.has(taskId)) continue;
      known.isDeleted = true;
      this.#took('discard');
      if (known.whom !== whom)
        throw new Error(`under "${whom}" a recording of "${known.whom}" was discarded`);
    }
  }

  /** By its row of Devices, and the way to its leads there. */
  async switchDevice(of: ScreenPage, place: number): Promise<void> {
    const { page } = of;
    await page.keyboard.press('Alt+D');
    const rows = page.getByRole('region', { name: 'Devices at this workstation' }).getByRole('listitem');
    await rows.nth(place).getByRole('button').first().click();
    await page
      .getByRole('link', { name: /^Live leads/ })
      .last()
      .click();
    await page.getByTestId('record-bar').waitFor();
    of.chosenDevice = this.#screens.desk.views[place]?.id;
    this.#took('switch');
  }

  /** Its rule gives it out before any physician has read it. */
  async sendIn(name: Person, isOfTwoFiles: boolean): Promise<void> {
    const number = `S${++this.#sent}`;
    const bytes = isOfTwoFiles ? wfdbArchive(this.#sent) : smallEdf(this.#sent);
    const task = { auto_complete: true, patient_last_name: name, patient_id: number };
    const [taskId] = await this.#create(bytes, task);
    this.#known.set(taskId as number, { whom: name, isDeleted: false, givenOutAs: number });
    this.#took('send in');
  }

  async sendInMany(name: Person): Promise<void> {
    const members = Array.from({ length: MANY }, (_, n) => ({
      name: `a${n}.edf`,
      content: variedEdf(++this.#sent),
    }));
    // Under another number than the one that is typed: the screen would ask whether it is the same person.
    const fields = { patient_last_name: name, patient_id: `M${this.#sent}` };
    for (const id of await this.#create(makeZip(members), fields))
      this.#known.set(id, { whom: name, isDeleted: false });
    this.#took('send in many');
  }

  async #create(bytes: Uint8Array, task: object): Promise<number[]> {
    const { json } = await this.#client.createTask({ upload_id: await this.#client.upload(bytes), ...task });
    return json.created_task_ids as number[];
  }

  // What must hold.

  /** What Live offers to do belongs to whom the banner names, and is a recording of the chosen device. */
  async check(): Promise<void> {
    for (const of of this.pages) {
      if ((await of.page.getByTestId('record-bar').count()) === 0) continue;
      await this.#within(SOON_MS, async () => ((await this.#wrongOn(of)) === undefined ? true : undefined));
      const wrong = await this.#wrongOn(of);
      if (wrong !== undefined) throw new Error(wrong);
    }
    await this.#checkNames();
    const { faults } = this.#screens;
    if (faults.length > 0) throw new Error(`the page failed: ${faults[0]}`);
  }

  async #wrongOn(of: ScreenPage): Promise<string | undefined> {
    const bar = (await of.page.getByTestId('record-bar').textContent()) ?? '';
    if (!/Discard/.test(bar)) return undefined;
    const taskId = Number(/Task (\d+)/.exec(bar)?.[1]);
    const [whom, known] = [await this.#whom(of), this.#known.get(taskId)];
    // The line of a recording with gaps tells no number: what cannot be checked is counted.
    if (known === undefined) this.#took('Discard of an unknown number');
    if (known === undefined) return undefined;
    if (known.whom !== whom)
      return `under "${whom}" stands what was recorded of "${known.whom}", with Discard`;
    return of.chosenDevice === undefined || of.chosenDevice === known.deviceId
      ? undefined
      : 'under the chosen device stands what was recorded from another one, with Discard';
  }

  async #checkNames(): Promise<void> {
    const rows = new Map((await this.#rows()).map((row) => [row.taskId, row]));
    for (const [taskId, { whom, isDeleted }] of this.#known) {
      const row = rows.get(taskId);
      if ((row === undefined) !== isDeleted) throw new Error(`recording ${taskId} of "${whom}" is gone`);
      if (row !== undefined && (row.patient.lastName ?? NOBODY) !== whom)
        throw new Error(`a recording of "${whom}" stands under "${row.patient.lastName}"`);
      if (row !== undefined && whom === NOBODY && row.patient.id !== undefined)
        throw new Error('a recording of nobody has a number');
    }
  }

  /** An emergency goes before files that wait. */
  async #checkTurn(emergency: number): Promise<void> {
    const waiting = async () => (await this.#rows()).filter(({ state }) => state === 'QUEUED');
    const before = (await waiting()).filter(({ taskId }) => taskId !== emergency).length;
    if (before < LEAST_WAITING) return;
    await eventually(async () => {
      const { state } = await this.#screens.running.bridge.call('task.get', { taskId: emergency });
      return state !== 'QUEUED' && state !== 'PROCESSING' && state !== 'DRAFT' ? true : undefined;
    }, 'the emergency is analysed');
    this.#took('emergency before files');
    if ((await waiting()).length === 0) throw new Error(`${before} files went before an emergency`);
  }

  /** What was given out arrives, once, at the centre and at the hospital, and is final nowhere. */
  async sync(): Promise<void> {
    await this.#untilQuiet();
    const wanted = [...this.#known.values()].flatMap(({ givenOutAs }) => givenOutAs ?? []);
    const atCentre = async () =>
      (await this.#centre.bridge.call('task.list', { limit: 500 })).rows.flatMap(
        ({ patient }) => patient.id ?? [],
      );
    await this.#allArrive(wanted, atCentre, 'the centre');
    await this.#allArrive(
      wanted,
      async () => (await this.#taken()).map(({ number }) => number),
      'the hospital',
    );
    const final = (await this.#taken()).find(({ status }) => status !== 'P');
    if (final !== undefined) throw new Error(`what nobody has read goes to the hospital as ${final.status}`);
    if (wanted.length > 0) this.#took('sync');
  }

  async #taken(): Promise<{ number: string; status: string }[]> {
    return (await this.#hospital.taken())
      .filter(({ type }) => type.startsWith('ORU'))
      .map(({ patient, status }) => ({ number: patient.split('^')[0] ?? '', status }));
  }

  async #allArrive(wanted: readonly string[], there: () => Promise<string[]>, where: string): Promise<void> {
    const missing = async () => {
      const arrived = await there();
      return wanted.filter((number) => !arrived.includes(number));
    };
    await this.#within(ARRIVAL_MS, async () => ((await missing()).length === 0 ? true : undefined));
    if ((await missing()).length > 0) throw new Error(`what was given out does not arrive at ${where}`);
    const arrived = await there();
    if (new Set(arrived).size < arrived.length) throw new Error(`something arrived twice at ${where}`);
  }

  /** Nothing is being analysed. */
  async #untilQuiet(): Promise<void> {
    await eventually(async () => {
      const busy = (await this.#rows()).some(({ state }) => state === 'QUEUED' || state === 'PROCESSING');
      return busy ? undefined : true;
    }, 'the analyses');
  }

  async #within<T>(patienceMs: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    return eventually(ask, '', patienceMs).catch(() => undefined);
  }
}

function wfdbArchive(n: number): Uint8Array {
  const ecg = twelveLeads({ durationSeconds: 10 + (n % 20) / 10, leads: STANDARD_LEADS.slice(0, 2) });
  const { files } = write(toRecording(ecg), 'wfdb', `w${n}.hea`);
  return makeZip(files.map(({ name, source }) => ({ name, content: source.read(0, source.sizeBytes) })));
}
