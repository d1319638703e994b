// The recorder against a clinic that is away, busy, full, or has decided otherwise: a real bridge over a real
// message port, behind which the test answers.

import { setTimeout as wait } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { overMessagePort } from '../../../main/bridge/message-port.ts';
import { HostClock } from '../../../main/device/link/host-clock.ts';
import type { LeadBatch } from '../../../main/device/link/lead-maker.ts';
import { ClinicConnection } from '../../../main/device/recorder/clinic-connection.ts';
import { Recorder, type RecorderOptions } from '../../../main/device/recorder/recorder.ts';
import { nativeCompressors } from '../../../main/formats/compressed-delta/compression.ts';
import { decodeCompressedDelta } from '../../../main/signal/compressed-delta/read-frame.ts';
import { seededRandom } from '../../../main/signal/synthetic/random.ts';
import type { BridgePort } from '../../../shared/bridge/messages.ts';
import { BridgeServer } from '../../../shared/bridge/server.ts';
import type { RecordingEntry } from '../../../shared/entry/recording-entry.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import { LEAD_CODES } from '../../../shared/signal/lead.ts';
import { eventually } from '../../support/running-workstation.ts';

const RATE_HZ = 1000;
const PIECE = 250;

interface Task {
  readonly samples: number[];
  isFinished: boolean;
  isDiscarded: boolean;
  events: readonly { sample: number; kind: string; value: number }[];
  warnings: readonly { code: string }[];
  readonly begin: { readonly continues?: number; readonly entry?: RecordingEntry; readonly taskId?: number };
}

/** What the clinic does with frames; the test tells how it answers. */
class ClinicInHand {
  readonly tasks = new Map<number, Task>();
  /** Nothing is answered before this. */
  held: Promise<void> | undefined;
  /** Answers to the next frames, before any is stored. */
  readonly refusals: Reason[] = [];
  refusesAll: Reason | undefined;
  refusesBegin: Reason | undefined;
  freeBytes = 1e12;
  appends = 0;
  readonly #ports: BridgePort[] = [];

  connect = (): BridgePort => {
    const { port1, port2 } = new MessageChannel();
    const remote = overMessagePort(port2);
    this.#ports.push(remote);
    new BridgeServer(
      remote,
      {
        'recorder.begin': async (begin) => {
          await this.held;
          if (this.refusesBegin !== undefined) throw new IsolineError(this.refusesBegin, 'not this one');
          const taskId = this.tasks.size + 1;
          this.tasks.set(taskId, {
            samples: [],
            isFinished: false,
            isDiscarded: false,
            events: [],
            warnings: [],
            begin,
          });
          return { taskId, folder: 'abcdefgh' };
        },
        'recorder.append': async ({ taskId, bytes }) => {
          this.appends++;
          await this.held;
          const refusal = this.refusals.shift() ?? this.refusesAll;
          if (refusal !== undefined) throw new IsolineError(refusal, 'not now', { isSame: false });
          const task = this.tasks.get(taskId);
          if (task === undefined || task.isFinished)
            throw new IsolineError('stream_not_found', 'no such stream');
          const decoded = decodeCompressedDelta(bytes);
          if (!decoded.ok) throw new IsolineError('invalid_frame', decoded.message);
          task.samples.push(...decoded.frame.channels[0]!);
          return {};
        },
        'recorder.finish': async ({ taskId, events, warnings }) => {
          await this.held;
          Object.assign(this.tasks.get(taskId) as Task, { isFinished: true, events, warnings });
          return {};
        },
        'recorder.discard': async ({ taskId }) => {
          Object.assign(this.tasks.get(taskId) as Task, { isFinished: true, isDiscarded: true });
          return {};
        },
        'recorder.space': async () => ({ freeBytes: this.freeBytes }),
      },
      () => undefined,
    );
    return overMessagePort(port1);
  };

