import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { overMessagePort } from '../../../main/bridge/message-port.ts';
import { PageBridges } from '../../../main/host/page-bridges.ts';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import type { EventPayload } from '../../../shared/bridge/contract.ts';
import type { TaskRow } from '../../../shared/bridge/views.ts';

const row = (taskId: number): TaskRow => ({ taskId, state: 'QUEUED', createdMs: 0, patient: {} });

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface Page {
  readonly heard: EventPayload<'task.changed'>[];
  /** For how many tasks at a time the rows were read. */
  readonly reads: number[];
  /** How often the clinic was told that it has left. */
  timesLeft: number;
  readonly port: MessagePort;
  leave(): void;
}

/** A page over a real port, that has subscribed. */
async function openPage(bridges: PageBridges, mayRead: () => boolean = () => true): Promise<Page> {
  const { port1, port2 } = new MessageChannel();
  const page: Page = { heard: [], reads: [], timesLeft: 0, port: port1, leave: () => port2.close() };
  bridges.connect(port1, {
    handlers: { 'task.list': async () => ({ rows: [], total: 0 }) },
    rowsOf: (taskIds) => {
      page.reads.push(taskIds.length);
      return mayRead() ? taskIds.filter((taskId) => taskId < 100).map(row) : [];
    },
    mayHear: () => true,
    onClosed: () => {
      page.timesLeft++;
    },
  });
  const client = new BridgeClient(overMessagePort(port2));
  client.on('task.changed', (news) => page.heard.push(news));
  ends.push(() => port1.close());
  await client.call('task.list', { limit: 1 });
  return page;
}

test('changes of one turn come once each, with their rows read together', async () => {
  const bridges = new PageBridges(() => undefined);
  const page = await openPage(bridges);
  for (const taskId of [4, 5, 4, 4]) bridges.publish('task.changed', { taskId });
  await expect.poll(() => page.heard).toEqual([4, 5].map((taskId) => ({ taskId, row: row(taskId) })));
  expect(page.reads).toEqual([2]);
});

test('a page that may not see tasks, and one that is gone, are told by number alone', async () => {
  const bridges = new PageBridges(() => undefined);
  const stranger = await openPage(bridges, () => false);
  const page = await openPage(bridges);
  bridges.publish('task.changed', { taskId: 4 });
  await expect.poll(() => stranger.heard).toEqual([{ taskId: 4 }]);
  bridges.publish('task.changed', { taskId: 100 });
  await expect.poll(() => page.heard).toEqual([{ taskId: 4, row: row(4) }, { taskId: 100 }]);
});

test('a flood of changes is one word, without a read', async () => {
  const bridges = new PageBridges(() => undefined);
  const page = await openPage(bridges);
  for (let taskId = 1; taskId <= 51; taskId++) bridges.publish('task.changed', { taskId });
  await expect.poll(() => page.heard).toEqual([{}]);
  expect(page.reads).toEqual([]);
});

test('nothing is asked of a clinic that has closed', async () => {
  const bridges = new PageBridges(() => undefined);
  const page = await openPage(bridges);
  bridges.publish('task.changed', { taskId: 4 });
  bridges[Symbol.dispose]();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(page).toMatchObject({ heard: [], reads: [] });
});

test('a clinic is told of a page that leaves, but not once it has closed', async () => {
  const bridges = new PageBridges(() => undefined);
  const [page, last] = [await openPage(bridges), await openPage(bridges)];
  page.leave();
  await expect.poll(() => page.timesLeft).toBe(1);
  bridges[Symbol.dispose]();
  const closed = new Promise((resolve) => last.port.once('close', resolve));
  last.leave();
  await closed;
  expect(last.timesLeft).toBe(0);
});

test('a page that comes once the clinic has closed is sent away', async () => {
  const bridges = new PageBridges(() => undefined);
  bridges[Symbol.dispose]();
  const { port1, port2 } = new MessageChannel();
  let timesLeft = 0;
  const closed = new Promise((resolve) => port2.once('close', resolve));
  bridges.connect(port1, {
    handlers: {},
    rowsOf: () => [],
    mayHear: () => true,
    onClosed: () => {
      timesLeft++;
    },
  });
  await closed;
  expect(timesLeft).toBe(0);
});

test('where rows cannot be read, pages are told by number, and nothing falls over', async () => {
  const logged: string[] = [];
  const bridges = new PageBridges((event) => logged.push(event));
  const page = await openPage(bridges, () => {
    throw new Error('the disk is gone');
  });
  bridges.publish('task.changed', { taskId: 4 });
  await expect.poll(() => page.heard).toEqual([{ taskId: 4 }]);
  expect(logged).toEqual(['bridge.fault']);
});
