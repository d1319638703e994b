// The character sets that practice systems write (E10).

export const CHARACTER_SETS = ['cp437', 'cp850', 'iso-8859-1', 'iso-8859-15', 'utf-8'] as const;
export type CharacterSet = (typeof CHARACTER_SETS)[number];

/** `auto`: what the file says of itself. */
export const CHARACTER_SET_CHOICES = ['auto', ...CHARACTER_SETS] as const;

/** What a result is written in where nothing else is known: it holds the letters of Western Europe. */
export const gdtCharacterSet = (name: string | undefined): CharacterSet =>
  CHARACTER_SETS.find((set) => set === name) ?? 'iso-8859-15';
