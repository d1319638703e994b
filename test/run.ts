// `npm test`: finds or installs a Chromium, builds, runs every test, and ends with one line of totals. `--only=rooms` leaves out
// the screens, `--only=screens` all else: two machines share the work. With `ISOLINE_TEST_STRICT=1` a missing peer is a failure.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { picturesNotMade } from '../build/guide/guide-pictures.ts';
import { runnableElectron } from '../main/host/cli/electron-program.ts';
import { buildOnce } from './support/build-program.ts';
import { ensureChromium } from './support/chromium.ts';
import { hasDcmtk, hasOrthanc } from './support/dicom-peers.ts';
import { hasHl7 } from './support/hl7-peer.ts';
import { projectRoot, shelfFolder } from './support/test-data.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const require = createRequire(import.meta.url);
const binOf = (name: string, file: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), file);

function step(name: string, file: string, ...args: string[]): boolean {
  say(`\n— ${name}`);
  return spawnSync(process.execPath, [file, ...args], { cwd: projectRoot, stdio: 'inherit' }).status === 0;
}

/** Runs beside the tests, at low priority. @returns waits for its end, prints what it said, and tells whether all was well */
function stepAside(name: string, file: string, ...args: string[]): () => Promise<boolean> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = new Promise<boolean>((done) => child.once('close', (status) => done(status === 0)));
  return async () => {
    const isWell = await ended;
    say(`\n— ${name}\n${(await said).join('')}`);
    return isWell;
  };
}

/** The parts that `--only` names. */
const PARTS = ['rooms', 'screens'] as const;

/**
 * Groups that run together, by their names in `vitest.config.ts`, and how many files at once. Files
 * spend much of their time waiting, so more of them run than there are cores; fewer where browsers draw.
 */
interface Group {
  readonly part: (typeof PARTS)[number];
  readonly projects: readonly string[];
  readonly atOnce?: number;
}
const GROUPS: readonly Group[] = [
  { part: 'rooms', projects: ['unit', 'page', 'faults'], atOnce: availableParallelism() + 2 },
  { part: 'rooms', projects: ['contract'] },
  { part: 'screens', projects: ['e2e', 'package'], atOnce: availableParallelism() + 1 },
];

/** The dearest files of tests that are named at the end. */
const DEAREST = 12;

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

function runVitest({ projects, atOnce }: Group, report: string): Totals {
  const reporting = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  // The suite that is pointed at a service gets one of ours to be pointed at.
  if (projects.includes('contract'))
    step('tests: contract', join(projectRoot, 'test', 'contract', 'run.ts'), '--', ...reporting);
  else
    step(
      `tests: ${projects.join(', ')}`,
      binOf('vitest', 'vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...(atOnce === undefined ? [] : [`--maxWorkers=${atOnce}`]),
      ...reporting,
    );
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, success } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as Record<string, number> & { success: boolean };
  // A file that could not even be loaded has failed suites and no failed test.
  const broken = !success && numFailedTests === 0 ? Math.max(1, numFailedTestSuites ?? 1) : 0;
  return {
    passed: numPassedTests ?? 0,
    failed: (numFailedTests ?? 0) + broken,
    skipped: numPendingTests ?? 0,
  };
}

/** What this machine lacks, and what is not tested for that reason. The large shelf of recordings belongs to no machine. */
function sayLeftOut(): string[] {
  const leftOut: string[] = [];
  if (shelfFolder('formats') === undefined)
    say('Left out: the sweeps over the large shelf of recordings, which is not beside the project.');
  if (spawnSync('pdftotext', ['-v']).error !== undefined)
    leftOut.push('the reports in poppler, which is not installed (package poppler-utils).');
  for (const [program, packages] of [
    ['flac', 'flac'],
    ['gcc', 'gcc, libedf-dev, libbiosig-dev'],
    ['dciodvfy', 'dicom3tools, python3-pydicom'],
    ['nginx', 'nginx-light'],
  ] as const)
    if (spawnSync(program, ['--version']).error !== undefined)
      leftOut.push(`what is tried with ${program}, which is missing (packages ${packages}).`);
  for (const [isThere, packages] of [
    [hasOrthanc, 'orthanc'],
    [hasDcmtk, 'dcmtk'],
    [hasHl7, 'python3-hl7'],
  ] as const)
    if (!isThere) leftOut.push(`what we say to the programs of a hospital, where ${packages} is missing.`);
  for (const each of leftOut) say(`Left out: ${each}`);
  return leftOut;
}

/** Which files of tests take most of the processors, themselves and by the programs that they start. */
function sayDearest(notes: string): void {
  if (!existsSync(notes)) return;
  const files = readFileSync(notes, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([seconds, file = '']) => ({ seconds: Number(seconds), file }))
    .sort((a, b) => b.seconds - a.seconds);
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
  say(`\n— processor seconds: ${Math.round(all)} in ${files.length} files; the dearest`);
  for (const { seconds, file } of files.slice(0, DEAREST)) say(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}

/** @throws Error where there is no such part */
function chosenParts(): readonly string[] {
  const only = process.argv
    .slice(2)
    .map((argument) => /^--only=(.*)$/.exec(argument)?.[1])
    .find((part) => part !== undefined);
  if (only === undefined) return PARTS;
  if (!PARTS.some((part) => part === only)) throw new Error(`--only takes ${PARTS.join(' or ')}.`);
  return [only];
}

async function main(): Promise<number> {
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  try {
    say(`Chromium: ${ensureChromium(say)}`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
  const count = (isWell: boolean): void => void (isWell ? totals.passed++ : totals.failed++);
  const leftOut = sayLeftOut();
  if (process.env.ISOLINE_TEST_STRICT === '1') for (const _ of leftOut) count(false);
  const parts = chosenParts();
  const hasRooms = parts.includes('rooms');
  const aside = !hasRooms
    ? []
    : [
        stepAside('format, lint, arrows', binOf('@biomejs/biome', 'bin/biome'), 'check', '.'),
        // Several checkers work out the same types more than once: 46 s of processor time instead of 30.
        stepAside('types', binOf('typescript', 'bin/tsc'), '-b', '--singleThreaded'),
      ];
  const folder = mkdtempSync(join(tmpdir(), 'isoline-tests-'));
  const notes = process.env.ISOLINE_TEST_PROCESSOR_SECONDS ?? join(folder, 'processor-seconds');
  process.env.ISOLINE_TEST_PROCESSOR_SECONDS = notes;
  try {
    buildOnce();
    for (const group of GROUPS.filter(({ part }) => parts.includes(part))) {
      const found = runVitest(group, join(folder, `${group.projects[0]}.json`));
      totals.passed += found.passed;
      totals.failed += found.failed;
      totals.skipped += found.skipped;
    }
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    count(false);
  } finally {
    for (const isWell of aside) count(await isWell());
    sayDearest(notes);
    rmSync(folder, { recursive: true, force: true });
  }
  if (parts.includes('screens')) {
    const notMade = picturesNotMade(projectRoot);
    if (notMade.length > 0) say(`No test has made these pictures of the guides: ${notMade.join(', ')}`);
    count(notMade.length === 0);
    const isElectronRight = step('real Electron', join(projectRoot, 'test', 'electron', 'run.ts'));
    if (!isElectronRight) totals.failed++;
    else if (runnableElectron() !== undefined) totals.passed++;
  }
  say(
    `\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
  );
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1;
}

process.exitCode = await main();
