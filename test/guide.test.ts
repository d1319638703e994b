// The guides name what is on the screen as it is there, and show pictures that are there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from './support/test-data.ts';

type Texts = { readonly [key: string]: string | Texts };
const textsOf = (texts: Texts): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : textsOf(text)));
const onScreen = new Set(
  textsOf(JSON.parse(readFileSync(join(projectRoot, 'renderer', 'text', 'en.json'), 'utf8')) as Texts),
);
/** Emphasis that is no word of a screen ends like a sentence, or begins a paragraph. */
const isSentence = (words: string): boolean => /[.:?]$/.test(words);

const folder = join(projectRoot, 'docs', 'guide');
test.each(readdirSync(folder))('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const named = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words as string);
  const start = (words: string): boolean => [...onScreen].some((each) => each.startsWith(`${words} `));
  expect(
    named.filter(
      (words) => !isSentence(words) && !onScreen.has(words) && !start(words) && !onScreen.has(`${words}.`),
    ),
  ).toEqual([]);
  const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path as string);
  expect(linked.filter((path) => !existsSync(join(dirname(join(folder, name)), path)))).toEqual([]);
});
