// Which leads beats are compared on.

/** A long recording has more beats than it needs leads to tell them apart; of a short one, every lead counts. */
const MOST_OF_LONG = 4;

/**
 * @param weights one a lead: how much it says
 * @param sections of the recording
 * @returns indices of the leads that say most, in their order
 */
export function leadsForShapes(weights: readonly number[], sections: number): number[] {
  const all = weights.map((_, lead) => lead);
  if (sections <= 1) return all;
  const best = [...all]
    .sort((a, b) => (weights[b] as number) - (weights[a] as number))
    .slice(0, MOST_OF_LONG);
  return best.sort((a, b) => a - b);
}

/** The values of some leads out of one for each. */
export const ofLeads = <T>(values: readonly T[], leads: readonly number[]): T[] =>
  leads.map((lead) => values[lead] as T);
