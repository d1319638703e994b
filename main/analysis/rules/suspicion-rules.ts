// Patterns that no labelled recordings were at hand to judge by: off unless they are asked for, and never more than
// possible. Criteria: analysis reference, section 9 (Wellens 1982, Am Heart J 103:730-736; de Winter 2008, N Engl J Med
// 359:2071-2073; Wilde 2002, Circulation 106:2514-2519).

import {
  BRUGADA_MV,
  DE_WINTER_MV,
  PEAKED_T_MV,
  USUAL_QRS_MS,
  WELLENS_MV,
} from '../../../shared/clinical-limits.ts';
import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { LeadMeasurements } from '../measurements/lead-measurements.ts';
import { type Facts, isNarrow } from './facts.ts';
import { ST_NEEDS } from './ischaemia-rules.ts';
import { heightsKnown, NARROW_QRS, tKnown } from './needs.ts';
import type { Finding, Need, Rule } from './rule.ts';
import { heightsOn, type Lead, leadGrounds, rMv, written } from './twelve-leads.ts';

interface Suspicion {
  readonly code: StatementCode;
  readonly severity: Finding['severity'];
  readonly needs?: readonly Need[];
  /** Where it shows, and on how many of them at least. */
  readonly leads: readonly Lead[];
  readonly least: number;
  readonly isOn: (facts: Facts, lead: Lead) => boolean;
  /** What else must be so. */
  readonly isBorneOut?: (facts: Facts) => boolean;
  /** What is told of each lead, and its limit. */
  readonly of: (heights: LeadMeasurements) => number;
  readonly limitMv: number;
}

const suspicion = ({ code, severity, needs = [], ...one }: Suspicion): Rule => ({
  code,
  needs: [...ST_NEEDS, ...needs, heightsKnown(...one.leads), tKnown(...one.leads)],
  find: (facts) => {
    const leads = one.leads.filter((lead) => one.isOn(facts, lead));
    if (leads.length < one.least || one.isBorneOut?.(facts) === false) return undefined;
    return {
      severity,
      values: { leads: written(leads) },
      certainty: 'possible',
      grounds: leadGrounds(facts, leads, one.of, () => one.limitMv),
    };
  },
});

/** Deep or biphasic T in V2 and V3 behind a level ST, with R still there: a narrow artery in front. */
function isWellens(facts: Facts, lead: Lead): boolean {
  const { jMv = 0, tMinMv = 0, tMaxMv = 0 } = heightsOn(facts, lead) ?? {};
  const isDeep = tMinMv <= WELLENS_MV.deepT && -tMinMv > tMaxMv;
  const isBiphasic = tMaxMv >= WELLENS_MV.biphasicT && tMinMv <= -WELLENS_MV.biphasicT;
  return (isDeep || isBiphasic) && Math.abs(jMv) <= WELLENS_MV.levelSt && rMv(facts, lead) > 0;
}

const WELLENS = suspicion({
  code: 'ISC-WELL',
  severity: 'IMPORTANT',
  needs: [NARROW_QRS],
  leads: ['V2', 'V3'],
  least: 2,
  isOn: isWellens,
  of: ({ tMinMv = 0 }) => tMinMv,
  limitMv: WELLENS_MV.deepT,
});

/** ST that begins below the line and rises into a tall T in front, with aVR above the line. */
function isDeWinter(facts: Facts, lead: Lead): boolean {
  const { jMv = 0, j80Mv = 0, tMaxMv = 0 } = heightsOn(facts, lead) ?? {};
  return jMv <= DE_WINTER_MV.from && j80Mv - jMv >= DE_WINTER_MV.rise && tMaxMv >= DE_WINTER_MV.tallT;
}

const DE_WINTER = suspicion({
  code: 'ISC-DEWIN',
  severity: 'CRITICAL',
  needs: [NARROW_QRS, heightsKnown('AVR')],
  leads: ['V2', 'V3', 'V4', 'V5'],
  least: 2,
  isOn: isDeWinter,
  isBorneOut: (facts) => (heightsOn(facts, 'AVR')?.jMv ?? 0) >= DE_WINTER_MV.avr,
  of: ({ jMv }) => jMv,
  limitMv: DE_WINTER_MV.from,
});

/** ST that begins high in V1 or V2 and falls into a negative T. */
function isBrugada(facts: Facts, lead: Lead): boolean {
  const { jMv = 0, j60Mv = 0, tMinMv = 0, tMaxMv = 0 } = heightsOn(facts, lead) ?? {};
  return jMv >= BRUGADA_MV.coved && j60Mv < jMv && tMinMv <= BRUGADA_MV.negativeT && -tMinMv > tMaxMv;
}

const BRUGADA = suspicion({
  code: 'REP-BRUG',
  severity: 'IMPORTANT',
  leads: ['V1', 'V2'],
  least: 1,
  isOn: isBrugada,
  of: ({ jMv }) => jMv,
  limitMv: BRUGADA_MV.coved,
});

/** Very tall T in front, with a QRS that has become wider or P that has gone. */
const HYPERKALAEMIA = suspicion({
  code: 'REP-HYPERK',
  severity: 'IMPORTANT',
  leads: ['V2', 'V3', 'V4'],
  least: 2,
  isOn: (facts, lead) => (heightsOn(facts, lead)?.tMaxMv ?? 0) >= PEAKED_T_MV,
  isBorneOut: (facts) => {
    const { qrsMs = 0, pMs } = facts.measurements;
    return !isNarrow(facts) || qrsMs > USUAL_QRS_MS || pMs === undefined;
  },
  of: ({ tMaxMv = 0 }) => tMaxMv,
  limitMv: PEAKED_T_MV,
});

export const SUSPICION_RULES: readonly Rule[] = [WELLENS, DE_WINTER, BRUGADA, HYPERKALAEMIA];
