// Finds what a reader means: an acronym, the beginning of a word, several words in any order, in either language, with a slip of the
// finger at most.

import type { LibraryFinding } from './finding.ts';

/** In small letters, without accents and marks. */
const plainWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** How well something fits; the names of these are their order. */
const SCORES = {
  exact: 1000,
  firstWords: 800,
  acronymBegins: 700,
  textBegins: 650,
  words: 400,
  misspelt: 200,
} as const;
/** A shorter word with one other letter is another word. */
const LEAST_MISSPELT = 5;

/** Whether `typed` is the beginning of `word` but for one slip: another letter, one too many, one too few, or two in each other's place. */
function nearlyBegins(word: string, typed: string): boolean {
  if (typed.length < LEAST_MISSPELT) return false;
  let same = 0;
  while (same < typed.length && word[same] === typed[same]) same++;
  const goesOn = (ofWord: number, ofTyped: number): boolean =>
    word.slice(same + ofWord).startsWith(typed.slice(same + ofTyped));
  const isSwapped = word[same] === typed[same + 1] && word[same + 1] === typed[same];
  return goesOn(1, 1) || goesOn(0, 1) || goesOn(1, 0) || (isSwapped && goesOn(2, 2));
}

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

function scoreOf({ names, texts, words }: Searchable, typed: readonly string[]): number {
  const whole = typed.join(' ');
  const exact = names.indexOf(whole);
  // Where findings share an acronym, the one that usually has it goes first.
  if (exact >= 0) return SCORES.exact - exact;
  if (texts.includes(whole)) return SCORES.exact;
  if (texts.some((text) => text.startsWith(`${whole} `))) return SCORES.firstWords;
  const begun = names.findIndex((name) => name.startsWith(whole));
  if (begun >= 0) return SCORES.acronymBegins - begun;
  if (texts.some((text) => text.startsWith(whole))) return SCORES.textBegins;
  if (typed.every((part) => words.some((word) => word.startsWith(part)))) return SCORES.words;
  const isNear = (part: string): boolean =>
    words.some((word) => word.startsWith(part) || nearlyBegins(word, part));
  return typed.every(isNear) ? SCORES.misspelt : 0;
}

/** @returns a search among the findings, the likeliest first; without words, all of them in their order */
export function librarySearch(
  library: readonly LibraryFinding[],
): (typed: string) => readonly LibraryFinding[] {
  const searchable = library.map(searchableOf);
  return (typed) => {
    const parts = plainWords(typed);
    if (parts.length === 0) return library;
    return searchable
      .map((each) => ({ finding: each.finding, score: scoreOf(each, parts) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ finding }) => finding);
  };
}
