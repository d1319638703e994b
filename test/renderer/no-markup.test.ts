// Text of patients and files is text on every screen: nothing of the screens writes markup (SEC35).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/test-data.ts';

const MARKUP =
  /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|createContextualFragment)\b|document\.write/;

test('no screen writes markup', () => {
  const sources = ['renderer', 'preload'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  expect(sources.length).toBeGreaterThan(150);
  const code = (path: string): string => readFileSync(path, 'utf8').replace(/^\s*(?:\/\/|\*).*$/gm, '');
  expect(sources.filter((path) => MARKUP.test(code(path)))).toEqual([]);
});
