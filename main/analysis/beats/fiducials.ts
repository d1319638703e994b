// Where exactly a beat lies: at the largest deflection of one and the same lead near the peak of the envelope.
// Analysis reference, section 4.2, step 7.

import { filterZeroPhase, highPass, lowPass } from '../../../shared/signal/butterworth.ts';
import type { LeadSignal } from '../signal/lead-signals.ts';

const BAND_HZ = { low: 2, high: 40 };
const REACH_SECONDS = 0.07;
export const REFRACTORY_SECONDS = 0.2;

/**
 * @param lead the one on which fiducials lie; where its samples are missing, a beat stays at its peak
 * @param samples peaks of the envelope, in order
 * @returns fiducials in order; of two within the refractory time the first stays
 */
export function refineFiducials(
  lead: Pick<LeadSignal, 'mv' | 'invalid'> | undefined,
  samples: readonly number[],
  sampleRateHz: number,
): number[] {
  if (lead === undefined) return [...samples];
  const shape = filterZeroPhase(
    lead.mv,
    [highPass(BAND_HZ.low, sampleRateHz), lowPass(BAND_HZ.high, sampleRateHz)],
    sampleRateHz,
  );
  const reach = Math.round(REACH_SECONDS * sampleRateHz);
  const refined = samples.map((sample) => {
    let best = sample;
    if (lead.invalid[sample] === 1) return sample;
    for (let i = Math.max(0, sample - reach); i <= Math.min(shape.length - 1, sample + reach); i++)
      if (Math.abs(shape[i] as number) > Math.abs(shape[best] as number)) best = i;
    return best;
  });
  return refined.filter(
    (sample, i) => i === 0 || sample - (refined[i - 1] as number) > REFRACTORY_SECONDS * sampleRateHz,
  );
}
