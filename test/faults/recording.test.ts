// A recording under everything that can happen to it: killed, unplugged, its store thrown, out of memory,
// blocked, its disk slow.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openDesk } from '../../main/host/desk-host.ts';
import { decodeCompressedDelta } from '../../main/signal/compressed-delta/read-frame.ts';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { INVALID_SAMPLE, readAllSamples } from '../../shared/signal/recording.ts';
import { soak } from '../soak/soak.ts';
import { inLongForm } from '../support/long-form.ts';
import { openTerminals, PluggedDevice, socatMissing, UnreadBytes } from '../support/pseudo-terminal.ts';
import { eventually, runWorkstation } from '../support/running-workstation.ts';
import { storedRecording } from '../support/stored-recording.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { recordDevice, type ShownFrame } from './recorded-device.ts';
import { judgeTrace, LAZY_COMMITS, plant, straceMissing, straceOf } from './sync-order.ts';
import { disturb, disturbedThread } from './thread-faults.ts';

const isFull = process.env.ISOLINE_FAULTS_FULL === '1';
const KILLS = isFull ? 200 : inLongForm(4, 8);
const REPLUGS = isFull ? 50 : inLongForm(3, 4);
const FRAME_SAMPLES = 250;
/** Read, or being written by the device, when the program is killed: some pieces of a terminal. */
const ON_THE_WAY = 100;
const LEAST_PACKET_BYTES = 200;
const why = socatMissing === undefined ? '' : ` (left out: ${socatMissing})`;

interface StoredFrame {
  readonly timestamp_us: number;
  readonly samples: number;
  readonly payload: Buffer;
}

function storedFrames(dataDir: string, taskId: number): StoredFrame[] {
  const database = new Database(join(dataDir, 'isoline.sqlite'), { readonly: true });
  try {
    return database
      .prepare<[number], StoredFrame>(
        'SELECT timestamp_us, samples, payload FROM frame WHERE task_id = ? ORDER BY timestamp_us',
      )
      .all(taskId);
  } finally {
    database.close();
  }
}

const firstLead = (frames: readonly StoredFrame[]): number[] =>
  frames.flatMap(({ payload }) => {
    const decoded = decodeCompressedDelta(payload);
    if (!decoded.ok) throw new Error(decoded.message);
    return [...decoded.frame.channels[0]!];
  });

/** Where `part` begins in `whole`; its first thousand samples find the place. */
function find(whole: readonly number[], part: readonly number[]): number {
  const head = part.slice(0, 1000);
  for (let at = 0; at + head.length <= whole.length; at++)
    if (head.every((value, i) => whole[at + i] === value)) return at;
  return -1;
}

/** Whole packets of samples in the Isoline protocol, in which a zero stands before and behind each. */
const packetsIn = (bytes: Buffer): number =>
  bytes
    .toString('latin1')
    .split('\0')
    .filter(({ length }) => length > LEAST_PACKET_BYTES).length;

