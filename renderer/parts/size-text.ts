// Amounts of data and other large numbers as people read them, in the language of the screens.

import { shownLanguage } from '../text/text.ts';

const KILO = 1e3;
const MEGA = 1e6;
const GIGA = 1e9;
/** Sizes below this many units are shown with a tenth. */
const FEW = 10;

/** @param decimals exactly so many */
export const localNumber = (value: number, decimals = 0): string =>
  new Intl.NumberFormat(shownLanguage(), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);

/** Powers of ten, as disks are sold. */
export function sizeText(bytes: number): string {
  if (bytes < MEGA) return `${localNumber(Math.ceil(bytes / KILO))} kB`;
  const [count, unit] = bytes < GIGA ? [bytes / MEGA, 'MB'] : [bytes / GIGA, 'GB'];
  return `${localNumber(count, count < FEW ? 1 : 0)} ${unit}`;
}
