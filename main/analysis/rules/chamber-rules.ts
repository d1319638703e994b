// Heights of QRS and P: hypertrophy of the ventricles, enlarged atria, low voltage. Criteria of adults (Sokolow and
// Lyon 1949; Casale 1987; Peguero 2017; AHA/ACCF/HRS V, Circulation 2009;119:e251-e261; analysis reference, section 9).

import {
  LATE_P,
  LEFT_VENTRICLE_MV,
  LONG_P_MS,
  LOW_VOLTAGE_MV,
  RIGHT_VENTRICLE_MV,
  STRAIN_MV,
  TALL_P_MV,
  USUAL_AXIS_DEG,
  VOLTAGE_YEARS,
} from '../../../shared/clinical-limits.ts';
import type { Facts } from './facts.ts';
import {
  ADULT,
  BEATS,
  CHEST_RIGHT,
  heightsKnown,
  LIMBS_RIGHT,
  NO_RUN,
  NO_WIDE_ESCAPE,
  NOT_PACED,
  pKnown,
  SCALE_SURE,
  SINUS,
} from './needs.ts';
import type { Grounds, Rule } from './rule.ts';
import { CHEST, heightsOn, hundredths, type Lead, LIMB, named, rMv, sMv } from './twelve-leads.ts';

interface Criterion {
  readonly name: string;
  readonly mv: number;
  readonly limitMv: number;
}

/** Unknown sex is held against the limits of men, the higher ones. */
function leftCriteria(facts: Facts): Criterion[] {
  const { sokolow, cornell, rOfAvl } = LEFT_VENTRICLE_MV;
  const isWoman = facts.gender === 'FEMALE';
  const r = (lead: Lead): number => rMv(facts, lead);
  const s = (lead: Lead): number => sMv(facts, lead);
  return [
    { name: 'sokolowMv', mv: hundredths(s('V1') + Math.max(r('V5'), r('V6'))), limitMv: sokolow },
    { name: 'cornellMv', mv: hundredths(r('AVL') + s('V3')), limitMv: cornell[isWoman ? 'FEMALE' : 'MALE'] },
    { name: 'rOfAvlMv', mv: hundredths(r('AVL')), limitMv: rOfAvl },
  ];
}

/** ST and T against a tall R, on a lead over the left ventricle. */
const isStrained = (facts: Facts, lead: Lead): boolean => {
  const { jMv = 0, j60Mv = 0, tMinMv = 0, tMaxMv = 0 } = heightsOn(facts, lead) ?? {};
  return Math.min(jMv, j60Mv) <= STRAIN_MV.st && tMinMv <= STRAIN_MV.t && -tMinMv > tMaxMv;
};

const CHAMBER_NEEDS = [BEATS, ADULT, NOT_PACED, NO_RUN, NO_WIDE_ESCAPE, LIMBS_RIGHT] as const;

const LVH: Rule = {
  code: 'CHA-LVH',
  topic: 'HYPERTROPHY',
  needs: [...CHAMBER_NEEDS, CHEST_RIGHT, heightsKnown('AVL', 'V1', 'V3', 'V5', 'V6')],
  absenceNeeds: [SCALE_SURE],
  suppressedBy: ['CON-LBBB', 'CON-WPW'],
  find: (facts) => {
    const met = leftCriteria(facts).filter(({ mv, limitMv }) => mv >= limitMv);
    const isSokolow = met.some(({ name }) => name === 'sokolowMv');
    const hasStrain = (['I', 'AVL', 'V5', 'V6'] as const).some((lead) => isStrained(facts, lead));
    const isYoung = facts.ageYears !== undefined && facts.ageYears < VOLTAGE_YEARS;
    // The others alone find twice as many ECGs without hypertrophy as with it in the development half.
    const isEnough = isSokolow || met.length > 1 || (met.length > 0 && hasStrain);
    if (!isEnough || (isYoung && !hasStrain)) return undefined;
    return {
      severity: hasStrain ? 'MODERATE' : 'LOW',
      values: hasStrain ? { strain: 'strainPattern' } : {},
      grounds: {
        leads: named(facts, ['AVL', 'V1', 'V3', 'V5', 'V6']),
        values: Object.fromEntries(met.map(({ name, mv }) => [name, mv])),
        limits: Object.fromEntries(met.map(({ name, limitMv }) => [name, limitMv])),
      },
    };
  },
};

