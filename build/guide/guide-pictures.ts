// The pictures of the guides and the README: which they are, and which of them the tests have made.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Where the tests in a browser leave what they saw. */
export const madePictures = (root: string): string => join(root, 'out', 'screenshots');
export const shownPictures = (root: string): string => join(root, 'docs', 'screenshots');

export const guideFiles = (root: string): readonly string[] =>
  readdirSync(join(root, 'docs', 'guide'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', 'guide', name));

/** Names of files, each once. */
export function namedPictures(root: string): readonly string[] {
  const texts = [join(root, 'README.md'), ...guideFiles(root)].map((path) => readFileSync(path, 'utf8'));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/!\[[^\]]*\]\(([^)]+\.png)\)/g)].map(([, path]) => basename(path as string)),
  );
  return [...new Set(names)].sort();
}

export const picturesNotMade = (root: string): readonly string[] =>
  namedPictures(root).filter((name) => !existsSync(join(madePictures(root), name)));
