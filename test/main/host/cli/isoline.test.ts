import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { type AnalysisResult, AnalysisResultSchema } from '../../../../shared/analysis-result.ts';
import { sourceOfCommandLine } from '../../../support/built-program.ts';
import { isoline, startIsoline } from '../../../support/run-isoline.ts';
import { eventually } from '../../../support/running-workstation.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder, projectRoot } from '../../../support/test-data.ts';

const hea = join(dataFolder, 'wfdb', '100.hea');
const oneLine = /^isoline: [^\n]+\.\n$/;

describe('isoline analyse', () => {
  test('record 100: 2273 ± 5 beats, 75 ± 2/min, JSON by its schema', async () => {
    const { code, stdout, stderr } = await isoline('analyse', hea, '--json', '-');
    expect([code, stderr]).toEqual([0, '']);
    const result = JSON.parse(stdout);
    expect(Compile(AnalysisResultSchema).Errors(result)).toEqual([]);
    expect(Math.abs(result.beats.length - 2273)).toBeLessThanOrEqual(5);
    expect(Math.abs(result.measurements.heartRateBpm - 75)).toBeLessThanOrEqual(2);
    expect(result.recording).toMatchObject({
      format: 'WFDB',
      sampleRateHz: 360,
      leads: ['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V5'],
      samples: 650_000,
      gaps: [],
    });
  });

  test('writes JSON and PDF whole, the same bytes each time', async () => {
    await using folder = await tempFolder();
    const out = (name: string): string => join(folder.path, name);
    const first = await isoline('analyse', hea, '--json', out('a.json'), '--pdf', out('a.pdf'));
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('Heart rate');
    await isoline('analyse', hea, '--json', out('b.json'), '--pdf', out('b.pdf'));
    expect(readFileSync(out('a.json'))).toEqual(readFileSync(out('b.json')));
    expect(readFileSync(out('a.pdf'))).toEqual(readFileSync(out('b.pdf')));
    expect(readdirSync(folder.path).sort()).toEqual(['a.json', 'a.pdf', 'b.json', 'b.pdf']);
  });

  test('an EDF cut inside its data is read as far as it goes, with a line in warnings', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'cut.edf');
    writeFileSync(path, readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')).subarray(0, 150_000));
    const { code, stdout } = await isoline('analyse', path, '--json', '-');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).warnings).toContainEqual(
      expect.objectContaining({ code: 'truncated', message: expect.stringContaining('ends early') }),
    );
  });

  const bad: readonly (readonly [string, (folder: string) => string, string])[] = [
    ['an empty file', (folder) => write(folder, 'empty.edf', ''), 'empty'],
    ['a text file', (folder) => write(folder, 'letter.txt', 'Dear doctor,\nhe is well.\n'), 'found: text'],
    [
      'an EDF cut inside its header',
      (folder) =>
        write(
          folder,
          'head.edf',
          readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')).subarray(0, 700),
        ),
      'inside its header',
    ],
    ['a header without its signal file', (folder) => write(folder, '100.hea', readFileSync(hea)), '100.dat'],
    ['a file that is not there', (folder) => join(folder, 'none.edf'), 'not there'],
    ['a folder without recordings', (folder) => folder, 'no recording in a supported format'],
    [
      'random bytes',
      (folder) =>
        write(
          folder,
          'x',
          Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) >> 3),
        ),
      'unknown data',
    ],
  ];
  test.each(bad)('%s: one line on stderr, exit 1, nothing left behind', async (_name, make, words) => {
    await using folder = await tempFolder();
    const path = make(folder.path);
    const before = readdirSync(folder.path);
    const { code, stdout, stderr } = await isoline(
      'analyse',
      path,
      '--json',
      join(folder.path, 'out.json'),
      '--pdf',
      join(folder.path, 'out.pdf'),
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toContain(words);
    expect(readdirSync(folder.path)).toEqual(before);
  });

  test('a result never takes the place of the recording or of the other result', async () => {
    await using folder = await tempFolder();
    for (const name of ['100.hea', '100.dat'])
      write(folder.path, name, readFileSync(join(dataFolder, 'wfdb', name)));
    const input = join(folder.path, '100.hea');
    for (const outputs of [
      ['--json', input],
      ['--pdf', join(folder.path, '100.dat')],
      ['--json', join(folder.path, 'x'), '--pdf', join(folder.path, 'x')],
      ['--json', folder.path],
    ]) {
      expect(await isoline('analyse', input, ...outputs)).toMatchObject({ code: 2, stdout: '' });
    }
    expect(readFileSync(input)).toEqual(readFileSync(hea));
    expect(readdirSync(folder.path).sort()).toEqual(['100.dat', '100.hea']);
  });

  test.each([
    ['a rate with a fraction', '100 2 360.5 650000', '212 200 11 1024', 0],
    ['a gain that cannot be', '100 2 360 650000', '212 1e-300(1024) 11 1024', 0],
  ])('%s', async (_name, record, signal, code) => {
    await using folder = await tempFolder();
    write(folder.path, '100.dat', readFileSync(join(dataFolder, 'wfdb', '100.dat')));
    const path = write(
      folder.path,
      '100.hea',
      readFileSync(hea, 'utf8').replace('100 2 360 650000', record).replaceAll('212 200 11 1024', signal),
    );
    const run = await isoline('analyse', path, '--json', '-', '--pdf', join(folder.path, 'a.pdf'));
    expect([run.code, run.stderr]).toEqual([code, '']);
    const result = JSON.parse(run.stdout);
    expect(Math.abs(result.beats.length - 2273)).toBeLessThanOrEqual(5);
    const isCalibrated = signal.includes('200 11');
    expect(result.warnings.some((warning: { code: string }) => warning.code === 'scale_implausible')).toBe(
      !isCalibrated,
    );
    expect(Buffer.from(readFileSync(join(folder.path, 'a.pdf')).subarray(0, 5)).toString()).toBe('%PDF-');
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe or a folder in place of a signal file is refused, not waited for (no pipes on Windows)',
    async () => {
      await using folder = await tempFolder();
      const path = write(folder.path, '100.hea', readFileSync(hea));
      execFileSync('mkfifo', [join(folder.path, '100.dat')]);
      expect(await isoline('analyse', path)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(oneLine),
      });
    },
  );

  test('from its sources it answers as bundled', async () => {
    const fromSource = spawnSync(process.execPath, [sourceOfCommandLine(), 'info', hea], {
      encoding: 'utf8',
    });
    const { code, stdout, stderr } = await isoline('info', hea);
    expect(fromSource).toMatchObject({ status: code, stdout, stderr });
    expect(stdout).toContain('"WFDB"');
  });

  test('a result that can’t be written is said in one line', async () => {
    const { code, stderr } = await isoline(
      'analyse',
      hea,
      '--json',
      join(dataFolder, 'no', 'such', 'folder.json'),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(oneLine);
  });
});

