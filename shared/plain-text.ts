// Text that can be kept, shown and printed.

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: tab and line feed are allowed in indications
const CONTROL_BUT_TAB_AND_LINE = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** No control characters, no halves of letters. */
export const isPlain = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();

/** The same, but for tabs and ends of lines. */
export const isPlainLines = (text: string): boolean =>
  !CONTROL_BUT_TAB_AND_LINE.test(text) && text.isWellFormed();
