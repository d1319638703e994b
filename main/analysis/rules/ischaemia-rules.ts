// ST and T of adults: elevation as in acute infarction by territory, depression, inverted T (Fourth Universal
// Definition of Myocardial Infarction, Circulation 2018;138:e618-e651, tables 2 and 3; AHA/ACCF/HRS VI, Circulation
// 2009;119:e262-e270; analysis reference, section 9).

import {
  DEEP_ST_MV,
  DEEP_T_MV,
  DEPRESSED_ST_MV,
  ELEVATED_ST_MV,
  FLAT_T,
  INVERTED_T_MV,
  LARGE_QRS,
  PLAINLY_WIDE_QRS_MS,
  WIDESPREAD,
} from '../../../shared/clinical-limits.ts';
import type { LeadMeasurements } from '../measurements/lead-measurements.ts';
import { completeRightBlock, isLeftShaped } from './conduction-rules.ts';
import { type Facts, isNarrow } from './facts.ts';
import {
  BEATS,
  CHEST_RIGHT,
  GROWN,
  heightsKnown,
  LIMBS_RIGHT,
  NARROW_QRS,
  NO_RUN,
  NO_WIDE_ESCAPE,
  NOT_PACED,
  need,
  SCALE_SURE,
  SOME_HEIGHTS,
  tKnown,
} from './needs.ts';
import type { Finding, Rule } from './rule.ts';
import {
  CHEST,
  heightsOn,
  hundredths,
  type Lead,
  leadGrounds,
  rMv,
  sMv,
  TWELVE,
  territoriesOf,
  written,
} from './twelve-leads.ts';

/** Neighbours in space; aVR stands between I and II with its sign turned, and has rules of its own. */
const CHAINS: readonly (readonly Lead[])[] = [CHEST, ['AVL', 'I', 'II', 'AVF', 'III']];

/** The leads that have a neighbour beside them, in the order of the chains. */
function contiguous(isFound: (lead: Lead) => boolean): Lead[] {
  return CHAINS.flatMap((chain) =>
    chain.filter((lead, i) => {
      const beside = [chain[i - 1], chain[i + 1]];
      return isFound(lead) && beside.some((other) => other !== undefined && isFound(other));
    }),
  );
}

/** Unknown sex and age are held against the limit of men from 40 years on. */
function elevationLimitMv(lead: Lead, { gender, ageYears }: Pick<Facts, 'gender' | 'ageYears'>): number {
  const { elsewhere, ofV2V3, youngBelowYears } = ELEVATED_ST_MV;
  if (lead !== 'V2' && lead !== 'V3') return elsewhere;
  if (gender === 'FEMALE') return ofV2V3.FEMALE;
  return ageYears !== undefined && ageYears < youngBelowYears ? ofV2V3.youngMale : ofV2V3.MALE;
}

/** Behind J, an elevated segment has not gone: else it is the end of QRS or a notch on it. */
const STAYING_SHARE = 0.7;

export function isElevated(facts: Facts, lead: Lead): boolean {
  const heights = heightsOn(facts, lead);
  if (heights === undefined) return false;
  const limit = elevationLimitMv(lead, facts);
  const qrs = rMv(facts, lead) + sMv(facts, lead);
  const isOfQrs = qrs >= LARGE_QRS.mv && heights.jMv < LARGE_QRS.shareOfSt * qrs;
  return hundredths(heights.jMv) >= limit && heights.j60Mv >= STAYING_SHARE * limit && !isOfQrs;
}

/**
 * Behind wide QRS, ST and T follow QRS; only of right bundle branch block it is known on which leads. QRS that is hardly wide, and has
 * no such shape, hardly moves them.
 */
const NARROW_OR_RIGHT = need(
  'wideQrs',
  (facts) =>
    isNarrow(facts) ||
    completeRightBlock(facts) !== undefined ||
    ((facts.measurements.qrsMs ?? Number.POSITIVE_INFINITY) < PLAINLY_WIDE_QRS_MS && !isLeftShaped(facts)),
);
const HEIGHTS_NEEDS = [BEATS, GROWN, NOT_PACED, NO_RUN, NO_WIDE_ESCAPE, NARROW_OR_RIGHT, SOME_HEIGHTS];
export const ST_NEEDS = [...HEIGHTS_NEEDS, LIMBS_RIGHT, CHEST_RIGHT];

/** A segment that rises more until 80 ms behind J is the one of a fast heart. */
const RISING_MV = 0.03;
/** Right bundle branch block has its own ST and T there. */
const OF_RIGHT_BLOCK: readonly Lead[] = ['V1', 'V2', 'V3'];

