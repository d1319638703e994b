// Devices at pseudo-terminals through the real package serialport, recorded by the real workstation: what is
// stored is what they measured.

import { spawnSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Desk } from '../../../main/device/desk.ts';
import { SIMULATED } from '../../../main/device/simulator/protocols.ts';
import { openDataStore } from '../../../main/host/data-folder.ts';
import { openDesk } from '../../../main/host/desk-host.ts';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import { readAllSamples } from '../../../shared/signal/recording.ts';
import {
  openTerminals,
  PluggedDevice,
  socatMissing,
  type TerminalPair,
} from '../../support/pseudo-terminal.ts';
import { startIsoline } from '../../support/run-isoline.ts';
import { eventually, type RunningWorkstation, runWorkstation } from '../../support/running-workstation.ts';
import { storedRecording } from '../../support/stored-recording.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let running: RunningWorkstation;
let desk: Desk;
const opened: { switchOff(): Promise<void> }[] = [];
const terminals: TerminalPair[] = [];

beforeEach(async () => {
  folder = await tempFolder();
  running = await runWorkstation();
  desk = await openDesk(running.workstation, { isWatching: false });
});
afterEach(async () => {
  await desk.close();
  await Promise.all(opened.splice(0).map((device) => device.switchOff()));
  await Promise.all(terminals.splice(0).map((pair) => pair.unplug()));
  await running.stop();
  await folder.remove();
});

async function plugIn(
  driver: string,
  variant?: string,
  name = driver,
): Promise<{ device: PluggedDevice; pair: TerminalPair }> {
  const pair = await openTerminals(folder.path, name);
  terminals.push(pair);
  const device = new PluggedDevice(driver, variant);
  opened.push(device);
  await device.plugInto(pair.device);
  return { device, pair };
}

/** Where `part` begins in `whole`. */
function find(whole: readonly number[], part: readonly number[]): number {
  for (let at = 0; at + part.length <= whole.length; at++)
    if (part.every((value, i) => whole[at + i] === value)) return at;
  return -1;
}

