// Facts of an ECG from the heights of its leads, as rules read them.

import type { LeadMeasurements } from '../../main/analysis/measurements/lead-measurements.ts';
import type { Facts } from '../../main/analysis/rules/facts.ts';
import { TWELVE } from '../../main/analysis/rules/twelve-leads.ts';
import { USUAL_FACTS } from './usual-facts.ts';

export interface Lead extends Partial<Omit<LeadMeasurements, 'deflections'>> {
  /** Heights of the deflections, one after the other and each 40 ms long. */
  readonly qrs?: readonly number[];
  /** T has no end. */
  readonly isTUnknown?: true;
}
export type Leads = Readonly<Record<string, Lead>>;

const USUAL_QRS: Readonly<Record<string, readonly number[]>> = {
  AVR: [-0.8],
  V1: [0.2, -0.8],
  V2: [0.4, -1],
  V3: [0.6, -0.6],
};

function measurementsOf(
  { qrs = [0.8], isTUnknown, ...heights }: Lead,
  isUpsideDown: boolean,
): LeadMeasurements {
  const t = isUpsideDown ? { tMaxMv: 0, tMinMv: -0.3 } : { tMaxMv: 0.3, tMinMv: 0 };
  return {
    deflections: qrs.map((peakMv, i) => ({ peakMv, peakMs: 40 * i + 20, onsetMs: 40 * i, durationMs: 40 })),
    jMv: 0,
    j20Mv: 0,
    j60Mv: heights.jMv ?? 0,
    j80Mv: heights.jMv ?? 0,
    pMaxMv: 0.1,
    pMinMv: -0.02,
    pTerminalMs: 20,
    ...(!isTUnknown && t),
    ...heights,
  };
}

/** Facts of a usual adult whose leads are as given; those that are not are usual ones. */
export function factsOf(leads: Leads, more: Partial<Facts> = {}): Facts {
  const names = TWELVE.map((lead) => `MDC_ECG_LEAD_${lead}`);
  const all = TWELVE.map((lead) => ({ qrs: USUAL_QRS[lead] ?? [0.8], ...leads[lead] }));
  const measured = new Map(
    names.map((name, i) => [name, measurementsOf(all[i] as Lead, TWELVE[i] === 'AVR')]),
  );
  return {
    ...USUAL_FACTS,
    leads: names,
    leadMeasurements: measured,
    deflections: new Map([...measured].map(([name, { deflections }]) => [name, deflections])),
    ...more,
  };
}
