// A delta wave: QRS begins early and slowly, so that PR is short and QRS wide (analysis reference, section 9). It can make the shape of a
// bundle branch block, and is looked for before these.

import {
  SHORT_PR_MS,
  SHORT_PR_OF_CHILD_MS,
  SHORT_PR_SEGMENT_MS,
  USUAL_QRS_MS,
} from '../../../shared/clinical-limits.ts';
import { completeRightBlock, leftBlock } from './conduction-rules.ts';
import { type Facts, isChild, limitsOfChild } from './facts.ts';
import { BEATS, LIMITS_BY_AGE, measured, NOT_PACED, SINUS } from './needs.ts';
import type { Rule } from './rule.ts';

export const shortPrMs = (facts: Facts): number => (isChild(facts) ? SHORT_PR_OF_CHILD_MS : SHORT_PR_MS);
/** A child's QRS with a delta wave is as wide as a block's. */
const deltaQrsMs = (facts: Facts): number => limitsOfChild(facts)?.wideQrsMs ?? USUAL_QRS_MS;

const hasShapeOfBlock = (facts: Facts): boolean =>
  completeRightBlock(facts) !== undefined || leftBlock(facts) !== undefined;

export const PRE_EXCITATION_RULE: Rule = {
  // A delta wave makes PR shorter and QRS wider. It can have the shape of a bundle branch block, but leaves no rest behind P.
  code: 'CON-WPW',
  topic: 'PR',
  needs: [BEATS, LIMITS_BY_AGE, NOT_PACED, SINUS, measured('prMs'), measured('qrsMs')],
  find: (facts) => {
    const { pMs = 0, prMs = 0, qrsMs = 0 } = facts.measurements;
    const limits = { prMs: shortPrMs(facts), qrsMs: deltaQrsMs(facts) };
    const isOfBlock = prMs - pMs >= SHORT_PR_SEGMENT_MS && hasShapeOfBlock(facts);
    return prMs >= limits.prMs || qrsMs < limits.qrsMs || isOfBlock
      ? undefined
      : {
          severity: 'MODERATE',
          values: { pr: prMs, qrs: qrsMs },
          certainty: 'possible',
          grounds: { values: { prMs, qrsMs }, limits },
        };
  },
};
