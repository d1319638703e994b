// Finds what a reader means: an acronym, the beginning of a word, several words in any order, in either language, with a slip of the
// finger at most.

import { nearlyBegins } from '../../../shared/entry/nearly-begins.ts';
import type { LibraryFinding } from '../../../shared/findings/library/finding.ts';

/** In small letters, without accents and marks. */
const plainWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** How well something fits; the names of these are their order. */
const SCORES = { exact: 1000, firstWords: 900, begins: 800, words: 400, misspelt: 200 } as const;
/** What only begins so loses a point for each letter more: of an acronym all, of a text those of its first word. */
const MOST_LETTERS = 99;
/** From here on it is what was meant; below, a reader chooses. */
const SURE = SCORES.begins - MOST_LETTERS;
/** What denies a finding names it, and does not mean it. */
const DENIAL = /^(no|not|non|without|never|sin|ni|nunca|normal)$/;

interface Searchable {
  readonly finding: LibraryFinding;
  /** Each acronym and other word for it. */
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly words: readonly string[];
}

const searchableOf = (finding: LibraryFinding): Searchable => {
  const joined = (text: string): string => plainWords(text).join(' ');
  const texts = [joined(finding.en), joined(finding.es)];
  const names = finding.words.map(joined);
  return {
    finding,
    names,
    texts,
    words: [...new Set([...texts, ...names].flatMap((text) => text.split(' ')))],
  };
};

const firstWordOf = (text: string): string => text.split(' ')[0] as string;

function scoreOf({ names, texts, words }: Searchable, typed: readonly string[]): number {
  const whole = typed.join(' ');
  const exact = names.indexOf(whole);
  // Where findings share an acronym, the one that usually has it goes first.
  if (exact >= 0) return SCORES.exact - exact;
  if (texts.includes(whole)) return SCORES.exact;
  const begun = texts.filter((text) => text.startsWith(whole));
  if (begun.some((text) => text.startsWith(`${whole} `))) return SCORES.firstWords;
  const more = [
    ...begun.map((text) => Math.max(0, firstWordOf(text).length - whole.length)),
    ...names.filter((name) => name.startsWith(whole)).map((name) => name.length - whole.length),
  ];
  if (more.length > 0) return SCORES.begins - Math.min(MOST_LETTERS, ...more);
  if (typed.every((part) => words.some((word) => word.startsWith(part)))) return SCORES.words;
  const isNear = (part: string): boolean =>
    words.some((word) => word.startsWith(part) || nearlyBegins(word, part));
  return typed.every(isNear) ? SCORES.misspelt : 0;
}

export interface FoundFindings {
  /** The likeliest first; without words, all of them in their order. */
  readonly findings: readonly LibraryFinding[];
  /** The first one is what was meant, and may be taken unseen. */
  readonly isSure: boolean;
}

export function librarySearch(library: readonly LibraryFinding[]): (typed: string) => FoundFindings {
  const searchable = library.map(searchableOf);
  return (typed) => {
    const parts = plainWords(typed);
    if (parts.length === 0) return { findings: library, isSure: false };
    const found = searchable
      .map((each) => ({ finding: each.finding, score: scoreOf(each, parts) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    const isDenied = parts.length > 1 && parts.some((part) => DENIAL.test(part));
    const [first] = found;
    const isExact = first !== undefined && first.score > SCORES.firstWords;
    return {
      findings: found.map(({ finding }) => finding),
      // Half a word is not enough to say that nothing is found.
      isSure:
        first !== undefined &&
        (isExact || (!isDenied && first.score >= SURE && first.finding.severity !== 'NONE')),
    };
  };
}
