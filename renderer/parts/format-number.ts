// Numbers as people read them: with a minus that is one.

/** `−12` */
export const numberText = (value: number): string => String(value).replace('-', '−');

/** `+32`, `−4`, `0`. */
export const signedText = (value: number): string => (value > 0 ? `+${value}` : numberText(value));
