// Whether a device keeps the rate that it declares, by what was measured of it against the clock of the computer.

import type { Warning } from '../../shared/signal/recording.ts';
import { warning } from '../../shared/warnings/warning.ts';

export interface MeasuredRate {
  readonly nominalHz: number;
  readonly measuredHz: number;
  readonly driftPpm: number;
  /** One standard deviation; absent in recordings of older versions. */
  readonly uncertaintyPpm?: number;
  readonly windowSeconds: number;
}

/** Crystals differ by a hundredth of this; what is beyond it is another rate, not a clock that drifts. */
const MOST_PPM = 5000;
const SIGMAS = 3;
/** By the jitter of arrivals that older versions were tested with. */
const OLD_JITTER_MS = 40;

/** @returns the rate that the samples really have, in Hz; undefined where the declared one holds, as far as can be told */
export function trueRateHz(rate: MeasuredRate | undefined): number | undefined {
  if (rate === undefined) return undefined;
  const { driftPpm, windowSeconds, measuredHz } = rate;
  const uncertaintyPpm = rate.uncertaintyPpm ?? (1e3 * OLD_JITTER_MS) / windowSeconds;
  const isOff = Math.abs(driftPpm) > MOST_PPM && Math.abs(driftPpm) > SIGMAS * uncertaintyPpm;
  return isOff && measuredHz > 0 ? Math.round(100 * measuredHz) / 100 : undefined;
}

/** Kept with the recording, shown and printed. */
export const rateWarning = (declaredHz: number, measuredHz: number): Warning =>
  warning('rate_corrected', { declared: declaredHz, measured: measuredHz });
