// Fast rhythms without a name: what they may be. Analysis reference, section 8; severities: D63.

import { SVT_BPM, VERY_FAST_BPM } from '../../../shared/clinical-limits.ts';
import { AV_BLOCK_CODES } from './av-block-rules.ts';
import { type Facts, isChild, isNarrow, limitsOfChild } from './facts.ts';
import { ADULT, BEATS, BEATS_OR_ARREST, LIMITS_BY_AGE } from './needs.ts';
import { atLeast, rateValues, rhythmGrounds, severityOfRate } from './rhythm-rules.ts';
import type { Rule } from './rule.ts';

/** What is fast for adults is usual for small children. */
const isUsualForChild = (facts: Facts): boolean =>
  isChild(facts) && (facts.measurements.heartRateBpm ?? 0) <= (limitsOfChild(facts)?.fastestBpm ?? 0);

/** At that rate, sinus rhythm of adults at rest is hardly ever this regular. */
const SVT_SCATTER = 0.04;

export const TACHYCARDIA_RULES: readonly Rule[] = [
  {
    // Without a topic: that a child's rate is not judged is said by a statement of its own (INT-CHILD).
    code: 'RHY-SVT',
    needs: [BEATS, ADULT],
    find: (facts) => {
      const { base, scatter, measurements } = facts;
      const { heartRateBpm: rate = 0 } = measurements;
      if (base !== 'UNK' || rate < SVT_BPM || scatter > SVT_SCATTER || !isNarrow(facts)) return undefined;
      const grounds = rhythmGrounds(facts);
      return {
        severity: rate > VERY_FAST_BPM ? 'CRITICAL' : 'IMPORTANT',
        values: { rate },
        certainty: 'possible',
        grounds: {
          ...grounds,
          values: { ...grounds.values, scatter: Math.round(1000 * scatter) / 1000 },
          limits: { rateBpm: SVT_BPM, scatter: SVT_SCATTER },
        },
      };
    },
  },
  {
    // Whether its QRS is wide was not measured; what a wide one would mean is said all the same.
    code: 'RHY-TACHY',
    needs: [BEATS, LIMITS_BY_AGE],
    find: (facts) => {
      const { heartRateBpm: rate = 0 } = facts.measurements;
      if (!facts.isTachycardiaOfUnknownWidth || isUsualForChild(facts)) return undefined;
      return {
        severity: isChild(facts)
          ? atLeast('IMPORTANT', severityOfRate(facts))
          : rate > VERY_FAST_BPM
            ? 'CRITICAL'
            : 'IMPORTANT',
        values: { rate },
        certainty: 'possible',
        grounds: rhythmGrounds(facts),
      };
    },
  },
  {
    code: 'RHY-AFL21',
    topic: 'RHYTHM',
    needs: [BEATS_OR_ARREST, LIMITS_BY_AGE],
    suppressedBy: [...AV_BLOCK_CODES, 'RHY-SVT'],
    find: (facts) =>
      facts.beatOrigin === 'flutterTwoToOne' && !isUsualForChild(facts)
        ? {
            severity: atLeast('MODERATE', severityOfRate(facts)),
            values: rateValues(facts),
            certainty: 'possible',
            grounds: rhythmGrounds(facts),
          }
        : undefined,
  },
];
