// A day at the desk: two pages with the state that they really keep, two devices, and a real clinic over a real store. What
// people should be able to rely on is kept beside it, and compared by invariants.ts.

import type { AnalysisJob, AnalysisOutput } from '../../main/clinic/ports.ts';
import type { Turn } from '../../main/clinic/tasks/analysis-lanes.ts';
import type { DeskEntry, Task } from '../../main/clinic/tasks/records.ts';
import { isPatientMissing } from '../../main/clinic/tasks/task-patient.ts';
import { type ApprovedReading, approvedReading } from '../../main/connections/packing/approved-reading.ts';
import {
  EMPTY_ENTRY,
  type EntryEvent,
  type EntryState,
  nextEntry,
} from '../../renderer/entry/entry-state.ts';
import { type FinishedRecording, finishedOf, isStillOf } from '../../renderer/entry/finished-recording.ts';
import { EMPTY_FORM } from '../../renderer/entry/patient-form.ts';
import { deviceToShow } from '../../renderer/parts/device-choice.ts';
import type { DeskDevice } from '../../shared/bridge/views.ts';
import { ScriptedPool } from '../doubles/pool.ts';
import { inTransaction } from '../support/in-transaction.ts';
import { makeFrame } from '../support/make-frames.ts';
import { openTestClinic, type TestClinic } from '../support/open-clinic.ts';
import { RECORDED_DEVICE } from '../support/recorded-device.ts';

export const PEOPLE = ['Adams', 'Baker', 'Clark'] as const;
export const NOBODY = '';
const WORKERS = 2;
const PATIENCE_MS = 20_000;
/** So many turns of the loop without a change. */
const QUIET_TURNS = 5;

/** Analyses wait until somebody lets the oldest of them end. */
class HeldPool extends ScriptedPool {
  override readonly workers = WORKERS;
  readonly begun: { readonly name: string; readonly turn: Turn | undefined }[] = [];
  readonly #waiting: (() => void)[] = [];

  override async analyse(
    job: AnalysisJob,
    signal?: AbortSignal,
    onProgress?: Parameters<ScriptedPool['analyse']>[2],
    turn?: Turn,
  ): Promise<AnalysisOutput> {
    this.begun.push({ name: job.files[0]?.path ?? '', turn });
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(resolve);
      signal?.addEventListener('abort', () => reject(new Error('stopped')));
    });
    return super.analyse(job, signal, onProgress);
  }

  get running(): number {
    return this.#waiting.length;
  }

  endOldest(): void {
    this.#waiting.shift()?.();
  }

  forgetAll(): void {
    this.#waiting.length = 0;
  }
}

export interface Page {
  entry: EntryState;
  chosenDevice: string | undefined;
  /** The dialog that asks whether to discard: what it names. */
  dialog: { readonly taskId: number; readonly whom: string } | undefined;
}

interface Couch {
  readonly id: string;
  recording: { readonly taskId: number; readonly whom: string } | undefined;
  last: DeskDevice['lastRecording'];
}

/** What became of a recording, as people did it. */
export interface Known {
  whom: string;
  isDeleted: boolean;
  approvals: number;
  /** What was signed was put right, and signed again. */
  isAmended: boolean;
  /** A physician wants nothing of it to leave. */
  isRejected: boolean;
  /** Given out by its rule, without a physician. */
  isAutomatic: boolean;
}

const UNREAD = { approvals: 0, isAmended: false, isRejected: false };
const LIND = { name: 'Dr. Lind', actor: 'user:1' };

export class Day {
  readonly pages: readonly Page[] = [0, 1].map(() => ({
    entry: EMPTY_ENTRY,
    chosenDevice: undefined,
    dialog: undefined,
  }));
  readonly couches: readonly Couch[] = ['a', 'b'].map((id) => ({
    id,
    recording: undefined,
    last: undefined,
  }));
  readonly known = new Map<number, Known>();
  readonly pool = new HeldPool();
  /** The order in which analyses should have begun, where somebody could tell, and did not. */
  readonly jumped: string[] = [];
  /** What was deleted under a name that was not its own. */
  readonly deletedOfOthers: string[] = [];
  open!: TestClinic;
  readonly #folder: string;
  #nowMs = Date.UTC(2026, 10, 28, 20);

