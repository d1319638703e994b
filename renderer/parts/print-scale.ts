// How true to size this computer's printer is: somebody measures a test page with a ruler once, and this computer keeps the
// result. It corrects nothing silently: if the printer shrinks pages, every print says so (E37).

import { useEffect, useState } from 'react';
import { decimalText } from './format-number.ts';

/** The lengths of the lines on the test page. */
export const TEST_LINES_MM = { across: 150, down: 100 } as const;
/** Beyond this, the control line of a report is out of its limits. */
const MOST_OFF = 0.01;
const KEY = 'isoline.printed';
const CHANGED = 'isoline.printScaleMeasured';

export interface PrintScale {
  /** 1 where a millimetre is a millimetre. */
  readonly across: number;
  readonly down: number;
}

export const isTrueScale = ({ across, down }: PrintScale): boolean =>
  Math.abs(across - 1) <= MOST_OFF && Math.abs(down - 1) <= MOST_OFF;

/** The worse one, as it is said: `96.8`. */
export const percentOf = ({ across, down }: PrintScale): string =>
  decimalText(100 * (Math.abs(across - 1) >= Math.abs(down - 1) ? across : down), 1);

function read(): PrintScale | undefined {
  const [across, down] = (localStorage.getItem(KEY) ?? '').split(' ').map(Number);
  return across !== undefined && across > 0 && down !== undefined && down > 0 ? { across, down } : undefined;
}

/** @param measured undefined forgets it: another printer stands there */
export function keepPrintScale(measured: PrintScale | undefined): void {
  if (measured === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, `${measured.across} ${measured.down}`);
  dispatchEvent(new Event(CHANGED));
}

/** Undefined as long as nobody has measured. */
export function usePrintScale(): PrintScale | undefined {
  const [scale, setScale] = useState(read);
  useEffect(() => {
    const update = (): void => setScale(read());
    for (const event of ['storage', CHANGED]) addEventListener(event, update);
    return () => {
      for (const event of ['storage', CHANGED]) removeEventListener(event, update);
    };
  }, []);
  return scale;
}
