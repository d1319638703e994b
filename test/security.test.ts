// docs/security.md answers every rule, with tests that are there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from './support/test-data.ts';

const ROW = /^\| (SEC\d+) \| (held|in part|not yet) \| (.+) \|$/;
const rows = readFileSync(join(projectRoot, 'docs', 'security.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, rule, state, text] = ROW.exec(line) ?? [];
    return rule === undefined || state === undefined || text === undefined ? [] : [{ rule, state, text }];
  });
/** The rules, by the list that they come from. */
const RULES = [
  [1, 16],
  [20, 42],
  [50, 54],
  [60, 63],
  [70, 74],
  [80, 86],
].flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, i) => `SEC${first + i}`));

describe('docs/security.md', () => {
  test('answers every rule, once', () => {
    expect(rows.map(({ rule }) => rule).sort()).toEqual(RULES.sort());
  });

  test('says what is proven by which test, and names none that is not there', () => {
    for (const { rule, state, text } of rows) {
      const named = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path as string);
      expect([rule, named.filter((path) => !existsSync(join(projectRoot, path)))]).toEqual([rule, []]);
      if (state === 'held') expect([rule, named.length > 0]).toEqual([rule, true]);
    }
  });
});

test('nothing is opened in other programs, and no crash is reported to anybody (SEC6, SEC71)', () => {
  const main = readdirSync(join(projectRoot, 'main'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(main.length).toBeGreaterThan(200);
  expect(main.filter((text) => /\b(openExternal|openPath|crashReporter)\b/.test(text))).toEqual([]);
});