  constructor(folder: string) {
    this.#folder = folder;
  }

  async begin(): Promise<void> {
    this.open = await openTestClinic(this.#folder, this.pool, () => this.#nowMs++);
    await this.settle();
  }

  /** Until nothing more happens without somebody's doing: what is taken is analysed, and nobody waits for a free worker. */
  async settle(): Promise<void> {
    const { running } = this.pool;
    const deadline = performance.now() + PATIENCE_MS;
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      if (performance.now() > deadline) throw new Error(`the queue does not settle (${running} run)`);
      await new Promise((resolve) => setImmediate(resolve));
      const taken = this.open.store.tasks.inState('PROCESSING').length;
      const isQuiet = taken === this.pool.running && (taken >= WORKERS || this.queued().length === 0);
      quiet = isQuiet ? quiet + 1 : 0;
    }
  }

  queued(): Task[] {
    return this.open.store.tasks.inState('QUEUED');
  }

  // What a page shows.

  /** Whom the form names; nobody while it is empty. */
  whomOf({ entry }: Page): string {
    return entry.form.lastName;
  }

  shownDevice(page: Page): Couch {
    const devices = this.couches.map(
      ({ id, recording }) =>
        ({
          id,
          state: recording === undefined ? 'ready' : 'recording',
          ...(recording !== undefined && { recording: { taskId: recording.taskId, isFinishing: false } }),
        }) as DeskDevice,
    );
    const shown = deviceToShow(devices, page.chosenDevice);
    return this.couches.find(({ id }) => id === shown?.id) as Couch;
  }

  /** What its controls would act on. */
  finishedOn(page: Page): FinishedRecording | undefined {
    const couch = this.shownDevice(page);
    const ended = couch.recording === undefined ? finishedOf(page.entry.last, couch.last) : undefined;
    const task = ended && this.open.store.tasks.byId(ended.taskId);
    const now = task && { patient: task.fields.patient, isPatientMissing: isPatientMissing(task) };
    return isStillOf(patientOf(this.whomOf(page)), now) ? ended : undefined;
  }

  // What people do.

  send(page: Page, event: EntryEvent): void {
    page.entry = nextEntry(page.entry, event);
  }

