// What people at the desk do: record for somebody who was identified, or for nobody yet; say later who it
// was; approve, reject, delete. Who did it stands in the audit, and who may not is refused here, whatever a
// screen shows.

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { taskDetail, taskRow } from '../../../../main/bridge/handlers/task-row.ts';
import type { Person } from '../../../../main/clinic/people/users.ts';
import type { DeskRecordingStart } from '../../../../main/clinic/streams/desk-recordings.ts';
import type { DeskEntry } from '../../../../main/clinic/tasks/records.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { makeFrame } from '../../../support/make-frames.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { RECORDED_DEVICE } from '../../../support/recorded-device.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365.25 * 24 * HOUR_MS;
const PASSWORD = 'correct horse';
const PIN = '135790';

const HOFFMANN: DeskEntry = {
  fields: {
    patient: { lastName: 'Hoffmann', firstName: 'Anneliese', birthDate: '1951-03-14', gender: 'FEMALE' },
  },
  isAutoComplete: false,
  identity: { name: 'said', birth: 'wristband' },
};
const OKAFOR: DeskEntry = {
  fields: { patient: { lastName: 'Okafor', birthDate: '1968-09-02', id: '003 922' } },
  isAutoComplete: false,
  identity: { name: 'relative', birth: 'document' },
};

let folder: TempFolder;
let pool: ScriptedPool;
let opened: TestClinic;
let now: number;
let admin: Person;
let technician: Person;
let reviewer: Person;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22);
  folder = await tempFolder();
  pool = new ScriptedPool();
  opened = await openTestClinic(folder.path, pool, () => now);
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

async function makeAccounts(): Promise<void> {
  const { users, sessions } = opened.clinic;
  admin = await users.add('A. Admin', 'administrator', PASSWORD, undefined);
  technician = await users.add('M. Keller', 'technician', PIN, admin);
  reviewer = await users.add('Dr. Lind', 'reviewer', PIN, admin);
  await sessions.signIn('T', technician.userId, PIN);
  await sessions.signIn('D', reviewer.userId, PIN);
  await sessions.signIn('A', admin.userId, PASSWORD);
}

async function allFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const storedFiles = (): Promise<string[]> => allFiles(join(folder.path, 'files'));

const begin = (part: Partial<DeskRecordingStart>): Promise<number> =>
  opened.clinic.desk.begin({
    parameters: { sampleRateHz: 500, leadCodes: ['MDC_ECG_LEAD_I'] },
    device: RECORDED_DEVICE,
    startedMs: now,
    ...part,
  });

async function record(part: Partial<DeskRecordingStart>): Promise<number> {
  const id = await begin(part);
  await opened.clinic.desk.append(id, 0, makeFrame({ leads: 1, from: 0 }), []);
  await opened.clinic.desk.finish(id, { events: [], warnings: [] });
  await vi.waitFor(() => expect(stateOf(id)).toBe('AWAITING_APPROVAL'));
  return id;
}

const taskOf = (id: number) => opened.store.tasks.byId(id);
const stateOf = (id: number) => taskOf(id)?.state;
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    ({ reason }: { reason: string }) => reason,
  );

/** What the audit says of a task, from outside. */
function auditOf(id: number): { actor: string; action: string; detail: Record<string, unknown> }[] {
  const db = new Database(join(folder.path, 'isoline.sqlite'), { readonly: true });
  const rows = db.prepare<[string], { actor: string; action: string; detail: string }>(
    'SELECT actor, action, detail FROM audit WHERE subject = ? ORDER BY rowid',
  );
  const entries = rows
    .all(`task:${id}`)
    .map((row) => ({ ...row, detail: JSON.parse(row.detail) as Record<string, unknown> }));
  db.close();
  return entries;
}

