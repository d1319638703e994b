// Acute infarction behind QRS that bring an ST of their own: left bundle branch block and ventricular pacing (Sgarbossa
// 1996, N Engl J Med 334:481-487; with the ratio of Smith 2012, Ann Emerg Med 60:766-776; analysis reference, section
// 9). There, ST goes against QRS, and only so far; what goes with it, or further, is not of the block.

import { SGARBOSSA } from '../../../shared/clinical-limits.ts';
import { leftBlock } from './conduction-rules.ts';
import type { Facts } from './facts.ts';
import { BEATS, GROWN, NO_RUN, SOME_HEIGHTS } from './needs.ts';
import type { Rule } from './rule.ts';
import { heightsOn, hundredths, type Lead, leadGrounds, rMv, sMv, TWELVE, written } from './twelve-leads.ts';

const RIGHT_CHEST: readonly Lead[] = ['V1', 'V2', 'V3'];
const LEADS = TWELVE.filter((lead) => lead !== 'AVR');

/** Which of the three criteria a lead meets: ST that stays so until 60 ms behind J. */
function criterionOn(facts: Facts, lead: Lead): 'withQrs' | 'rightDown' | 'beyondS' | undefined {
  const { jMv, j60Mv } = heightsOn(facts, lead) ?? {};
  if (jMv === undefined || j60Mv === undefined) return undefined;
  const [r, s] = [rMv(facts, lead), sMv(facts, lead)];
  const lowest = hundredths(Math.min(jMv, j60Mv));
  if (r > s) return lowest >= SGARBOSSA.elevatedMv ? 'withQrs' : undefined;
  if (RIGHT_CHEST.includes(lead) && hundredths(Math.max(jMv, j60Mv)) <= SGARBOSSA.depressedMv)
    return 'rightDown';
  return lowest >= SGARBOSSA.elevatedMv && lowest >= SGARBOSSA.shareOfS * s ? 'beyondS' : undefined;
}

const isPaced = ({ base }: Facts): boolean => base === 'P';

export const SGARBOSSA_RULE: Rule = {
  // Without a topic: ST behind such a QRS is not judged as it is elsewhere, whatever this rule finds.
  code: 'ISC-STEMIWIDE',
  needs: [BEATS, GROWN, NO_RUN, SOME_HEIGHTS],
  find: (facts) => {
    if (!isPaced(facts) && (facts.rejected.has('CON-LBBB') || leftBlock(facts) === undefined))
      return undefined;
    const leads = LEADS.filter((lead) => criterionOn(facts, lead) !== undefined);
    if (leads.length === 0) return undefined;
    const limitOf = (lead: Lead): number => {
      const criterion = criterionOn(facts, lead);
      if (criterion === 'rightDown') return SGARBOSSA.depressedMv;
      return criterion === 'withQrs'
        ? SGARBOSSA.elevatedMv
        : Math.max(SGARBOSSA.elevatedMv, SGARBOSSA.shareOfS * sMv(facts, lead));
    };
    return {
      severity: 'CRITICAL',
      values: { leads: written(leads), of: isPaced(facts) ? 'pacedBeats' : 'leftBundleBranchBlock' },
      certainty: 'possible',
      grounds: leadGrounds(facts, leads, ({ jMv }) => jMv, limitOf),
    };
  },
};
