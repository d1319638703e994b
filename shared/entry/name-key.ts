// What of a name counts when people look for it: no capitals, no accents, and the two ways in which umlauts
// and their like are written become one (`Müller`, `Mueller`, `MULLER`). Two names of one key may be two
// people; a search shows them both.

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'a',
  œ: 'o',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
};

const foldWord = (word: string): string =>
  word
    .replace(/[ßæœøłđðþħıŋ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/ae/g, 'a')
    .replace(/oe/g, 'o')
    .replace(/ue/g, 'u')
    .replace(/aa/g, 'a');

/**
 * The words of a text as keys, in order; letters and digits of every script count, everything else parts
 * words.
 */
export function nameKeys(text: string): string[] {
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(foldWord).filter((word) => word !== '');
}

/**
 * Damerau-Levenshtein distance (insertion, deletion, exchange of neighbours, other letter), given up above
 * `most`.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + other,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return Math.min(most + 1, last[b.length] as number);
}

/**
 * Names that one person may have given twice: two letters differ at most, or first and last name are
 * exchanged.
 */
export function areNamesSimilar(
  a: { readonly first: string; readonly last: string },
  b: { readonly first: string; readonly last: string },
): boolean {
  const key = (name: string): string => nameKeys(name).join(' ');
  const near = (x: string, y: string): boolean => editDistance(key(x), key(y), 2) <= 2;
  return (near(a.first, b.first) && near(a.last, b.last)) || (near(a.first, b.last) && near(a.last, b.first));
}
