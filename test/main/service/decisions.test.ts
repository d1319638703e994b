import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../support/test-data.ts';

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The decisions on what the specification leaves open, as far as they concern the service. */
const DECISIONS = [
  ...range(1, 14),
  ...range(20, 21),
  ...range(30, 34),
  ...range(40, 48),
  ...range(50, 64),
  ...range(70, 85),
  ...range(90, 93),
  ...range(100, 106),
  ...range(110, 113),
];

/** The decisions that no test can show here, and why. */
const NOT_SHOWN: Readonly<Record<number, string>> = {
  59: 'a time limit for archives of a gigabyte on a spinning disk',
  103: 'the order of recorder and service in the store, which comes with the recorder',
};

function citedIn(...folders: readonly string[]): Set<number> {
  const text = folders
    .flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'decisions.test.ts')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  const single = [...text.matchAll(/\bD(\d+)\b/g)].map(([, number]) => Number(number));
  const ranges = [...text.matchAll(/\bD(\d+) to D(\d+)\b/g)].flatMap(([, from, to]) =>
    range(Number(from), Number(to)),
  );
  return new Set([...single, ...ranges]);
}

test('every decision that concerns the service is cited by a test', () => {
  const cited = citedIn('test');
  expect(DECISIONS.filter((number) => !cited.has(number) && NOT_SHOWN[number] === undefined)).toEqual([]);
});

test('the code cites what it obeys', () => {
  const cited = citedIn('main', 'shared');
  // The last one is about the suite of tests.
  expect(DECISIONS.filter((number) => !cited.has(number) && NOT_SHOWN[number] === undefined)).toEqual([113]);
});
