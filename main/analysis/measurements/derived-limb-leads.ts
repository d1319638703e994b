// Limb leads that were not recorded and follow from I and II, on the median beat: eight leads tell what twelve do.

import { LIMB_DERIVATIONS } from '../../../shared/signal/derived-leads.ts';
import type { LeadFacts } from '../signal/lead-signals.ts';
import type { MedianBeat } from './median-beat.ts';

export interface DerivedLead {
  readonly name: string;
  readonly samples: Float64Array;
}

/**
 * @param isUsable whether a recorded lead may be computed with
 * @returns none where I or II is missing, or was measured in a scale of its own
 */
export function derivedLimbLeads(
  leads: readonly LeadFacts[],
  beat: MedianBeat,
  isUsable: (index: number) => boolean,
): DerivedLead[] {
  const find = (name: string): Float64Array | undefined => {
    const index = leads.findIndex((lead) => lead.name === name);
    const { isStandard, isCalibrated, isScaleKnown } = leads[index] ?? {};
    return isStandard && isCalibrated && isScaleKnown && isUsable(index) ? beat.leads[index] : undefined;
  };
  const [one, two] = [find('MDC_ECG_LEAD_I'), find('MDC_ECG_LEAD_II')];
  if (one === undefined || two === undefined) return [];
  return LIMB_DERIVATIONS.filter(({ lead }) => leads.every(({ name }) => name !== lead)).map(
    ({ lead, weights: [a, b], divisor }) => ({
      name: lead,
      samples: one.map((value, i) => (a * value + b * (two[i] as number)) / divisor),
    }),
  );
}