  choose(page: Page, name: string): void {
    this.send(page, { kind: 'filled', form: { ...EMPTY_FORM, lastName: name, patientNumber: `no ${name}` } });
    for (const what of ['name', 'birth'] as const)
      this.send(page, { kind: 'confirmed', what, confirmation: { atMs: this.#nowMs, proof: 'said' } });
  }

  async emergency(page: Page): Promise<void> {
    const couch = this.shownDevice(page);
    if (couch.recording !== undefined) return;
    this.send(page, { kind: 'cleared' });
    await this.#record(page, couch, undefined);
  }

  async record(page: Page): Promise<void> {
    const couch = this.shownDevice(page);
    const { name, birth, form } = page.entry;
    const isConfirmed = name !== undefined && birth !== undefined;
    if (couch.recording !== undefined || this.finishedOn(page) !== undefined || !isConfirmed) return;
    await this.#record(page, couch, entryOf(form.lastName));
  }

  async #record(page: Page, couch: Couch, entry: DeskEntry | undefined): Promise<void> {
    const { person } = page.entry;
    const taskId = await this.open.clinic.desk.begin({
      parameters: { sampleRateHz: 500, leadCodes: ['MDC_ECG_LEAD_I'] },
      device: RECORDED_DEVICE,
      startedMs: this.#nowMs,
      entry,
    });
    const whom = entry?.fields.patient.lastName ?? NOBODY;
    couch.recording = { taskId, whom };
    this.known.set(taskId, { whom, isDeleted: false, ...UNREAD, isAutomatic: false });
    this.send(page, { kind: 'recorded', person, last: { kind: 'begun', taskId } });
  }

  async stop(page: Page): Promise<void> {
    const couch = this.shownDevice(page);
    if (couch.recording === undefined) return;
    const { taskId } = couch.recording;
    await this.open.clinic.desk.append(taskId, 0, makeFrame({ leads: 1, from: taskId * 250 }), []);
    await this.open.clinic.desk.finish(taskId, { events: [], warnings: [] });
    couch.recording = undefined;
    couch.last = { taskId, firstTaskId: taskId, recordedMs: 500 };
  }

  repeat(page: Page): void {
    if (this.finishedOn(page) === undefined) return;
    this.send(page, { kind: 'recorded', person: page.entry.person, last: undefined });
  }

  save(page: Page): void {
    if (this.finishedOn(page) !== undefined) this.send(page, { kind: 'cleared' });
  }

  /** The dialog names whose recording it is, and stays while others do something. */
  askToDiscard(page: Page): void {
    const finished = this.finishedOn(page);
    if (finished !== undefined) page.dialog = { taskId: finished.taskId, whom: this.whomOf(page) };
  }

  async confirmDiscard(page: Page): Promise<void> {
    if (page.dialog === undefined) return;
    const { taskId, whom } = page.dialog;
    page.dialog = undefined;
    await this.#delete(taskId, whom);
    this.repeat(page);
  }

  async discard(page: Page): Promise<void> {
    this.askToDiscard(page);
    await this.confirmDiscard(page);
  }

  async #delete(taskId: number, whom: string): Promise<void> {
    const of = { patient: patientOf(whom), isPatientMissing: whom === NOBODY };
    await this.open.clinic.deletion.delete(taskId, 'test', 'page', of).then(
      () => {
        const known = this.known.get(taskId) as Known;
        known.isDeleted = true;
        if (known.whom !== whom) this.deletedOfOthers.push(`a recording of "${known.whom}" as "${whom}"`);
      },
      // Analysed just now, or another's by now: it says so, and nothing is done.
      () => undefined,
    );
  }

  /** Says of an emergency who it was. */
  assign(name: string): Promise<void> {
    return this.#assign(name, ({ whom }) => whom === NOBODY);
  }

  /** What was read under a wrong name is put right. */
  correctName(name: string): Promise<void> {
    return this.#assign(name, ({ approvals, whom }) => approvals > 0 && whom !== name);
  }

  async #assign(name: string, isMeant: (known: Known) => boolean): Promise<void> {
    const meant = [...this.known].find(
      ([taskId, known]) => isMeant(known) && !known.isDeleted && !this.#isRecorded(taskId),
    );
    if (meant === undefined) return;
    const [taskId, known] = meant;
    await this.open.clinic.assignment.assign({ taskId, entry: entryOf(name), reason: 'test' }, 'test').then(
      () => {
        Object.assign(known, { whom: name, ...UNREAD });
      },
      () => undefined,
    );
  }

