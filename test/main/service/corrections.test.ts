// Corrections of a reading: measured at once, kept through every end, undone and redone, and frozen when a physician
// approves, so that the service answers with them.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import type { Correction } from '../../../shared/review/corrections.ts';
import {
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
  whenAnalysed,
} from '../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { dataFolder } from '../../support/test-data.ts';
import { V3Client } from '../../support/v3-client.ts';

const PIN = '135790';
const PASSWORD = 'nine quiet horses';
/** What goes in one message. */
const PART_BYTES = 500_000;
/** A beat that is cut off has no shape. */
const NO_SHAPE = 0xffffffff;
const fileOf = (...parts: string[]) => readFileSync(join(dataFolder, ...parts));

let folder: TempFolder;
let running: RunningWorkstation;
let client: V3Client;
/** Two physicians, each at a page of their own. */
let lind: BridgeClient;
let ruiz: BridgeClient;
/** Twelve leads, ten seconds; and thirty minutes of two leads. */
let short: number;
let long: number;
let adminId: number;

const overrides = FREE_OF_LIMITS;

async function start(): Promise<void> {
  running = await runWorkstation({ dataDir: folder.path, overrides });
  client = new V3Client(running.url, (await running.makeToken()).text);
}

async function page(name: string): Promise<BridgeClient> {
  const bridge = new BridgeClient(running.workstation.connect());
  const { users } = await bridge.call('session.get', {});
  const user = users.find((one) => one.name === name)!;
  await bridge.call('session.signIn', { userId: user.userId, secret: PIN });
  return bridge;
}

async function uploaded(bytes: Uint8Array): Promise<number> {
  const upload_id = await client.upload(bytes);
  const { json } = await client.createTask({ upload_id, patient_id: 'P-1', patient_last_name: 'Marin' });
  return whenAnalysed(lind, (json.created_task_ids as number[])[0]!);
}

async function imported(names: readonly string[]): Promise<number> {
  const parts = names.map((name) => fileOf('wfdb', name));
  const { importId } = await lind.call('import.open', {
    files: names.map((name, i) => ({ name, sizeBytes: parts[i]!.length })),
  });
  for (const [fileIndex, bytes] of parts.entries())
    for (let offsetBytes = 0; offsetBytes < bytes.length; offsetBytes += PART_BYTES)
      await lind.call('import.write', {
        importId,
        fileIndex,
        offsetBytes,
        bytes: bytes.subarray(offsetBytes, offsetBytes + PART_BYTES),
      });
  const { records } = await lind.call('import.finish', { importId, autoComplete: false });
  return whenAnalysed(lind, records[0]!.taskId!);
}

type Reading = CallOutput<'review.reading'>;
const reading = (taskId: number): Promise<Reading> => lind.call('review.reading', { taskId });
const correct = (taskId: number, change: Correction) => lind.call('review.correct', { taskId, change });
const codesOf = ({ statements }: Reading): string[] => statements.map(({ statement }) => statement.code);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Beat {
  readonly sample: number;
  readonly label: string;
  readonly shape: number;
}
const isWholeV = ({ label, shape }: Beat): boolean => label === 'V' && shape !== NO_SHAPE;

async function beatsOf(taskId: number): Promise<Beat[]> {
  const { beatSamples, beatLabels, beatShapes } = await lind.call('review.marks', { taskId });
  const [samples, shapes] = [beatSamples, beatShapes].map(
    (bytes) => new Uint32Array(Uint8Array.from(bytes).buffer),
  ) as [Uint32Array, Uint32Array];
  return [...beatLabels].map((label, i) => ({ sample: samples[i]!, label, shape: shapes[i]! }));
}

beforeAll(async () => {
  folder = await tempFolder();
  await start();
  const admin = await running.bridge.call('user.add', { name: 'A', role: 'administrator', secret: PASSWORD });
  adminId = admin.userId;
  await running.bridge.call('session.signIn', { userId: admin.userId, secret: PASSWORD });
  for (const name of ['Dr. Lind', 'Dr. Ruiz'])
    await running.bridge.call('user.add', { name, role: 'reviewer', secret: PIN });
  lind = await page('Dr. Lind');
  ruiz = await page('Dr. Ruiz');
  short = await uploaded(fileOf('edf', 'made_ecg12_plusC.edf'));
  long = await imported(['106.hea', '106.dat']);
});
afterAll(async () => {
  await running.stop();
  await folder.remove();
});

