// `isoline import`: what a drop on the window takes, without a window.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isoline } from '../../../support/run-isoline.ts';
import { FREE_OF_LIMITS, runWorkstation } from '../../../support/running-workstation.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';

const RECORD = ['1.hea', '1.dat'].map((name) => join(dataFolder, 'wfdb', name));
const ROOM = ['--set', 'storage.reserve=0'];

test('a recording, once; the same again is known; its report gives it back elsewhere', async () => {
  await using folder = await tempFolder();
  const [here, there] = [join(folder.path, 'here'), join(folder.path, 'there')];
  const carrying = [...ROOM, '--set', 'report.recording=true', '--complete'];
  expect(await isoline('import', ...RECORD, '--data-dir', here, ...carrying)).toMatchObject({
    code: 0,
    stdout: '1.hea: imported as task 1\n',
  });
  expect((await isoline('import', ...RECORD, '--data-dir', here, ...ROOM)).stdout).toBe(
    '1.hea: known already as task 1\n',
  );
  const report = join(folder.path, 'report.pdf');
  let first: Uint8Array[];
  const signal = { taskId: 1, startSample: 0, sampleCount: 5000 };
  {
    await using running = await runWorkstation({ dataDir: here, overrides: FREE_OF_LIMITS });
    writeFileSync(report, (await running.bridge.call('report.read', { taskId: 1 })).pdf);
    first = (await running.bridge.call('review.signal', signal)).leads.map(({ mv }) => mv);
  }
  const back = await isoline('import', report, '--data-dir', there, ...ROOM);
  expect([back.code, back.stderr]).toEqual([0, '']);
  await using running = await runWorkstation({ dataDir: there, overrides: FREE_OF_LIMITS });
  const second = (await running.bridge.call('review.signal', signal)).leads.map(({ mv }) => mv);
  expect(second.map((mv) => Buffer.from(mv).toString('base64'))).toEqual(
    first.map((mv) => Buffer.from(mv).toString('base64')),
  );
});

test('what is no recording, or is not there, is said in a line', async () => {
  await using folder = await tempFolder();
  const text = join(folder.path, 'notes.txt');
  writeFileSync(text, 'not an ECG');
  const data = join(folder.path, 'data');
  const wrong = await isoline('import', text, '--data-dir', data, ...ROOM);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^isoline: notes\.txt: [^\n]+\n$/)]);
  const missing = await isoline('import', join(folder.path, 'none.edf'), '--data-dir', data);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^isoline: There is no file [^\n]+\n$/),
  ]);
});

test('where there are accounts, one of them is needed', async () => {
  await using folder = await tempFolder();
  {
    await using running = await runWorkstation({ dataDir: folder.path, overrides: FREE_OF_LIMITS });
    await running.bridge.call('user.add', { name: 'A', role: 'administrator', secret: 'nine quiet horses' });
  }
  const refused = await isoline('import', ...RECORD, '--data-dir', folder.path, ...ROOM);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('This workstation has accounts.'),
  ]);
});
