// How many pixels a millimetre has on this display. Only somebody with a card or a ruler knows; what systems
// say of the size of displays is a guess (screens, 2.5). Kept on this computer for each display.

import { useEffect, useState } from 'react';

/** CSS defines an inch as 96 pixels; screens differ. */
const GUESS_PX_PER_MM = 96 / 25.4;
const CHANGED = 'isoline.calibrated';

/**
 * The size of a display in the system's units: the zoom of the browser does not change it, another display or
 * scale does.
 */
const displayKey = (): string => `isoline.calibration.${screen.width}x${screen.height}`;

export interface Calibration {
  /** Pixels of style sheets. */
  readonly pxPerMm: number;
  readonly isTrue: boolean;
}

function read(): Calibration {
  const devicePxPerMm = Number(localStorage.getItem(displayKey()));
  return devicePxPerMm > 0
    ? { pxPerMm: devicePxPerMm / devicePixelRatio, isTrue: true }
    : { pxPerMm: GUESS_PX_PER_MM, isTrue: false };
}

/** @param pxPerMm measured, in pixels of style sheets; undefined forgets it */
export function calibrate(pxPerMm: number | undefined): void {
  if (pxPerMm === undefined) localStorage.removeItem(displayKey());
  else localStorage.setItem(displayKey(), String(pxPerMm * devicePixelRatio));
  dispatchEvent(new Event(CHANGED));
}

export function useCalibration(): Calibration {
  const [calibration, setCalibration] = useState(read);
  useEffect(() => {
    const update = (): void => setCalibration(read());
    // A window that was moved to another display, or zoomed, is resized.
    for (const event of ['resize', 'storage', CHANGED]) addEventListener(event, update);
    return () => {
      for (const event of ['resize', 'storage', CHANGED]) removeEventListener(event, update);
    };
  }, []);
  return calibration;
}