describe('a corrected reading', () => {
  test('one class for a cluster: all its beats follow, and what is counted and stated with them', async () => {
    const ventricular = Map.groupBy((await beatsOf(long)).filter(isWholeV), ({ shape }) => shape);
    const [members] = [...ventricular.values()].sort((a, b) => b.length - a.length) as [Beat[]];
    expect(members.length).toBeGreaterThan(100);
    const before = await reading(long);
    const ventricularBefore = [...ventricular.values()].flat().length;
    await correct(long, { kind: 'shape', sample: members[0]!.sample, label: 'N' });
    const after = await beatsOf(long);
    const sampled = new Set(members.map(({ sample }) => sample));
    expect(after.filter(({ sample }) => sampled.has(sample)).map(({ label }) => label)).toEqual(
      members.map(() => 'N'),
    );
    expect(after.filter(isWholeV)).toHaveLength(ventricularBefore - members.length);
    const now = await reading(long);
    const textOf = ({ statements }: Reading) =>
      statements.find(({ statement }) => statement.code.startsWith('ECT-PVC'))?.statement.text;
    expect(textOf(now)).not.toBe(textOf(before));
    expect(now.isCorrected).toBe(true);
    await lind.call('review.undo', { taskId: long, version: now.version });
    expect(codesOf(await reading(long))).toEqual(codesOf(before));
    expect((await beatsOf(long)).filter(({ sample }) => sampled.has(sample))).toEqual(members);
  });

  test('a moved end of T changes QT and what follows of it', async () => {
    const before = await reading(short);
    const { medianBeat } = await lind.call('review.marks', { taskId: short });
    const { qrsOnset, tEnd } = medianBeat!.marksMs;
    await correct(short, { kind: 'mark', name: 'tEnd', ms: tEnd! + 60 });
    const after = await reading(short);
    expect(after.measurements.qtMs).toBe(Math.round(tEnd! + 60 - qrsOnset!));
    expect(after.measurements.qtcFridericiaMs).toBeGreaterThan(before.measurements.qtcFridericiaMs!);
    expect((await lind.call('review.marks', { taskId: short })).medianBeat!.marksMs.tEnd).toBe(tEnd! + 60);
  });

  test('undo and redo go back and forth, and a new step ends what was undone', async () => {
    const { version, corrections } = await reading(short);
    await lind.call('review.undo', { taskId: short, version });
    const undone = await reading(short);
    expect([undone.corrections.length, undone.undoneCount]).toEqual([corrections.length - 1, 1]);
    await lind.call('review.redo', { taskId: short, version: undone.version });
    const redone = await reading(short);
    expect(redone.corrections).toEqual(corrections);
    await lind.call('review.undo', { taskId: short, version: redone.version });
    await correct(short, { kind: 'mark', name: 'tEnd', ms: 420 });
    expect((await reading(short)).undoneCount).toBe(0);
    await expect(lind.call('review.undo', { taskId: short, version })).rejects.toMatchObject({
      reason: 'review_changed',
    });
  });

  test('a statement is rejected with a reason, another reworded, one added; severity follows', async () => {
    const before = await reading(short);
    const [first] = before.statements;
    await correct(short, { kind: 'rejected', code: first!.statement.code, reason: 'Artefact' });
    await correct(short, {
      kind: 'stated',
      code: 'FREE-1',
      text: 'ST depression in V5',
      severity: 'CRITICAL',
    });
    const after = await reading(short);
    expect(after.rejected).toEqual([{ statement: first!.statement, reason: 'Artefact', by: 'Dr. Lind' }]);
    expect(after.statements[0]).toMatchObject({
      state: 'added',
      by: 'Dr. Lind',
      statement: { text: 'ST depression in V5' },
    });
    expect(after.severity).toBe('CRITICAL');
    // Until somebody approves it, others see what the program found.
    expect((await lind.call('task.get', { taskId: short })).severity).toBe(before.severity);
  });

  test('whoever else comes is told, and takes over with all of it', async () => {
    expect((await ruiz.call('review.reading', { taskId: short })).holder).toMatchObject({ name: 'Dr. Lind' });
    const change = { kind: 'accepted', code: 'FREE-1' } as const;
    await expect(ruiz.call('review.correct', { taskId: short, change })).rejects.toMatchObject({
      reason: 'review_held',
      detail: { name: 'Dr. Lind' },
    });
    const { corrections } = await reading(short);
    await ruiz.call('review.takeOver', { taskId: short });
    expect((await reading(short)).holder).toMatchObject({ name: 'Dr. Ruiz' });
    expect((await reading(short)).corrections).toEqual(corrections);
    await lind.call('review.takeOver', { taskId: short });
  });

  test('the end of the program leaves it as it was', async () => {
    const before = await reading(short);
    await running.workstation.crash();
    await running.stop();
    await start();
    lind = await page('Dr. Lind');
    ruiz = await page('Dr. Ruiz');
    expect(await reading(short)).toEqual(before);
  });
});

