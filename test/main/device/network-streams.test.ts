// Streams of other programs through the network, LSL and BrainFlow: found, recorded sample for sample, taken up again.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Desk } from '../../../main/device/desk.ts';
import { LSL } from '../../../main/device/drivers/lsl/driver.ts';
import { findLslStreams } from '../../../main/device/transports/find-lsl-streams.ts';
import { isLslPath, writeLslPath } from '../../../main/device/transports/lsl-path.ts';
import { openDesk } from '../../../main/host/desk-host.ts';
import { readAllSamples } from '../../../shared/signal/recording.ts';
import { BrainFlowStreamer } from '../../support/brainflow-streamer.ts';
import { freePort } from '../../support/free-port.ts';
import { LslOutlet, type OutletOptions } from '../../support/lsl-outlet.ts';
import { eventually, type RunningWorkstation, runWorkstation } from '../../support/running-workstation.ts';
import { storedRecording } from '../../support/stored-recording.ts';

const HERE = '127.0.0.1';
const SEARCH_MS = 2500;

let running: RunningWorkstation;
let desk: Desk;
beforeEach(async () => {
  running = await runWorkstation();
  desk = await openDesk(running.workstation, { isWatching: false });
});
afterEach(async () => {
  await desk.close();
  await running.stop();
});

/** Beats at 75 a minute, in µV, never twice the same. */
const ecgUv = (sample: number, rateHz: number): number =>
  Math.round(1000 * Math.exp(-((((sample / rateHz) % 0.8) - 0.3) ** 2) / 0.0002)) + (sample % 97);

const outletOf = (options: Partial<OutletOptions> & Pick<OutletOptions, 'name'>): Promise<LslOutlet> => {
  const { rateHz = 250 } = options;
  return LslOutlet.start({
    rateHz,
    channels: [{ label: 'ECG', unit: 'microvolts', type: 'ECG' }],
    value: (sample) => ecgUv(sample, rateHz),
    ...options,
  });
};

async function pathOf(name: string): Promise<string> {
  const found = await findLslStreams(HERE, SEARCH_MS, ({ info }) => info.name === name);
  const stream = found.find(({ info }) => info.name === name);
  if (stream === undefined) throw new Error(`the stream ${name} was not found`);
  return writeLslPath(stream.info, HERE);
}

async function recorded(
  id: string,
  durationMs: number,
): Promise<Awaited<ReturnType<typeof storedRecording>>> {
  const device = desk.device(id);
  await device.record({ durationMs });
  const { taskId } = await device.untilEnded();
  return storedRecording(running, taskId);
}

const untilRecorded = (id: string, leastMs: number): Promise<true> =>
  eventually(
    async () => ((desk.device(id).view.recording?.recordedMs ?? 0) >= leastMs ? true : undefined),
    'it was recorded for long enough',
  );

/** Whether `stored` is a piece of the signal as it was sent. */
function isSent(stored: readonly number[], value: (sample: number) => number): boolean {
  for (let first = 0; first < 200_000; first++) {
    if (stored[0] !== value(first) || stored[1] !== value(first + 1)) continue;
    if (stored.every((code, i) => code === value(first + i))) return true;
  }
  return false;
}