describe('a recording on the desk', () => {
  test('is not hindered by control characters and endless names in what a device says of itself', async () => {
    const name = `Mobil\u0000\u0007ECG ${'x'.repeat(400)}`;
    const id = await begin({ device: { ...RECORDED_DEVICE, name }, entry: HOFFMANN });
    expect(taskOf(id)?.fields.deviceId).toBe(`MobilECG ${'x'.repeat(247)}`);
  });

  test('is of whom it was begun for, with how that was known; what it goes on in, too', async () => {
    const id = await record({ entry: HOFFMANN });
    expect(taskOf(id)).toMatchObject({
      fields: { ...HOFFMANN.fields, deviceId: 'MobilECG' },
      identity: HOFFMANN.identity,
    });
    expect(auditOf(id)[0]).toMatchObject({
      actor: 'workstation',
      action: 'task.created',
      detail: { name: 'said', birth: 'wristband' },
    });
    const next = await record({ continues: id });
    expect(taskOf(next)).toMatchObject({
      fields: taskOf(id)!.fields,
      identity: HOFFMANN.identity,
      patientId: taskOf(id)!.patientId,
    });
    expect(next).not.toBe(id);
  });

  test.each([20 * YEAR_MS, -HOUR_MS])(
    'whose clock is set by %i ms meanwhile begins at the time of the new clock, and says so',
    async (byMs) => {
      const id = await begin({ entry: HOFFMANN });
      const started = opened.store.streams.byId(id)?.startedMs as number;
      await opened.clinic.desk.append(id, 0, makeFrame({ leads: 1, from: 0 }), [
        { sample: 10, kind: 'clockSet', value: byMs },
      ]);
      await opened.clinic.desk.finish(id, { events: [], warnings: [] });
      expect(opened.store.streams.byId(id)?.startedMs).toBe(started + byMs);
      expect(taskOf(id)?.warnings.map((warning) => warning.name)).toEqual(['start_corrected']);
    },
  );

  test('of nobody yet stands in the worklist as such, alone or among others', async () => {
    const known = await record({ entry: HOFFMANN });
    const unknown = await record({});
    const rows = opened.clinic.worklist.list({ limit: 10 }).tasks.map(taskRow);
    expect(rows.map(({ taskId, isPatientMissing }) => [taskId, isPatientMissing])).toEqual([
      [unknown, true],
      [known, undefined],
    ]);
    expect(
      opened.clinic.worklist.list({ limit: 10, isPatientMissing: true }).tasks.map(({ task }) => task.id),
    ).toEqual([unknown]);
  });

  test('under a name needs somebody who may; an emergency nobody', async () => {
    await makeAccounts();
    expect(await refusal(begin({ entry: HOFFMANN, session: 'nobody' }))).toBe('sign_in_needed');
    expect(opened.clinic.worklist.list({ limit: 10 }).total).toBe(0);
    const emergency = await record({ session: 'nobody' });
    expect(auditOf(emergency)[0]).toMatchObject({ actor: 'workstation' });
    // Whoever is signed in stands there with it, also where no name was given, and whoever ends it.
    const known = await begin({ session: 'T' });
    await opened.clinic.desk.append(known, 0, makeFrame({ leads: 1, from: 0 }), []);
    await opened.clinic.desk.finish(known, { events: [], warnings: [], actor: `user:${reviewer.userId}` });
    const actors = auditOf(known).map(({ action, actor }) => [action, actor]);
    expect(actors).toContainEqual(['task.created', `user:${technician.userId}`]);
    expect(actors).toContainEqual(['stream.started', `user:${technician.userId}`]);
    expect(actors).toContainEqual(['stream.finished', `user:${reviewer.userId}`]);
    const named = await record({ entry: HOFFMANN, session: 'T' });
    expect(auditOf(named)[0]).toMatchObject({ actor: `user:${technician.userId}` });
  });
});

