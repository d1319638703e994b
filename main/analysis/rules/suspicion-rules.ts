// Patterns that no labelled recordings were at hand to judge by: off unless they are asked for, and never more than
// possible. Criteria: analysis reference, section 9 (Wellens 1982, Am Heart J 103:730-736; de Winter 2008, N Engl J Med
// 359:2071-2073; Wilde 2002, Circulation 106:2514-2519).

import { type Facts, isNarrow } from './facts.ts';
import { ST_NEEDS } from './ischaemia-rules.ts';
import { heightsKnown, NARROW_QRS, tKnown } from './needs.ts';
import type { Rule } from './rule.ts';
import { heightsOn, type Lead, leadGrounds, rMv, written } from './twelve-leads.ts';

const DEEP_T_MV = -0.2;
const BIPHASIC_MV = 0.1;
const LEVEL_ST_MV = 0.1;

/** Deep or biphasic T in V2 and V3 behind a level ST, with R still there: a narrow artery in front. */
function isWellens(facts: Facts, lead: Lead): boolean {
  const { jMv = 0, tMinMv = 0, tMaxMv = 0 } = heightsOn(facts, lead) ?? {};
  const isDeep = tMinMv <= DEEP_T_MV && -tMinMv > tMaxMv;
  const isBiphasic = tMaxMv >= BIPHASIC_MV && tMinMv <= -BIPHASIC_MV;
  return (isDeep || isBiphasic) && Math.abs(jMv) <= LEVEL_ST_MV && rMv(facts, lead) > 0;
}

const WELLENS: Rule = {
  code: 'ISC-WELL',
  needs: [...ST_NEEDS, NARROW_QRS, heightsKnown('V2', 'V3'), tKnown('V2', 'V3')],
  find: (facts) => {
    const leads = (['V2', 'V3'] as const).filter((lead) => isWellens(facts, lead));
    return leads.length < 2
      ? undefined
      : {
          severity: 'IMPORTANT',
          values: { leads: written(leads) },
          certainty: 'possible',
          grounds: leadGrounds(
            facts,
            leads,
            ({ tMinMv = 0 }) => tMinMv,
            () => DEEP_T_MV,
          ),
        };
  },
};

const RISING_FROM_MV = -0.1;
const RISE_MV = 0.05;
const TALL_T_MV = 0.5;
const OF_AVR_MV = 0.05;

/** ST that begins below the line and rises into a tall T in front, with aVR above the line. */
function isDeWinter(facts: Facts, lead: Lead): boolean {
  const { jMv = 0, j80Mv = 0, tMaxMv = 0 } = heightsOn(facts, lead) ?? {};
  return jMv <= RISING_FROM_MV && j80Mv - jMv >= RISE_MV && tMaxMv >= TALL_T_MV;
}

const DE_WINTER: Rule = {
  code: 'ISC-DEWIN',
  needs: [
    ...ST_NEEDS,
    NARROW_QRS,
    heightsKnown('AVR', 'V2', 'V3', 'V4', 'V5'),
    tKnown('V2', 'V3', 'V4', 'V5'),
  ],
  find: (facts) => {
    const leads = (['V2', 'V3', 'V4', 'V5'] as const).filter((lead) => isDeWinter(facts, lead));
    return leads.length < 2 || (heightsOn(facts, 'AVR')?.jMv ?? 0) < OF_AVR_MV
      ? undefined
      : {
          severity: 'CRITICAL',
          values: { leads: written(leads) },
          certainty: 'possible',
          grounds: leadGrounds(
            facts,
            leads,
            ({ jMv }) => jMv,
            () => RISING_FROM_MV,
          ),
        };
  },
};

const COVED_MV = 0.2;
const NEGATIVE_T_MV = -0.1;

/** ST that begins high in V1 or V2 and falls into a negative T. */
function isBrugada(facts: Facts, lead: Lead): boolean {
  const { jMv = 0, j60Mv = 0, tMinMv = 0, tMaxMv = 0 } = heightsOn(facts, lead) ?? {};
  return jMv >= COVED_MV && j60Mv < jMv && tMinMv <= NEGATIVE_T_MV && -tMinMv > tMaxMv;
}

const BRUGADA: Rule = {
  code: 'REP-BRUG',
  needs: [...ST_NEEDS, heightsKnown('V1', 'V2'), tKnown('V1', 'V2')],
  find: (facts) => {
    const leads = (['V1', 'V2'] as const).filter((lead) => isBrugada(facts, lead));
    return leads.length === 0
      ? undefined
      : {
          severity: 'IMPORTANT',
          values: { leads: written(leads) },
          certainty: 'possible',
          grounds: leadGrounds(
            facts,
            leads,
            ({ jMv }) => jMv,
            () => COVED_MV,
          ),
        };
  },
};

const PEAKED_T_MV = 1;
const WIDENED_QRS_MS = 110;

/** Very tall T in front, with a QRS that has become wider or P that has gone. */
const HYPERKALAEMIA: Rule = {
  code: 'REP-HYPERK',
  needs: [...ST_NEEDS, heightsKnown('V2', 'V3', 'V4'), tKnown('V2', 'V3', 'V4')],
  find: (facts) => {
    const leads = (['V2', 'V3', 'V4'] as const).filter(
      (lead) => (heightsOn(facts, lead)?.tMaxMv ?? 0) >= PEAKED_T_MV,
    );
    const { qrsMs = 0, pMs } = facts.measurements;
    const isBeyond = !isNarrow(facts) || qrsMs > WIDENED_QRS_MS || pMs === undefined;
    return leads.length < 2 || !isBeyond
      ? undefined
      : {
          severity: 'IMPORTANT',
          values: { leads: written(leads) },
          certainty: 'possible',
          grounds: leadGrounds(
            facts,
            leads,
            ({ tMaxMv = 0 }) => tMaxMv,
            () => PEAKED_T_MV,
          ),
        };
  },
};

export const SUSPICION_RULES: readonly Rule[] = [WELLENS, DE_WINTER, BRUGADA, HYPERKALAEMIA];