  close(): void {
    for (const port of this.#ports) port.close();
  }
}

const open: ClinicInHand[] = [];
afterEach(() => {
  for (const clinic of open.splice(0)) clinic.close();
});

function setUp({ leads = 2, ...options }: Partial<RecorderOptions> & { leads?: number } = {}) {
  const clinic = new ClinicInHand();
  open.push(clinic);
  const random = seededRandom(5);
  const recorder = new Recorder({
    clinic: new ClinicConnection(clinic.connect, () => undefined),
    clock: new HostClock(),
    scale: {
      leadCodes: LEAD_CODES.slice(0, leads),
      rateHz: RATE_HZ,
      lsbUv: 1,
      digitalMinimum: -(2 ** 30),
      digitalMaximum: 2 ** 30,
    },
    electrodesOff: 0,
    device: () => ({
      driver: 'test',
      variant: 'test',
      name: 'Test',
      class: 'monitoring',
      isSimulated: true,
      isCalibrated: true,
      leadSet: 'test',
      highPassHz: 0,
      lowPassHz: 0,
      hasCounter: true,
    }),
    frameMs: PIECE,
    compressors: nativeCompressors(),
    rollOverMs: 1e9,
    onChange: () => undefined,
    onEnded: () => undefined,
    ...options,
  });
  const measured: number[] = [];
  let next = 0;
  let lost: LeadBatch['gap'];
  const feed = (pieces: number): void => {
    for (let n = 0; n < pieces; n++, next += PIECE) {
      const columns = Array.from({ length: leads }, () =>
        Int32Array.from({ length: PIECE }, () => Math.round((random() - 0.5) * 2 ** 30)),
      );
      measured.push(...columns[0]!);
      recorder.take({
        firstSample: next,
        count: PIECE,
        leads: columns,
        arrivalMs: undefined,
        gap: lost,
        events: [],
        saturated: 0,
      });
      lost = undefined;
    }
  };
  /** Nothing arrives for so many pieces. */
  const lose = (pieces: number): void => {
    lost = { kind: 'counter', start: next, end: next + pieces * PIECE };
    next += pieces * PIECE;
  };
  return { clinic, recorder, feed, lose, measured };
}

test('what waits for a store that is away is stored when the device has other leads and its recorder is given up', async () => {
  const { clinic, recorder, feed, measured } = setUp();
  const taskId = await recorder.record({});
  const hold = Promise.withResolvers<void>();
  clinic.held = hold.promise;
  feed(8);
  let isClosed = false;
  const closing = recorder.close().then(() => {
    isClosed = true;
  });
  await wait(100);
  expect(isClosed).toBe(false);
  hold.resolve();
  await closing;
  expect(clinic.tasks.get(taskId)).toMatchObject({ isFinished: true, isDiscarded: false });
  expect(clinic.tasks.get(taskId)?.samples).toEqual(measured);
});

test('a frame that is large enough to be moved to the other thread is whole when it has to be sent again', async () => {
  const { clinic, recorder, feed, measured } = setUp({
    leads: 12,
    frameMs: 4 * PIECE,
    compressors: nativeCompressors(),
  });
  await recorder.record({});
  clinic.refusals.push('storage_busy', 'storage_busy');
  feed(32);
  const { taskId } = await recorder.stop();
  expect(clinic.appends).toBe(8 + 2);
  expect(clinic.tasks.get(taskId)?.samples).toEqual(measured);
});

test('what nobody foresaw is tried again, and given up as a gap that is told when it does not pass', async () => {
  const { clinic, recorder, feed, measured } = setUp();
  await recorder.record({});
  clinic.refusals.push('internal', 'internal', 'internal');
  feed(1);
  await eventually(async () => (recorder.status?.recordedMs === PIECE ? true : undefined), 'stored', 5000);
  clinic.refusals.push(...Array.from({ length: 20 }, (): Reason => 'internal'));
  feed(2);
  const { taskId, recordedMs, lostShare } = await recorder.stop();
  expect([recordedMs, lostShare]).toEqual([2 * PIECE, 1 / 3]);
  const task = clinic.tasks.get(taskId)!;
  expect(task.samples).toEqual([...measured.slice(0, PIECE), ...measured.slice(2 * PIECE)]);
  expect(task.events).toContainEqual({ sample: PIECE, kind: 'gap.store', value: 2 * PIECE });
  expect(task.warnings).toMatchObject([
    { code: 'signal_lost', values: { stored: 0.5, lost: 0.3, longest: 0.3 } },
    { code: 'frames_refused' },
  ]);
  expect(recorder.ended).toMatchObject({ lostMs: PIECE, longestMs: PIECE });
});

test('a recording that somebody ended elsewhere goes on in another task, without a sample between them', async () => {
  const { clinic, recorder, feed, measured } = setUp();
  const first = await recorder.record({});
  feed(3);
  await eventually(
    async () => (recorder.status?.recordedMs === 3 * PIECE ? true : undefined),
    'stored',
    5000,
  );
  clinic.tasks.get(first)!.isFinished = true;
  feed(3);
  const { taskId } = await recorder.stop();
  expect(taskId).not.toBe(first);
  expect([...clinic.tasks.get(first)!.samples, ...clinic.tasks.get(taskId)!.samples]).toEqual(measured);
});

test('a recording that is ended because the disk is nearly full says so when it is over', async () => {
  const { clinic, recorder, feed } = setUp();
  clinic.freeBytes = 1000;
  feed(4);
  const taskId = await recorder.record({ withPast: true });
  await eventually(async () => recorder.ended, 'the end');
  expect(recorder.ended).toMatchObject({ taskId, notice: 'stoppedForSpace' });
  expect(clinic.tasks.get(taskId)).toMatchObject({
    isFinished: true,
    warnings: [{ code: 'stopped_for_space' }],
  });
  await recorder.close();
});

test('a recording of which nothing more can be stored tells what of it is safe, and why no more', async () => {
  const { clinic, recorder, feed } = setUp();
  const taskId = await recorder.record({});
  feed(4);
  await eventually(
    async () => (clinic.tasks.get(taskId)?.samples.length === 4 * PIECE ? true : undefined),
    'four frames',
  );
  // Somebody ended it elsewhere, and it may not go on in another task.
  clinic.tasks.get(taskId)!.isFinished = true;
  clinic.refusesBegin = 'stream_not_found';
  feed(4);
  await eventually(async () => recorder.ended, 'the end');
  expect(recorder.ended).toEqual({
    taskId,
    firstTaskId: taskId,
    recordedMs: 1000,
    trouble: { reason: 'stream_not_found', message: 'not this one' },
  });
  expect(recorder.isRecording).toBe(false);
  await recorder.close();
});

test('a program that ends does not wait for ever for a disk that is full, and says what became of the recording', async () => {
  const { clinic, recorder, feed } = setUp();
  await recorder.record({});
  clinic.refusesAll = 'storage_full';
  feed(4);
  await wait(50);
  expect(recorder.notice).toBe('storeFull');
  const ended = recorder.untilEnded().catch((error: unknown) => error);
  const startMs = performance.now();
  await recorder.close(300);
  expect(performance.now() - startMs).toBeLessThan(3000);
  expect(await ended).toMatchObject({ reason: 'shutting_down' });
});

test('a frame at a place that holds another one is not told as stored', async () => {
  const { clinic, recorder, feed } = setUp();
  await recorder.record({});
  clinic.refusals.push('frame_already_exists');
  feed(2);
  expect(await recorder.stop()).toMatchObject({ recordedMs: PIECE, lostShare: 0.5 });
});

const ENTRY: RecordingEntry = {
  fields: { patient_last_name: 'Hoffmann' },
  identity: { name: 'said', birth: 'said' },
};

test('what a recording rolls over to is of the same patient, and what ended is told from its first task to its last', async () => {
  const { clinic, recorder, feed } = setUp({ rollOverMs: 2 * PIECE });
  const first = await recorder.record({ entry: ENTRY });
  feed(5);
  const { taskId } = await recorder.stop();
  expect([...clinic.tasks.values()].map(({ begin }) => [begin.entry, begin.continues])).toEqual([
    [ENTRY, undefined],
    [ENTRY, first],
    [ENTRY, first + 1],
  ]);
  expect(recorder.ended).toMatchObject({ taskId, firstTaskId: first });
});

test('the last seconds that are saved while somebody is recorded are of that patient, whoever is entered meanwhile', async () => {
  const { clinic, recorder, feed } = setUp();
  const first = await recorder.record({ entry: ENTRY });
  feed(3);
  const saved = await recorder.saveLast({
    entry: { fields: { patient_last_name: 'Okafor' }, identity: { name: 'said', birth: 'said' } },
  });
  expect(clinic.tasks.get(saved)?.begin).toMatchObject({ continues: first });
  // By name, too: in another folder the number would be somebody else's.
  expect(clinic.tasks.get(saved)?.begin.entry).toEqual(ENTRY);
  await recorder.stop();
  // Nobody is recorded any more: whoever is entered now.
  const later = await recorder.saveLast({ entry: ENTRY });
  expect(clinic.tasks.get(later)?.begin).toMatchObject({ entry: ENTRY });
});

test('a recording that rolls over is over when its last task is, and has every sample once', async () => {
  const { clinic, recorder, feed, measured } = setUp({ rollOverMs: 4 * PIECE });
  await recorder.record({ durationMs: 11 * PIECE });
  const ended = recorder.untilEnded();
  feed(20);
  const { taskId, taskIds, recordedMs, lostShare } = await ended;
  expect([taskId, taskIds, recordedMs, lostShare]).toEqual([3, [1, 2, 3], 11 * PIECE, 0]);
  expect(taskIds.flatMap((id) => clinic.tasks.get(id)!.samples)).toEqual(measured.slice(0, 11 * PIECE));
});

test('what was lost counts for the roll-over: a task is no longer than the clinic wants, however bad the cable', async () => {
  const { clinic, recorder, feed, lose } = setUp({ rollOverMs: 4 * PIECE });
  await recorder.record({ entry: ENTRY });
  feed(1);
  lose(2);
  feed(2);
  await recorder.stop();
  const lengths = [...clinic.tasks.values()].map(({ samples }) => samples.length);
  expect(lengths).toEqual([2 * PIECE, PIECE]);
});

test('the last seconds that are saved hold nothing of whoever was there before', async () => {
  const { clinic, recorder, feed, measured } = setUp();
  feed(3);
  recorder.forgetPast();
  expect(recorder.pastMs).toBe(0);
  feed(2);
  const taskId = await recorder.saveLast({ entry: ENTRY });
  await eventually(async () => clinic.tasks.get(taskId)?.isFinished || undefined, 'it is stored');
  expect(clinic.tasks.get(taskId)?.samples).toEqual(measured.slice(3 * PIECE));
});

test('a recording that is just being begun is known as one that runs', async () => {
  const { clinic, recorder } = setUp();
  const hold = Promise.withResolvers<void>();
  clinic.held = hold.promise;
  const begun = recorder.record({});
  const known = recorder.openTasks();
  hold.resolve();
  expect(await known).toEqual([await begun]);
  await recorder.stop();
});
