// The guides name what is on the screen as it is there, in both languages, and show pictures that are there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guideFiles, namedPictures, shownPictures } from '../build/guide/guide-pictures.ts';
import { projectRoot } from './support/test-data.ts';

type Texts = { readonly [key: string]: string | Texts };
const textsOf = (texts: Texts): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : textsOf(text)));
const onScreen = (language: string): ReadonlySet<string> =>
  new Set(
    textsOf(
      JSON.parse(readFileSync(join(projectRoot, 'renderer', 'text', `${language}.json`), 'utf8')) as Texts,
    ),
  );
const ON_SCREEN = { en: onScreen('en'), es: onScreen('es') };
/** Emphasis that is no word of a screen ends like a sentence, or begins a paragraph. */
const isSentence = (words: string): boolean => /[.:?]$/.test(words);
const nameOf = (path: string): string => path.slice(join(projectRoot, 'docs', 'guide').length + 1);

describe.each(guideFiles(projectRoot).map((path) => [nameOf(path), path] as const))('%s', (name, path) => {
  const text = readFileSync(path, 'utf8');

  test('names what is on the screen', () => {
    const texts = ON_SCREEN[name.startsWith('es') ? 'es' : 'en'];
    const named = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words as string);
    // What a screen fills in stands as an ellipsis.
    const isThere = (words: string): boolean =>
      texts.has(words) ||
      texts.has(`${words}.`) ||
      [...texts].some((each) => each.startsWith(`${words.replace(/ …$/, '')} `));
    expect(named.filter((words) => !isSentence(words) && !isThere(words))).toEqual([]);
  });

  test('links to what is there', () => {
    const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to]) => to as string);
    expect(linked.filter((to) => !existsSync(join(dirname(path), to)))).toEqual([]);
  });
});

test('both languages have the same guides, with the same sections', () => {
  const sections = (path: string): number => readFileSync(path, 'utf8').match(/^## /gm)?.length ?? 0;
  const files = guideFiles(projectRoot).map((path) => [nameOf(path), sections(path)] as const);
  const english = files.filter(([name]) => !name.startsWith('es'));
  expect(english.length).toBeGreaterThan(3);
  expect(
    files.filter(([name]) => name.startsWith('es')).map(([name, count]) => [name.slice(3), count]),
  ).toEqual(english.map(([name, count]) => [name, count]));
});

test('every picture that is kept is shown somewhere', () => {
  expect(readdirSync(shownPictures(projectRoot)).sort()).toEqual(namedPictures(projectRoot));
});
