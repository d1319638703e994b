// An archive that several runs share, and runs that are cut off.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseShard } from '../../../../main/host/cli/analyse/shard.ts';
import { makeZip } from '../../../support/make-archives.ts';
import { isoline, startIsoline } from '../../../support/run-isoline.ts';
import { eventually } from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';

let folder: TempFolder;
let ward: string;
const out = (name: string): string => join(folder.path, name);
const textOf = (name: string): string => readFileSync(out(name), 'utf8');

/** Ten recordings in two folders and an archive, one of which cannot be read, two of one name. */
beforeAll(async () => {
  folder = await tempFolder();
  ward = out('ward');
  mkdirSync(join(ward, 'day, 2'), { recursive: true });
  for (const name of ['1.hea', '1.dat', '11.hea', '11.dat'])
    copyFileSync(join(dataFolder, 'wfdb', name), join(ward, name));
  for (const name of ['a.bdf', 'b.bdf', 'c.bdf', 'a.edf'])
    copyFileSync(
      join(dataFolder, 'edf', name === 'a.edf' ? 'made_ecg12_plusC.edf' : 'made_ecg8.bdf'),
      join(ward, 'day, 2', name),
    );
  writeFileSync(
    join(ward, 'day, 2', 'cut.edf'),
    readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')).subarray(0, 300),
  );
  const content = readFileSync(join(dataFolder, 'edf', 'made_ecg8.bdf'));
  writeFileSync(join(ward, 'two.zip'), makeZip(['x.bdf', 'y.bdf'].map((name) => ({ name, content }))));
  expect(await isoline('analyse', ward, '--csv', out('single.csv'), '--json', out('single'))).toMatchObject({
    code: 1,
  });
});
afterAll(() => folder.remove());

test('four runs make the table and the results that one would have made, byte for byte', async () => {
  const numbers = [1, 2, 3, 4];
  const runs = await Promise.all(
    numbers.map((k) =>
      isoline('analyse', ward, '--csv', out(`p${k}.csv`), '--json', out('parts'), '--shard', `${k}/4`),
    ),
  );
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 0, 0, 1]);
  const merged = await isoline('merge', out('merged.csv'), ...numbers.map((k) => out(`p${k}.csv`)));
  expect(merged).toMatchObject({ code: 0, stdout: '4 parts joined.\n' });
  expect(textOf('merged.csv')).toBe(textOf('single.csv'));
  await isoline('merge', out('shuffled.csv'), ...[3, 1, 4, 2].map((k) => out(`p${k}.csv`)));
  expect(textOf('shuffled.csv')).toBe(textOf('single.csv'));
  const results = readdirSync(out('single'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );
  expect(results).toHaveLength(8);
  for (const name of results) expect(textOf(join('parts', name))).toBe(textOf(join('single', name)));
  expect(readdirSync(out('parts'), { recursive: true })).toHaveLength(
    readdirSync(out('single'), { recursive: true }).length,
  );
});

