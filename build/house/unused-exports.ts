// What a file exports and nobody imports: it belongs to the file alone, or to nobody. Types are left out: they name what a function
// takes and gives, whether somebody says the name or not.

import { parseSync } from 'vite';
import type { SourceText } from './read-sources.ts';

const DECLARED = /^export (?:abstract |async )*(?:const|let|function\*?|class) (\w+)/gm;
/** What such an import takes is read off the words of the file. */
const IMPORTS_LATER = /\bimport\(/;

function importedBy({ path, text }: SourceText): readonly string[] {
  const { module } = parseSync(path, text);
  const names = [
    ...module.staticImports.flatMap(({ entries }) => entries.map(({ importName }) => importName.name)),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ importName }) => importName.name)),
  ].filter((name) => name !== null && name !== undefined);
  return IMPORTS_LATER.test(text) ? [...names, ...(text.match(/\w+/g) ?? [])] : names;
}

/**
 * @param sources whose exports are looked at
 * @param users may import them, beside the sources themselves
 * @returns `path: name`
 */
export function unusedExports(sources: readonly SourceText[], users: readonly SourceText[]): string[] {
  const imports = new Map([...sources, ...users].map((source) => [source.path, new Set(importedBy(source))]));
  const isUsed = (path: string, name: string): boolean =>
    [...imports].some(([other, names]) => other !== path && names.has(name));
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(DECLARED)].flatMap(([, name = '']) => (isUsed(path, name) ? [] : [`${path}: ${name}`])),
  );
}
