// Amounts of data and other large numbers as people read them, in the language of the screens.

import { shownLanguage } from '../text/text.ts';

const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;
/** Below that many of a unit, a tenth of it tells something. */
const FEW = 10;

/** @param decimals exactly so many */
export const localNumber = (value: number, decimals = 0): string =>
  new Intl.NumberFormat(shownLanguage(), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);

/** Powers of ten, as disks are sold. */
export function sizeText(bytes: number): string {
  const [unit, factor] =
    UNITS.find((each) => bytes >= each[1]) ?? (UNITS[UNITS.length - 1] as (typeof UNITS)[2]);
  const count = bytes / factor;
  if (unit === 'kB') return `${localNumber(Math.ceil(count))} kB`;
  return `${localNumber(count, count < FEW ? 1 : 0)} ${unit}`;
}