describe('saying later who it was', () => {
  test('changes the task, keeps what stood there, is analysed again, and found by its name', async () => {
    const id = await record({});
    const analyses = pool.analyses;
    await opened.clinic.assignment.assign(
      { taskId: id, entry: OKAFOR, reason: 'Identified by the sister' },
      'user:7',
    );
    await vi.waitFor(() => expect(stateOf(id)).toBe('AWAITING_APPROVAL'));
    expect(pool.analyses).toBe(analyses + 1);
    expect(taskOf(id)).toMatchObject({
      fields: { ...OKAFOR.fields, deviceId: 'MobilECG' },
      identity: OKAFOR.identity,
    });
    expect(
      opened.clinic.worklist.list({ limit: 5, text: 'okafor' }).tasks.map(({ task }) => task.id),
    ).toEqual([id]);
    await opened.clinic.assignment.assign(
      { taskId: id, entry: HOFFMANN, reason: 'Exchanged wristbands' },
      'user:7',
    );
    await vi.waitFor(() => expect(stateOf(id)).toBe('AWAITING_APPROVAL'));
    expect(opened.clinic.worklist.list({ limit: 5, text: 'okafor' }).total).toBe(0);
    const assigned = auditOf(id).filter(({ action }) => action === 'task.assigned');
    expect(assigned).toMatchObject([
      {
        actor: 'user:7',
        detail: {
          reason: 'Identified by the sister',
          before: '–',
          after: expect.stringMatching(/^patient:\d+$/) as string,
        },
      },
      { detail: { reason: 'Exchanged wristbands', before: assigned[0]!.detail.after } },
    ]);
    // Names stand with the task, not in the audit.
    expect(JSON.stringify(auditOf(id))).not.toMatch(/okafor|hoffmann/i);
    const db = new Database(join(folder.path, 'isoline.sqlite'), { readonly: true });
    const former = db.prepare<[], string>('SELECT fields FROM former_patient ORDER BY id').pluck().all();
    db.close();
    expect(
      former.map((fields) => (JSON.parse(fields) as { patient_last_name?: string }).patient_last_name),
    ).toEqual([undefined, 'Okafor']);
  });

  test('can be done while it is recorded, not while it is analysed, and never without a reason', async () => {
    const id = await begin({});
    await opened.clinic.assignment.assign({ taskId: id, entry: OKAFOR, reason: 'Identified' }, 'user:7');
    expect([stateOf(id), taskOf(id)?.fields.patient.lastName]).toEqual(['RECEIVING', 'Okafor']);
    expect(
      await refusal(opened.clinic.assignment.assign({ taskId: id, entry: OKAFOR, reason: ' x ' }, 'user:7')),
    ).toBe('reason_missing');
    pool.outcomes.push('hang');
    await opened.clinic.desk.append(id, 0, makeFrame({ leads: 1, from: 0 }), []);
    await opened.clinic.desk.finish(id, { events: [], warnings: [] });
    await vi.waitFor(() => expect(stateOf(id)).toBe('PROCESSING'));
    expect(
      await refusal(
        opened.clinic.assignment.assign({ taskId: id, entry: HOFFMANN, reason: 'Identified' }, 'user:7'),
      ),
    ).toBe('task_state_conflict');
    expect(taskOf(id)?.fields.patient.lastName).toBe('Okafor');
  });
});

describe('approving and rejecting', () => {
  const by = { name: 'Dr. Lind', actor: 'user:3' };

  test('waits until somebody said whose it is', async () => {
    const id = await record({});
    expect(await refusal(opened.clinic.approvals.approve(id, { revision: 1, version: 0 }, by))).toBe(
      'patient_missing',
    );
    await opened.clinic.assignment.assign({ taskId: id, entry: OKAFOR, reason: 'Identified' }, 'user:7');
    await vi.waitFor(() => expect(stateOf(id)).toBe('AWAITING_APPROVAL'));
    // What was seen before it was known whose it is has to be looked at again.
    expect(await refusal(opened.clinic.approvals.approve(id, { revision: 1, version: 0 }, by))).toBe(
      'task_state_conflict',
    );
    expect(await refusal(opened.clinic.approvals.approve(id, { revision: 2, version: 0 }, by))).toBe(
      'accepted',
    );
    expect(opened.clinic.tasks.status(opened.organizationId, id)).toMatchObject({
      isProcessed: true,
      isReportAvailable: true,
    });
  });

  test('what is rejected has no report, says why, and /v3 waits no longer', async () => {
    const id = await record({ entry: HOFFMANN });
    expect(await refusal(opened.clinic.approvals.reject(id, '', by))).toBe('reason_missing');
    await opened.clinic.approvals.reject(id, 'V4 off all the time', by);
    expect(opened.clinic.tasks.status(opened.organizationId, id)).toMatchObject({
      isProcessed: true,
      isReportAvailable: false,
    });
    expect(taskDetail(opened.clinic.worklist.lookAt(id)).rejection).toEqual({
      by: 'Dr. Lind',
      reason: 'V4 off all the time',
      atMs: now,
    });
    expect(auditOf(id).at(-1)).toMatchObject({
      actor: 'user:3',
      action: 'task.rejected',
      detail: { reason: 'V4 off all the time' },
    });
    expect(await refusal(opened.clinic.approvals.reject(id, 'twice', by))).toBe('task_state_conflict');
    expect(await refusal(opened.clinic.approvals.approve(id, { revision: 1, version: 0 }, by))).toBe(
      'task_state_conflict',
    );
  });
});

