import { expect, test } from 'vitest';
import { guarded } from '../../../main/bridge/guarded-port.ts';
import type { BridgePort } from '../../../shared/bridge/messages.ts';

/** A port that keeps what passes, and whether it was closed. */
function port(): { readonly port: BridgePort; readonly passed: unknown[]; isClosed: boolean } {
  const state = {
    passed: [] as unknown[],
    isClosed: false,
    port: {
      post: (message: unknown) => void state.passed.push(message),
      onMessage: () => undefined,
      onClose: () => undefined,
      close() {
        state.isClosed = true;
      },
    } as BridgePort,
  };
  return state;
}

const message = (id: number) => ({ kind: 'call', id, name: 'task.list', input: {} });

test('400 messages pass at once, 2,000 wait, and a page that sends more is cut off', () => {
  const behind = port();
  const page = guarded(behind.port, { nowMs: () => 0 });
  for (let id = 0; id < 2400; id++) page.post(message(id) as never);
  expect(behind.passed).toHaveLength(400);
  expect(behind.isClosed).toBe(false);
  page.post(message(2400) as never);
  expect(behind.isClosed).toBe(true);
});

test('200 more pass each second, in their order', async () => {
  const behind = port();
  let nowMs = 0;
  const page = guarded(behind.port, { nowMs: () => nowMs });
  for (let id = 0; id < 700; id++) page.post(message(id) as never);
  nowMs = 1000;
  await expect.poll(() => behind.passed.length).toBe(600);
  expect(behind.passed).toEqual(Array.from({ length: 600 }, (_, id) => message(id)));
});
