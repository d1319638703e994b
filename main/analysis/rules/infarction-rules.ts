// Q waves of adults as an old infarction leaves them (Fourth Universal Definition of Myocardial Infarction, Circulation
// 2018;138:e618-e651, table 4; analysis reference, section 9).

import { Q_ELSEWHERE, Q_OF_AVF, Q_OF_V2_V3, type QLimits } from '../../../shared/clinical-limits.ts';
import type { Deflection } from '../measurements/lead-deflections.ts';
import type { LeadMeasurements } from '../measurements/lead-measurements.ts';
import type { Facts } from './facts.ts';
import { ST_NEEDS } from './ischaemia-rules.ts';
import { heightsKnown, SCALE_SURE } from './needs.ts';
import type { Rule } from './rule.ts';
import { heightsOn, hundredths, type Lead, leadGrounds, rMv, TWELVE, written } from './twelve-leads.ts';

/** Nothing above the line. */
const isQs = ({ deflections }: LeadMeasurements): boolean =>
  deflections.length > 0 && deflections.every(({ peakMv }) => peakMv < 0);

/** The first deflection, where it is a Q. */
const qOf = (heights: LeadMeasurements | undefined): Deflection | undefined =>
  (heights?.deflections[0]?.peakMv ?? 0) < 0 ? heights?.deflections[0] : undefined;

/** One that is long and deep enough, or QS. */
function hasQ(facts: Facts, lead: Lead, { ms, mv, share }: QLimits): boolean {
  const heights = heightsOn(facts, lead);
  const q = qOf(heights);
  if (heights === undefined || q === undefined) return false;
  const depth = Math.max(mv, share * rMv(facts, lead));
  return isQs(heights) || (q.durationMs >= ms && hundredths(-q.peakMv) >= depth);
}

/** Where one infarction leaves its Q. */
const INFARCTIONS: readonly {
  readonly name: string;
  readonly leads: readonly Lead[];
  readonly limits: QLimits;
  /** In so many of these at least. */
  readonly decisive: readonly Lead[];
  readonly count: number;
}[] = [
  { name: 'anterior', leads: ['V2', 'V3', 'V4'], limits: Q_OF_V2_V3, decisive: ['V2', 'V3'], count: 1 },
  { name: 'inferior', leads: ['II', 'III', 'AVF'], limits: Q_OF_AVF, decisive: ['AVF'], count: 1 },
  {
    name: 'lateral',
    leads: ['I', 'AVL', 'V5', 'V6'],
    limits: Q_ELSEWHERE,
    decisive: ['I', 'AVL', 'V5', 'V6'],
    count: 2,
  },
];

const OLD_INFARCTION: Rule = {
  code: 'ISC-QMI',
  topic: 'QWAVES',
  needs: ST_NEEDS,
  absenceNeeds: [SCALE_SURE, heightsKnown(...TWELVE)],
  suppressedBy: ['CON-LBBB'],
  find: (facts) => {
    const found = INFARCTIONS.filter(
      ({ decisive, count, limits }) => decisive.filter((lead) => hasQ(facts, lead, limits)).length >= count,
    );
    const limitsOf = new Map(
      found.flatMap(({ leads, limits }) =>
        leads.filter((lead) => hasQ(facts, lead, limits)).map((lead) => [lead, limits] as const),
      ),
    );
    const leads = [...limitsOf.keys()];
    return found.length === 0
      ? undefined
      : {
          severity: 'LOW',
          values: { territory: found.map(({ name }) => name).join(', '), leads: written(leads) },
          certainty: 'possible',
          grounds: leadGrounds(
            facts,
            leads,
            (heights) => Math.round(qOf(heights)?.durationMs ?? 0),
            (lead) => limitsOf.get(lead)?.ms ?? 0,
          ),
        };
  },
};

export const INFARCTION_RULES: readonly Rule[] = [OLD_INFARCTION];
