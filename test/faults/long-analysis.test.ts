// A long analysis whose program is killed: what it had found is not looked for again.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longEdf } from '../support/long-recording.ts';
import { eventually } from '../support/running-workstation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeToken, serveFolder } from './served-folder.ts';

test('goes on where it was after a kill, and leaves nothing behind', async () => {
  await using folder = await tempFolder();
  const token = makeToken(folder.path);
  const unfinished = join(folder.path, 'unfinished', '1');
  const placeOf = (walk: string): number | undefined =>
    statSync(join(unfinished, walk), { throwIfNoEntry: false })?.mtimeMs;
  {
    const first = await serveFolder(folder.path);
    const client = first.client(token);
    await client.createTask({ upload_id: await client.upload(longEdf(4)) });
    await eventually(async () => placeOf('beats'), 'the first walk');
    await first.kill();
  }
  const scanned = placeOf('scan');
  expect(scanned).toBeDefined();
  await using second = await serveFolder(folder.path);
  const client = second.client(token);
  const seen = new Set<number | undefined>();
  await eventually(async () => {
    seen.add(placeOf('scan'));
    return (await client.status(1)).json.severity !== undefined ? true : undefined;
  }, 'the analysis');
  seen.delete(undefined);
  expect([...seen]).toEqual([scanned]);
  await eventually(async () => (existsSync(unfinished) ? undefined : true), 'tidying up');
});
