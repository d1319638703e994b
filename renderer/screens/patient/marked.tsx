// A name with the part that was typed marked in it.

import type { ReactNode } from 'react';
import { nameKeys } from '../../../shared/entry/name-key.ts';
import classes from './search.module.css';

/**
 * Beginnings of words that fit what was typed, as far as letters can be counted: `mueller` in Müller is
 * marked as a whole word.
 */
export function Marked({ text, by }: { text: string; by: string }): ReactNode {
  const typed = nameKeys(by);
  return text.split(/(\s|-|,)/).map((word, i) => {
    const [key = ''] = nameKeys(word);
    const match = typed.find((each) => each !== '' && key.startsWith(each));
    const place = `${i} ${word}`;
    if (match === undefined) return <span key={place}>{word}</span>;
    const length = key.length === word.length ? match.length : word.length;
    return (
      <span key={place}>
        <mark className={classes.mark}>{word.slice(0, length)}</mark>
        {word.slice(length)}
      </span>
    );
  });
}
