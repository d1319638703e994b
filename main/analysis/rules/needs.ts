// What rules need before they say anything.

import type { Measurements } from '../../../shared/analysis-result.ts';
import type { UnassessedReason } from '../../../shared/findings/codes.ts';
import { type Facts, hasBeats, isArrested, isChild, isSinus } from './facts.ts';
import type { Need } from './rule.ts';

const need = (reason: UnassessedReason, isMet: (facts: Facts) => boolean): Need => ({ isMet, reason });

export const BEATS = need('signal', hasBeats);
/** Where the heart stands still or fibrillates, that is what there is to say. */
export const BEATS_OR_ARREST = need('signal', (facts) => hasBeats(facts) || isArrested(facts));
/** Limits for children are not in this version. */
export const ADULT = need('child', (facts) => !isChild(facts));
/** A paced beat has the shape of a ventricular one. */
export const NOT_PACED = need('paced', ({ base }) => base !== 'P');
/** Elsewhere a wave of the atria, or a paced beat's T, can pass for a P or for a late end of T. */
export const SINUS = need('rhythm', isSinus);
export const ARMS_RIGHT = need('electrodes', ({ electrodes }) => !electrodes.isArmSwapLikely);
/** The limits of QT are those of beats that are conducted as usual. */
export const NARROW_QRS = need('wideQrs', ({ measurements }) => (measurements.qrsMs ?? 0) < 120);
export const FRONTAL_AXIS = need('leads', ({ measurements }) => measurements.qrsAxisDeg !== undefined);

export const measured = (key: keyof Measurements): Need =>
  need('signal', ({ measurements }) => measurements[key] !== undefined);