const write = (folder: string, name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('calls', () => {
  test.each([
    [['--help']],
    [[]],
    [['analyse', '--help']],
    [['serve', '--help']],
    [['start', '--help']],
    [['token', '--help']],
    [['settings', '--help']],
    [['audit', '--help']],
    [['demo', '--help']],
  ])('isoline %j helps, exit 0', async (args) => {
    const { code, stdout, stderr } = await isoline(...args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: isoline');
  });

  test.each([
    [['nonsense']],
    [['analyse']],
    [['info']],
    [['analyse', 'a', '--nonsense']],
    [['analyse', hea, '--pdf', '-']],
    [['serve']],
    [['serve', '--data-dir', 'x', '--port', '99999']],
    [['serve', '--data-dir', 'x', '--set', 'novalue']],
    [['token', 'nonsense', '--data-dir', 'x']],
    [['token', 'create', '--data-dir', 'x']],
    [['settings', 'list']],
  ])('isoline %j is called wrongly, exit 2', async (args) => {
    const { code, stdout, stderr } = await isoline(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^isoline: [^\n]+\n$/);
  });
});

describe('a data folder from the command line', () => {
  test('serve, token, settings and audit work side by side', async () => {
    await using folder = await tempFolder();
    const dataDir = join(folder.path, 'data');
    const early = await isoline('token', 'create', '--data-dir', dataDir, '--label', 'early');
    expect(early.stdout).toMatch(/^isl_[\w-]{43}\n$/);
    await using server = startIsoline(
      'serve',
      '--data-dir',
      dataDir,
      '--port',
      '0',
      '--set',
      'service.rate.enabled=false',
    );
    const { listening } = JSON.parse(await server.firstLine) as { listening: string };
    expect(listening).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const late = await isoline(
      'token',
      'create',
      '--data-dir',
      dataDir,
      '--label',
      'late',
      '--scope',
      'tasks:read',
      '--expires',
      '0',
    );
    const ask = (token: string): Promise<number> =>
      fetch(`${listening}/v3/orgs/clinic/tasks/1/status`, { headers: { 'X-Api-Token': token.trim() } }).then(
        (response) => response.status,
      );
    expect([await ask(early.stdout), await ask(late.stdout)]).toEqual([404, 404]);

    const list = await isoline('token', 'list', '--data-dir', dataDir);
    expect(list.stdout.trim().split('\n')).toHaveLength(2);
    expect(list.stdout).not.toContain(early.stdout.trim());
    expect((await isoline('token', 'revoke', '2', '--data-dir', dataDir)).code).toBe(0);
    await eventually(
      async () => ((await ask(late.stdout)) === 401 ? true : undefined),
      'the revocation',
      2000,
    );
    expect((await isoline('token', 'revoke', '99', '--data-dir', dataDir)).code).toBe(1);
    expect(
      (await isoline('token', 'create', '--data-dir', dataDir, '--label', 'x', '--org', 'elsewhere')).code,
    ).toBe(1);

    expect((await isoline('settings', 'set', 'report.paper', 'Letter', '--data-dir', dataDir)).code).toBe(0);
    expect((await isoline('settings', 'set', 'report.paper', 'A3', '--data-dir', dataDir)).code).toBe(2);
    expect((await isoline('settings', 'list', '--data-dir', dataDir)).stdout).toMatch(
      /report\.paper +Letter +set/,
    );

    const second = await isoline('serve', '--data-dir', dataDir, '--port', '0');
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      /^isoline: This data folder is in use by process \d+, running since [^\n]+\n$/,
    );
    expect((await isoline('audit', 'verify', '--data-dir', dataDir)).stdout).toMatch(/whole: \d+ entries/);
    expect(await server.stop()).toBe(0);
    expect(
      existsSync(join(dataDir, 'isoline.sqlite-wal')) &&
        readFileSync(join(dataDir, 'isoline.sqlite-wal')).length > 0,
    ).toBe(false);
  });

  test('a short command on a folder that holds nothing says so and makes nothing', async () => {
    await using folder = await tempFolder();
    const { code, stderr } = await isoline('settings', 'list', '--data-dir', join(folder.path, 'none'));
    expect(code).toBe(1);
    expect(stderr).toMatch(oneLine);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('a taken port is named', async () => {
    await using folder = await tempFolder();
    await using server = startIsoline('serve', '--data-dir', join(folder.path, 'a'), '--port', '0');
    const { listening } = JSON.parse(await server.firstLine) as { listening: string };
    const { code, stderr } = await isoline(
      'serve',
      '--data-dir',
      join(folder.path, 'b'),
      '--port',
      new URL(listening).port,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${new URL(listening).port} is taken`)]);
  });

  test('0.0.0.0 without TLS is refused, exit 2', async () => {
    await using folder = await tempFolder();
    expect(
      await isoline('serve', '--data-dir', folder.path, '--port', '0', '--host', '0.0.0.0'),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(oneLine),
    });
  });
});

describe('isoline demo', () => {
  test('goes from a synthetic recording to a PDF', async () => {
    const { code, stdout } = await isoline('demo');
    expect(code).toBe(0);
    const path = /^Report: (.+)$/m.exec(stdout)?.[1] as string;
    expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-');
    expect(stdout).toContain('ventricular premature beats');
  });
});

test('what can only be suspected is looked for where --suspicions asks for it', async () => {
  const path = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');
  const looked = async (...more: string[]): Promise<string[]> => {
    const { stdout } = await isoline('analyse', path, '--json', '-', ...more);
    return (JSON.parse(stdout) as AnalysisResult).assessments.map(({ code }) => code);
  };
  expect(await looked()).not.toContain('ISC-WELL');
  expect(await looked('--suspicions')).toEqual(expect.arrayContaining(['ISC-WELL', 'ISC-DEWIN', 'REP-BRUG']));
});

test('the schema in docs is that of the code', () => {
  const stored = JSON.parse(readFileSync(join(projectRoot, 'docs', 'analysis-result.schema.json'), 'utf8'));
  expect(stored).toEqual(
    JSON.parse(
      JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...AnalysisResultSchema }),
    ),
  );
});