describe('a stream of Lab Streaming Layer', () => {
  test('is found by its name, and its path finds it again', async () => {
    await using _outlet = await outletOf({ name: 'Bedside & "ECG"', sourceId: 'a=1&b' });
    const path = await pathOf('Bedside & "ECG"');
    expect(isLslPath(path)).toBe(true);
    const id = await desk.connect(path);
    expect(desk.device(id).view).toMatchObject({
      state: 'ready',
      name: 'Bedside & "ECG"',
      driver: LSL.id,
      rateHz: 250,
      isCalibrated: true,
      hasCounter: false,
      isSimulated: false,
      leads: ['MDC_ECG_LEAD_II'],
    });
  });

  test.each(['float32', 'double64', 'int16', 'int32', 'int64'] as const)(
    '%s is recorded sample for sample',
    async (valueFormat) => {
      await using _outlet = await outletOf({
        name: `as ${valueFormat}`,
        valueFormat,
        isBigEndian: valueFormat === 'int32' || valueFormat === 'double64',
      });
      const id = await desk.connect(await pathOf(`as ${valueFormat}`));
      const recording = await recorded(id, 2000);
      expect(recording.gaps ?? []).toEqual([]);
      const stored = readAllSamples(recording.channels[0]!);
      const { lsbUv = 1 } = desk.device(id).view;
      expect(stored.length).toBeGreaterThanOrEqual(500);
      expect(
        isSent(
          Array.from(stored, (code) => Math.round(code * lsbUv)),
          (i) => ecgUv(i, 250),
        ),
      ).toBe(true);
    },
  );

  test('a network that stands still loses nothing; what was never sent is a gap of its length', async () => {
    await using outlet = await outletOf({ name: 'held up' });
    const id = await desk.connect(await pathOf('held up'));
    const device = desk.device(id);
    await device.record({ durationMs: 9000 });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    outlet.isHeldUp = true;
    await new Promise((resolve) => setTimeout(resolve, 1300));
    outlet.isHeldUp = false;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    outlet.isPaused = true;
    await new Promise((resolve) => setTimeout(resolve, 800));
    outlet.isPaused = false;
    const { taskId } = await device.untilEnded();
    const gaps = (await storedRecording(running, taskId)).gaps ?? [];
    expect(gaps).toHaveLength(1);
    const [gap] = gaps;
    const seconds = gap!.endSeconds - gap!.startSeconds;
    expect(seconds).toBeGreaterThan(0.7);
    expect(seconds).toBeLessThan(1);
  });

  test('a program that starts again is taken up again by the name of its source', async () => {
    const options = { name: 'restarted', sourceId: 'amplifier 7' };
    const first = await outletOf(options);
    const id = await desk.connect(await pathOf('restarted'));
    await desk.device(id).record({ durationMs: 60_000 });
    await untilRecorded(id, 1000);
    await first.stop();
    await eventually(async () => (desk.device(id).view.state === 'lost' ? true : undefined), 'it is missed');
    await using _second = await outletOf(options);
    await eventually(
      async () => (desk.device(id).view.state === 'recording' ? true : undefined),
      'it is recorded again',
    );
    await untilRecorded(id, 4000);
    const { taskId } = await desk.device(id).stop();
    expect((await storedRecording(running, taskId)).gaps).toHaveLength(1);
  });

  test('channels that are no ECG are left out, each lead has its name', async () => {
    await using _outlet = await outletOf({
      name: 'night',
      type: 'EEG',
      channels: [
        { label: 'C3', unit: 'uV', type: 'EEG' },
        { label: 'ECG II', unit: 'uV', type: 'ECG' },
        { label: 'Resp', unit: 'uV' },
        { label: 'ECG V5', unit: 'uV', type: 'ECG' },
      ],
    });
    const id = await desk.connect(await pathOf('night'));
    const { leads, leadSets } = desk.device(id).view;
    expect(leads).toEqual(['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V5']);
    expect(leadSets.some(({ name }) => /C3|Resp/.test(name))).toBe(false);
  });

  test.each<[string, Partial<OutletOptions>, RegExp]>([
    ['words', { valueFormat: 'string' }, /sends text, not a signal/],
    ['markers', { rateHz: 0 }, /no fixed sampling rate/],
    ['slow values', { rateHz: 4 }, /An ECG needs between/],
    ['brain', { channels: [{ label: 'Fp1', unit: 'uV', type: 'EEG' }] }, /no ECG: Fp1/],
    ['other numbers', { fault: 'test' }, /numbers of another form/],
    ['an old program', { fault: 'version' }, /LSL 1\.10 or later/],
  ])('a stream of %s is refused in a sentence', async (name, options, sentence) => {
    await using _outlet = await outletOf({ name, ...options });
    await expect(desk.connect(await pathOf(name))).rejects.toThrow(sentence);
  });

  test('a copy of its program in another room does not go on with the recording', async () => {
    const options = { name: 'copied', sourceId: 'myuid34234' };
    const first = await outletOf({ ...options, hostname: 'bed-1' });
    const path = await pathOf('copied');
    await using _second = await outletOf({ ...options, hostname: 'bed-2' });
    const id = await desk.connect(path);
    await desk.device(id).record({ durationMs: 60_000 });
    await untilRecorded(id, 1000);
    await first.stop();
    await eventually(async () => (desk.device(id).view.state === 'lost' ? true : undefined), 'it is missed');
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect(desk.device(id).view.state).toBe('lost');
    await desk.device(id).stop();
  });

  test('two that nothing tells apart are refused', async () => {
    const options = { name: 'alike', sourceId: 'a', hostname: 'raspberrypi' };
    await using _first = await outletOf(options);
    await using _second = await outletOf(options);
    await expect(desk.connect(await pathOf('alike'))).rejects.toMatchObject({
      reason: 'stream_of_two_computers',
      message: expect.stringContaining('Stop the one that is not meant'),
    });
  });

  test('a name of many letters is found, recorded and disconnected', async () => {
    const name = '心电图'.repeat(60);
    await using _outlet = await outletOf({ name, sourceId: '机'.repeat(150) });
    const path = await pathOf(name);
    expect(path.length).toBeLessThan(512);
    const id = await desk.connect(path);
    expect(desk.device(id).view.name).toBe(name);
    await desk.disconnect(id);
  });

  test('leads that are asked for again are taken, and others refused', async () => {
    await using _outlet = await outletOf({ name: 'asked again' });
    const path = await pathOf('asked again');
    const id = await desk.connect(path);
    const { leadSets } = desk.device(id).view;
    const other = leadSets.find(({ id: each }) => each !== desk.device(id).view.leadSet)!;
    await desk.connect(path, { leadSet: other.id });
    expect(desk.device(id).view.leadSet).toBe(other.id);
    await expect(desk.connect(path, { leadSet: 'no-such' })).rejects.toMatchObject({
      reason: 'invalid_request',
    });
  });

  test('one that is not there is said so', async () => {
    await expect(desk.connect(`lsl:name=nothing&host=${HERE}`)).rejects.toMatchObject({
      reason: 'network_stream_not_found',
    });
  });
});