const isOwnOfBlock = (lead: Lead, facts: Facts): boolean =>
  OF_RIGHT_BLOCK.includes(lead) && completeRightBlock(facts) !== undefined;

const depthMv = ({ jMv, j60Mv }: LeadMeasurements): number => Math.max(jMv, j60Mv);

export function isDepressed(facts: Facts, lead: Lead): boolean {
  const heights = heightsOn(facts, lead);
  if (heights === undefined || isOwnOfBlock(lead, facts)) return false;
  return hundredths(depthMv(heights)) <= DEPRESSED_ST_MV && heights.j80Mv - heights.jMv <= RISING_MV;
}

/** The leads across the heart from those of a territory: there, an acute infarction depresses ST. */
const ACROSS: Readonly<Record<string, readonly Lead[]>> = {
  inferior: ['I', 'AVL'],
  septal: ['II', 'III', 'AVF'],
  anterior: ['II', 'III', 'AVF'],
  lateral: ['III', 'AVF', 'V1'],
};

function reciprocalTo(facts: Facts, elevated: readonly Lead[]): Lead[] {
  const across = territoriesOf(elevated)
    .split(', ')
    .flatMap((territory) => ACROSS[territory] ?? []);
  return TWELVE.filter(
    (lead) => across.includes(lead) && !elevated.includes(lead) && isDepressed(facts, lead),
  );
}

const ELEVATION: Rule = {
  // An acute infarction is one under whatever lead it shows.
  code: 'ISC-STEMI',
  topic: 'ST',
  needs: HEIGHTS_NEEDS,
  absenceNeeds: [LIMBS_RIGHT, CHEST_RIGHT, SCALE_SURE, heightsKnown(...TWELVE)],
  find: (facts) => {
    const leads = contiguous((lead) => isElevated(facts, lead));
    if (leads.length === 0) return undefined;
    const reciprocal = reciprocalTo(facts, leads);
    return {
      severity: 'CRITICAL',
      values: {
        territory: territoriesOf(leads),
        leads: written(leads),
        ...(reciprocal.length > 0 && { reciprocal: written(reciprocal) }),
      },
      certainty: 'possible',
      grounds: leadGrounds(
        facts,
        leads,
        ({ jMv }) => jMv,
        (lead) => elevationLimitMv(lead, facts),
      ),
    };
  },
};

/** Over the back of the heart there is no lead; an infarction there is seen from the front, upside down. */
const FROM_THE_FRONT: readonly Lead[] = ['V1', 'V2', 'V3'];
const LEADS_OF_POSTERIOR = 2;

const isUprightT = ({ tMaxMv = 0, tMinMv = 0 }: LeadMeasurements): boolean => tMaxMv > -tMinMv;

const POSTERIOR: Rule = {
  code: 'ISC-POST',
  needs: [...HEIGHTS_NEEDS, NARROW_QRS],
  absenceNeeds: [LIMBS_RIGHT, CHEST_RIGHT, SCALE_SURE, heightsKnown(...FROM_THE_FRONT)],
  find: (facts) => {
    const leads = FROM_THE_FRONT.filter((lead) => {
      const heights = heightsOn(facts, lead);
      return heights !== undefined && isDepressed(facts, lead) && isUprightT(heights);
    });
    const hasTallR = rMv(facts, 'V2') > 0 && rMv(facts, 'V2') >= sMv(facts, 'V2');
    return leads.length < LEADS_OF_POSTERIOR || !hasTallR
      ? undefined
      : {
          severity: 'CRITICAL',
          values: { leads: written(leads) },
          certainty: 'possible',
          grounds: leadGrounds(facts, leads, depthMv, () => DEPRESSED_ST_MV),
        };
  },
};

/** Depression all over, with elevation in aVR, speaks for the left main stem or several vessels. */
const isWidespread = (facts: Facts, leads: readonly Lead[]): boolean =>
  leads.length >= WIDESPREAD.leads && (heightsOn(facts, 'AVR')?.jMv ?? 0) >= WIDESPREAD.avrMv;

const DEPRESSION: Rule = {
  code: 'ISC-STDEP',
  topic: 'ST',
  needs: ST_NEEDS,
  absenceNeeds: [SCALE_SURE, heightsKnown(...TWELVE)],
  find: (facts) => {
    const leads = contiguous((lead) => isDepressed(facts, lead));
    if (leads.length === 0) return undefined;
    const grounds = leadGrounds(facts, leads, depthMv, () => DEPRESSED_ST_MV);
    const deepest = Math.min(...Object.values(grounds.values));
    const finding = (severity: Finding['severity']): Finding => ({
      severity,
      values: {
        leads: written(leads),
        ...(isWidespread(facts, leads) && { widespread: 'elevationOfAvr' }),
      },
      grounds,
    });
    if (isWidespread(facts, leads)) return finding('CRITICAL');
    return finding(deepest <= DEEP_ST_MV ? 'IMPORTANT' : 'MODERATE');
  },
};

