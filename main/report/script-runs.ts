// A line in runs of one font and one direction, in the order in which they stand on paper from left to right. Nearly all texts are one
// run of the report's own font; a name in another script has one of that script.
//
// The order follows the Unicode bidirectional algorithm (UAX #9); a line begins in the direction of its first letter that has one.

import bidiFactory, { type Bidi } from 'bidi-js';

/** A font for the letters of other scripts. */
export interface ScriptFont {
  readonly name: string;
  readonly letters: RegExp;
  /** Its letters are written from the right: it turns whatever it is given round. */
  readonly isFromRight?: boolean;
  bytes(): Uint8Array;
}

export interface Run {
  readonly text: string;
  /** Undefined: the font of the report. */
  readonly font: ScriptFont | undefined;
}

/** The package says of itself that it is an ES module, and Node.js is given the other form: its function itself. */
const bidi = (bidiFactory as unknown as () => Bidi)();
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** What a reader takes for one letter, with its marks. */
export const lettersOf = (text: string): string[] =>
  Array.from(clusters.segment(text), ({ segment }) => segment);

interface Piece extends Run {
  readonly level: number;
}

/** Neighbours of one font and one direction are shaped together. */
function joined(pieces: readonly Piece[]): Piece[] {
  const runs: Piece[] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last !== undefined && last.font === piece.font && last.level === piece.level)
      runs[runs.length - 1] = { ...last, text: last.text + piece.text };
    else runs.push(piece);
  }
  return runs;
}

/** Rule L2: from the highest level down to the lowest odd one, what stands at it or above is turned round. */
function inVisualOrder(runs: readonly Piece[]): Piece[] {
  const turned = [...runs];
  const highest = Math.max(...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--)
    for (let from = 0; from < turned.length; from++) {
      if ((turned[from] as Piece).level < level) continue;
      let to = from;
      while (to < turned.length && (turned[to] as Piece).level >= level) to++;
      turned.splice(from, to - from, ...turned.slice(from, to).reverse());
      from = to;
    }
  return turned;
}

/** @param fontOf the font of a letter; undefined: that of the report */
export function runsOf(text: string, fontOf: (letter: string) => ScriptFont | undefined): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text);
  const mirrored = bidi.getMirroredCharactersMap(text, levels);
  const pieces: Piece[] = [];
  let at = 0;
  for (const letter of lettersOf(text)) {
    const font = fontOf(letter);
    pieces.push({ text: mirrored.get(at) ?? letter, font, level: levels[at] as number });
    at += letter.length;
  }
  return inVisualOrder(joined(pieces)).map(({ text, font, level }) => {
    // Such a font turns round its numbers, too, which are written from the left; what stands between its words nobody turns round.
    const isTurned = (font?.isFromRight === true) !== (level % 2 === 1);
    return { text: isTurned ? lettersOf(text).reverse().join('') : text, font };
  });
}
