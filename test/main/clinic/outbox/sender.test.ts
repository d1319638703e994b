// The sender against a hundred kinds of bad days, in virtual time; and mutants of it, which must be found.
// `npm run test:sync` runs as many histories as one likes.

import { describe, expect, test } from 'vitest';
import type { Call, Outcome } from '../../../../main/clinic/outbox/call.ts';
import { type Item, isGoing } from '../../../../main/clinic/outbox/item.ts';
import { planCall } from '../../../../main/clinic/outbox/plan.ts';
import { afterAnswer, inRestoredCopy, nextWork } from '../../../../main/clinic/outbox/sender.ts';
import { type Answer, afterRestart, answered, settle } from '../../../../main/clinic/outbox/settle.ts';
import {
  afterOutcome,
  backOffMs,
  NEW_UPSTREAM,
  type Upstream,
} from '../../../../main/clinic/outbox/upstream.ts';
import { readItem } from '../../../../main/store/outbox/outbox-item.ts';
import { checkHistories } from './histories.ts';
import type { Machine } from './simulation.ts';

test('ten thousand histories break no rule, and end with everything at the centre', () => {
  const { recordings, calls, crashes, restores, answers } = checkHistories({ runs: 10_000 });
  expect([
    recordings / 10_000 > 2,
    calls / recordings > 5,
    crashes > 5000,
    restores > 500,
    answers > 2000,
  ]).toEqual(Array(5).fill(true));
}, 300_000);

const REAL: Machine = { nextWork, afterAnswer, afterRestart, inRestoredCopy };

describe('a sender that', () => {
  test.each<[string, Partial<Machine>, RegExp]>([
    [
      'sends again after a lost answer',
      {
        afterAnswer: (work, outcome, ...rest) =>
          afterAnswer(
            work,
            work.call.kind === 'createTask' && outcome.kind === 'unknown' ? { kind: 'notDone' } : outcome,
            ...rest,
          ),
      },
      /was examined/,
    ],
    [
      'forgets at a restart what was under way',
      { afterRestart: (item) => (isGoing(item) ? { ...item, intent: undefined } : item) },
      /was examined/,
    ],
    [
      'finishes before the last frame',
      {
        nextWork: (queue, ...rest) =>
          nextWork(
            {
              ...queue,
              loadOf: (id) => ({ ...queue.loadOf(id), frames: Math.max(0, queue.loadOf(id).frames - 1) }),
            },
            ...rest,
          ),
      },
      /arrived with|went before/,
    ],
    [
      'takes a frame that is there for a failure',
      {
        afterAnswer: (work, outcome, ...rest) =>
          afterAnswer(
            work,
            work.call.kind === 'frame' && outcome.kind === 'conflict' ? { kind: 'notDone' } : outcome,
            ...rest,
          ),
      },
      /still on their way|does not come to an end/,
    ],
    [
      'does not notice that its data were restored',
      { inRestoredCopy: (items) => [...items] },
      /was examined|by itself|went before/,
    ],
    [
      'writes nothing down before it sends',
      {
        nextWork: (...given) => {
          const work = nextWork(...given);
          return work === undefined || !isGoing(work.item)
            ? work
            : { ...work, item: { ...work.item, intent: undefined } };
        },
      },
      /was not written down/,
    ],
    [
      'lets nobody but the oldest go',
      {
        nextWork: (queue, ...rest) =>
          nextWork({ ...queue, turns: { upload: 4, stream: 4, delivery: 4, ask: 4 } }, ...rest),
      },
      /went before/,
    ],
  ])(
    '%s is found',
    (_name, mutant, message) => {
      expect(() => checkHistories({ runs: 3000, seed: 7, machine: { ...REAL, ...mutant } })).toThrow(message);
    },
    120_000,
  );
});

const context = { nowMs: 0, random: () => 0.5, isIdempotent: false };
/** Any field of any state. */
type Fields = Partial<Record<string, unknown>>;
const item = (more: Fields, way: 'stream' | 'upload' = 'upload'): Item =>
  readItem(JSON.stringify({ id: 1, way, isCritical: false, createdMs: 0, state: 'SENDING', ...more }));

