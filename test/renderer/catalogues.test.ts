// The message catalogues: every language has every text, with the same places for what is put in.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHOWN_SETTINGS } from '../../renderer/screens/settings/shown-settings.ts';
import { CONNECTION_KINDS } from '../../shared/connections/connections.ts';
import { REASONS } from '../../shared/errors.ts';
import { projectRoot } from '../support/test-data.ts';

const folder = join(projectRoot, 'renderer', 'text');
type Texts = { readonly [key: string]: string | Texts };
const read = (name: string): Texts => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Texts;

/** `worklist.column.time` → text. */
const flat = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flat(value, `${prefix}${key}.`),
  );

const english = new Map(flat(read('en.json')));
const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!).sort();

describe.each(readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'en.json'))(
  '%s',
  (name) => {
    const texts = new Map(flat(read(name)));

    test('has every text of the English catalogue and no other', () => {
      expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
    });

    test('puts in what the English text puts in', () => {
      for (const [key, text] of texts)
        expect([key, placesOf(text)]).toEqual([key, placesOf(english.get(key) ?? '')]);
    });

    test('is translated: few texts are the same as in English', () => {
      const same = [...texts].filter(([key, text]) => text === english.get(key) && /[a-z]{4}/.test(text));
      expect(same.length).toBeLessThan(0.03 * texts.size);
    });
  },
);

test('every reason of the closed list has words', () => {
  expect(Object.keys(REASONS).filter((reason) => !english.has(`error.${reason}`))).toEqual([]);
});

test('every setting that the screen shows has a name and says what it does', () => {
  const shown = Object.values(SHOWN_SETTINGS).flat();
  const wanted = shown.flatMap((key) =>
    ['name', 'effect'].map((kind) => `settings.${kind}.${key.replaceAll('.', '_')}`),
  );
  expect(shown.length).toBeGreaterThan(10);
  expect(wanted.filter((key) => !english.has(key))).toEqual([]);
});

test('whatever the screens say of a connection has words for every kind of connection', () => {
  const screens = join(projectRoot, 'renderer', 'screens', 'sync');
  const sources = readdirSync(screens).map((name) => readFileSync(join(screens, name), 'utf8'));
  const said = [...sources.join('\n').matchAll(/kindWords\(t, [\w.]+, '([\w.]+)'/g)].map(([, key]) => key!);
  expect(said).toContain('nothingYet');
  const isWorded = (kind: string, key: string) =>
    [`connection.${kind}.${key}`, `connection.any.${key}`].some((full) => english.has(full));
  // Only the archive confirms what it keeps, and only its card asks for these.
  const asked = [...new Set(said)].filter(
    (key) => !['confirmed', 'unconfirmed', 'confirms.label'].includes(key),
  );
  expect(
    CONNECTION_KINDS.flatMap((kind) =>
      asked.filter((key) => !isWorded(kind, key)).map((key) => `${kind}.${key}`),
    ),
  ).toEqual([]);
});
