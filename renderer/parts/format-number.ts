// Numbers as people read them in the language of the screens: with a minus that is one, and the decimal sign of the language.

import { DECIMAL_SIGNS } from '../../shared/language.ts';
import { shownLanguage } from '../text/text.ts';

const written = (digits: string): string =>
  digits.replace('-', '−').replace('.', DECIMAL_SIGNS[shownLanguage()]);

/** `−12` */
export const numberText = (value: number): string => written(String(value));

/** `3.80`. @param decimals exactly so many */
export const decimalText = (value: number, decimals: number): string => written(value.toFixed(decimals));

/** `0.4 %`, `98 %`; less than can be shown is `< 0.1 %`. */
export function shareText(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return `< ${numberText(0.1)} %`;
  return `${decimalText(percent, percent < 10 ? 1 : 0)} %`;
}

/** `+32`, `−4`, `0`. */
export const signedText = (value: number): string => (value > 0 ? `+${value}` : numberText(value));

/** `103 737`, with thin spaces. */
export const groupedNumber = (value: number): string =>
  numberText(value).replace(/\B(?=(\d{3})+$)/g, '\u2009');
