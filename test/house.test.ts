// The arrows of the house: who may import whom, touch files, speak SQL. The list is build/house/rooms.ts.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bridgePage } from '../build/house/bridge-page.ts';
import { circles, oneSided, unused, violations, waiting } from '../build/house/check-house.ts';
import { withoutSubject } from '../build/house/comment-subjects.ts';
import { drawHouse } from '../build/house/draw-house.ts';
import { earlyReturns } from '../build/house/early-returns.ts';
import { readSource, readSources, sourceTexts } from '../build/house/read-sources.ts';
import { ROOM_NAMES, ROOMS } from '../build/house/rooms.ts';
import { unusedExports } from '../build/house/unused-exports.ts';
import { projectRoot } from './support/test-data.ts';

const SOURCES = readSources(projectRoot, ['main', 'shared', 'preload', 'renderer']);

test('every file keeps to what its room may use', () => {
  expect(violations(SOURCES)).toEqual([]);
});

test('no room may use what it does not', () => {
  expect(unused(SOURCES)).toEqual([]);
});

test('no files import each other in a circle, by types either', () => {
  expect(circles(SOURCES)).toEqual([]);
});

test('shared holds what both sides use', () => {
  expect(oneSided(SOURCES)).toEqual([]);
  const planted = ['shared/of-main.ts', 'shared/of-both.ts'];
  expect(
    oneSided([
      ...planted.map((path) => readSource(path, 'export {};\n')),
      readSource(
        'main/clinic/a.ts',
        "import '../../shared/of-main.ts';\nimport '../../shared/of-both.ts';\n",
      ),
      readSource('renderer/b.tsx', "import '../shared/of-both.ts';\n"),
    ]),
  ).toEqual(['shared/of-main.ts']);
});

const THREADS = [
  'main/host/clinic-thread.ts',
  'main/pool/worker.ts',
  'main/store/backup/backup-thread.ts',
  'main/store/database/look-through-thread.ts',
];