describe('deleting', () => {
  test('a fresh recording of the desk: whoever may record; everything else: an administrator; each with a reason', async () => {
    await makeAccounts();
    const { deletion } = opened.clinic;
    const fresh = await record({ entry: HOFFMANN, session: 'T' });
    const old = await record({ entry: HOFFMANN, session: 'T' });
    const [remote] = await opened.clinic.tasks.create(
      opened.organizationId,
      { fields: { patient: {} }, isAutoComplete: false },
      'token:1',
    );
    expect(await refusal(deletion.delete(fresh, 'no', 'T'))).toBe('reason_missing');
    expect(await refusal(deletion.delete(fresh, 'Bad signal', 'nobody'))).toBe('sign_in_needed');
    expect(await refusal(deletion.delete(remote!, 'Bad signal', 'T'))).toBe('not_allowed');
    expect(await refusal(deletion.delete(fresh, 'Bad signal', 'T'))).toBe('accepted');
    now += HOUR_MS;
    await opened.clinic.sessions.signIn('T', technician.userId, PIN);
    await opened.clinic.sessions.signIn('A', admin.userId, PASSWORD);
    expect(await refusal(deletion.delete(old, 'Bad signal', 'T'))).toBe('not_allowed');
    expect(await refusal(deletion.delete(old, 'Bad signal', 'A'))).toBe('accepted');
    expect(auditOf(fresh).at(-1)).toMatchObject({
      actor: `user:${technician.userId}`,
      action: 'task.deleted',
      detail: { reason: 'Bad signal', before: 'AWAITING_APPROVAL' },
    });
    expect(await refusal(deletion.delete(fresh, 'Bad signal', 'A'))).toBe('task_not_found');
  });

  test('leaves neither name nor signal: not in the search, not in the database file, not on the disk (SEC54)', async () => {
    const { clinic } = opened;
    const { deletion, tasks, patients, worklist } = clinic;
    const kept = await record({ entry: OKAFOR });
    const gone = await record({
      entry: {
        ...HOFFMANN,
        fields: {
          patient: { ...HOFFMANN.fields.patient, lastName: 'Canarysong', id: 'CANARY-77' },
          indications: ['Canarypain'],
        },
      },
    });
    const before = await storedFiles();
    expect(worklist.list({ limit: 10, text: 'canarys' }).total).toBe(1);
    expect(patients.search(opened.organizationId, 'canarys', 'dayFirst').total).toBe(1);
    await deletion.delete(gone, 'Recorded twice', 'page');

    expect(worklist.list({ limit: 10, text: 'canarys' }).total).toBe(0);
    expect(patients.search(opened.organizationId, 'canarys', 'dayFirst').total).toBe(0);
    for (const read of [
      () => worklist.lookAt(gone),
      () => clinic.reports.read(gone),
      () => clinic.reports.fetch(opened.organizationId, gone),
      () => clinic.downloads.create(opened.organizationId, gone, 'recording', 'token:1'),
      () => tasks.status(opened.organizationId, gone),
    ])
      await expect((async () => read())()).rejects.toMatchObject({ reason: 'task_not_found' });

    expect((await storedFiles()).length).toBeLessThan(before.length);
    for (const path of await allFiles(folder.path)) {
      const text = (await readFile(path)).toString('latin1').toLowerCase();
      for (const canary of ['canarysong', 'canary-77', 'canarypain'])
        expect(text.includes(canary), `${canary} in ${path}`).toBe(false);
    }
    // What is another's stays, and so does the tombstone.
    expect(worklist.lookAt(kept).task.fields.patient.lastName).toBe('Okafor');
    expect(patients.search(opened.organizationId, 'okafor', 'dayFirst').total).toBe(1);
    expect(auditOf(gone).at(-1)).toMatchObject({
      action: 'task.deleted',
      detail: { reason: 'Recorded twice' },
    });
    expect(opened.store.audit.verify().brokenAt).toBeUndefined();
    expect(opened.store.erasure.pendingFiles()).toEqual([]);
  });

  test('keeps the patient who has another recording, and the files that another recording needs', async () => {
    const { deletion, patients, tasks } = opened.clinic;
    const one = await record({ entry: HOFFMANN });
    const two = await record({ entry: HOFFMANN });
    await deletion.delete(one, 'Recorded twice', 'page');
    expect(patients.search(opened.organizationId, 'hoffmann', 'dayFirst').total).toBe(1);
    const files = tasks.recordingOf(tasks.find(undefined, two)).files;
    for (const { sha256 } of files) expect(await opened.clinic.context.files.holds(sha256)).toBe(true);
    await deletion.delete(two, 'Not needed', 'page');
    expect(patients.search(opened.organizationId, 'hoffmann', 'dayFirst').total).toBe(0);
  });

  test('is finished at the next start where the program ended in the middle', async () => {
    const id = await record({ entry: HOFFMANN });
    const { files } = opened.clinic.tasks.recordingOf(opened.clinic.tasks.find(undefined, id));
    opened.store.transaction(() => opened.store.erasure.eraseTask(id));
    const left = files.map(({ sha256 }) => opened.clinic.context.files.path(sha256));
    for (const path of left) expect(existsSync(path)).toBe(true);
    await opened.close();
    opened = await openTestClinic(folder.path, pool, () => now);
    for (const path of left) expect(existsSync(path)).toBe(false);
  });

  test('never what is being recorded, nor what has a report before its time is over', async () => {
    const { deletion, approvals } = opened.clinic;
    const running = await begin({ entry: HOFFMANN });
    expect(await refusal(deletion.delete(running, 'Bad signal', 'page'))).toBe('task_state_conflict');
    const id = await record({ entry: OKAFOR });
    await approvals.approve(id, { revision: 1, version: 0 }, { name: 'Dr. Lind', actor: 'user:3' });
    now += 9.9 * YEAR_MS;
    expect(await refusal(deletion.delete(id, 'Bad signal', 'page'))).toBe('kept_by_law');
    now += 0.2 * YEAR_MS;
    expect(await refusal(deletion.delete(id, 'Bad signal', 'page'))).toBe('accepted');
  });

  test('nothing of a patient under legal hold, who keeps all recordings, until it is released', async () => {
    const { deletion, legalHolds, assignment, worklist } = opened.clinic;
    const id = await record({ entry: HOFFMANN });
    const other = await record({ entry: HOFFMANN });
    expect(await refusal(legalHolds.set(id, true, ' ', 'user:1'))).toBe('reason_missing');
    await legalHolds.set(id, true, 'Court of Riga, 12/2026', 'user:1');
    // A later one does not hide since when.
    now += 1000;
    await legalHolds.set(other, true, 'Once more', 'user:1');
    expect(worklist.lookAt(other).legalHold).toEqual({
      reason: 'Court of Riga, 12/2026',
      sinceMs: now - 1000,
    });
    for (const each of [id, other, await record({ entry: HOFFMANN })]) {
      expect(await refusal(deletion.delete(each, 'Bad signal', 'page'))).toBe('held');
      const assigning = { taskId: each, entry: OKAFOR, reason: 'Somebody else' };
      expect(await refusal(assignment.assign(assigning, 'user:1'))).toBe('held');
    }
    expect(await refusal(deletion.delete(await record({ entry: OKAFOR }), 'Bad signal', 'page'))).toBe(
      'accepted',
    );
    await legalHolds.set(other, false, 'Case closed', 'user:1');
    expect(worklist.lookAt(id).legalHold).toBeUndefined();
    expect(await refusal(deletion.delete(id, 'Bad signal', 'page'))).toBe('accepted');
    const audit = opened.clinic.auditTrail.list({ kind: 'patients' }, Number.MAX_SAFE_INTEGER, 10).entries;
    expect(audit.map(({ action }) => action)).toEqual(['patient.released', 'patient.held', 'patient.held']);
  });

  test('a chart that became another one takes its hold along', async () => {
    const { deletion, legalHolds, patientMerge, tasks } = opened.clinic;
    const id = await record({ entry: HOFFMANN });
    const kept = await record({ entry: OKAFOR });
    const patientOf = (taskId: number): number => tasks.find(undefined, taskId).patientId as number;
    await legalHolds.set(id, true, 'Court of Riga, 12/2026', 'user:1');
    const merging = {
      keptId: patientOf(kept),
      goneId: patientOf(id),
      facts: OKAFOR.fields.patient,
      reason: 'Same person',
    };
    await patientMerge.merge(merging, 'user:1');
    for (const each of [id, kept])
      expect(await refusal(deletion.delete(each, 'Bad signal', 'page'))).toBe('held');
    // And on to a third one.
    const third = await record({ entry: { ...OKAFOR, fields: { patient: { lastName: 'Third', id: '3' } } } });
    const facts = { lastName: 'Third', id: '3' };
    await patientMerge.merge(
      { keptId: patientOf(third), goneId: patientOf(kept), facts, reason: 'Same person' },
      'user:1',
    );
    for (const each of [id, kept, third])
      expect(await refusal(deletion.delete(each, 'Bad signal', 'page'))).toBe('held');
  });

  test('parting charts releases nobody', async () => {
    const { deletion, legalHolds, patientMerge, tasks } = opened.clinic;
    const gone = await record({ entry: HOFFMANN });
    const kept = await record({ entry: OKAFOR });
    const patientOf = (taskId: number): number => tasks.find(undefined, taskId).patientId as number;
    const merging = {
      keptId: patientOf(kept),
      goneId: patientOf(gone),
      facts: OKAFOR.fields.patient,
      reason: 'Same person',
    };
    const mergeId = await patientMerge.merge(merging, 'user:1');
    await legalHolds.set(kept, true, 'Court of Riga, 12/2026', 'user:1');
    await patientMerge.undo(mergeId, 'user:2');
    for (const each of [gone, kept])
      expect(await refusal(deletion.delete(each, 'Bad signal', 'page'))).toBe('held');
  });
});