/** aVR is upside down, III and V1 may be; V2 may be in women and the young. */
const UPRIGHT: readonly Lead[] = ['I', 'II', 'AVL', 'AVF', 'V3', 'V4', 'V5', 'V6'];

const tMinMvOn = (facts: Facts, lead: Lead): number => heightsOn(facts, lead)?.tMinMv ?? 0;

/** Below the line by so much, and more than above it. */
export function isTBelow(facts: Facts, lead: Lead, limitMv: number): boolean {
  const { tMinMv = 0, tMaxMv = 0 } = heightsOn(facts, lead) ?? {};
  return !isOwnOfBlock(lead, facts) && hundredths(tMinMv) <= limitMv && -tMinMv > tMaxMv;
}

/** In limb leads, T follows QRS: only beside an R is it inverted. In V3 to V6 it points up whatever QRS does. */
const isInverted = (facts: Facts, lead: Lead): boolean =>
  UPRIGHT.includes(lead) &&
  ((CHEST as readonly Lead[]).includes(lead) || rMv(facts, lead) > sMv(facts, lead)) &&
  isTBelow(facts, lead, INVERTED_T_MV);

/** Beside another, V2 counts as well. */
const isInvertedBeside = (facts: Facts, lead: Lead): boolean =>
  isInverted(facts, lead) ||
  (lead === 'V2' && isInverted(facts, 'V3') && isTBelow(facts, lead, INVERTED_T_MV));

/** A deep T is inverted in V2 even where it is alone, and counts before the leads that are found together. */
const withDeepV2 = (facts: Facts, leads: readonly Lead[]): readonly Lead[] =>
  !leads.includes('V2') && isTBelow(facts, 'V2', DEEP_T_MV) ? ['V2', ...leads] : leads;

/** In so many leads of the chest, T is inverted over the whole front of the heart. */
const MANY_CHEST_LEADS = 3;

const INVERSION: Rule = {
  code: 'ISC-TINV',
  topic: 'ST',
  needs: ST_NEEDS,
  absenceNeeds: [SCALE_SURE, heightsKnown(...TWELVE), tKnown(...UPRIGHT)],
  find: (facts) => {
    const leads = withDeepV2(
      facts,
      contiguous((lead) => isInvertedBeside(facts, lead)),
    );
    const isGrave =
      leads.some((lead) => hundredths(tMinMvOn(facts, lead)) <= DEEP_T_MV) ||
      CHEST.filter((lead) => leads.includes(lead)).length >= MANY_CHEST_LEADS;
    return leads.length === 0
      ? undefined
      : {
          severity: isGrave ? 'IMPORTANT' : 'MODERATE',
          values: { leads: written(leads) },
          grounds: leadGrounds(
            facts,
            leads,
            ({ tMinMv = 0 }) => tMinMv,
            () => INVERTED_T_MV,
          ),
        };
  },
};

/** In so many leads. */
const FLAT_LEADS = 2;

function isFlat(facts: Facts, lead: Lead): boolean {
  const { tMaxMv } = heightsOn(facts, lead) ?? {};
  const r = rMv(facts, lead);
  const isJudged = tMaxMv !== undefined && UPRIGHT.includes(lead) && !isOwnOfBlock(lead, facts);
  return isJudged && r >= FLAT_T.ofRMv && r > sMv(facts, lead) && tMaxMv < FLAT_T.share * r;
}

/** Low or flat T says little, but it is not what T usually looks like. */
const FLAT: Rule = {
  code: 'REP-TFLAT',
  topic: 'ST',
  needs: ST_NEEDS,
  absenceNeeds: [SCALE_SURE, heightsKnown(...TWELVE), tKnown(...UPRIGHT)],
  suppressedBy: ['ISC-TINV', 'ISC-STEMI', 'ISC-STDEP'],
  find: (facts) => {
    const leads = TWELVE.filter((lead) => isFlat(facts, lead));
    return leads.length < FLAT_LEADS
      ? undefined
      : {
          severity: 'LOW',
          values: { leads: written(leads) },
          grounds: leadGrounds(
            facts,
            leads,
            ({ tMaxMv = 0 }) => tMaxMv,
            (lead) => FLAT_T.share * rMv(facts, lead),
          ),
        };
  },
};

export const ISCHAEMIA_RULES: readonly Rule[] = [ELEVATION, POSTERIOR, DEPRESSION, INVERSION, FLAT];