test('no thread waits while its modules are loaded: ended meanwhile, it would end the program (decision 42)', () => {
  expect(THREADS.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  expect(waiting(SOURCES, THREADS)).toEqual([]);
  const planted = SOURCES.map((source) =>
    source.path === 'shared/signal/lead.ts'
      ? readSource(source.path, "export const lead = await Promise.resolve('I');\n")
      : source,
  );
  expect(waiting(planted, THREADS)).toEqual(['shared/signal/lead.ts']);
  for (const line of ['await import("./b.ts");', 'for await (const a of b) a();', 'await using a = b();'])
    expect([line, readSource('a.ts', `${line}\nexport {};\n`).isWaiting]).toEqual([line, true]);
  expect(readSource('a.ts', 'const later = async () => await 1;\n').isWaiting).toBe(false);
});

test('every room is there, and every room that one names', () => {
  const named = ROOM_NAMES.flatMap((name) => [name, ...ROOMS[name].imports]);
  expect(named.filter((place) => !existsSync(join(projectRoot, place)))).toEqual([]);
});

test('arrows run down: no room names one of its own floor or above, but for the doors', () => {
  const upward = ROOM_NAMES.filter((name) => name !== 'main/host').flatMap((name) =>
    ROOM_NAMES.filter((other) =>
      ROOMS[name].imports.some((place) => other === place || other.startsWith(`${place}/`)),
    )
      .filter((other) => ROOMS[other].floor <= ROOMS[name].floor)
      .map((other) => `${name} → ${other}`),
  );
  expect(upward).toEqual([]);
});

test('nothing is closed while a promise that needs it still runs', () => {
  expect(
    earlyReturns(sourceTexts(projectRoot, ['main', 'shared', 'preload', 'renderer', 'build', 'test'])),
  ).toEqual([]);
  const found = (body: string): number =>
    earlyReturns([
      {
        path: 'a.ts',
        text: `async function send(): Promise<void> {}\nfunction size(): number { return 1; }\nasync function work() { ${body} }\n`,
      },
    ]).length;
  for (const body of [
    'using file = open(); return send();',
    'await using file = open(); if (file.isOpen) { return send(); }',
    'try { return send(); } finally { close(); }',
    'try { return file === undefined ? size() : send(); } catch { return 0; }',
  ])
    expect([body, found(body)]).toEqual([body, 1]);
  for (const body of [
    'return send();',
    'using file = open(); return await send();',
    'using file = open(); return size();',
    'using file = open(); const later = () => { return send(); }; return await later();',
    'try { size(); } catch { return send(); }',
    '{ using file = open(); } return send();',
  ])
    expect([body, found(body)]).toEqual([body, 0]);
});

/** A file that is not there, with one line that its room forbids. */
const planted = (path: string, line: string): string[] => violations([readSource(path, `${line}\n`)]);

describe('a planted violation is found', () => {
  test.each([
    ['main/clinic/clinic.ts', "import { openStore } from '../store/store.ts';"],
    ['main/clinic/clinic.ts', "import type { OpenStore } from '../store/store.ts';"],
    ['main/clinic/clinic.ts', "import { readFileSync } from 'node:fs';"],
    ['main/clinic/clinic.ts', "export const { readFileSync } = process.getBuiltinModule('node:fs');"],
    ['main/clinic/clinic.ts', "import Database from 'better-sqlite3';"],
    ['main/clinic/clinic.ts', "export const read = () => import('../formats/read-record.ts');"],
    ['main/clinic/clinic.ts', "export type Read = import('../formats/read-record.ts').ReadResult;"],
    ['main/clinic/clinic.ts', "export type Read = typeof import('../formats/read-record.ts');"],
    ['main/clinic/clinic.ts', "import type { TaskRequest } from '../../shared/v3/v3.ts';"],
    ['main/service/service.ts', "export * from '../store/store.ts';"],
    ['main/service/service.ts', "export { pageHandlers } from '../bridge/handlers/page.ts';"],
    ['main/connections/sender-loop.ts', "import { openSync } from 'node:fs';"],
    ['main/device/desk.ts', "import '../formats/read-record.ts';"],
    ['main/store/store.ts', "import { service } from '../service/service.ts';"],
    ['main/analysis/analyse.ts', "import { readRecord } from '../formats/read-record.ts';"],
    ['main/formats/read-record.ts', "import { openSync } from 'node:fs';"],
    ['main/report/report.ts', "import { analyse } from '../analysis/analyse.ts';"],
    ['main/host/workstation.ts', "import { App } from '../../renderer/app.tsx';"],
    ['shared/signal/recording.ts', "import type { Task } from '../../main/clinic/tasks/records.ts';"],
    ['shared/signal/recording.ts', "import { join } from 'node:path';"],
    ['preload/preload.ts', "import type { Recording } from '../shared/signal/recording.ts';"],
    ['renderer/app.tsx', "import { readFileSync } from 'node:fs';"],
    ['renderer/app.tsx', "import { ipcRenderer } from 'electron';"],
    ['renderer/app.tsx', "import type { Task } from '../main/clinic/tasks/records.ts';"],
    ['main/attic/chest.ts', 'export const nothing = 0;'],
  ])('%s: %s', (path, line) => {
    expect(planted(path, line)).toHaveLength(1);
  });

  test('and what is allowed passes', () => {
    expect(
      planted('main/clinic/clinic.ts', "import type { Bridge } from '../../shared/bridge/contract.ts';"),
    ).toEqual([]);
    expect(planted('main/store/files/files.ts', "import { open } from 'node:fs/promises';")).toEqual([]);
  });

  test('in a circle of three, one of them by its type alone', () => {
    const three = [
      readSource('main/clinic/a.ts', "import { b } from './b.ts';\n"),
      readSource('main/clinic/b.ts', "import type { C } from './c.ts';\n"),
      readSource('main/clinic/c.ts', "export { a } from './a.ts';\n"),
    ];
    expect(circles(three)).toEqual([['main/clinic/a.ts', 'main/clinic/b.ts', 'main/clinic/c.ts']]);
    expect(circles(three.slice(1))).toEqual([]);
  });
});

test('what a file exports is imported by another', () => {
  const sources = sourceTexts(projectRoot, ['main', 'shared', 'preload', 'renderer']);
  const users = sourceTexts(projectRoot, ['build', 'test', 'training', 'deploy']);
  expect(unusedExports(sources, users)).toEqual([]);
  const planted = (text: string, user: string): string[] =>
    unusedExports([{ path: 'a.ts', text }], [{ path: 'b.ts', text: user }]);
  const text = 'export const size = 1;\nexport function work() {}\nexport interface Size {}\n';
  expect(planted(text, "import { size } from './a.ts';\n")).toEqual(['a.ts: work']);
  expect(planted(text, "export { size } from './a.ts';\nconst { work } = await import('./a.ts');\n")).toEqual(
    [],
  );
});

test('no comment begins in the middle of a sentence', () => {
  const texts = sourceTexts(projectRoot, [
    'main',
    'shared',
    'preload',
    'renderer',
    'build',
    'test',
    'training',
  ]);
  const own = 'build/house/comment-subjects.ts';
  expect(texts.flatMap(({ path, text }) => (path === own ? [] : withoutSubject(path, text)))).toEqual([]);
  expect(withoutSubject('a.ts', '/** Of the file. */\nconst a = 1;\n')).toEqual(['a.ts:1']);
  expect(withoutSubject('a.ts', '/**\n * Those that wait\n * for it.\n */\n')).toEqual(['a.ts:2']);
  expect(withoutSubject('a.ts', '// The size\n// Of the file.\n')).toEqual([]);
});

test('docs/bridge.md is that of the contract', () => {
  expect(readFileSync(join(projectRoot, 'docs', 'bridge.md'), 'utf8')).toBe(`${bridgePage()}\n`);
});

test('the drawing in docs/architecture.md is that of the sources', () => {
  const drawn = drawHouse(SOURCES, readSources(projectRoot, ['test']));
  expect(drawn).toContain('main_service -->|');
  const stored = readFileSync(join(projectRoot, 'docs', 'architecture.md'), 'utf8');
  // Line counts are refreshed with each release; rooms and arrows must match at every commit.
  const arrowsOf = (text: string): string[] =>
    [...text.matchAll(/(\w+) -->\|\d+\| (\w+)/g)].map(([, from, to]) => `${from} ${to}`).sort();
  expect(arrowsOf(stored)).toEqual(arrowsOf(drawn));
});
