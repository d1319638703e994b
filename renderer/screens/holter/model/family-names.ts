// Names of families: the letter of their class and a small letter. A name is never given twice in a recording, so that what somebody
// noted beside one still tells which it was.

import { FIRST_REST_FAMILY } from '../../../../shared/analysis-result.ts';
import type { Day } from './day.ts';

const LETTERS = 26;

/** a … z, aa, ab … */
function smallLetters(index: number): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + (index % LETTERS));
  return index < LETTERS ? letter : smallLetters(Math.floor(index / LETTERS) - 1) + letter;
}

/** The class of most beats of each family. */
function firstClasses({ familyOf, beats: { labels } }: Day): Map<number, string> {
  const counts = new Map<number, Map<number, number>>();
  for (let beat = 0; beat < familyOf.length; beat++) {
    const family = familyOf[beat] as number;
    if (family < 0) continue;
    const own = counts.get(family) ?? new Map<number, number>();
    counts.set(family, own);
    own.set(labels[beat] as number, (own.get(labels[beat] as number) ?? 0) + 1);
  }
  return new Map(
    [...counts].map(([family, own]) => {
      const [most] = [...own].reduce((best, each) => (each[1] > best[1] ? each : best));
      return [family, String.fromCharCode(most)];
    }),
  );
}

export class FamilyNames {
  readonly #names = new Map<number, string>();
  readonly #used = new Map<string, number>();

  constructor(day: Day) {
    const classes = [...firstClasses(day)].sort(([a], [b]) => a - b);
    for (const [family, label] of classes) if (family < FIRST_REST_FAMILY) this.begin(family, label);
  }

  begin(family: number, label: string): void {
    const used = this.#used.get(label) ?? 0;
    this.#used.set(label, used + 1);
    this.#names.set(family, label + smallLetters(used));
  }

  /** Somebody says that its beats are of a class. */
  say(family: number, label: string): void {
    if (this.#names.get(family)?.startsWith(label) !== true) this.begin(family, label);
  }

  of(family: number): string {
    return this.#names.get(family) ?? '';
  }
}
