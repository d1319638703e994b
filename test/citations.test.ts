// Rules that code and tests cite by number stand in docs/spec.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from './support/test-data.ts';

const SPEC = { D: 'v3.md', SEC: 'security.md', E: 'clinic.md' } as const;
type Kind = keyof typeof SPEC;

/**
 * `D74`, `SEC12` anywhere in a comment or a title; `E9` in brackets, because the letter alone means much
 * else.
 */
const CITED: Readonly<Record<Kind, RegExp>> = {
  D: /(?<![\w'"`/#-])D([1-9]\d{0,2})(?![\w'"`])/g,
  SEC: /\bSEC(\d{1,2})\b/g,
  E: /(?<=\((?:[^()]*[ ,;])?)E([1-9]\d?)(?=[^()\d]*(?:[,;)]))/g,
};

const sources = ['main', 'shared', 'renderer', 'preload', 'test', 'build'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
);

test.each(Object.keys(SPEC) as Kind[])('every %s that is cited stands in docs/spec', (kind) => {
  const known = new Set(
    [
      ...readFileSync(join(projectRoot, 'docs', 'spec', SPEC[kind]), 'utf8').matchAll(/\*\*([A-Z]+\d+)\*\*/g),
    ].map(([, name]) => name),
  );
  const cited = new Map<string, string>();
  for (const path of sources) {
    const lines = readFileSync(path, 'utf8').split('\n');
    for (const line of lines) {
      // Only what people read: comments, and titles of tests.
      const prose = /^\s*(\/\/|\*|\/\*)|\b(test|describe)\b|%s|\(D\d|\/\*\*/.test(line) ? line : '';
      for (const [, number] of prose.matchAll(CITED[kind]))
        cited.set(`${kind}${number}`, `${path.slice(projectRoot.length + 1)}: ${line.trim()}`);
    }
  }
  expect(cited.size).toBeGreaterThan(10);
  expect([...cited].filter(([name]) => !known.has(name))).toEqual([]);
});

test('every section of a reference that is cited stands in docs/spec/references.md', () => {
  const known = new Set<string>();
  let part = '';
  for (const line of readFileSync(join(projectRoot, 'docs', 'spec', 'references.md'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) part = line.slice(3).toLowerCase();
    for (const [, section] of line.matchAll(/\*\*(\d+(?:\.\d+)?)\*\*/g)) known.add(`${part} ${section}`);
  }
  const missing: string[] = [];
  let cited = 0;
  for (const path of sources) {
    // A citation may run over the end of a line of a comment.
    const text = readFileSync(path, 'utf8').replace(/\n\s*(?:\/\/|\*) ?/g, ' ');
    const named =
      /\b(device protocols|analysis|durability|formats) reference,? (?:sections? )?(\d+(?:\.\d+)?)/gi;
    for (const [, name = '', section] of text.matchAll(named)) {
      cited++;
      if (!known.has(`${name.toLowerCase()} ${section}`)) missing.push(`${path}: ${name} ${section}`);
    }
  }
  expect(cited).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});