describe('approving it', () => {
  const approve = (bridge: BridgeClient, { revision, version }: Reading, reason?: string) =>
    bridge.call('task.approve', {
      taskId: short,
      revision,
      version,
      secret: PIN,
      ...(reason !== undefined && { reason }),
    });

  test('nobody approves what was changed since', async () => {
    const seen = await reading(short);
    await correct(short, { kind: 'mark', name: 'tEnd', ms: 430 });
    await expect(approve(lind, seen)).rejects.toMatchObject({ reason: 'task_state_conflict' });
    await expect(approve(ruiz, await reading(short))).rejects.toMatchObject({ reason: 'review_held' });
  });

  test('it becomes a revision of its own, and the service answers with it', async () => {
    const seen = await reading(short);
    expect((await client.status(short)).json).toMatchObject({ processed: false });
    await approve(lind, seen);
    expect((await client.status(short)).json).toMatchObject({
      processed: true,
      report_available: true,
      severity: 'CRITICAL',
    });
    const approved = await reading(short);
    expect(approved).toMatchObject({ revision: seen.revision + 1, version: 0, isCorrected: false });
    expect(approved.corrections).toEqual(seen.corrections);
    expect(approved.measurements).toEqual(seen.measurements);
    expect((await client.report(short)).status).toBe(200);
  });

  test('a change to it needs a reason; until it is approved, the one before is given out', async () => {
    const first = sha256((await client.report(short)).bytes);
    const approved = await reading(short);
    await expect(approve(lind, approved, 'again')).rejects.toMatchObject({ reason: 'task_state_conflict' });
    await correct(short, { kind: 'unstated', code: 'FREE-1' });
    const amended = await reading(short);
    expect(amended.corrections.length).toBe(approved.corrections.length + 1);
    expect(sha256((await client.report(short)).bytes)).toBe(first);
    expect((await client.status(short)).json).toMatchObject({ severity: 'CRITICAL' });
    await expect(approve(lind, amended)).rejects.toMatchObject({ reason: 'reason_missing' });
    await approve(lind, amended, 'V5 was an artefact');
    expect((await reading(short)).revision).toBe(approved.revision + 1);
    expect((await client.status(short)).json.severity).not.toBe('CRITICAL');
    expect(sha256((await client.report(short)).bytes)).not.toBe(first);
  });

  test('what was approved before is not undone', async () => {
    const { revision, corrections } = await reading(short);
    await correct(short, { kind: 'accepted', code: 'RHY-SINUS' });
    const { version } = await reading(short);
    await lind.call('review.undo', { taskId: short, version });
    const again = await reading(short);
    await lind.call('review.undo', { taskId: short, version: again.version });
    expect(await reading(short)).toMatchObject({ revision, isCorrected: false });
    expect((await reading(short)).corrections).toEqual(corrections);
  });
});

test('who may not review corrects nothing', async () => {
  await running.bridge.call('session.signIn', { userId: adminId, secret: PASSWORD });
  await expect(
    running.bridge.call('review.correct', { taskId: long, change: { kind: 'accepted', code: 'RHY-SINUS' } }),
  ).rejects.toMatchObject({ reason: 'not_allowed' });
});
