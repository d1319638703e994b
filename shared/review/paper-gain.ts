// How high a millivolt stands on the report: 10 mm as usual, half of that where large waves would cross, or half in the chest
// leads alone.

import { LIMB_LEADS } from '../signal/lead.ts';

export const PAPER_GAINS = ['10', '5', '10/5'] as const;
export type PaperGain = (typeof PAPER_GAINS)[number];

export const USUAL_GAIN_MM_PER_MV = 10;
export const HALF_GAIN_MM_PER_MV = 5;

/** @param lead its code; a lead without one counts as a limb lead, which keeps the usual gain */
export function gainMmPerMv(gain: PaperGain, lead: string | undefined): number {
  if (gain === '10') return USUAL_GAIN_MM_PER_MV;
  if (gain === '5') return HALF_GAIN_MM_PER_MV;
  return lead === undefined || (LIMB_LEADS as readonly string[]).includes(lead)
    ? USUAL_GAIN_MM_PER_MV
    : HALF_GAIN_MM_PER_MV;
}
