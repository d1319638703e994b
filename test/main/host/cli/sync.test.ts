// `isoline central` and `isoline sync`, as a script or a person at a terminal uses them.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { examinationsAt } from '../../../support/centre-truth.ts';
import { isoline, startIsoline } from '../../../support/run-isoline.ts';
import {
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { V3Client } from '../../../support/v3-client.ts';
import { smallEdf } from '../../../support/varied-edf.ts';

const oneLine = /^isoline: [^\n]+\.\n$/;

let centre: RunningWorkstation;
let folder: TempFolder;
let data: string;
let tokenFile: string;
beforeAll(async () => {
  centre = await runWorkstation({ overrides: FREE_OF_LIMITS });
});
afterAll(() => centre.stop());
beforeEach(async () => {
  folder = await tempFolder();
  data = join(folder.path, 'data');
  tokenFile = join(folder.path, 'token');
  await writeFile(tokenFile, `${(await centre.makeToken()).text}\n`);
  return () => folder.remove();
});

const add = (...more: string[]) =>
  isoline(
    'central',
    'add',
    '--data-dir',
    data,
    '--url',
    centre.url,
    '--token-file',
    tokenFile,
    '--org',
    'clinic',
    ...more,
  );

/** Recordings that wait, brought in by a script. */
async function bringIn(count: number, n: number): Promise<void> {
  await using served = startIsoline('serve', '--data-dir', data, '--port', '0', '--set', 'storage.reserve=0');
  const { listening } = JSON.parse(await served.firstLine) as { listening: string };
  const { stdout } = await isoline('token', 'create', '--data-dir', data, '--label', 'script');
  const script = new V3Client(listening, stdout.trim());
  // What is due would go at once.
  for (let i = 0; i < count; i++) {
    const upload_id = await script.upload(smallEdf(n + i));
    expect(
      (await script.createTask({ upload_id, auto_complete: true, patient_last_name: 'Hoffmann' })).status,
    ).toBe(200);
  }
}

test('made known, tested, worked off once, removed; the token is shown nowhere', async () => {
  const { text } = await centre.makeToken();
  expect((await isoline('token', 'create', '--data-dir', data, '--label', 'x')).code).toBe(0);
  expect(await add('--label', 'Cardio')).toMatchObject({ code: 0, stderr: '' });
  // A second time would send everything twice.
  expect(await add()).toMatchObject({ code: 1, stderr: expect.stringContaining('already been added') });
  expect((await isoline('central', 'list', '--data-dir', data)).stdout).toMatch(
    /^ +1 +Cardio +http.* files +open\n$/,
  );
  const tested = await isoline('central', 'test', '1', '--data-dir', data);
  expect(tested).toMatchObject({ code: 0, stderr: '' });
  expect(tested.stdout).toContain('the token may: read yes, upload yes, create tasks yes, stream yes');
  expect((await isoline('central', 'list', '--data-dir', data)).stdout).toContain(' streams ');
  const before = examinationsAt(centre.dataDir).length;
  await bringIn(2, 7000);
  const run = await isoline(
    'sync',
    '--data-dir',
    data,
    '--once',
    '--json',
    '-',
    '--set',
    'sync.when=recorded',
  );
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  expect(examinationsAt(centre.dataDir).length).toBe(before + 2);
  const again = await isoline('sync', '--data-dir', data, '--once');
  expect(again.stdout).toMatch(
    /^Cardio: \d done, \d wait for their report, 0 still to send, 0 not ready, 0 need a decision\n$/,
  );
  expect(examinationsAt(centre.dataDir).length).toBe(before + 2);
  expect(await isoline('central', 'remove', '1', '--data-dir', data)).toMatchObject({ code: 0 });
  expect((await isoline('central', 'list', '--data-dir', data)).stdout).toBe('');
  expect([tested.stdout, run.stdout].join('')).not.toContain(text);
}, 60_000);

test('who is called wrongly, or cannot be reached, says so in one sentence', async () => {
  await isoline('token', 'create', '--data-dir', data, '--label', 'x');
  const none = await isoline('sync', '--data-dir', data, '--once');
  expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine) });
  expect(none.stderr).toContain('isoline central add');
  expect(await isoline('sync', '--data-dir', data)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--once or --watch'),
  });
  expect(
    await isoline(
      'central',
      'add',
      '--data-dir',
      data,
      '--url',
      'http://example.org',
      '--token-file',
      tokenFile,
      '--org',
      'x',
    ),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Use https://'),
  });
  expect(await add('--org', 'no/such')).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine) });
  await writeFile(tokenFile, 'isl_wrong');
  await add();
  const refused = await isoline('central', 'test', '1', '--data-dir', data);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses the token') });
  await isoline(
    'central',
    'add',
    '--data-dir',
    data,
    '--url',
    'http://127.0.0.1:9',
    '--token-file',
    tokenFile,
    '--org',
    'clinic',
  );
  expect(await isoline('central', 'test', '2', '--data-dir', data)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not reached'),
  });
  expect(await isoline('central', 'test', '3', '--data-dir', data)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(oneLine),
  });
}, 60_000);

test('a folder that is open elsewhere is named', async () => {
  await using held = await runWorkstation({ dataDir: data });
  expect(held.url).toMatch(/^http/);
  const busy = await isoline('sync', '--data-dir', data, '--once');
  expect(busy).toMatchObject({ code: 1, stderr: expect.stringMatching(/in use by process \d+/) });
}, 30_000);
