// A board that prints lines on a terminal, as a sketch does.

import { closeSync, constants, openSync, writeSync } from 'node:fs';

const EVERY_MS = 20;

/** @param line of a sample; printed so many times a second until it is disposed of */
export function printLines(terminal: string, rateHz: number, line: (i: number) => string): Disposable {
  // Nobody may be listening: what a terminal has no room for is lost, as on a wire.
  const file = openSync(terminal, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  const startMs = performance.now();
  let printed = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startMs) * rateHz) / 1000);
    let text = '';
    for (; printed < due; printed++) text += `${line(printed)}\r\n`;
    try {
      if (text !== '') writeSync(file, text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') clearInterval(timer);
    }
  }, EVERY_MS);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      closeSync(file);
    },
  };
}

/** Heartbeats at 75 a minute in codes of ten bits. */
export const beatCode = (i: number, rateHz: number): number => {
  const phase = (i % (0.8 * rateHz)) / rateHz;
  return Math.round(
    512 + 300 * Math.exp(-((phase - 0.3) ** 2) / 0.00015) + 40 * Math.exp(-((phase - 0.55) ** 2) / 0.003),
  );
};
