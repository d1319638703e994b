// Blocks of the bundle branches, by the shape of QRS on each lead (AHA/ACCF/HRS III, Circulation 2009;119:e235-e240;
// analysis reference, section 9). Only signs, times and ratios within a lead count, so that leads need not be
// calibrated.

import {
  INCOMPLETE_RIGHT_BLOCK_QRS_MS,
  LEFT_BLOCK_QRS_MS,
  WIDE_QRS_MS,
} from '../../../shared/clinical-limits.ts';
import type { Deflection } from '../measurements/lead-deflections.ts';
import type { Facts } from './facts.ts';
import { ADULT, BEATS, leadsSeen, measured, NO_RUN, NO_WIDE_ESCAPE, NOT_PACED } from './needs.ts';
import type { Finding, Need, Rule } from './rule.ts';
import { downMv, type Lead, named, nameOf, onLead, tallest, upMv } from './twelve-leads.ts';

/** R′ of V1 or V2 is at least so late, and so large beside the largest deflection of its lead. */
const R_PRIME_MS = 50;
const R_PRIME_SHARE = 0.35;
const WIDE_S_MS = 30;
/** S of V1 beside its R, and what a lead over the left ventricle may have below the line. */
const DEEP_S = 1.5;
const SHALLOW = 0.55;
const LATE_R_MS = 60;

export const shapesSeen = (...leads: readonly Lead[]): Need => leadsSeen(leads.map(nameOf));

/** The last deflection, where it is a late and large R. */
function rPrime(lead: readonly Deflection[]): Deflection | undefined {
  const last = lead.at(-1);
  const largest = Math.max(upMv(lead), downMv(lead));
  return last !== undefined && last.peakMs >= R_PRIME_MS && last.peakMv >= R_PRIME_SHARE * largest
    ? last
    : undefined;
}

/** How long the S lasts that ends QRS; 0 where none does. */
function lastSMs(lead: readonly Deflection[]): number {
  const last = lead.at(-1);
  return last !== undefined && last.peakMv < 0 ? last.durationMs : 0;
}

/** Wide QRS that ends to the right: a late R in V1 or V2, S on the left. */
export function completeRightBlock(facts: Facts): Omit<Finding, 'severity'> | undefined {
  const { qrsMs = 0 } = facts.measurements;
  const late = rPrime(onLead(facts, 'V1')) ?? rPrime(onLead(facts, 'V2'));
  const sMs = Math.max(lastSMs(onLead(facts, 'I')), lastSMs(onLead(facts, 'V6')));
  if (qrsMs < WIDE_QRS_MS || late === undefined || sMs < WIDE_S_MS) return undefined;
  return {
    values: { ms: qrsMs },
    certainty: 'probable',
    grounds: {
      leads: named(facts, ['I', 'V1', 'V2', 'V6']),
      values: { qrsMs, rPrimeMs: late.peakMs, sMs },
      limits: { qrsMs: WIDE_QRS_MS, rPrimeMs: R_PRIME_MS, sMs: WIDE_S_MS },
    },
  };
}

/** The last R of a lead behind another wave, and its share of the largest deflection. */
function secondR(lead: readonly Deflection[]): { peakMs: number; share: number } | undefined {
  const second = lead.slice(1).findLast(({ peakMv }) => peakMv > 0);
  return second && { peakMs: second.peakMs, share: second.peakMv / Math.max(upMv(lead), downMv(lead)) };
}

/** Found where they tell incomplete blocks of the development half from others best: 71 % of 68, 64 % of what is found. */
const SECOND_R_MS = 53;
const SECOND_R_SHARE = 0.14;

function incompleteRightBlock(facts: Facts): Finding | undefined {
  const { qrsMs = 0 } = facts.measurements;
  const second = (['V1', 'V2'] as const)
    .map((lead) => secondR(onLead(facts, lead)))
    .find((r) => r !== undefined && r.peakMs >= SECOND_R_MS && r.share >= SECOND_R_SHARE);
  if (qrsMs >= INCOMPLETE_RIGHT_BLOCK_QRS_MS || second === undefined) return undefined;
  return {
    severity: 'LOW',
    values: { ms: qrsMs },
    certainty: 'possible',
    grounds: {
      leads: named(facts, ['V1', 'V2']),
      values: { qrsMs, rPrimeMs: second.peakMs, rPrimeShare: second.share },
      limits: { qrsMs: INCOMPLETE_RIGHT_BLOCK_QRS_MS, rPrimeMs: SECOND_R_MS, rPrimeShare: SECOND_R_SHARE },
    },
  };
}