describe('an answer', () => {
  const upload = { id: 'u', createdMs: 0, ackedBytes: 0 };
  const chunk: Call = { kind: 'chunk', uploadId: 'u', offsetBytes: 0, lengthBytes: 10 };
  const task: Call = { kind: 'createTask', uploadId: 'u' };
  const finish: Call = { kind: 'finish', centralId: '5' };
  test.each<[string, Item, Call, Outcome, Fields]>([
    [
      'a chunk that is there is acknowledged',
      item({ upload }),
      chunk,
      { kind: 'done' },
      { upload: { ...upload, ackedBytes: 10 } },
    ],
    [
      'a chunk that is refused begins another upload',
      item({ upload, sessions: 2 }),
      chunk,
      { kind: 'refused', message: '' },
      { upload: undefined, state: 'SENDING' },
    ],
    [
      'the third upload that is refused is the last',
      item({ upload, sessions: 3 }),
      chunk,
      { kind: 'absent' },
      { state: 'REFUSED', cause: 'uploadRefused' },
    ],
    [
      'a chunk of which nothing is known is sent again',
      item({ upload }),
      chunk,
      { kind: 'unknown', isServer: true },
      { upload },
    ],
    [
      'a task that nobody knows of is a question',
      item({ upload }),
      task,
      { kind: 'unknown', isServer: true },
      { state: 'NEEDS_CHECK', cause: 'lostAnswer' },
    ],
    [
      'a task without a number is a question',
      item({ upload }),
      task,
      { kind: 'done' },
      { state: 'NEEDS_CHECK', cause: 'unclearAnswer' },
    ],
    [
      'a task that was not sent is sent again',
      item({ upload }),
      task,
      { kind: 'notDone' },
      { state: 'SENDING', upload },
    ],
    [
      'a task that the centre refuses is refused',
      item({ upload }),
      task,
      { kind: 'refused', message: '' },
      { state: 'REFUSED', cause: 'refused' },
    ],
    [
      'a wrong token takes nothing from an item',
      item({ upload }),
      task,
      { kind: 'tokenRefused' },
      { state: 'SENDING', upload },
    ],
    [
      'a stream that is finished waits for its report',
      item({ centralId: '5' }, 'stream'),
      finish,
      { kind: 'done' },
      { state: 'WAITING_REPORT', centralId: '5' },
    ],
    [
      'whether it is finished is asked',
      item({ centralId: '5' }, 'stream'),
      finish,
      { kind: 'unknown', isServer: false },
      { doubt: 'finish', state: 'SENDING' },
    ],
    [
      'an answer to finish that says nothing is asked about, not believed',
      item({ centralId: '5' }, 'stream'),
      finish,
      { kind: 'unclear' },
      { doubt: 'finish', state: 'SENDING' },
    ],
    [
      'frames that are missing are sent once more',
      item({ centralId: '5' }, 'stream'),
      finish,
      { kind: 'conflict' },
      { state: 'SENDING' },
    ],
  ])('%s', (_name, before, call, outcome, after) => {
    expect(settle(before, call, outcome, context)).toMatchObject(after);
  });

  test('that nobody expects here is no reason to start again', () => {
    for (const kind of ['absent', 'conflict'] as const)
      expect(settle(item({ upload }), task, { kind }, context)).toMatchObject({
        state: 'NEEDS_CHECK',
        cause: 'unclearAnswer',
      });
  });

  test('of a try that was given up changes nothing of the next one', () => {
    const again = item({ centralId: '9' }, 'stream');
    expect(settle(again, { kind: 'frame', centralId: '5', index: 7 }, { kind: 'done' }, context)).toBe(again);
    const stopped = item({ state: 'STOPPED', centralId: '5' }, 'stream');
    expect(settle(stopped, { kind: 'frame', centralId: '5', index: 7 }, { kind: 'absent' }, context)).toBe(
      stopped,
    );
  });

  test('that says a finished stream is gone, behind one that was lost, is asked about', () => {
    const lost = settle(
      item({ centralId: '5' }, 'stream'),
      finish,
      { kind: 'unknown', isServer: false },
      context,
    );
    const there = settle(
      lost,
      { kind: 'params', centralId: '5', after: 'finish' },
      { kind: 'done' },
      context,
    );
    expect(
      planCall(there, { sizeBytes: 0, frames: 0, isFinished: true }, { chunkBytes: 1 }, 0),
    ).toMatchObject({ kind: 'start' });
    expect(settle(there, finish, { kind: 'absent' }, context)).toMatchObject({
      state: 'SENDING',
      doubt: 'finish',
    });
  });

  test('of a peer that makes one task of two equal requests is asked for by the same upload, however old that is', () => {
    const doubted = settle(
      item({ upload }),
      task,
      { kind: 'unknown', isServer: false },
      { ...context, isIdempotent: true },
    );
    expect(doubted).toMatchObject({ state: 'SENDING', doubt: 'createTask' });
    expect(planCall(doubted, { sizeBytes: 0, frames: 0, isFinished: true }, { chunkBytes: 1 }, 1e12)).toEqual(
      task,
    );
    expect(
      settle(doubted, task, { kind: 'refused', message: '' }, { ...context, isIdempotent: true }),
    ).toMatchObject({
      state: 'NEEDS_CHECK',
    });
  });
});

