// The loop that sends, with a recipient that takes everything: what becomes of an item that cannot be made ready.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Item } from '../../../main/clinic/outbox/item.ts';
import { newItem } from '../../../main/clinic/outbox/item-states.ts';
import { NEW_UPSTREAM } from '../../../main/clinic/outbox/upstream.ts';
import { type PackedParcel, SenderLoop, type SenderWorld } from '../../../main/connections/sender-loop.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';

const PARCEL: PackedParcel = {
  load: { sizeBytes: 10, frames: 0, isFinished: true },
  isCurrent: () => true,
  [Symbol.asyncDispose]: async () => undefined,
};

/** Twelve items, of which the first cannot be made ready for a reason. */
async function sendTwelve(reason: Reason, minutes: number) {
  const items = Array.from({ length: 12 }, (_, i): Item => newItem(i + 1, 'upload', false, i));
  let nowMs = 1_000_000;
  const tries: number[] = [];
  const begun = new Set<number>();
  const refused: number[] = [];
  const world: SenderWorld<PackedParcel> = {
    connectionId: 1,
    outbox: {
      onChange: () => ({ [Symbol.dispose]: () => undefined }),
      intend: async (id) => items[id - 1],
      settle: async (id) => {
        begun.add(id);
        // One call each shows that it goes.
        const item: Item = { ...items[id - 1]!, notBeforeMs: Number.MAX_SAFE_INTEGER };
        items[id - 1] = item;
        return item;
      },
      settleAndIntend: async () => undefined,
      refuse: async (id) => {
        refused.push(id);
        items[id - 1] = { ...items[id - 1]!, notBeforeMs: Number.MAX_SAFE_INTEGER };
      },
    },
    items: () => items,
    item: (id) => items[id - 1],
    upstream: () => NEW_UPSTREAM,
    sizeOf: () => 0,
    client: {
      perform: async () => ({ kind: 'done' }),
      fetchReport: async () => ({ outcome: { kind: 'done' } }),
    },
    async pack({ id }) {
      if (id !== 1) return PARCEL;
      tries.push(nowMs);
      throw new IsolineError(reason, 'It cannot be made ready.');
    },
    keepReport: async () => ({ sha256: '', sizeBytes: 0 }) as never,
    nowMs: () => nowMs,
    onClockSetBack: () => undefined,
    log: () => undefined,
  };
  await using loop = new SenderLoop(world);
  nowMs -= 61_000;
  for (let minute = 0; minute < minutes; minute++) {
    nowMs += 61_000;
    loop.wake();
    for (let i = 0; i < 200; i++) await turn();
  }
  return { begun: [...begun].sort((a, b) => a - b), tries: tries.length, refused };
}
const OTHERS = Array.from({ length: 11 }, (_, i) => i + 2);

test('an item that cannot be made ready holds up nothing, and is tried again', async () => {
  expect(await sendTwelve('storage_full', 1)).toEqual({ begun: OTHERS, tries: 1, refused: [] });
  expect(await sendTwelve('storage_full', 4)).toEqual({ begun: OTHERS, tries: 4, refused: [] });
});

test('one over which a worker is lost three times is left to a person', async () => {
  expect(await sendTwelve('analysis_crashed', 5)).toEqual({ begun: OTHERS, tries: 3, refused: [1] });
});
