// `isoline record` called wrongly, stopped at any moment, and read by nobody.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isoline, startIsoline } from '../../../support/run-isoline.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const isWindows = process.platform === 'win32';

describe('isoline record', { timeout: 60_000 }, () => {
  test.each([
    ['--baud', 'NaN', 2, '--baud takes'],
    ['--baud', '1', 2, '--baud takes'],
    ['--seconds', '0', 2, '--seconds takes'],
    ['--seconds', '1e9', 2, '--seconds takes'],
    ['--task', '-1', 2, 'takes a whole number'],
    ['--task', '99', 1, 'This task does not exist'],
    ['--json', 'x', 2, '--json takes'],
    ['--raw', '/nowhere/raw.bin', 2, 'choose another file for --raw'],
    ['--variant', 'nope', 2, 'has no board "nope": choose one of cyton, daisy'],
    ['--leads', 'nope', 1, 'no leads "nope": choose one of'],
    ['--driver', 'nope', 2, 'no driver "nope"'],
    ['--port', 'simulator:nope', 2, 'no driver "nope"'],
    ['--port', 'simulator:cyton?rhythm=nope', 1, 'no such rhythm'],
    ['--port', 'replay:/nowhere', 1, 'The capture /nowhere does not exist'],
    ['--port', 'replay:/', 1, '/ is not a device capture'],
  ])('%s %s is refused in one sentence', async (option, value, code, sentence) => {
    await using folder = await tempFolder();
    const usual = { '--port': 'simulator:cyton', '--seconds': '1', '--data-dir': join(folder.path, 'data') };
    const given = { ...usual, [option]: value };
    const run = await isoline('record', ...Object.entries(given).flat());
    expect(run.stderr).toContain(sentence);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(run.stderr).not.toMatch(/\.\.|at .*:\d+:\d+/);
    expect([run.code, run.stdout]).toEqual([code, '']);
  });

  test.skipIf(isWindows)(
    'a pipe and an empty file are no captures (no pipes in folders on Windows)',
    async () => {
      await using folder = await tempFolder();
      const [pipe, empty] = ['pipe', 'empty'].map((name) => join(folder.path, name)) as [string, string];
      expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
      writeFileSync(empty, '');
      for (const path of [pipe, empty]) {
        const run = await isoline(
          'record',
          '--port',
          `replay:${path}`,
          '--seconds',
          '1',
          '--data-dir',
          join(folder.path, 'data'),
        );
        expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('is not a device capture')]);
      }
    },
  );

  test.skipIf(isWindows)('goes on where nobody reads what it prints (no such pipes on Windows)', async () => {
    await using folder = await tempFolder();
    const dataDir = join(folder.path, 'data');
    await using command = startIsoline(
      'record',
      '--port',
      'simulator:idp',
      '--seconds',
      '3',
      '--data-dir',
      dataDir,
      '--json',
      '-',
    );
    await command.firstLine;
    command.child.stdout.destroy();
    const code = await new Promise((resolve) => command.child.once('exit', resolve));
    expect(code).toBe(0);
    const again = await isoline('record', '--port', 'simulator:idp', '--seconds', '1', '--data-dir', dataDir);
    // Nothing was left open.
    expect([again.stderr, again.stdout]).toEqual(['', 'Recorded 1.0 s as task 2, 0.00 % lost.\n']);
  });

  test.skipIf(isWindows)(
    'ends in order where it is told to more than once (no such signals on Windows)',
    async () => {
      await using folder = await tempFolder();
      const dataDir = join(folder.path, 'data');
      await using command = startIsoline(
        'record',
        '--port',
        'simulator:idp',
        '--seconds',
        '60',
        '--data-dir',
        dataDir,
        '--json',
        '-',
      );
      await command.firstLine;
      let text = '';
      command.child.stdout.on('data', (data) => (text += data));
      await wait(700);
      command.child.kill('SIGINT');
      command.child.kill('SIGINT');
      await wait(20);
      command.child.kill('SIGTERM');
      const code = await new Promise((resolve) => command.child.once('exit', resolve));
      expect(code).toBe(0);
      expect(JSON.parse(text.trim().split('\n').at(-1)!)).toMatchObject({
        taskIds: [1],
        isFinished: true,
        lostShare: 0,
      });
    },
  );

  test.skipIf(isWindows)(
    'stops at once while it looks for the device (no such signals on Windows)',
    async () => {
      await using folder = await tempFolder();
      const capture = join(folder.path, 'silence.bin');
      writeFileSync(capture, Buffer.alloc(1 << 20, 0x55));
      const dataDir = join(folder.path, 'data');
      await using command = startIsoline(
        'record',
        '--port',
        `replay:${capture}`,
        '--seconds',
        '5',
        '--data-dir',
        dataDir,
      );
      let errors = '';
      command.child.stderr.on('data', (data) => (errors += data));
      await wait(2500);
      const startMs = performance.now();
      const code = await command.stop();
      expect(performance.now() - startMs).toBeLessThan(5000);
      expect([code, errors]).toEqual([
        1,
        'isoline: Nothing was recorded. The recording was stopped before it began.\n',
      ]);
    },
  );

  test('says what was interrupted before', async () => {
    await using folder = await tempFolder();
    const dataDir = join(folder.path, 'data');
    const command = startIsoline(
      'record',
      '--port',
      'simulator:idp',
      '--seconds',
      '60',
      '--data-dir',
      dataDir,
      '--json',
      '-',
    );
    await command.firstLine;
    await wait(600);
    command.child.kill('SIGKILL');
    await new Promise((resolve) => command.child.once('exit', resolve));
    const usual = ['--port', 'simulator:idp', '--seconds', '1', '--data-dir', dataDir];
    const into = await isoline('record', ...usual, '--task', '1');
    expect([into.code, into.stdout]).toEqual([1, '']);
    expect(into.stderr).toContain(
      'Task 1 holds a recording that was not ended: finish it, and record into another task.',
    );
    const run = await isoline('record', ...usual);
    expect(run.stderr).toMatch(
      /^isoline: Task 1 holds \d+\.\d s of a recording that was interrupted: start Isoline to finish it\.\n$/,
    );
    expect(run.stdout).toContain('as task 2');
  });
});