describe('a recording on which the centre fails', () => {
  const frame: Call = { kind: 'frame', centralId: '5', index: 0 };
  const server: Outcome = { kind: 'unknown', isServer: true };
  const fail = (one: Item, passed: number): Item =>
    afterAnswer({ item: one, call: frame }, server, { ...NEW_UPSTREAM, passed }, context).item;

  test('while others pass is set aside at the fifth time, and holds nothing up', () => {
    let one = item({ centralId: '5' }, 'stream');
    for (let n = 1; n <= 5; n++) one = fail(one, 3 * n);
    expect(one).toMatchObject({ state: 'REFUSED', cause: 'failsAlone' });
  });

  test('now and then, among its own good calls, is not to blame', () => {
    let one = item({ centralId: '5' }, 'stream');
    for (let passed = 1; passed < 500; passed++) {
      one = afterAnswer(
        { item: one, call: frame },
        { kind: 'done' },
        { ...NEW_UPSTREAM, passed },
        context,
      ).item;
      if (passed % 20 === 0) one = fail(one, passed);
    }
    expect(one.state).toBe('SENDING');
  });

  test('again and again is asked less and less often, whatever others do', () => {
    let one = item({ centralId: '5' }, 'stream');
    const pausesMs: number[] = [];
    for (let n = 0; n < 12; n++) {
      one = afterAnswer(
        { item: one, call: frame },
        { kind: 'unknown', isServer: false },
        NEW_UPSTREAM,
        context,
      ).item;
      pausesMs.push(one.notBeforeMs);
    }
    expect([pausesMs[0], pausesMs[3], pausesMs[11]]).toEqual([1000, 8000, 150_000]);
  });
});

test('of a restored copy nothing goes by itself but what is done', () => {
  const states = (['READY', 'SENDING', 'WAITING_REPORT', 'REFUSED', 'STOPPED', 'DONE'] as const).map(
    (state) => item({ state }),
  );
  expect(inRestoredCopy(states).map(({ state }) => state)).toEqual([...Array(5).fill('NEEDS_CHECK'), 'DONE']);
});

describe('a report', () => {
  test('is asked for with growing pauses, more rarely behind a week, and not for ever', () => {
    let waiting = item({ state: 'WAITING_REPORT', centralId: '5', sentMs: 0 });
    const pausesMs: number[] = [];
    let nowMs = 0;
    for (let n = 0; waiting.state === 'WAITING_REPORT' && n < 10_000; n++) {
      waiting = settle(
        waiting,
        { kind: 'status', centralId: '5' },
        { kind: 'done', isProcessed: false },
        { ...context, nowMs },
      );
      if (waiting.state === 'WAITING_REPORT') {
        pausesMs.push(waiting.notBeforeMs - nowMs);
        nowMs = waiting.notBeforeMs;
      }
    }
    expect(pausesMs.slice(0, 3)).toEqual([5000, 7500, 11_250]);
    expect(Math.max(...pausesMs.slice(0, 100))).toBe(300_000);
    expect(pausesMs.at(-1)).toBe(6 * 3_600_000);
    expect(waiting).toMatchObject({ state: 'STOPPED', cause: 'noReport' });
  });

  test('of a task that the centre does not know is given up when it says so twice, ten minutes apart', () => {
    const call: Call = { kind: 'status', centralId: '5' };
    const once = settle(
      item({ state: 'WAITING_REPORT', centralId: '5', sentMs: 0 }),
      call,
      { kind: 'absent' },
      context,
    );
    expect(once).toMatchObject({ state: 'WAITING_REPORT', notBeforeMs: 600_000 });
    expect(settle(once, call, { kind: 'absent' }, { ...context, nowMs: 600_000 })).toMatchObject({
      state: 'STOPPED',
      cause: 'goneAtCentre',
    });
    const back = settle(once, call, { kind: 'done', isProcessed: false }, { ...context, nowMs: 600_000 });
    expect(settle(back, call, { kind: 'absent' }, { ...context, nowMs: 700_000 })).toMatchObject({
      state: 'WAITING_REPORT',
    });
  });
});

