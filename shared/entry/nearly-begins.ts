// A word that somebody has begun to type with a slip of the finger.

/** A shorter word with one other letter is another word. */
const LEAST_MISSPELT = 5;

/** Whether `typed` is the beginning of `word` but for one slip: another letter, one too many, one too few, or two in each other's place. */
export function nearlyBegins(word: string, typed: string): boolean {
  if (typed.length < LEAST_MISSPELT) return false;
  let same = 0;
  while (same < typed.length && word[same] === typed[same]) same++;
  const goesOn = (ofWord: number, ofTyped: number): boolean =>
    word.slice(same + ofWord).startsWith(typed.slice(same + ofTyped));
  const isSwapped = word[same] === typed[same + 1] && word[same + 1] === typed[same];
  return goesOn(1, 1) || goesOn(0, 1) || goesOn(1, 0) || (isSwapped && goesOn(2, 2));
}
