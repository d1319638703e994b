// What rules need before they say anything.

import type { Measurements } from '../../../shared/analysis-result.ts';
import { GROWN_YEARS } from '../../../shared/clinical-limits.ts';
import type { UnassessedReason } from '../../../shared/findings/codes.ts';
import { isLeadCode } from '../../../shared/signal/lead.ts';
import { isSilent } from '../../signal/silent-leads.ts';
import { LEAST_SPIKE_RATE_HZ } from '../electrodes/paced-beats.ts';
import { lengthOf } from '../signal/time-base.ts';
import { type Facts, hasBeats, isArrested, isChild, isNarrow, isSinus, limitsOfChild } from './facts.ts';
import type { Need } from './rule.ts';
import { heightsOn, type Lead, nameOf } from './twelve-leads.ts';

export const need = (reason: UnassessedReason, isMet: (facts: Facts) => boolean): Need => ({
  unmet: (facts) => (isMet(facts) ? undefined : reason),
});

export const BEATS = need('signal', hasBeats);
/** Where the heart stands still or fibrillates, that is what there is to say. */
export const BEATS_OR_ARREST = need('signal', (facts) => hasBeats(facts) || isArrested(facts));
/** For rules without limits for children. */
export const ADULT = need('child', (facts) => !isChild(facts));
/** Young hearts have ST elevation and narrow Q without injury or scar. */
export const GROWN = need('child', ({ ageYears }) => ageYears === undefined || ageYears >= GROWN_YEARS);
/** Limits for adults, or for the child's age. */
export const LIMITS_BY_AGE = need('child', (facts) => !isChild(facts) || limitsOfChild(facts) !== undefined);
/** A paced beat has the shape of a ventricular one. */
export const NOT_PACED = need('paced', ({ base }) => base !== 'P');
/** Where no spike is found, one may have passed between two samples. */
export const SPIKES_SHOWN = need(
  'sampleRate',
  ({ base, leads, time }) => base === 'P' || leads.length === 0 || time.sampleRateHz >= LEAST_SPIKE_RATE_HZ,
);
/** Elsewhere a wave of the atria, or a paced beat's T, can pass for a P or for a late end of T. */
export const SINUS = need('rhythm', isSinus);
export const LIMBS_RIGHT = need('electrodes', ({ electrodeOrder }) => electrodeOrder.limb === undefined);
export const CHEST_RIGHT = need('electrodes', ({ electrodeOrder }) => electrodeOrder.chest === undefined);
/** The limits of QT are those of beats that are conducted as usual. */
export const NARROW_QRS = need('wideQrs', isNarrow);
export const FRONTAL_AXIS = need('leads', ({ measurements }) => measurements.qrsAxisDeg !== undefined);

/** Beats of a ventricular run have no bundle branches to be judged by. */
export const NO_RUN = need('rhythm', ({ base }) => base !== 'VT');
/**
 * The usual beat is one that escapes below a complete block, unless sinus rhythm beside it leaves the block the smaller part. The ranges
 * of a block are the intervals with a blocked P wave alone, so that without sinus rhythm they say nothing of how long it lasts.
 */
const escapesMostly = ({ avConduction, sinus }: Facts): boolean =>
  avConduction?.kind === 'complete' && lengthOf(sinus) <= lengthOf(avConduction.ranges);
/** Wide beats below a complete block have the shape of the place that they escape from. */
export const NO_WIDE_ESCAPE = need('rhythm', (facts) => isNarrow(facts) || !escapesMostly(facts));
/** Beats that may come from the ventricles are not said to be conducted slowly. */
export const NOT_VENTRICULAR = need('rhythm', ({ beatOrigin }) => beatOrigin !== 'ventricular');
/** Each of them is there, and is what it is called. */
export const leadsSeen = (leads: readonly string[]): Need =>
  need('leads', ({ deflections }) => leads.every((lead) => (deflections.get(lead)?.length ?? 0) > 0));

/** The heights of each of them are known. */
export const heightsKnown = (...leads: readonly Lead[]): Need => ({
  unmet: ({ leads: recorded, leadMeasurements, quality }) => {
    const unknown = leads.map(nameOf).filter((name) => !leadMeasurements.has(name));
    if (unknown.length === 0) return undefined;
    const hasSignal = (name: string): boolean =>
      recorded.includes(name) && !quality.leads.some((one) => one.lead === name && isSilent(one));
    return unknown.every(hasSignal) ? 'scale' : 'leads';
  },
});
/** The T of each of them was measured, as it is where T has an end. */
export const tKnown = (...leads: readonly Lead[]): Need =>
  need('signal', (facts) => leads.every((lead) => heightsOn(facts, lead)?.tMaxMv !== undefined));
export const pKnown = (...leads: readonly Lead[]): Need =>
  need('signal', (facts) => leads.every((lead) => heightsOn(facts, lead)?.pMaxMv !== undefined));
/** Millivolts that were taken in place of the file's own may show what is there; they do not prove that nothing is. */
export const SCALE_SURE = need('scale', ({ isScaleAssumed }) => !isScaleAssumed);
/** The heights of at least one lead are known; of leads whose place nobody knows, they say nothing. */
export const SOME_HEIGHTS: Need = {
  unmet({ leads, leadMeasurements }) {
    if (leadMeasurements.size > 0) return undefined;
    return leads.some(isLeadCode) ? 'scale' : 'leads';
  },
};

export const measured = (key: keyof Measurements): Need =>
  need('signal', ({ measurements }) => measurements[key] !== undefined);
