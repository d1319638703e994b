// A recording that goes to the centre while it runs: close behind, through a break of the network, as one
// recording there.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Desk } from '../../../../main/device/desk.ts';
import { openDesk } from '../../../../main/host/desk-host.ts';
import { readAllSamples } from '../../../../shared/signal/recording.ts';
import { FaultProxy } from '../../../faults/fault-proxy.ts';
import { outboxOf } from '../../../support/centre-truth.ts';
import {
  type ClinicAndCentre,
  type Overrides,
  runClinicAndCentre,
} from '../../../support/clinic-and-centre.ts';
import { eventually } from '../../../support/running-workstation.ts';
import { storedRecording } from '../../../support/stored-recording.ts';

let both: ClinicAndCentre;
let desk: Desk;
let device: ReturnType<Desk['device']>;

async function start(more: Overrides = []): Promise<void> {
  both = await runClinicAndCentre([['sync.way', 'stream'], ['sync.live', 'true'], ...more]);
  desk = await openDesk(both.clinic.workstation, { isWatching: false });
  device = desk.device(await desk.connect('simulator:isoline-idp?rhythm=sinus'));
}
beforeEach(() => start());
afterEach(async () => {
  await desk.close();
  await both[Symbol.asyncDispose]();
});

const record = (seconds: number): Promise<number> =>
  device.record({
    entry: {
      fields: { patient_last_name: 'Hoffmann', patient_id: '004817' },
      identity: { name: 'said', birth: 'said' },
    },
    durationMs: 1000 * seconds,
  });
const framesAtCentre = () => both.proxy.forwarded.filter(({ path }) => path.includes('/frames?')).length;
const item = () => outboxOf(both.clinic.dataDir)[0]?.item;
const tasksAtCentre = async () => (await both.centre.bridge.call('task.list', { limit: 50 })).rows;

async function expectSame(taskId: number): Promise<void> {
  const there = await eventually(
    async () => (item()?.state === 'WAITING_REPORT' ? item() : undefined),
    'all of it is there',
  );
  const [ours, theirs] = [
    await storedRecording(both.clinic, taskId),
    await storedRecording(both.centre, Number(there.centralId)),
  ];
  expect(theirs.channels.map(readAllSamples)).toEqual(ours.channels.map(readAllSamples));
  expect(theirs.gaps).toEqual(ours.gaps);
  expect(await tasksAtCentre()).toHaveLength(1);
}

test('goes along while it runs, and is the same there', async () => {
  const taskId = await record(10);
  await eventually(async () => (framesAtCentre() >= 4 ? true : undefined), 'frames are there', 6000);
  expect((await both.clinic.bridge.call('task.get', { taskId })).state).toBe('RECEIVING');
  expect((await tasksAtCentre())[0]).toMatchObject({ state: 'RECEIVING', patient: { lastName: 'Hoffmann' } });
  await device.untilEnded();
  await expectSame(taskId);
}, 60_000);

test('a break of the network in the middle: it goes on where it was, after the end of the recording, as one', async () => {
  const taskId = await record(8);
  await eventually(async () => (framesAtCentre() >= 3 ? true : undefined), 'frames are there', 6000);
  const { port } = both.proxy;
  await both.proxy[Symbol.asyncDispose]();
  await device.untilEnded();
  expect(item()).toMatchObject({ state: 'SENDING', isLive: true });
  const before = item()?.stream?.ackedFrames ?? 0;
  expect(before).toBeGreaterThan(0);
  await using again = await FaultProxy.before(both.centre.url, port);
  await both.clinic.bridge.call('sync.now', { connectionId: 1 });
  await expectSame(taskId);
  // What was acknowledged did not go again, but for the one that was under way.
  const frames = again.forwarded.filter(({ path }) => path.includes('/frames?')).length;
  expect(frames).toBeLessThanOrEqual(16 - before + 1);
}, 60_000);

test('the workstation dies in the middle: what was recorded is finished, and goes on from where it was', async () => {
  const taskId = await record(30);
  await eventually(async () => (framesAtCentre() >= 4 ? true : undefined), 'frames are there', 6000);
  await both.clinic.workstation.crash();
  await eventually(async () => (framesAtCentre() >= 10 ? true : undefined), 'it goes on', 20_000);
  await device.stop();
  await expectSame(taskId);
}, 60_000);

const askToStop = async (): Promise<void> => {
  const there = (await tasksAtCentre())[0]!;
  await both.centre.bridge.call('device.command', { taskId: there.taskId, command: 'STOP_DEVICE' });
};

test('that the centre asks to stop is shown, and no more', async () => {
  await record(60);
  await eventually(async () => (framesAtCentre() >= 2 ? true : undefined), 'frames are there', 6000);
  await askToStop();
  const asked = await eventually(
    async () => (await both.clinic.bridge.call('sync.overview', {})).asked[0],
    'it is shown',
  );
  expect(asked).toMatchObject({ command: 'STOP_DEVICE', isObeyed: false });
  expect(device.isRecording).toBe(true);
  await device.stop();
}, 60_000);

test('it is obeyed where that is allowed', async () => {
  await both.clinic.bridge.call('setting.change', { key: 'sync.obey', text: 'true' });
  const taskId = await record(60);
  await eventually(async () => (framesAtCentre() >= 2 ? true : undefined), 'frames are there', 6000);
  await askToStop();
  await eventually(async () => (device.isRecording ? undefined : true), 'the recording ends');
  await expectSame(taskId);
  expect((await both.clinic.bridge.call('task.get', { taskId })).warnings.map(({ code }) => code)).toContain(
    'stopped_by_centre',
  );
}, 60_000);