export const RIGHT_NEEDS = [
  BEATS,
  ADULT,
  NOT_PACED,
  NO_RUN,
  NO_WIDE_ESCAPE,
  measured('qrsMs'),
  shapesSeen('V1', 'V6'),
];

const RBBB: Rule = {
  code: 'CON-RBBB',
  topic: 'CONDUCTION',
  needs: RIGHT_NEEDS,
  suppressedBy: ['CON-WPW'],
  find: (facts) => {
    const found = completeRightBlock(facts);
    return found && { severity: 'MODERATE', ...found };
  },
};

const LEFT = ['I', 'AVL', 'V5', 'V6'] as const;

/** R alone, or nearly so, from the beginning. */
const isLeftLike = (lead: readonly Deflection[]): boolean =>
  (lead[0]?.peakMv ?? 0) > 0 && downMv(lead) < SHALLOW * upMv(lead);

const RIGHT_S = 0.35;

/** A small r′ in V1 with a clear S in V6: QRS ends to the right, whatever it does before. */
function endsRight(facts: Facts): boolean {
  const v6 = onLead(facts, 'V6');
  return (onLead(facts, 'V1').at(-1)?.peakMv ?? 0) > 0 && downMv(v6) > RIGHT_S * upMv(v6);
}

const leadsOnLeft = (facts: Facts): (readonly Deflection[])[] =>
  LEFT.map((lead) => onLead(facts, lead)).filter((lead) => lead.length > 0);

const latestRMs = (facts: Facts): number =>
  Math.max(0, ...leadsOnLeft(facts).map((lead) => tallest(lead)?.peakMs ?? 0));

/** QRS goes to the left and back to front, slowly, however wide it is. */
export function isLeftShaped(facts: Facts): boolean {
  const v1 = onLead(facts, 'V1');
  const left = leadsOnLeft(facts);
  return (
    downMv(v1) > DEEP_S * upMv(v1) &&
    rPrime(v1) === undefined &&
    !endsRight(facts) &&
    2 * left.filter(isLeftLike).length > left.length &&
    latestRMs(facts) >= LATE_R_MS
  );
}

/** Such a QRS that is wide. */
export function leftBlock(facts: Facts): Omit<Finding, 'severity'> | undefined {
  const { qrsMs = 0 } = facts.measurements;
  const { gender } = facts;
  const limitMs = LEFT_BLOCK_QRS_MS[gender === 'FEMALE' || gender === 'MALE' ? gender : 'unknown'];
  const rPeakMs = latestRMs(facts);
  if (qrsMs < limitMs || !isLeftShaped(facts)) return undefined;
  return {
    values: { ms: qrsMs },
    certainty: 'probable',
    grounds: {
      leads: named(facts, ['V1', ...LEFT]),
      values: { qrsMs, rPeakMs },
      limits: { qrsMs: limitMs, rPeakMs: LATE_R_MS },
    },
  };
}

const LBBB: Rule = {
  code: 'CON-LBBB',
  topic: 'CONDUCTION',
  needs: [BEATS, ADULT, NOT_PACED, NO_RUN, NO_WIDE_ESCAPE, measured('qrsMs'), shapesSeen('V1', 'V5', 'V6')],
  suppressedBy: ['CON-RBBB', 'CON-WPW'],
  find: (facts) => {
    const found = leftBlock(facts);
    return found && { severity: 'MODERATE', ...found };
  },
};

const IRBBB: Rule = {
  code: 'CON-IRBBB',
  topic: 'CONDUCTION',
  needs: RIGHT_NEEDS,
  suppressedBy: ['CON-RBBB', 'CON-LBBB'],
  find: incompleteRightBlock,
};

export const BUNDLE_BRANCH_RULES: readonly Rule[] = [RBBB, LBBB, IRBBB];