describe.skipIf(socatMissing !== undefined)(
  `a recording${why}`,
  { timeout: isFull ? 3_600_000 : 240_000 },
  () => {
    test(`killed at ${KILLS} random moments has all that was shown, and at most one frame less than what arrived; the next start offers it`, async () => {
      await using folder = await tempFolder();
      await using pair = await openTerminals(folder.path);
      const dataDir = join(folder.path, 'data');
      const random = seededRandom(7);
      const tasks: number[] = [];
      let shownInAll = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const device = new PluggedDevice('isoline-idp', undefined, { seed: kill + 1 });
        await device.plugInto(pair.device);
        const unread = new UnreadBytes(pair.host);
        const recording = recordDevice({ dataDir, port: pair.host, driver: 'isoline-idp' });
        await recording.firstFrame;
        await wait(random() * 1500);
        await recording.kill();
        await device.switchOff();
        const sent = device.channel(0);
        // A busy machine lets some of it wait in the terminal, where the program never saw it.
        const unreadSamples = packetsIn(await unread.take()) * device.device.protocol.samplesPerPacket;
        const arrived = sent.slice(0, sent.length - unreadSamples);
        const shown: readonly ShownFrame[] = recording.shown;
        const taskId = shown[0]!.taskId;
        tasks.push(taskId);
        shownInAll += shown.length;
        const stored = storedFrames(dataDir, taskId);
        const times = new Map(stored.map((frame) => [frame.timestamp_us, frame.samples]));
        expect(
          shown.filter(({ timestampUs, samples }) => times.get(timestampUs) !== samples),
          `kill ${kill}`,
        ).toEqual([]);
        const lead = firstLead(stored);
        const base = find(arrived, lead);
        expect(base, `kill ${kill}: what is stored was measured`).toBeGreaterThanOrEqual(0);
        expect(arrived.slice(base, base + lead.length)).toEqual(lead);
        expect(
          arrived.length - base - lead.length,
          `kill ${kill}: samples that arrived and are not stored`,
        ).toBeLessThan(2 * FRAME_SAMPLES + ON_THE_WAY);
      }
      process.stdout.write(`killed ${KILLS} times: ${shownInAll} frames had been shown, none is missing\n`);
      await using running = await runWorkstation({ dataDir });
      const desk = await openDesk(running.workstation, { isWatching: false });
      const { recordings } = await desk
        .handlersFor('page')
        ['desk.interrupted']({}, AbortSignal.timeout(5000));
      expect(recordings.map(({ taskId }) => taskId).sort((a, b) => a - b)).toEqual(
        tasks.sort((a, b) => a - b),
      );
      const longest = recordings.reduce((a, b) => (b.durationMs > a.durationMs ? b : a));
      await running.bridge.call('stream.finish', { taskId: longest.taskId });
      expect(1000 * (await storedRecording(running, longest.taskId)).durationSeconds).toBeCloseTo(
        longest.durationMs,
        0,
      );
      await desk.close();
    });

    test.skipIf(straceMissing !== undefined)(
      `is synced before it is shown${straceMissing === undefined ? '' : ` (left out: ${straceMissing})`}`,
      async () => {
        await using folder = await tempFolder();
        await using pair = await openTerminals(folder.path);
        const device = new PluggedDevice('isoline-idp');
        await device.plugInto(pair.device);
        const findings = async (name: string, root?: string) => {
          const trace = join(folder.path, name);
          const recording = recordDevice({
            dataDir: join(folder.path, `${name}-data`),
            port: pair.host,
            driver: 'isoline-idp',
            seconds: isFull ? 20 : 3,
            wrapper: straceOf(trace),
            ...(root !== undefined && { root }),
          });
          await recording.closed;
          return judgeTrace(trace);
        };
        const right = await findings('trace');
        expect(right.acknowledgements).toBeGreaterThanOrEqual(10);
        expect([right.tooEarly, right.syncs >= right.acknowledgements]).toEqual([0, true]);
        // Planted: commits that do not wait. The test must see it.
        const lazy = await findings('lazy', plant(LAZY_COMMITS, join(folder.path, 'planted')));
        expect(lazy.tooEarly).toBeGreaterThan(lazy.acknowledgements / 2);
        await device.switchOff();
      },
    );

    test.each([
      ['isoline-idp', 0],
      ['mobilecg', 0],
      // The clock alone knows: what the pieces of the terminal and the timers of the two ends are late.
      ['openbci-cyton', 120],
    ] as const)(
      `of %s, unplugged and plugged in again ${REPLUGS} times, is one recording with gaps within %i ms`,
      async (driver, toleranceMs) => {
        await using folder = await tempFolder();
        await using running = await runWorkstation();
        const desk = await openDesk(running.workstation, { isWatching: false });
        const device = new PluggedDevice(driver);
        const random = seededRandom(3);
        let pair = await openTerminals(folder.path);
        await device.plugInto(pair.device);
        const id = await desk.connect(pair.host, { driver });
        const base = desk.device(id).link.nextSample;
        const taskId = await desk.device(id).record({});
        // What is measured while the recording is begun may be before it or in it. Counted at the device: what it sent
        // before the port was open never arrived.
        const { channel, weight } = desk.device(id).link.leadSet!.leads[0]!.terms[0]!;
        const begun = device.channel(channel).length;
        const isCytonStarted = driver === 'openbci-cyton';
        for (let n = 0; n < REPLUGS; n++) {
          await wait(300 + 400 * random());
          await pair.unplug();
          await device.pullOut();
          await eventually(
            async () => (desk.device(id).view.state === 'lost' ? true : undefined),
            'the loss',
            5000,
          );
          await wait(300 * random());
          pair = await openTerminals(folder.path);
          await device.plugInto(pair.device);
          await eventually(
            async () => (desk.device(id).view.state === 'recording' ? true : undefined),
            'the return',
            10_000,
          );
          // Two losses without a sample between them are one gap.
          const { nextSample } = desk.device(id).link;
          await eventually(
            async () => (desk.device(id).link.nextSample > nextSample ? true : undefined),
            'a sample',
            10_000,
          );
        }
        await wait(500);
        const ended = await desk.device(id).stop();
        await desk.close();
        await pair.unplug();
        expect(ended.taskId).toBe(taskId);
        const recording = await storedRecording(running, taskId);
        expect(recording.gaps?.length ?? 0).toBeGreaterThanOrEqual(REPLUGS);
        const { scale } = desk.device(id).link;
        const samples = readAllSamples(recording.channels[0]!);
        const measured = device.channel(channel);
        const offset = find(
          measured.map((code) => weight * code),
          [...samples.subarray(0, samples.indexOf(INVALID_SAMPLE))],
        );
        expect(offset, 'where the recording begins').toBeGreaterThanOrEqual(0);
        // What a Cyton sent before it was told to stream is not counted.
        expect(offset).toBeGreaterThanOrEqual(base);
        if (!isCytonStarted) expect(offset).toBeLessThanOrEqual(begun);
        // Each stretch lies where it was measured, to the sample or within the jitter of arrivals.
        const tolerance = Math.round((toleranceMs * scale!.rateHz) / 1000);
        let [worst, at] = [0, 0];
        while (at < samples.length) {
          if (samples[at] === INVALID_SAMPLE) {
            at++;
            continue;
          }
          let end = at;
          while (end < samples.length && samples[end] !== INVALID_SAMPLE) end++;
          const piece = samples.subarray(at, Math.min(end, at + 60));
          let best = Number.POSITIVE_INFINITY;
          for (let shift = -3 * tolerance - 1; shift <= 3 * tolerance + 1; shift++)
            if (
              piece.every(
                (value, i) => value === weight * (measured[offset + at + shift + i] ?? Number.NaN),
              ) &&
              Math.abs(shift) < Math.abs(best)
            )
              best = shift;
          worst = Math.max(worst, Math.abs(best));
          at = end;
        }
        await device.switchOff();
        expect(worst).toBeLessThanOrEqual(tolerance);
      },
    );

    test.each(['thrown', 'outOfHeap', 'blocked'] as const)(
      'whose clinic thread is %s in the middle loses no sample, and says so',
      async (fault) => {
        await using folder = await tempFolder();
        await using pair = await openTerminals(folder.path);
        await using running = await runWorkstation({ openThread: disturbedThread });
        const desk = await openDesk(running.workstation, { isWatching: false });
        const device = new PluggedDevice('isoline-idp');
        await device.plugInto(pair.device);
        const id = await desk.connect(pair.host, { driver: 'isoline-idp' });
        const taskId = await desk.device(id).record({});
        const notices = new Set<string>();
        const end = desk.onEvent((name) => {
          const notice = desk.device(id).view.recording?.notice;
          if (name === 'desk.changed' && notice !== undefined) notices.add(notice);
        });
        await wait(1000);
        disturb(fault);
        await wait(fault === 'blocked' ? 11_000 : 3000);
        const { recordedMs, lostShare } = await desk.device(id).stop();
        end();
        await desk.close();
        const recording = await storedRecording(running, taskId);
        const stored = [...readAllSamples(recording.channels[0]!)];
        await device.switchOff();
        expect([lostShare, recording.gaps ?? []]).toEqual([0, []]);
        expect(stored.length).toBe(recordedMs);
        const measured = device.channel(0);
        const base = find(measured, stored);
        expect(measured.slice(base, base + stored.length)).toEqual(stored);
        expect([...notices]).toContain(fault === 'blocked' ? 'storeSlow' : 'storeRestarted');
      },
    );

    test('of twelve leads at 1000 Hz beside analyses and 200 requests a second loses nothing, also where the disk is slow or the store ends again and again', async () => {
      for (const options of [
        {},
        { hasSlowSync: process.platform === 'linux' },
        { crashEverySeconds: isFull ? 5 : 2 },
      ]) {
        const found = await soak({ minutes: isFull ? 1 : 0.1, ...options });
        expect([found.lostShare, found.isSignalRight], JSON.stringify(options)).toEqual([0, true]);
        expect(found.analyses).toBeGreaterThan(0);
      }
    });

    test('keeps the bytes of the device for support where that is asked for', async () => {
      await using folder = await tempFolder();
      const raw = join(folder.path, 'raw.bin');
      const { isoline } = await import('../support/run-isoline.ts');
      const run = await isoline(
        'record',
        '--port',
        'simulator:cyton',
        '--seconds',
        '1',
        '--data-dir',
        join(folder.path, 'data'),
        '--raw',
        raw,
      );
      expect([run.code, run.stderr]).toEqual([0, '']);
      expect(run.stdout).toMatch(/^Recorded 1\.0 s as task 1, 0\.00 % lost\.\n$/);
      expect(readFileSync(raw).length).toBeGreaterThan(33 * 250);
    });
  },
);
