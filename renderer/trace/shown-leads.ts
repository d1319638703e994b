// What leads a screen shows of what a device measures: in the order in which they are printed, with the limb
// leads that follow from I and II. Every lead is a sum of two measured ones.

import { LIMB_DERIVATIONS } from '../../shared/signal/derived-leads.ts';
import { LEAD_CODES, type LeadCode } from '../../shared/signal/lead.ts';

export interface ShownLead {
  readonly code: LeadCode;
  readonly isDerived: boolean;
  /**
   * Places among the measured leads, and the weights of both. A measured lead is itself and nothing of
   * another one.
   */
  readonly one: number;
  readonly two: number;
  readonly weightOne: number;
  readonly weightTwo: number;
}

/**
 * The classic order, or after Cabrera, in which the limb leads go around the heart: aVL, I, −aVR, II, aVF,
 * III.
 */
export type LeadOrder = 'classic' | 'cabrera';
const CABRERA = ['AVL', 'I', 'AVR', 'II', 'AVF', 'III'].map((name) => `MDC_ECG_LEAD_${name}` as LeadCode);
const ORDERS: { readonly [O in LeadOrder]: readonly LeadCode[] } = {
  classic: LEAD_CODES,
  cabrera: [...CABRERA, ...LEAD_CODES.slice(6)],
};

export function shownLeads(
  measured: readonly LeadCode[],
  order: LeadOrder = 'classic',
): readonly ShownLead[] {
  const [one, two] = [measured.indexOf('MDC_ECG_LEAD_I'), measured.indexOf('MDC_ECG_LEAD_II')];
  return ORDERS[order].flatMap((code): ShownLead[] => {
    const place = measured.indexOf(code);
    // Cabrera's series needs aVR the other way up.
    const sign = order === 'cabrera' && code === 'MDC_ECG_LEAD_AVR' ? -1 : 1;
    if (place >= 0)
      return [{ code, isDerived: false, one: place, two: place, weightOne: sign, weightTwo: 0 }];
    const derivation = LIMB_DERIVATIONS.find(({ lead }) => lead === code);
    if (derivation === undefined || one < 0 || two < 0) return [];
    const [a, b] = derivation.weights.map((weight) => (sign * weight) / derivation.divisor) as [
      number,
      number,
    ];
    return [{ code, isDerived: true, one, two, weightOne: a, weightTwo: b }];
  });
}