describe('who is signed in', () => {
  test('nobody has to as long as there are no accounts, everybody from the first one on', async () => {
    const { sessions, users } = opened.clinic;
    expect(sessions.actor('page', 'settings')).toBe('workstation');
    admin = await users.add('A. Admin', 'administrator', PASSWORD, undefined);
    expect(() => sessions.actor('page', 'print')).toThrow(
      expect.objectContaining({ reason: 'sign_in_needed' }),
    );
    await sessions.signIn('page', admin.userId, PASSWORD);
    expect(sessions.actor('page', 'settings')).toBe(`user:${admin.userId}`);
    expect(() => sessions.actor('page', 'approve')).toThrow(
      expect.objectContaining({ reason: 'not_allowed' }),
    );
    expect(() => sessions.actor('another page', 'print')).toThrow(
      expect.objectContaining({ reason: 'sign_in_needed' }),
    );
    sessions.end('page');
    expect(() => sessions.actor('page', 'print')).toThrow(
      expect.objectContaining({ reason: 'sign_in_needed' }),
    );
  });

  test('an account that is taken away is signed out everywhere', async () => {
    await makeAccounts();
    const { sessions, users } = opened.clinic;
    await users.deactivate(technician.userId, admin);
    expect(() => sessions.actor('T', 'record')).toThrow(
      expect.objectContaining({ reason: 'sign_in_needed' }),
    );
    expect(sessions.actor('D', 'record')).toBe(`user:${reviewer.userId}`);
  });
});
