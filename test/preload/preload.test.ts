// What the page in Electron gets (SEC10), with stand-ins for Electron's two ends of the preload script.

import { expect, test, vi } from 'vitest';

const given: { name?: string; page?: object } = {};
const sent: unknown[] = [];
let hear: ((event: unknown, message: unknown) => void) | undefined;
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, page: object) => Object.assign(given, { name, page }) },
  ipcRenderer: {
    send: (channel: string, message: unknown) => void sent.push([channel, message]),
    on: (_channel: string, listener: typeof hear) => {
      hear = listener;
    },
  },
}));

test('one frozen object with call and on; answers are values, never errors or events', async () => {
  await import('../../preload/preload.ts');
  const { name, page } = given as { name: string; page: Record<string, (...args: unknown[]) => unknown> };
  expect([name, Object.isFrozen(page), Object.keys(page).sort()]).toEqual(['isoline', true, ['call', 'on']]);

  const answer = page.call?.('workstation.about', {});
  const [channel, message] = sent.at(-1) as [string, { id: number; kind: string; name: string }];
  expect([channel, message.name]).toEqual(['bridge', 'workstation.about']);
  const secret = { sender: 'an event that no page may see' };
  hear?.(secret, { kind: 'error', id: message.id, error: { reason: 'internal', message: 'No.' } });
  const refused = await answer;
  expect(refused).toMatchObject({ ok: false, error: { reason: 'internal' } });
  expect(refused).not.toHaveProperty('error.stack');

  const heard: unknown[] = [];
  page.on?.('session.changed', (...all: unknown[]) => heard.push(all));
  hear?.(secret, { kind: 'event', name: 'session.changed', payload: {} });
  expect(heard).toEqual([[{}]]);
});
