// What runs without a window: the image has all that it needs, and schedulers start parts that merge.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine } from './support/built-program.ts';
import { isoline } from './support/run-isoline.ts';
import { tempFolder } from './support/temp-folder.ts';
import { dataFolder, projectRoot } from './support/test-data.ts';

const textOf = (...path: string[]): string => readFileSync(join(projectRoot, ...path), 'utf8');
const ISOLINE = `${process.execPath} ${commandLine}`;

test('what the service and the command line import is installed without the tools of development', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
  const imported = ['main', 'shared'].flatMap((room) =>
    readdirSync(join(projectRoot, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ts$/.test(name) && !/\.d\.ts$|^host.electron/.test(name))
      .flatMap((name) => [
        ...textOf(room, name).matchAll(
          /^(?:import|export)(?! type)[^;]*? from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm,
        ),
      ]),
  );
  const packages = imported
    .map(([, fixed, lazy]) => fixed ?? lazy ?? '')
    .filter((name) => !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  expect(new Set(packages).size).toBeGreaterThan(15);
  expect(packages.filter((name) => dependencies[name] === undefined)).toEqual([]);
});

test('the image takes what is there, and is sent no more', () => {
  const copied = [...textOf('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(copied.length).toBeGreaterThan(4);
  expect(copied.filter((name) => !existsSync(join(projectRoot, name)))).toEqual([]);
  const sent = [...textOf('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name = '']) => name);
  expect(copied.filter((name) => !sent.some((each) => name === each || name.startsWith(`${each}/`)))).toEqual(
    [],
  );
});

/** The script of the one container, as its shell gets it. */
const jobScript = (): string => {
  const [, block = ''] = /args:\n +- \|\n((?: {14}.*\n)+)/.exec(textOf('deploy', 'analyse-job.yaml')) ?? [];
  return block.replaceAll(/^ {14}/gm, '');
};

test.each<[string, string[], (part: number) => Record<string, string>]>([
  [
    'Slurm',
    ['/bin/bash', join(projectRoot, 'deploy', 'analyse.sbatch'), 'ARCHIVE', 'RESULTS', '2'],
    (part) => ({ SLURM_ARRAY_TASK_ID: String(part), SLURM_ARRAY_TASK_COUNT: '1' }),
  ],
  [
    'Kubernetes',
    ['/bin/sh', '-c', jobScript()],
    (part) => ({
      JOB_COMPLETION_INDEX: String(part - 1),
      PARTS: '2',
      ARCHIVE: 'ARCHIVE',
      RESULTS: 'RESULTS',
    }),
  ],
])(
  'parts that %s starts, also twice, make the table of a single run',
  async (_name, command, environment) => {
    await using folder = await tempFolder();
    const [archive, results] = [join(folder.path, 'an archive'), join(folder.path, 'results')];
    for (const path of [archive, results]) mkdirSync(path);
    for (const name of ['1.hea', '1.dat', '11.hea', '11.dat'])
      copyFileSync(join(dataFolder, 'wfdb', name), join(archive, name));
    // One that cannot be read lets no part fail for ever.
    copyFileSync(join(dataFolder, 'wfdb', '100.hea'), join(archive, 'x.hea'));
    const placed = (text: string): string =>
      text === 'ARCHIVE' ? archive : text === 'RESULTS' ? results : text;
    for (const part of [1, 2, 2]) {
      const [program = '', ...args] = command.map(placed);
      const own = Object.fromEntries(
        Object.entries(environment(part)).map(([name, value]) => [name, placed(value)]),
      );
      const { status, stderr } = spawnSync(program, args, {
        env: { ...process.env, ISOLINE, ...own },
        encoding: 'utf8',
      });
      expect([status, stderr.includes('command not found')]).toEqual([0, false]);
    }
    const parts = readdirSync(results).map((name) => join(results, name));
    expect(parts).toHaveLength(2);
    await isoline('merge', join(folder.path, 'merged.csv'), ...parts);
    await isoline('analyse', archive, '--csv', join(folder.path, 'single.csv'));
    const single = readFileSync(join(folder.path, 'single.csv'), 'utf8');
    expect(single.trimEnd().split('\n')).toHaveLength(4);
    expect(readFileSync(join(folder.path, 'merged.csv'), 'utf8')).toBe(single);
  },
);
