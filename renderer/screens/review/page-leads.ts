// The leads of a page, from the blocks in which a recording comes.

import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { type LeadCode, leadName, STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import type { ReviewLead } from '../../trace/draw-review.ts';

export type SignalBlock = CallOutput<'review.signal'>;

/** What is scrolled through is unpacked once, not with every frame. */
const unpacked = new WeakMap<SignalBlock, readonly Float32Array[]>();

function samplesOf(block: SignalBlock): readonly Float32Array[] {
  const known = unpacked.get(block);
  if (known !== undefined) return known;
  const leads = block.leads.map(({ mv }) => new Float32Array(Uint8Array.from(mv).buffer));
  unpacked.set(block, leads);
  return leads;
}

/** As they are printed; others behind them, in the order of the file. */
const placeOf = (name: string): number => {
  const place = STANDARD_LEADS.indexOf(name as LeadCode);
  return place < 0 ? STANDARD_LEADS.length : place;
};

/**
 * The leads of a page, cut out of the blocks that it lies in.
 * @param blocks those that are there
 * @returns undefined where there is none; NaN where there is no sample, or none yet
 */
export function pageLeads(
  blocks: readonly SignalBlock[],
  startSample: number,
  sampleCount: number,
): ReviewLead[] | undefined {
  const [first] = blocks;
  if (first === undefined) return undefined;
  const order = first.leads
    .map(({ name, isCalibrated }, lead) => ({ name, isCalibrated, lead }))
    .sort((a, b) => placeOf(a.name) - placeOf(b.name));
  return order.map(({ name, isCalibrated, lead }) => {
    const mv = new Float32Array(sampleCount).fill(Number.NaN);
    for (const block of blocks) {
      const part = samplesOf(block)[lead] ?? new Float32Array();
      const shift = block.startSample - startSample;
      const from = Math.max(0, -shift);
      const to = Math.min(part.length, sampleCount - shift);
      if (to > from) mv.set(part.subarray(from, to), from + shift);
    }
    return { name: leadName(name), isCalibrated, mv };
  });
}