describe('a board that BrainFlow streams', () => {
  test('is recorded sample for sample, and lost packets are counted', async () => {
    const port = await freePort();
    using streamer = new BrainFlowStreamer('cyton', port, (sample, channel) => ecgUv(sample, 250) + channel);
    const id = await desk.connect(`brainflow:${HERE}:${port}`, { variant: 'cyton' });
    expect(desk.device(id).view).toMatchObject({
      state: 'ready',
      name: 'OpenBCI Cyton',
      rateHz: 250,
      leads: ['MDC_ECG_LEAD_II'],
    });
    const whole = await recorded(id, 2000);
    expect(whole.gaps ?? []).toEqual([]);
    const stored = readAllSamples(whole.channels[0]!);
    expect(
      isSent(
        Array.from(stored, (code) => code / 100),
        (i) => ecgUv(i, 250),
      ),
    ).toBe(true);
    await desk.device(id).record({ durationMs: 3000 });
    await new Promise((resolve) => setTimeout(resolve, 700));
    streamer.loses = 4;
    const { taskId } = await desk.device(id).untilEnded();
    const gaps = (await storedRecording(running, taskId)).gaps ?? [];
    expect(gaps.map(({ startSeconds, endSeconds }) => Math.round(250 * (endSeconds - startSeconds)))).toEqual(
      [12],
    );
  });

  test('what comes twice is taken once, and what is none of it is left', async () => {
    const port = await freePort();
    using streamer = new BrainFlowStreamer('ganglion', port, (sample) => ecgUv(sample, 200));
    streamer.isTwice = true;
    const id = await desk.connect(`brainflow:${HERE}:${port}`, { variant: 'ganglion' });
    const whole = await recorded(id, 2000);
    expect(whole.gaps ?? []).toEqual([]);
    const stored = readAllSamples(whole.channels[0]!);
    expect(
      isSent(
        Array.from(stored, (code) => code / 100),
        (i) => ecgUv(i, 200),
      ),
    ).toBe(true);
    expect(desk.device(id).view.trouble).toBeUndefined();
  });

  // Other systems have one loopback address.
  test.skipIf(process.platform !== 'linux')(
    'another computer that streams to the same address is told, and not recorded',
    async () => {
      const port = await freePort();
      using _first = new BrainFlowStreamer('cyton', port, (sample) => ecgUv(sample, 250));
      const id = await desk.connect(`brainflow:${HERE}:${port}`, { variant: 'cyton' });
      using _second = new BrainFlowStreamer('cyton', port, () => 7, '127.0.0.2');
      await eventually(async () => desk.device(id).view.trouble, 'the other one is told');
      expect(desk.device(id).view.trouble).toMatchObject({
        reason: 'stream_of_two_computers',
        message: expect.stringContaining('127.0.0.2'),
      });
      const stored = readAllSamples((await recorded(id, 2000)).channels[0]!);
      expect(
        isSent(
          Array.from(stored, (code) => code / 100),
          (i) => ecgUv(i, 250),
        ),
      ).toBe(true);
    },
  );

  test('leads that were chosen on one board are not those of another at the same address', async () => {
    const port = await freePort();
    const path = `brainflow:${HERE}:${port}`;
    {
      using _cyton = new BrainFlowStreamer('cyton', port, (sample) => ecgUv(sample, 250));
      const id = await desk.connect(path, { variant: 'cyton' });
      const chosen = desk.device(id).view.leadSets.find(({ id: each }) => /^column-3:.*turned$/.test(each))!;
      const ask = desk.handlersFor('a page');
      await ask['desk.chooseLeads']({ id, leadSet: chosen.id }, new AbortController().signal);
      await desk.disconnect(id);
      const again = await desk.connect(path, { variant: 'cyton' });
      expect(desk.device(again).view.leadSet).toBe(chosen.id);
      await desk.disconnect(again);
    }
    using _ganglion = new BrainFlowStreamer('ganglion', port, (sample) => ecgUv(sample, 200));
    const id = await desk.connect(path, { variant: 'ganglion' });
    expect(desk.device(id).view.leadSet).toBe(desk.device(id).view.leadSets[0]?.id);
  });

  test('the synthetic board is marked as simulated', async () => {
    const port = await freePort();
    using _streamer = new BrainFlowStreamer('synthetic', port, (sample) => ecgUv(sample, 250));
    const id = await desk.connect(`brainflow:${HERE}:${port}`, { variant: 'synthetic' });
    expect(desk.device(id).view).toMatchObject({ isSimulated: true });
  });

  test('another board than was chosen is refused in a sentence', async () => {
    const port = await freePort();
    using _streamer = new BrainFlowStreamer('ganglion', port, (sample) => ecgUv(sample, 200));
    await expect(desk.connect(`brainflow:${HERE}:${port}`, { variant: 'cyton' })).rejects.toThrow(
      /Choose the board that it streams/,
    );
  });

  test.each([
    ['brainflow:somewhere', /four numbers, a colon and the port/],
    ['brainflow:300.1.1.1:6677', /four numbers, a colon and the port/],
    ['brainflow:198.51.100.7:6677', /neither an address of this computer nor a group/],
  ])('%s is refused in a sentence', async (path, sentence) => {
    await expect(desk.connect(path)).rejects.toThrow(sentence);
  });
});
