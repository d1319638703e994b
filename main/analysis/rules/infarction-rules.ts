// Q waves of adults as an old infarction leaves them (Fourth Universal Definition of Myocardial Infarction, Circulation
// 2018;138:e618-e651, table 4; analysis reference, section 9).

import {
  INVERTED_T_MV,
  Q_ELSEWHERE,
  Q_OF_AVF,
  Q_OF_V2_V3,
  type QLimits,
} from '../../../shared/clinical-limits.ts';
import type { Deflection } from '../measurements/lead-deflections.ts';
import type { LeadMeasurements } from '../measurements/lead-measurements.ts';
import type { Facts } from './facts.ts';
import { isDepressed, isElevated, isTBelow, ST_NEEDS } from './ischaemia-rules.ts';
import { heightsKnown, SCALE_SURE } from './needs.ts';
import type { Finding, Rule } from './rule.ts';
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

const hasAbnormalStOrT = (facts: Facts, lead: Lead): boolean =>
  isElevated(facts, lead) || isDepressed(facts, lead) || isTBelow(facts, lead, INVERTED_T_MV);

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

interface FoundQ {
  readonly territory: string;
  /** What Q is held against, by lead. */
  readonly limits: ReadonlyMap<Lead, QLimits>;
}

function findQ(facts: Facts): FoundQ | undefined {
  const found = INFARCTIONS.filter(
    ({ decisive, count, limits }) => decisive.filter((lead) => hasQ(facts, lead, limits)).length >= count,
  );
  if (found.length === 0) return undefined;
  const limits = found.flatMap(({ leads, limits: own }) =>
    leads.filter((lead) => hasQ(facts, lead, own)).map((lead) => [lead, own] as const),
  );
  return { territory: found.map(({ name }) => name).join(', '), limits: new Map(limits) };
}

function told(facts: Facts, { territory, limits }: FoundQ, severity: Finding['severity']): Finding {
  const leads = [...limits.keys()];
  return {
    severity,
    values: { territory, leads: written(leads) },
    certainty: 'possible',
    grounds: leadGrounds(
      facts,
      leads,
      (heights) => Math.round(qOf(heights)?.durationMs ?? 0),
      (lead) => limits.get(lead)?.ms ?? 0,
    ),
  };
}

const Q_RULE = {
  topic: 'QWAVES',
  needs: ST_NEEDS,
  absenceNeeds: [SCALE_SURE, heightsKnown(...TWELVE)],
} as const;

const isTKnown = (facts: Facts, lead: Lead): boolean => heightsOn(facts, lead)?.tMaxMv !== undefined;

/** Where ST or T is abnormal in the leads that have Q, the infarction may be of any age; so it may where their T is not known. */
const INFARCTION_OF_UNKNOWN_AGE: Rule = {
  ...Q_RULE,
  code: 'ISC-QMIAGE',
  suppressedBy: ['CON-LBBB', 'CON-WPW'],
  find: (facts) => {
    const found = findQ(facts);
    if (found === undefined) return undefined;
    const leads = [...found.limits.keys()];
    if (leads.some((lead) => hasAbnormalStOrT(facts, lead))) {
      const finding = told(facts, found, 'IMPORTANT');
      return { ...finding, values: { ...finding.values, changes: 'abnormalStOrT' } };
    }
    return leads.every((lead) => isTKnown(facts, lead)) ? undefined : told(facts, found, 'MODERATE');
  },
};

const OLD_INFARCTION: Rule = {
  ...Q_RULE,
  code: 'ISC-QMI',
  suppressedBy: ['CON-LBBB', 'CON-WPW', 'ISC-QMIAGE'],
  find: (facts) => {
    const found = findQ(facts);
    return found && told(facts, found, 'LOW');
  },
};

export const INFARCTION_RULES: readonly Rule[] = [INFARCTION_OF_UNKNOWN_AGE, OLD_INFARCTION];
