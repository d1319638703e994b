// Who gets the next free worker.

import { expect, test } from 'vitest';
import { watchProgress } from '../../../main/pool/progress-watch.ts';
import { Turns } from '../../../main/pool/turns.ts';
import type { AnalysisLane } from '../../../shared/analysis-lane.ts';

/** Jobs by name that end when the test says so. */
function jobsOn(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (name: string, lane: AnalysisLane, isLong = false, signal?: AbortSignal) =>
      turns.take(
        { lane, isLong },
        () => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        },
        signal,
      ),
    async end(name: string) {
      ends.get(name)?.();
      for (let i = 0; i < 5; i++) await Promise.resolve();
    },
  };
}
const settled = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

test('the foremost lane goes first, the oldest of it before the others', async () => {
  const { begun, ask, end } = jobsOn(new Turns(1));
  void ask('import 1', 'import');
  void ask('import 2', 'import');
  void ask('opened', 'awaited');
  void ask('import 3', 'import');
  void ask('emergency', 'emergency');
  await settled();
  for (const name of ['import 1', 'emergency', 'opened', 'import 2']) await end(name);
  expect(begun).toEqual(['import 1', 'emergency', 'opened', 'import 2', 'import 3']);
});

test('long jobs never take the last worker, whatever their lane', async () => {
  const { begun, ask, end } = jobsOn(new Turns(2));
  void ask('day 1', 'import', true);
  void ask('day 2', 'awaited', true);
  void ask('short', 'import');
  await settled();
  expect(begun).toEqual(['day 1', 'short']);
  await end('short');
  expect(begun).toEqual(['day 1', 'short']);
  await end('day 1');
  expect(begun).toEqual(['day 1', 'short', 'day 2']);
});

test('one that is given up while it waits never begins, and one that fails leaves its place', async () => {
  const turns = new Turns(1);
  const { begun, ask, end } = jobsOn(turns);
  void ask('first', 'import');
  const abort = new AbortController();
  const given = ask('given up', 'emergency', false, abort.signal);
  await settled();
  abort.abort(new Error('nobody waits'));
  await expect(given).rejects.toThrow('nobody waits');
  await end('first');
  await expect(
    turns.take({ lane: 'import', isLong: false }, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');
  void ask('next', 'import');
  await settled();
  expect(begun).toEqual(['first', 'next']);
});

test('a job that goes on is never ended; one that does not is', async () => {
  using going = watchProgress(200);
  using still = watchProgress(200);
  for (let i = 0; i < 10; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    going.note();
  }
  expect([going.signal.aborted, still.signal.aborted]).toEqual([false, true]);
});