test('parts that do not belong together are not merged', async () => {
  const [head = '', ...rows] = textOf('p2.csv').split('\n');
  writeFileSync(out('p5.csv'), [head, ...rows.slice(1)].join('\n'));
  writeFileSync(out('p6.csv'), [head, ...rows.slice(0, -2), ''].join('\n'));
  for (const [parts, reason] of [
    [['p1', 'p2', 'p3'], 'one is part 1/4, and there are 3'],
    [['p1', 'p1', 'p2', 'p3'], 'part 2/4 is missing'],
    [['p1', 'p2', 'p3', 'single'], 'single.csv" is the table of no part'],
    [['p1', 'p5', 'p3', 'p4'], 'the row of recording 2 is missing'],
    [['p1', 'p6', 'p3', 'p4'], 'the row of recording 6 is missing'],
  ] as const) {
    const { code, stderr } = await isoline(
      'merge',
      out('no.csv'),
      ...parts.map((name) => out(`${name}.csv`)),
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(existsSync(out('no.csv'))).toBe(false);
  }
  expect(await isoline('merge', out('single.csv'), out('p1.csv'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is already there'),
  });
});

test('parts of another archive, or asked for something else, are not merged; nor one that lost its last row', async () => {
  const other = out('other "ward"');
  mkdirSync(other);
  for (const name of ['1.hea', '1.dat', '11.hea', '11.dat'])
    copyFileSync(join(dataFolder, 'wfdb', name), join(other, name));
  const part = async (name: string, ...args: string[]): Promise<string> => {
    await isoline('analyse', ...args, '--csv', out(name));
    return out(name);
  };
  const [first, second] = [
    await part('o1.csv', other, '--shard', '1/2'),
    await part('o2.csv', other, '--shard', '2/2', '--suspicions'),
  ];
  const [fromWard, fromOther] = [
    await part('w1.csv', ward, '--shard', '1/2'),
    await part('o3.csv', other, '--shard', '2/2'),
  ];
  for (const pair of [
    [first, second],
    [fromWard, fromOther],
  ])
    expect(await isoline('merge', out('no.csv'), ...pair)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('saw other recordings than part 1/2, or was asked for something else'),
    });
  const lines = readFileSync(fromOther, 'utf8').split('\n');
  writeFileSync(out('cut.csv'), `${lines.slice(0, -2).join('\n')}\n`);
  expect(await isoline('merge', out('no.csv'), first, out('cut.csv'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the row of recording 2 is missing'),
  });
  expect(await isoline('merge', out('yes.csv'), first, fromOther)).toMatchObject({ code: 0 });
  // A single part is a whole, too, so that the number of parts may be 1.
  const only = await part('only.csv', other, '--shard', '1/1');
  expect(await isoline('merge', out('one.csv'), only)).toMatchObject({ code: 0 });
  expect(textOf('one.csv')).toBe(textOf('yes.csv'));
});

test('what cannot be read or written is said in a sentence, and nothing half is left', async () => {
  const parts = [1, 2, 3, 4].map((k) => out(`p${k}.csv`));
  expect(await isoline('merge', out('m.csv'), ...parts, ward)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('may not be read, or is none.'),
  });
  expect(await isoline('merge', out('none/such/m.csv'), ...parts)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('could not be written. Check that its folder exists'),
  });
  expect(await isoline('merge', out('none/such/m.csv'), ...parts.slice(1))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('These parts do not make a whole'),
  });
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('two runs that write one table: the one that was overtaken stops, and no row is there twice', async () => {
  const args = ['analyse', ward, '--csv', out('twice.csv'), '--resume'];
  const overtaken = startIsoline(...args);
  const part = out('twice.csv.part');
  const ended = new Promise<number | null>((resolve) => overtaken.child.on('close', resolve));
  await eventually(async () => existsSync(part) || undefined, 'the table');
  overtaken.child.kill('SIGSTOP');
  const other = await isoline(...args);
  expect([other.code, textOf('twice.csv')]).toEqual([1, textOf('single.csv')]);
  overtaken.child.kill('SIGCONT');
  expect(await ended).toBe(2);
  expect([textOf('twice.csv'), existsSync(part)]).toEqual([textOf('single.csv'), false]);
});

test('a folder whose name has a quote is gone on with', async () => {
  const args = ['analyse', out('other "ward"'), '--csv', out('quote.csv'), '--resume'];
  const part = out('quote.csv.part');
  await isoline(...args);
  const [head = '', first = ''] = textOf('quote.csv').split('\n');
  rmSync(out('quote.csv'));
  // What was asked for, with the name of the folder, stands in the first line of a run that was cut off.
  const cut = startIsoline(...args);
  const asked = await eventually(
    async () => (existsSync(part) ? readFileSync(part, 'utf8').split('\n')[0] : undefined),
    'the first line',
  );
  cut.child.kill('SIGKILL');
  await cut.stop();
  rmSync(out('quote.csv'), { force: true });
  writeFileSync(part, `${asked}\n${head}\n${first}\n`);
  expect((await isoline(...args)).stdout).toMatch(/^1 recordings were done before\./);
});

test('a run that is killed is gone on with, and does nothing twice', async () => {
  const args = ['analyse', ward, '--csv', out('killed.csv'), '--json', out('killed')];
  const part = out('killed.csv.part');
  const cut = startIsoline(...args);
  await eventually(
    async () => (existsSync(part) && readFileSync(part, 'utf8').split('\n').length > 4) || undefined,
    'two rows',
  );
  cut.child.kill('SIGKILL');
  await cut.stop();
  expect(existsSync(out('killed.csv'))).toBe(false);
  expect(await isoline(...args)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Add --resume to go on with it'),
  });
  // As if the last row was being written when the power went.
  const whole = readFileSync(part, 'utf8');
  writeFileSync(part, whole.slice(0, -7));
  const rows = whole.trimEnd().split('\n').length - 3;
  const resumed = await isoline(...args, '--resume');
  expect(resumed.stdout).toContain(`${rows} recordings were done before.`);
  expect(textOf('killed.csv')).toBe(textOf('single.csv'));
  expect(existsSync(part)).toBe(false);
});