test.each<[Fields, Answer, Fields | undefined]>([
  [{ state: 'NEEDS_CHECK' }, { kind: 'there', centralId: '9' }, { state: 'WAITING_REPORT', centralId: '9' }],
  [{ state: 'NEEDS_CHECK' }, { kind: 'again' }, { state: 'READY', upload: undefined, centralId: undefined }],
  [{ state: 'REFUSED' }, { kind: 'there', centralId: '9' }, undefined],
  [{ state: 'SENDING' }, { kind: 'again' }, undefined],
  [{ state: 'SENDING' }, { kind: 'stop' }, { state: 'STOPPED', cause: 'byPerson' }],
  [{ state: 'SENDING', intent: 'createTask' }, { kind: 'stop' }, undefined],
  [{ state: 'WAITING_REPORT', centralId: '9' }, { kind: 'stop' }, undefined],
  [{ state: 'DONE', centralId: '9' }, { kind: 'stop' }, undefined],
])('a person says of %j: %j', (before, answer, after) => {
  const said = answered(item(before), answer, context);
  if (after === undefined) expect(said).toBeUndefined();
  else expect(said).toMatchObject(after);
});

describe('the centre', () => {
  /** Each call begins after the one before has ended. */
  const AT_ONCE = { nowMs: 0, begunMs: 1 };
  const fail = (upstream: Upstream): Upstream =>
    afterOutcome(upstream, { kind: 'notDone' }, AT_ONCE, () => 0.999);
  test('is left alone for longer and longer, and is asked again at once when it answered', () => {
    const failed = Array.from({ length: 25 }).reduce<Upstream[]>(
      (all) => [...all, fail(all.at(-1) ?? NEW_UPSTREAM)],
      [],
    );
    expect(failed.map(({ notBeforeMs }) => Math.ceil(notBeforeMs / 1000)).slice(0, 8)).toEqual([
      0, 0, 0, 0, 32, 64, 128, 256,
    ]);
    expect(Math.ceil((failed[10]?.notBeforeMs ?? 0) / 1000)).toBe(300);
    expect(Math.ceil((failed[24]?.notBeforeMs ?? 0) / 1000)).toBe(3597);
    expect(afterOutcome(failed[24]!, { kind: 'done' }, AT_ONCE, () => 0)).toMatchObject({ failuresInRow: 0 });
  });

  test('is not held for lost by the calls that were under way together when the network broke', () => {
    const fallen = (begunMs: number, nowMs: number, upstream: Upstream): Upstream =>
      afterOutcome(upstream, { kind: 'unknown', isServer: false }, { begunMs, nowMs }, () => 0.999);
    // Ten calls, begun in the second before the break, end one after the other.
    const together = Array.from({ length: 10 }).reduce<Upstream>(
      (upstream, _, n) => fallen(100 * n, 1000 + 10 * n, upstream),
      NEW_UPSTREAM,
    );
    expect(together).toMatchObject({ failuresInRow: 1, notBeforeMs: 0 });
    // Begun after it, each counts.
    const apart = Array.from({ length: 4 }).reduce<Upstream>(
      (upstream, _, n) => fallen(2000 + 1000 * n, 2500 + 1000 * n, upstream),
      together,
    );
    expect(apart).toMatchObject({ failuresInRow: 5 });
    // The clock was set back meanwhile: that holds no failure back.
    expect(fallen(10, 20, apart)).toMatchObject({ failuresInRow: 6 });
  });

  test('says how long to wait, within an hour', () => {
    const waits = [0, 40_000, 1e9].map(
      (waitMs) => afterOutcome(NEW_UPSTREAM, { kind: 'limited', waitMs }, AT_ONCE, () => 0).notBeforeMs,
    );
    expect(waits).toEqual([1000, 40_000, 3_600_000]);
  });

  test('is stopped by a token that is refused and by an address that moved; items keep their place', () => {
    expect(afterOutcome(NEW_UPSTREAM, { kind: 'tokenRefused' }, AT_ONCE, () => 0).stop).toBe('token');
    expect(afterOutcome(NEW_UPSTREAM, { kind: 'moved' }, AT_ONCE, () => 0).stop).toBe('address');
  });

  test('is not asked by all workstations in the same second', () => {
    const random = [0, 0.25, 0.75].values();
    expect([1, 2, 3].map(() => backOffMs(3, () => random.next().value ?? 0))).toEqual([0, 2000, 6000]);
  });
});
