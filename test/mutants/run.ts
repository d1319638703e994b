// `npm run test:mutants -- [--count 120] [--seed 1] [--rooms main/report,shared] [--jobs 2]`: plants one-line faults of each kind, one
// at a time, in a copy of the sources, and runs the unit tests of the room that reach them. Prints which were noticed, and the
// share by room and by kind. A fault that changes nothing that anybody can see is counted as missed too.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSources, type Source } from '../../build/house/read-sources.ts';
import { ROOM_NAMES, type RoomName, roomOf } from '../../build/house/rooms.ts';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { projectRoot } from '../support/test-data.ts';
import { FAULT_KINDS, type Fault, type FaultKind, faultsOf, withFault } from './plant.ts';

const FOLDERS = ['main', 'shared', 'renderer', 'preload', 'test', 'build'];
const FILES = ['package.json', 'vitest.config.ts', 'tsconfig.json', 'tsconfig.base.json'];
/** Doors and pages are tested as whole programs; words and colours are no logic. */
const ROOMS_WITHOUT: readonly RoomName[] = ['main/host', 'main/product', 'preload'];
const WITHOUT = /(-texts?|-words|texts\/.*|theme|colours)\.tsx?$|renderer\/(?!trace|entry|parts\/)/;
const LIMIT_MS = 600_000;

interface Planted {
  readonly room: RoomName;
  readonly path: string;
  readonly fault: Fault;
}

/** One of each kind after another, as long as there are some. */
function pickByKind(faults: readonly Planted[], count: number, random: () => number): Planted[] {
  const left = FAULT_KINDS.map((kind) => faults.filter(({ fault }) => fault.kind === kind));
  const picked: Planted[] = [];
  const begin = Math.floor(random() * FAULT_KINDS.length);
  for (let turn = begin; picked.length < count && left.some(({ length }) => length > 0); turn++) {
    const kind = left[turn % left.length] as Planted[];
    picked.push(...kind.splice(Math.floor(random() * kind.length), 1));
  }
  return picked;
}

/** As many from each room as it has of all lines, at least two; the same ones for the same seed. */
function choose(
  root: string,
  count: number,
  seed: number,
  wantedRooms: readonly string[] | undefined,
): Planted[] {
  const random = seededRandom(seed);
  const sources = readSources(root, FOLDERS.slice(0, 4)).filter(({ path }) => !WITHOUT.test(path));
  const rooms = ROOM_NAMES.filter((room) => wantedRooms?.includes(room) ?? !ROOMS_WITHOUT.includes(room));
  const ofRoom = (room: RoomName): Source[] => sources.filter(({ path }) => roomOf(path) === room);
  const linesOf = (files: readonly Source[]): number => files.reduce((sum, { lines }) => sum + lines, 0);
  const all = rooms.reduce((sum, room) => sum + linesOf(ofRoom(room)), 0);
  return rooms.flatMap((room) => {
    const faults = ofRoom(room).flatMap(({ path }) =>
      faultsOf(path, readFileSync(join(root, path), 'utf8')).map((fault) => ({ room, path, fault })),
    );
    return pickByKind(faults, Math.max(2, Math.round((count * linesOf(ofRoom(room))) / all)), random);
  });
}

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** Undefined where no test reaches the file. */
async function isNoticed(root: string, { room, path, fault }: Planted): Promise<boolean | undefined> {
  const file = join(root, path);
  const text = readFileSync(file, 'utf8');
  const tests = join('test', room);
  writeFileSync(file, withFault(text, fault));
  const within = existsSync(join(root, tests)) ? ['--dir', tests] : [];
  const found = join(root, 'found.json');
  rmSync(found, { force: true });
  const flags = ['--run', '--project', 'unit', '--project', 'page', '--bail', '1'];
  const run = spawn(
    process.execPath,
    [vitest, 'related', path, ...flags, '--reporter', 'json', '--outputFile', found, ...within],
    { cwd: root, timeout: LIMIT_MS, stdio: 'ignore' },
  );
  const [status] = (await once(run, 'exit')) as [number | null];
  writeFileSync(file, text);
  // A program that hangs is noticed.
  if (status === null || !existsSync(found)) return true;
  const { numTotalTests } = JSON.parse(readFileSync(found, 'utf8')) as { numTotalTests: number };
  return numTotalTests === 0 ? undefined : status !== 0;
}

/** A copy of what the tests of a room need. */
function copyOfProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'isoline-mutants-'));
  for (const name of [...FOLDERS, ...FILES])
    cpSync(join(projectRoot, name), join(root, name), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'), 'dir');
  return root;
}

type Counts = [found: number, all: number];
const share = ([found, all]: Counts): string => `${found} of ${all} (${Math.round((100 * found) / all)} %)`;

/** How many were noticed, by what the key says of them. */
function tally<K>(outcomes: readonly [Planted, boolean][], keyOf: (planted: Planted) => K): Map<K, Counts> {
  const counts = new Map<K, Counts>();
  for (const [planted, found] of outcomes) {
    const [before = 0, all = 0] = counts.get(keyOf(planted)) ?? [];
    counts.set(keyOf(planted), [before + (found ? 1 : 0), all + 1]);
  }
  return counts;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function report(outcomes: readonly [Planted, boolean][], seed: number): void {
  say('');
  for (const [room, counts] of tally(outcomes, (planted) => planted.room))
    say(`${room.padEnd(17)} ${share(counts)}`);
  say('');
  for (const [kind, counts] of tally<FaultKind>(outcomes, ({ fault }) => fault.kind))
    say(`${kind.padEnd(17)} ${share(counts)}`);
  say('');
  for (const counts of tally(outcomes, () => 'all').values()) say(`${share(counts)} noticed, seed ${seed}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string' },
      seed: { type: 'string' },
      rooms: { type: 'string' },
      jobs: { type: 'string' },
    },
  });
  const [count, seed] = [Number(values.count ?? 120), Number(values.seed ?? 1)];
  const roots = Array.from({ length: Number(values.jobs ?? availableParallelism()) }, copyOfProject);
  try {
    const waiting = choose(projectRoot, count, seed, values.rooms?.split(','));
    const outcomes: [Planted, boolean][] = [];
    const work = async (root: string): Promise<void> => {
      for (let planted = waiting.shift(); planted !== undefined; planted = waiting.shift()) {
        const { path, fault } = planted;
        const found = await isNoticed(root, planted);
        outcomes.push([planted, found === true]);
        const word = found === undefined ? 'no test' : found ? 'noticed' : 'MISSED ';
        say(
          `${word} ${fault.kind.padEnd(10)} ${path}:${fault.line}  ${fault.before} → ${fault.after || '(gone)'}`,
        );
      }
    };
    await Promise.all(roots.map(work));
    report(outcomes, seed);
  } finally {
    for (const root of roots) rmSync(root, { recursive: true, force: true });
  }
}

await main();
