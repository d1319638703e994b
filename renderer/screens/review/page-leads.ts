// The leads of a page, from the blocks in which a recording comes.

import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { isLeadCode, type LeadCode, leadName, STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import type { ReviewLead } from '../../trace/draw-review.ts';

const floats = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

/** As they are printed; others behind them, in the order of the file. */
const placeOf = (name: string): number => {
  const place = STANDARD_LEADS.indexOf(name as LeadCode);
  return place < 0 ? STANDARD_LEADS.length : place;
};

/**
 * The leads of a page, cut out of the blocks that it lies in.
 * @param blocks one after the other @param startSample of the page
 * @returns undefined as long as a block is missing; NaN where there is no sample
 */
export function pageLeads(
  blocks: readonly (CallOutput<'review.signal'> | undefined)[],
  startSample: number,
  sampleCount: number,
): ReviewLead[] | undefined {
  const [first] = blocks;
  if (first === undefined || blocks.some((block) => block === undefined)) return undefined;
  const order = first.leads
    .map(({ name, isCalibrated }, lead) => ({ name, isCalibrated, lead }))
    .sort((a, b) => placeOf(a.name) - placeOf(b.name));
  return order.map(({ name, isCalibrated, lead }) => {
    const mv = new Float32Array(sampleCount).fill(Number.NaN);
    for (const block of blocks) {
      const part = floats(block?.leads[lead]?.mv ?? new Uint8Array());
      const shift = (block?.startSample ?? 0) - startSample;
      const from = Math.max(0, -shift);
      const to = Math.min(part.length, sampleCount - shift);
      if (to > from) mv.set(part.subarray(from, to), from + shift);
    }
    return { name: isLeadCode(name) ? leadName(name) : name, isCalibrated, mv };
  });
}
