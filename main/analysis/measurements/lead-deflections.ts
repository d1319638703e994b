// The deflections of QRS on each lead of the median beat: Q, R, S and what comes behind them. Analysis reference,
// section 9.

import { mean } from '../../../shared/signal/statistics.ts';
import type { LeadFacts } from '../signal/lead-signals.ts';
import type { Marks } from '../waves/median-marks.ts';
import { derivedLimbLeads } from './derived-limb-leads.ts';
import type { MedianBeat } from './median-beat.ts';

export interface Deflection {
  /** Its largest value against the level before QRS; negative below it. */
  readonly peakMv: number;
  /** Where that lies, from the onset of QRS over all leads. */
  readonly peakMs: number;
  readonly onsetMs: number;
  readonly durationMs: number;
}

/** Smaller or shorter ones are noise, or the foot of the next. */
const LEAST_MV = 0.025;
const LEAST_SHARE = 0.06;
const LEAST_MS = 8;
const EDGE_MS = 6;
/** The level is what stands this long before QRS. */
const LEVEL_MS = 16;

/** What a lead stands at right before a wave. */
export function levelBefore(lead: Float64Array | Float32Array, sample: number, sampleRateHz: number): number {
  const levelSamples = Math.max(1, Math.round((LEVEL_MS / 1000) * sampleRateHz));
  const end = Math.round(sample);
  return mean(lead.subarray(Math.max(0, end - levelSamples), end)) ?? 0;
}

/** The stretches of one sign from the onset to the end of QRS, in order. */
export function deflectionsOf(
  lead: Float64Array,
  onset: number,
  end: number,
  sampleRateHz: number,
): Deflection[] {
  const ms = (samples: number): number => (1000 * samples) / sampleRateHz;
  const level = levelBefore(lead, onset, sampleRateHz);
  const all: Deflection[] = [];
  for (let start = onset; start < end; ) {
    const isUp = (lead[start] as number) >= level;
    let [peak, i] = [start, start];
    for (; i < end && (lead[i] as number) >= level === isUp; i++)
      if (Math.abs((lead[i] as number) - level) > Math.abs((lead[peak] as number) - level)) peak = i;
    all.push({
      peakMv: (lead[peak] as number) - level,
      peakMs: ms(peak - onset),
      onsetMs: ms(start - onset),
      durationMs: ms(i - start),
    });
    start = i;
  }
  // What still grows at the end of QRS is the ST segment.
  const last = all.at(-1);
  if (last !== undefined && last.peakMs >= ms(end - onset) - EDGE_MS) all.pop();
  const largest = all.reduce((most, { peakMv }) => Math.max(most, Math.abs(peakMv)), 0);
  const least = Math.max(LEAST_MV, LEAST_SHARE * largest);
  return all.filter(({ peakMv, durationMs }) => Math.abs(peakMv) >= least && durationMs >= LEAST_MS);
}

/** By the names of those leads that are what they are called; empty where QRS has no marks. */
export function deflectionsByLead(
  leads: readonly LeadFacts[],
  beat: MedianBeat | undefined,
  { qrsOnset, qrsOffset }: Marks,
): Map<string, Deflection[]> {
  const byLead = new Map<string, Deflection[]>();
  if (beat === undefined || qrsOnset === undefined || qrsOffset === undefined) return byLead;
  const [onset, end] = [Math.round(qrsOnset), Math.round(qrsOffset)];
  for (const [index, { name, isShapeKnown }] of leads.entries())
    if (isShapeKnown)
      byLead.set(name, deflectionsOf(beat.leads[index] as Float64Array, onset, end, beat.sampleRateHz));
  for (const { name, samples } of derivedLimbLeads(leads, beat, () => true))
    byLead.set(name, deflectionsOf(samples, onset, end, beat.sampleRateHz));
  return byLead;
}
