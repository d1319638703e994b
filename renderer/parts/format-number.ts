// Numbers as people read them: with a minus that is one.

/** `−12` */
export const numberText = (value: number): string => String(value).replace('-', '−');

/** `0.4 %`, `98 %`; less than can be shown is `< 0.1 %`. */
export function shareText(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

/** `+32`, `−4`, `0`. */
export const signedText = (value: number): string => (value > 0 ? `+${value}` : numberText(value));

/** `103 737`, with thin spaces. */
export const groupedNumber = (value: number): string =>
  numberText(value).replace(/\B(?=(\d{3})+$)/g, '\u2009');
