// The clinic threads that tests share: each workstation has one for itself, and finds nothing of those before it.

import { afterEach, expect, test } from 'vitest';
import type { ClinicThread, OpenThread } from '../../../main/host/kept-thread.ts';
import { importTestFiles } from '../../support/import-test-files.ts';
import { openReusedThread, type Turn } from '../../support/reused-threads.ts';
import { type RunningWorkstation, runWorkstation, whenAnalysed } from '../../support/running-workstation.ts';
import { smallEdf } from '../../support/varied-edf.ts';

const open: RunningWorkstation[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

interface Started {
  readonly clinic: RunningWorkstation;
  /** The threads that it has had, in their order. */
  readonly threadIds: readonly number[];
}

async function start(): Promise<Started> {
  const threadIds: number[] = [];
  const openThread: OpenThread = (options) => {
    const thread: ClinicThread | undefined = openReusedThread?.(options);
    threadIds.push((thread as Turn).threadId);
    return thread as Turn;
  };
  const clinic = await runWorkstation({ openThread });
  open.push(clinic);
  return { clinic, threadIds };
}

test('a thread and its workers go on to another workstation, which starts empty', async () => {
  const first = await start();
  const files = [{ name: 'a.edf', bytes: smallEdf() }];
  await whenAnalysed(first.clinic.bridge, await importTestFiles(first.clinic.bridge, files));
  await first.clinic.stop();
  // Other tests of this process have left threads as well; each is taken in its turn.
  await expect
    .poll(async () => {
      const next = await start();
      const { total } = await next.clinic.bridge.call('task.list', { limit: 1 });
      await next.clinic.stop();
      return { threadIds: next.threadIds, total };
    })
    .toEqual({ threadIds: first.threadIds, total: 0 });
});

test('two workstations at once have two threads', async () => {
  const [one, other] = [await start(), await start()];
  expect(one.threadIds).not.toEqual(other.threadIds);
});

test('a thread that died is not used again', async () => {
  const { clinic, threadIds } = await start();
  await clinic.workstation.crash();
  await expect.poll(() => threadIds.length).toBe(2);
  expect(new Set(threadIds).size).toBe(2);
  await expect.poll(async () => (await fetch(clinic.url)).status, { timeout: 10_000 }).toBeGreaterThan(0);
});