  #isRecorded(taskId: number): boolean {
    return this.couches.some(({ recording }) => recording?.taskId === taskId);
  }

  async importFile(name: string, isAutomatic: boolean): Promise<void> {
    const { clinic, store, organizationId } = this.open;
    const bytes = new TextEncoder().encode(`file ${this.known.size} ${this.#nowMs}`);
    const sha256 = await clinic.context.files.put(bytes);
    const taskId = inTransaction(
      store,
      (tx) =>
        clinic.tasks.addRecorded(tx, {
          organizationId,
          fields: { patient: patientOf(name) },
          isAutoComplete: isAutomatic,
          origin: 'import',
          files: [{ name: 'a.edf', sha256, sizeBytes: bytes.length }],
          facts: { format: 'EDF', leadCount: 12, durationMs: 10_000, patient: {}, warnings: [] },
          actor: 'test',
        }).taskId,
    );
    clinic.tasks.announceQueued(taskId);
    this.known.set(taskId, { whom: name, isDeleted: false, ...UNREAD, isAutomatic });
  }

  /** The oldest analysis ends; the next one must be the foremost of those that waited. */
  async letAnalyse(): Promise<void> {
    await this.settle();
    const waiting = this.queued();
    const before = this.pool.begun.length;
    if (this.pool.running === 0) return;
    this.pool.endOldest();
    await this.settle();
    const next = this.pool.begun[before];
    const best = Math.min(...waiting.map((task) => laneOf(task)));
    if (next?.turn !== undefined && waiting.length > 0 && LANES.indexOf(next.turn.lane) > best)
      this.jumped.push(`${next.turn.lane} before ${LANES[best]}`);
  }

  async readAll(): Promise<void> {
    while (this.pool.running > 0) await this.letAnalyse();
    for (const _task of this.open.store.tasks.inState('AWAITING_APPROVAL')) await this.approve();
  }

  async approve(): Promise<void> {
    const task = this.open.store.tasks.inState('AWAITING_APPROVAL').find(({ id }) => this.known.has(id));
    const finding = task && this.open.store.findings.latest(task.id);
    if (task === undefined || finding === undefined) return;
    const seen = { revision: finding.revision, version: 0 };
    await this.open.clinic.approvals.approve(task.id, seen, LIND).then(
      () => {
        (this.known.get(task.id) as Known).approvals++;
      },
      () => undefined,
    );
  }

  /** Corrects the severity of what was signed, and signs it again. */
  async amend(): Promise<void> {
    const { approvals, corrections } = this.open.clinic;
    const signed = this.open.store.tasks
      .inState('COMPLETED')
      .find(({ id }) => (this.known.get(id)?.approvals ?? 0) > 0);
    const finding = signed && this.open.store.findings.latest(signed.id);
    if (signed === undefined || finding === undefined) return;
    const change = { kind: 'severity', severity: 'IMPORTANT', reason: 'Seen again' } as const;
    const caller = { actor: LIND.actor, session: 'page', person: undefined };
    const version = await corrections.correct(signed.id, change, caller as never).catch(() => undefined);
    if (version === undefined) return;
    await approvals.approve(signed.id, { revision: finding.revision, version }, LIND, 'Seen again').then(
      () => {
        (this.known.get(signed.id) as Known).isAmended = true;
      },
      () => undefined,
    );
  }

  async reject(): Promise<void> {
    const task = this.open.store.tasks.inState('AWAITING_APPROVAL').find(({ id }) => this.known.has(id));
    if (task === undefined) return;
    await this.open.clinic.approvals.reject(task.id, 'Electrodes exchanged', LIND);
    (this.known.get(task.id) as Known).isRejected = true;
  }

  /** Two charts become one; recordings keep the names under which they were made. */
  async merge(kept: string, gone: string): Promise<void> {
    const chartOf = (name: string): number | undefined =>
      [...this.known.keys()]
        .map((taskId) => this.open.store.tasks.byId(taskId))
        .find((task) => task?.fields.patient.lastName === name)?.patientId;
    const [keptId, goneId] = [chartOf(kept), chartOf(gone)];
    if (keptId === undefined || goneId === undefined || keptId === goneId) return;
    await this.open.clinic.patientMerge.merge(
      { keptId, goneId, facts: patientOf(kept), reason: 'One person' },
      'test',
    );
  }

  /** The program ends in the middle of whatever runs, and is started again; devices and pages are as they were. */
  async restart(): Promise<void> {
    await this.open.close();
    this.pool.forgetAll();
    await this.begin();
  }

  /** As every way out gets it. */
  async readings(): Promise<ReadonlyMap<number, ApprovedReading['reading']>> {
    const found = new Map<number, ApprovedReading['reading']>();
    for (const { id } of this.open.store.tasks.inState('COMPLETED'))
      found.set(id, (await approvedReading(this.open.clinic, id)).reading);
    return found;
  }
}

const LANES = ['emergency', 'awaited', 'live', 'import'] as const;

/** Whose turn it is by what it is, said again here: an emergency, of the desk, of a device, a file. */
function laneOf({ identity, fields, origin }: Task): number {
  if (identity !== undefined) return identity.name === undefined ? 0 : 1;
  return origin === 'v3' && fields.deviceId !== undefined ? 2 : 3;
}

const patientOf = (name: string) => (name === NOBODY ? {} : { lastName: name, id: `no ${name}` });

const entryOf = (name: string): DeskEntry => ({
  fields: { patient: patientOf(name) },
  isAutoComplete: false,
  identity: { name: 'said', birth: 'said' },
});
