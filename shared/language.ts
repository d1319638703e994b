// The languages of screens and paper.

/** By their own names. */
export const LANGUAGES = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

/** What stands before the decimals of a number. */
export const DECIMAL_SIGNS: Readonly<Record<Language, '.' | ','>> = { en: '.', es: ',' };