/** A tall R in V1, or with a deep S on the left, and an axis to the right. */
export function rightHypertrophy(facts: Facts): Grounds | undefined {
  const axis = facts.measurements.qrsAxisDeg;
  const r = hundredths(rMv(facts, 'V1'));
  const sum = hundredths(r + Math.max(sMv(facts, 'V5'), sMv(facts, 'V6')));
  const isTall = r >= RIGHT_VENTRICLE_MV.r && r > sMv(facts, 'V1');
  if (axis === undefined || axis <= USUAL_AXIS_DEG.to || !(isTall || sum > RIGHT_VENTRICLE_MV.sum))
    return undefined;
  return {
    leads: named(facts, ['V1', 'V5', 'V6']),
    values: { rOfV1Mv: r, rOfV1AndSMv: sum, qrsAxisDeg: axis },
    limits: {
      rOfV1Mv: RIGHT_VENTRICLE_MV.r,
      rOfV1AndSMv: RIGHT_VENTRICLE_MV.sum,
      qrsAxisDeg: USUAL_AXIS_DEG.to,
    },
  };
}

const RVH: Rule = {
  code: 'CHA-RVH',
  topic: 'HYPERTROPHY',
  needs: [...CHAMBER_NEEDS, CHEST_RIGHT, heightsKnown('I', 'AVF', 'V1', 'V5', 'V6')],
  absenceNeeds: [SCALE_SURE],
  suppressedBy: ['CON-RBBB', 'CON-LBBB', 'CON-WPW'],
  find: (facts) => {
    const grounds = rightHypertrophy(facts);
    return grounds && { severity: 'LOW', certainty: 'possible', grounds };
  },
};

const LAE: Rule = {
  code: 'CHA-LAE',
  topic: 'ATRIA',
  needs: [...CHAMBER_NEEDS, SINUS, heightsKnown('V1'), pKnown('V1')],
  absenceNeeds: [SCALE_SURE],
  find: (facts) => {
    const { pMinMv = 0, pTerminalMs = 0 } = heightsOn(facts, 'V1') ?? {};
    const { pMs = 0 } = facts.measurements;
    const depth = hundredths(pMinMv);
    if (depth > LATE_P.mv || pTerminalMs < LATE_P.ms || pMs < LONG_P_MS) return undefined;
    return {
      severity: 'LOW',
      certainty: 'possible',
      grounds: {
        leads: named(facts, ['V1']),
        values: { pTerminalMv: depth, pTerminalMs: Math.round(pTerminalMs), pMs },
        limits: { pTerminalMv: LATE_P.mv, pTerminalMs: LATE_P.ms, pMs: LONG_P_MS },
      },
    };
  },
};

const RAE: Rule = {
  code: 'CHA-RAE',
  topic: 'ATRIA',
  needs: [...CHAMBER_NEEDS, SINUS, heightsKnown('II', 'V1'), pKnown('II', 'V1')],
  absenceNeeds: [SCALE_SURE],
  find: (facts) => {
    const pOfIIMv = hundredths(heightsOn(facts, 'II')?.pMaxMv ?? 0);
    const pOfV1Mv = hundredths(heightsOn(facts, 'V1')?.pMaxMv ?? 0);
    return pOfIIMv <= TALL_P_MV.II && pOfV1Mv <= TALL_P_MV.V1
      ? undefined
      : {
          severity: 'LOW',
          certainty: 'possible',
          grounds: {
            leads: named(facts, ['II', 'V1']),
            values: { pOfIIMv, pOfV1Mv },
            limits: { pOfIIMv: TALL_P_MV.II, pOfV1Mv: TALL_P_MV.V1 },
          },
        };
  },
};

const tallestQrs = (facts: Facts, leads: readonly Lead[]): number =>
  hundredths(Math.max(...leads.map((lead) => rMv(facts, lead) + sMv(facts, lead))));

const LOW_VOLTAGE: Rule = {
  code: 'VOL-LOW',
  topic: 'HYPERTROPHY',
  needs: [BEATS, ADULT, NOT_PACED, heightsKnown(...LIMB, ...CHEST)],
  absenceNeeds: [SCALE_SURE],
  find: (facts) => {
    const [limbMv, chestMv] = [tallestQrs(facts, LIMB), tallestQrs(facts, CHEST)];
    const isLimbLow = limbMv < LOW_VOLTAGE_MV.limbs;
    const isChestLow = chestMv < LOW_VOLTAGE_MV.chest;
    return isLimbLow || isChestLow
      ? {
          severity: 'LOW',
          values: { leads: isLimbLow && isChestLow ? 'allLeads' : isLimbLow ? 'limbLeads' : 'chestLeads' },
          grounds: {
            leads: named(facts, [...(isLimbLow ? LIMB : []), ...(isChestLow ? CHEST : [])]),
            values: { limbMv, chestMv },
            limits: { limbMv: LOW_VOLTAGE_MV.limbs, chestMv: LOW_VOLTAGE_MV.chest },
          },
        }
      : undefined;
  },
};

export const CHAMBER_RULES: readonly Rule[] = [LVH, RVH, LAE, RAE, LOW_VOLTAGE];