test('a part that is killed is gone on with, too', async () => {
  const args = ['analyse', ward, '--csv', out('k2.csv'), '--shard', '2/4', '--resume'];
  const part = out('k2.csv.part');
  const cut = startIsoline(...args);
  await eventually(
    async () => (existsSync(part) && readFileSync(part, 'utf8').split('\n').length > 3) || undefined,
    'a row',
  );
  cut.child.kill('SIGKILL');
  await cut.stop();
  if (existsSync(part)) {
    const { code, stdout } = await isoline(...args);
    expect([code, stdout]).toEqual([0, expect.stringContaining('recordings were done before.')]);
  }
  expect(textOf('k2.csv')).toBe(textOf('p2.csv'));
});

test('a run that was asked for something else, or found other recordings, is not gone on with', async () => {
  const args = ['analyse', ward, '--csv', out('other.csv')];
  const part = out('other.csv.part');
  const asked = await isoline(...args);
  expect(asked.code).toBe(1);
  const [head = '', first = '', second = ''] = textOf('other.csv').split('\n');
  writeFileSync(part, `{"asked":"something else"}\n${head}\n${first}\n`);
  // What is whole needs nothing more, whoever starts it again.
  expect(await isoline(...args, '--resume')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is whole already'),
  });
  const fresh = ['analyse', ward, '--csv', out('fresh.csv'), '--resume'];
  writeFileSync(out('fresh.csv.part'), `{"asked":"something else"}\n${head}\n${first}\n`);
  expect(await isoline(...fresh)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('was asked for something else'),
  });
  // The same question, with another recording in the first place.
  writeFileSync(out('fresh.csv.part'), '');
  const running = startIsoline(...fresh);
  await eventually(
    async () => readFileSync(out('fresh.csv.part'), 'utf8').split('\n').length > 3 || undefined,
    'a row',
  );
  running.child.kill('SIGKILL');
  await running.stop();
  const [question = ''] = textOf('fresh.csv.part').split('\n');
  writeFileSync(out('fresh.csv.part'), `${question}\n${head}\n${second}\n`);
  expect(await isoline(...fresh)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The recordings have changed: start over.'),
  });
});

test('a part is a number of a whole', async () => {
  expect(parseShard('3/64')).toEqual({ number: 3, of: 64 });
  for (const text of ['0/4', '5/4', '1', '1/0', 'a/b', '1/4/2', '-1/4'])
    expect(parseShard(text)).toBeUndefined();
  expect(await isoline('analyse', ward, '--csv', out('x.csv'), '--shard', '5/4')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--shard takes a part of a whole, as in 3/64.'),
  });
  expect(await isoline('analyse', ward, '--resume')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('which must be a file'),
  });
  // More runs than recordings: the last one has nothing to do, and a table of no rows.
  expect(await isoline('analyse', ward, '--csv', out('none.csv'), '--shard', '12/12')).toMatchObject({
    code: 0,
  });
  expect(textOf('none.csv').trimEnd().split('\n')).toHaveLength(1);
});