describe.skipIf(socatMissing !== undefined)(
  `at pseudo-terminals${socatMissing === undefined ? '' : ` (${socatMissing})`}`,
  () => {
    test('all kinds of devices record side by side, sample for sample what they measured', async () => {
      const kinds = Object.keys(SIMULATED);
      const recorded = await Promise.all(
        kinds.map(async (driver) => {
          const { device, pair } = await plugIn(driver);
          const id = await desk.connect(pair.host, { driver });
          const { taskId } = await desk
            .device(id)
            .record({ durationMs: 2000 })
            .then(() => desk.device(id).untilEnded());
          return { driver, device, taskId, view: desk.device(id).view };
        }),
      );
      for (const { driver, device, taskId, view } of recorded) {
        const recording = await storedRecording(running, taskId);
        expect(recording.device, driver).toMatchObject({ isSimulated: driver === 'isoline-idp' });
        expect(recording.gaps ?? [], driver).toEqual([]);
        const [lead] = recording.channels;
        const stored = [...readAllSamples(lead!)];
        expect(stored.length / (view.rateHz ?? 1), driver).toBeCloseTo(2, 1);
        // Leads that are one channel hold its codes; those computed of several, or of many samples, hold
        // multiples of them.
        const { format, leadSet } = desk.device(view.id).link;
        const [source] = leadSet!.leads;
        if (source!.terms.length > 1 || format!.decimation !== undefined) continue;
        const { channel, weight } = source!.terms[0]!;
        const measured = device
          .channel(channel)
          .map((code) => weight * (code - format!.channels[channel]!.zero));
        const isText = driver === 'text';
        if (!isText)
          expect(find(measured, stored), `${driver}: what is stored was measured`).toBeGreaterThanOrEqual(0);
        else expect(find(device.channel(channel), stored), driver).toBeGreaterThanOrEqual(0);
      }
    });

    test.each(
      Object.keys(SIMULATED).filter(
        (driver) => !['openbci-cyton', 'bitalino', 'chords', 'ti-ads1x9x'].includes(driver),
      ),
    )('what %s sends by itself is recognised', async (driver) => {
      const { pair } = await plugIn(driver);
      const id = await desk.connect(pair.host);
      expect(desk.device(id).view).toMatchObject({ state: 'ready', driver });
    });

    test('nothing is sent to a silent device that nobody knows', async () => {
      const { device, pair } = await plugIn('bitalino');
      const heard: number[] = [];
      const receive = device.device.receive.bind(device.device);
      device.device.receive = (bytes) => {
        heard.push(...bytes);
        receive(bytes);
      };
      await expect(desk.connect(pair.host)).rejects.toMatchObject({ reason: 'device_unidentified' });
      expect(heard).toEqual([]);
    });

    test('a device of a wrong rate records an emergency alone, where the clinic wants it so', async () => {
      await desk.close();
      await running.stop();
      running = await runWorkstation({ overrides: [['devices.wrongRate', 'refuse']] });
      desk = await openDesk(running.workstation, { isWatching: false });
      const pair = await openTerminals(folder.path, 'fast');
      terminals.push(pair);
      const fast = new PluggedDevice('openbci-cyton', undefined, {}, 1.2);
      opened.push(fast);
      await fast.plugInto(pair.device);
      const id = await desk.connect(pair.host, { driver: 'openbci-cyton' });
      const device = desk.device(id);
      const view = await eventually(
        async () => (device.view.isRateRefused === true ? device.view : undefined),
        'its rate is known to be wrong',
      );
      expect((view.trueRateHz ?? 0) / 250).toBeCloseTo(1.2, 2);
      const entry = {
        fields: { lastName: 'Hoffmann' },
        identity: { name: 'said', birth: 'said' },
        isAutoComplete: false,
      } as never;
      await expect(device.record({ entry })).rejects.toMatchObject({ reason: 'device_rate_wrong' });
      await expect(device.saveLast({ entry })).rejects.toMatchObject({ reason: 'device_rate_wrong' });
      await device.record({ durationMs: 3000 });
      const { taskId } = await device.untilEnded();
      expect((await storedRecording(running, taskId)).warnings).toContainEqual(
        expect.objectContaining({ code: 'rate_corrected' }),
      );
    });

    test('a name that the clinic gives a device stays with its port, and is taken away by an empty one', async () => {
      const { pair } = await plugIn('isoline-idp');
      const id = await desk.connect(pair.host, { driver: 'isoline-idp' });
      const { name } = desk.device(id).view;
      const ask = desk.handlersFor('page');
      const signal = new AbortController().signal;
      await ask['desk.rename']({ id, name: ' Trolley 2 ' }, signal);
      expect(desk.views).toMatchObject([{ id, name: 'Trolley 2', ownName: 'Trolley 2' }]);
      await desk.close();
      desk = await openDesk(running.workstation, { listPorts: async () => [] });
      await desk.connect(pair.host, { driver: 'isoline-idp' });
      await eventually(
        async () => (desk.views[0]?.name === 'Trolley 2' ? true : undefined),
        'the name is known after a start',
      );
      await desk.handlersFor('page')['desk.rename']({ id, name: '' }, signal);
      expect(desk.views[0]).toMatchObject({ name });
      expect(desk.views[0]).not.toHaveProperty('ownName');
    });

    test('a wrong path, and a port that is taken, are told in one sentence', async () => {
      await expect(desk.connect(join(folder.path, 'nothing'), { driver: 'cyton' })).rejects.toMatchObject({
        reason: 'device_not_found',
      });
      const { pair } = await plugIn('isoline-idp');
      await desk.connect(pair.host, { driver: 'idp' });
      const other = await openDesk(running.workstation, { isWatching: false });
      await expect(other.connect(pair.host, { driver: 'idp' })).rejects.toMatchObject({
        reason: 'device_in_use',
      });
      await other.close();
    });

    test('detecting can be called off at any time', async () => {
      const { pair } = await plugIn('bitalino');
      const connecting = desk.connect(pair.host).catch(() => 'called off');
      await eventually(
        async () => (desk.views.some(({ state }) => state === 'detecting') ? true : undefined),
        'detecting',
      );
      const startMs = performance.now();
      await desk.disconnect(desk.views[0]!.id);
      expect(performance.now() - startMs).toBeLessThan(2000);
      await connecting;
      expect(desk.views[0]?.state).toBe('disconnected');
    });

    test('a disk that keeps all of Node’s threads waiting does not keep a device from being read', async () => {
      const pair = await openTerminals(folder.path, 'busy');
      terminals.push(pair);
      // In a process of its own, whose threads are free.
      await using simulator = startIsoline('simulate', '--driver', 'idp', '--port', pair.device);
      await simulator.firstLine;
      const id = await desk.connect(pair.host, { driver: 'idp' });
      await desk.device(id).record({});
      const states = new Set<string>();
      const end = desk.onEvent(() => states.add(desk.device(id).link.state));
      // A pipe that nobody writes to holds the thread that opens it: more of them than there are threads.
      const pipes = Array.from({ length: 12 }, (_, i) => join(folder.path, `pipe-${i}`));
      expect(spawnSync('mkfifo', pipes).status).toBe(0);
      const waiting = Promise.all(pipes.map((pipe) => open(pipe, 'r')));
      await new Promise((resolve) => setTimeout(resolve, 2500));
      spawnSync('sh', ['-c', pipes.map((pipe) => `: > ${pipe}`).join(' & '), '&']);
      for (const pipe of await waiting) await pipe.close();
      end();
      const { taskId, lostShare } = await desk.device(id).stop();
      expect([[...states], lostShare]).toEqual([['recording'], 0]);
      const recording = await storedRecording(running, taskId);
      expect(recording.gaps ?? []).toEqual([]);
      expect(recording.durationSeconds).toBeGreaterThan(2.4);
    });

    test('a task that is ended elsewhere is followed by another one, without a sample between them', async () => {
      const { device, pair } = await plugIn('isoline-idp');
      const id = await desk.connect(pair.host, { driver: 'idp' });
      const first = await desk.device(id).record({});
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const facts = {
        driver: 'isoline-idp',
        variant: '',
        name: '',
        class: 'monitoring',
        leadSet: '',
        highPassHz: 0,
        lowPassHz: 0,
      } as const;
      const elsewhere = new BridgeClient(running.workstation.connect('recorder'));
      using store = openDataStore(running.dataDir, 'command');
      await elsewhere.call('recorder.finish', {
        taskId: first,
        folder: store.installationId,
        device: { ...facts, isSimulated: true, isCalibrated: true, hasCounter: true },
        events: [],
        warnings: [],
      });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const { taskId } = await desk.device(id).stop();
      expect(taskId).not.toBe(first);
      const parts = await Promise.all([first, taskId].map((task) => storedRecording(running, task)));
      const stored = parts.flatMap(({ channels }) => [...readAllSamples(channels[0]!)]);
      expect(parts.map(({ gaps }) => gaps ?? [])).toEqual([[], []]);
      expect(stored.length / 500).toBeGreaterThan(2.5);
      expect(find(device.channel(0), stored)).toBeGreaterThanOrEqual(0);
    });

    test('the last ten seconds are saved, and a recording begins with the past that is there', async () => {
      const { device, pair } = await plugIn('isoline-idp');
      const id = await desk.connect(pair.host, { driver: 'idp' });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const saved = await desk.device(id).saveLast();
      await desk.device(id).record({ withPast: true });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const { taskId, recordedMs } = await desk.device(id).stop();
      expect(recordedMs).toBeGreaterThan(2300);
      for (const task of [saved, taskId]) {
        const recording = await storedRecording(running, task);
        expect(recording.durationSeconds).toBeGreaterThan(1.3);
        expect(find(device.channel(0), [...readAllSamples(recording.channels[0]!)])).toBeGreaterThanOrEqual(
          0,
        );
      }
    });
  },
);
