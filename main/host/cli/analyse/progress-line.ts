// One line of a terminal that says how far a command is, and is gone when it has ended.

import { clearLine, cursorTo } from 'node:readline';

export interface ProgressLine {
  show(text: string): void;
  /** Before something else is printed, and at the end. */
  clear(): void;
}

const NONE: ProgressLine = { show: () => undefined, clear: () => undefined };

/** Nothing where nobody watches: a log file is no terminal. */
export function progressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  if (!stream.isTTY) return NONE;
  const clear = (): void => {
    clearLine(stream, 0);
    cursorTo(stream, 0);
  };
  return {
    show(text) {
      clear();
      stream.write(text.slice(0, Math.max(0, (stream.columns ?? 80) - 1)));
    },
    clear,
  };
}
