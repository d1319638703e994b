// `npm run test:mutants -- [--count 60] [--seed 1] [--rooms main/report,shared]`: plants one-line faults, one at a time, in a copy of the
// sources, and runs the unit tests of the room that reach them. Prints which were noticed, and the share by room.
// A fault that changes nothing that anybody can see is counted as missed too.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSources, type Source } from '../../build/house/read-sources.ts';
import { ROOM_NAMES, type RoomName, roomOf } from '../../build/house/rooms.ts';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { projectRoot } from '../support/test-data.ts';
import { type Fault, faultsOf, withFault } from './plant.ts';

const FOLDERS = ['main', 'shared', 'renderer', 'preload', 'test', 'build'];
const FILES = ['package.json', 'vitest.config.ts', 'tsconfig.json', 'tsconfig.base.json'];
/** Doors and pages are tested as whole programs; words and colours are no logic. */
const ROOMS_WITHOUT: readonly RoomName[] = ['main/host', 'main/product', 'preload'];
const WITHOUT = /(-texts?|-words|texts\/.*|theme|colours)\.tsx?$|renderer\/(?!trace|entry|parts\/)/;
const LIMIT_MS = 180_000;

interface Planted {
  readonly room: RoomName;
  readonly path: string;
  readonly fault: Fault;
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
  const all = linesOf(sources);
  return rooms.flatMap((room) => {
    const faults = ofRoom(room).flatMap(({ path }) =>
      faultsOf(path, readFileSync(join(root, path), 'utf8')).map((fault) => ({ room, path, fault })),
    );
    const wanted = Math.min(faults.length, Math.max(2, Math.round((count * linesOf(ofRoom(room))) / all)));
    return Array.from(
      { length: wanted },
      () => faults.splice(Math.floor(random() * faults.length), 1)[0] as Planted,
    );
  });
}

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** Undefined where no test reaches the file. */
function isNoticed(root: string, { room, path, fault }: Planted): boolean | undefined {
  const file = join(root, path);
  const text = readFileSync(file, 'utf8');
  const tests = join('test', room);
  writeFileSync(file, withFault(text, fault));
  const within = existsSync(join(root, tests)) ? ['--dir', tests] : [];
  const flags = [
    '--run',
    '--project',
    'unit',
    '--project',
    'page',
    '--bail',
    '1',
    '--reporter',
    'json',
    '--outputFile',
    'found.json',
  ];
  const run = spawnSync(process.execPath, [vitest, 'related', path, ...flags, ...within], {
    cwd: root,
    timeout: LIMIT_MS,
    stdio: 'ignore',
  });
  writeFileSync(file, text);
  // A program that hangs is noticed.
  if (run.error !== undefined || run.status === null) return true;
  const { numTotalTests } = JSON.parse(readFileSync(join(root, 'found.json'), 'utf8')) as {
    numTotalTests: number;
  };
  return numTotalTests === 0 ? undefined : run.status !== 0;
}

function main(): void {
  const { values } = parseArgs({
    options: { count: { type: 'string' }, seed: { type: 'string' }, rooms: { type: 'string' } },
  });
  const [count, seed] = [Number(values.count ?? 60), Number(values.seed ?? 1)];
  const root = mkdtempSync(join(tmpdir(), 'isoline-mutants-'));
  try {
    for (const name of [...FOLDERS, ...FILES])
      cpSync(join(projectRoot, name), join(root, name), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'), 'dir');
    const noticed = new Map<RoomName, [found: number, all: number]>();
    for (const planted of choose(root, count, seed, values.rooms?.split(','))) {
      const { room, path, fault } = planted;
      const found = isNoticed(root, planted);
      const [before = 0, all = 0] = noticed.get(room) ?? [];
      noticed.set(room, [before + (found === true ? 1 : 0), all + 1]);
      const word = found === undefined ? 'no test' : found ? 'noticed' : 'MISSED ';
      process.stdout.write(`${word} ${path}:${fault.line}  ${fault.before} → ${fault.after || '(gone)'}\n`);
    }
    const share = ([found, all]: readonly [number, number]): string =>
      `${found} of ${all} (${Math.round((100 * found) / all)} %)`;
    process.stdout.write('\n');
    for (const [room, counts] of noticed) process.stdout.write(`${room.padEnd(14)} ${share(counts)}\n`);
    const sum = [...noticed.values()].reduce<[number, number]>(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
    process.stdout.write(`${share(sum)} noticed, seed ${seed}\n`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

main();
