// Share of beats that are preceded by the same P wave as the median beat: what separates sinus rhythm from an irregular rhythm
// without P waves. Analysis reference, sections 6.2 (P) and 8.2 (last paragraph).

import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import type { Marks } from './delineation.ts';
import type { LeadSet } from './lead-signals.ts';
import type { MedianBeat } from './median-beat.ts';

const ALIKE = 0.7;

/** 0 where the median beat has no P wave. */
export function pEvidence(set: LeadSet, beat: MedianBeat, marks: Marks): number {
  if (marks.pOnset === undefined || marks.pOffset === undefined || beat.memberSamples.length === 0) return 0;
  const fs = set.sampleRateHz;
  const start = marks.pOnset - beat.fiducial;
  const end = marks.pOffset - beat.fiducial;
  const filtered = set.leads.map((lead) => filterZeroPhase(lead.mv, [highPass(1, fs), lowPass(25, fs)], fs));
  const reference = beat.leads.map((lead) => filterZeroPhase(lead, [lowPass(25, fs)], Math.round(0.1 * fs)));
  let alike = 0;
  for (const member of beat.memberSamples) {
    let ab = 0;
    let aa = 0;
    let bb = 0;
    for (const [index, lead] of filtered.entries()) {
      const template = reference[index] as Float64Array;
      const own = lead.subarray(member + start, member + end);
      const known = template.subarray(beat.fiducial + start, beat.fiducial + end);
      const ownMean = own.reduce((sum, value) => sum + value, 0) / own.length;
      const knownMean = known.reduce((sum, value) => sum + value, 0) / known.length;
      for (let k = 0; k < own.length; k++) {
        const a = (own[k] as number) - ownMean;
        const b = (known[k] ?? 0) - knownMean;
        ab += a * b;
        aa += a * a;
        bb += b * b;
      }
    }
    if (aa > 0 && bb > 0 && ab / Math.sqrt(aa * bb) >= ALIKE) alike++;
  }
  return alike / beat.memberSamples.length;
}
