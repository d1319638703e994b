import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WRITERS } from '../../../../main/formats/writers.ts';
import { commandLine } from '../../../support/built-program.ts';
import { makeZip } from '../../../support/make-archives.ts';
import { isoline } from '../../../support/run-isoline.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';

const data = (path: string): string => join(dataFolder, path);
const EDF = data('edf/made_ecg12_plusC.edf');
const oneLine = /^isoline: [^\n]+\n$/;
const info = async (path: string) => JSON.parse((await isoline('info', path)).stdout);

describe('isoline info', () => {
  test('tells what is in a recording, as JSON', async () => {
    const found = await info(EDF);
    expect(found).toMatchObject({
      format: 'EDF+C',
      durationSeconds: 10,
      startTime: '2024-03-01T10:20:30.000',
      warnings: [],
    });
    expect(found.channels[3]).toMatchObject({
      label: 'ECG aVR',
      lead: 'MDC_ECG_LEAD_AVR',
      unit: 'uV',
      scale: 0.5,
      sampleRateHz: 1000,
      samples: 10_000,
    });
  });

  test('tells the records of an archive, and what belongs to none', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'a.zip');
    const member = (name: string, file: string) => ({ name, content: readFileSync(data(file)), method: 8 });
    writeFileSync(
      path,
      makeZip([
        member('x/100_3chan.hea', 'wfdb/100_3chan.hea'),
        member('x/100_3chan.dat', 'wfdb/100_3chan.dat'),
        member('b.edf', 'edf/made_ecg12_plusC.edf'),
        member('note.txt', 'README.md'),
      ]),
    );
    const found = await info(path);
    expect(found.records.map(({ name, format }: { name: string; format: string }) => [name, format])).toEqual(
      [
        ['b.edf', 'EDF+C'],
        ['x/100_3chan.hea', 'WFDB'],
      ],
    );
    expect(found.ignored).toEqual([
      { name: 'note.txt', message: expect.stringContaining('not an ECG format') },
    ]);
  });

  test('of a file that is none of its formats says so, and fails', async () => {
    const { code, stdout } = await isoline('info', data('README.md'));
    expect([code, JSON.parse(stdout).error.reason]).toEqual([1, 'unsupported_format']);
  });
});

describe('isoline convert', () => {
  test.each([
    ['out.edf', ['out.edf'], 'EDF+C'],
    ['out.hea', ['out.atr', 'out.dat', 'out.hea'], 'WFDB'],
    ['out.cmdt', ['out.cmdt', 'out.cmdt.json'], 'Compressed Delta'],
    ['out.flac', ['out.oga'], 'Ogg FLAC'],
  ])('writes %s by its extension', async (name, files, format) => {
    await using folder = await tempFolder();
    expect(await isoline('convert', EDF, join(folder.path, name))).toMatchObject({ code: 0 });
    expect(readdirSync(folder.path).sort()).toEqual(files);
    expect((await info(join(folder.path, files.find((file) => !/atr|dat|json/.test(file))!))).format).toBe(
      format,
    );
  });

  test('leaves the patient out unless asked for', async () => {
    await using folder = await tempFolder();
    await isoline('convert', EDF, join(folder.path, 'a.edf'));
    await isoline('convert', EDF, join(folder.path, 'b.edf'), '--patient');
    expect((await info(join(folder.path, 'a.edf'))).patient).toEqual({});
    expect((await info(join(folder.path, 'b.edf'))).patient).toMatchObject({ id: 'MCH-0234567' });
  });

  test('never takes or replaces files of another record by their names', async () => {
    await using folder = await tempFolder();
    for (const name of ['100.hea', '100.dat', '100.atr'])
      copyFileSync(data(`wfdb/${name}`), join(folder.path, name));
    const { code, stderr } = await isoline('convert', EDF, join(folder.path, '100.hea'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/"100.dat" is there already.*--overwrite/);
    expect(readFileSync(join(folder.path, '100.dat'))).toEqual(readFileSync(data('wfdb/100.dat')));
    const withoutRemarks = data('wfdb/100_3chan.hea');
    expect(
      await isoline('convert', withoutRemarks, join(folder.path, '100.hea'), '--overwrite'),
    ).toMatchObject({ code: 0 });
    // The beats of the old record must not be taken for those of the new one.
    expect(readdirSync(folder.path).sort()).toEqual(['100.dat', '100.hea']);
    expect((await info(join(folder.path, '100.hea'))).annotations).toBe(0);
  });

  test.each([
    ['its own input', (folder: string) => [join(folder, 'in.edf'), join(folder, 'in.edf')], 2],
    ['an unknown extension', (folder: string) => [join(folder, 'in.edf'), join(folder, 'out.xyz')], 2],
    [
      'an unknown format',
      (folder: string) => [join(folder, 'in.edf'), join(folder, 'out.x'), '--format', 'mp3'],
      2,
    ],
    [
      'a folder that is not there',
      (folder: string) => [join(folder, 'in.edf'), join(folder, 'no', 'out.edf')],
      1,
    ],
    [
      'the name of a folder',
      (folder: string) => [join(folder, 'in.edf'), `${folder}/`, '--format', 'edf'],
      2,
    ],
    [
      'an input that is not there',
      (folder: string) => [join(folder, 'none.edf'), join(folder, 'out.edf')],
      1,
    ],
  ])('refuses %s in one line, and leaves nothing behind', async (_, args, code) => {
    await using folder = await tempFolder();
    copyFileSync(EDF, join(folder.path, 'in.edf'));
    const run = await isoline('convert', ...args(folder.path));
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toMatch(oneLine);
    expect(readdirSync(folder.path)).toEqual(['in.edf']);
    expect(readFileSync(join(folder.path, 'in.edf'))).toEqual(readFileSync(EDF));
  });

  test('of an archive with several recordings asks for one', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'two.zip');
    const content = readFileSync(EDF);
    writeFileSync(
      path,
      makeZip([
        { name: 'a.edf', content },
        { name: 'b.edf', content },
      ]),
    );
    const { code, stderr } = await isoline('convert', path, join(folder.path, 'out.edf'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/holds 2 recordings/)]);
  });

  test.skipIf(process.platform === 'win32')(
    'tidies up when it is interrupted (no such signal on Windows)',
    async () => {
      await using folder = await tempFolder();
      const input = join(folder.path, 'in.edf');
      // Announces a day; the rest of the file is a hole.
      const bytes = Buffer.from(readFileSync(EDF));
      bytes.write('86400   ', 236, 'latin1');
      writeFileSync(input, bytes);
      truncateSync(input, 3584 + 24_064 * 86_400);
      // Other programs leave theirs in the folder that all share.
      await using temporary = await tempFolder();
      const child = spawn(process.execPath, [commandLine, 'convert', input, join(folder.path, 'out.csv')], {
        stdio: 'ignore',
        env: { ...process.env, TMPDIR: temporary.path },
      });
      const hasBegun = (): boolean => readdirSync(folder.path).some((name) => name.endsWith('.tmp'));
      for (let i = 0; i < 400 && !hasBegun(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(hasBegun()).toBe(true);
      const closed = new Promise((resolve) => child.on('close', resolve));
      child.kill('SIGTERM');
      expect(await closed).toBe(130);
      expect(readdirSync(folder.path)).toEqual(['in.edf']);
      expect(readdirSync(temporary.path)).toEqual([]);
    },
  );

  test('help names every format that is written', async () => {
    const { stdout } = await isoline('convert', '--help');
    for (const { name } of WRITERS) expect(stdout).toContain(name);
  });
});
