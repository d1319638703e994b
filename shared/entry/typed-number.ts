// Heights and weights as people type them: comma or point, with or without the unit (screens, section 1.7).
// Weights are kilograms on the screen and whole grams in the data, because /v3 knows grams.

const NUMBER = /^(\d{1,4})(?:[.,](\d{1,3}))?\s*(kg|cm)?$/i;

/** @returns grams, exactly; undefined for what is no number of kilograms */
export function readKilograms(text: string): number | undefined {
  const [all, whole = '', fraction = '', unit] = NUMBER.exec(text.trim()) ?? [];
  if (all === undefined || unit?.toLowerCase() === 'cm') return undefined;
  return Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** @returns whole centimetres; undefined for anything else */
export function readCentimetres(text: string): number | undefined {
  const [all, whole = '', fraction = '', unit] = NUMBER.exec(text.trim()) ?? [];
  if (all === undefined || unit?.toLowerCase() === 'kg' || /[1-9]/.test(fraction)) return undefined;
  return Number(whole);
}

/** At most one digit behind the point, three below ten kilograms; never rounded away what was typed. */
export function showKilograms(grams: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: false }).format(grams / 1000);
}
