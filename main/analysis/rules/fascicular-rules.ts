// Blocks of the fascicles of the left bundle branch, alone and beside a blocked right one, by the shape of QRS on the
// limb leads (AHA/ACCF/HRS III, Circulation 2009;119:e235-e240; analysis reference, section 9). Only signs count, so
// that leads need not be calibrated.

import { USUAL_AXIS_DEG } from '../../../shared/clinical-limits.ts';
import type { Deflection } from '../measurements/lead-deflections.ts';
import { rightHypertrophy } from './chamber-rules.ts';
import { completeRightBlock, RIGHT_NEEDS, shapesSeen } from './conduction-rules.ts';
import { type Facts, isSinus } from './facts.ts';
import { isPrLong } from './measurement-rules.ts';
import { ADULT, BEATS, LIMBS_RIGHT, measured, NO_RUN, NO_WIDE_ESCAPE, NOT_PACED } from './needs.ts';
import type { Grounds, Rule } from './rule.ts';
import { downMv, type Lead, named, onLead, upMv } from './twelve-leads.ts';

const isUp = (lead: readonly Deflection[]): boolean => upMv(lead) > downMv(lead);
const isDown = (lead: readonly Deflection[]): boolean => downMv(lead) > upMv(lead);
const beginsUp = (lead: readonly Deflection[]): boolean => (lead[0]?.peakMv ?? 0) > 0;
const beginsDown = (lead: readonly Deflection[]): boolean => (lead[0]?.peakMv ?? 0) < 0;

const FASCICULAR = ['I', 'II', 'III', 'AVL', 'AVF'] as const;
const FASCICULAR_NEEDS = [
  BEATS,
  ADULT,
  NOT_PACED,
  NO_RUN,
  NO_WIDE_ESCAPE,
  LIMBS_RIGHT,
  measured('qrsMs'),
  shapesSeen(...FASCICULAR),
];

/** @param below the lead whose R and S tell which way QRS goes */
function fascicularGrounds(facts: Facts, below: 'II' | 'III'): Grounds {
  const { qrsAxisDeg } = facts.measurements;
  const deflections = onLead(facts, below);
  return {
    leads: named(facts, FASCICULAR),
    values: {
      [`rOf${below}Mv`]: upMv(deflections),
      [`sOf${below}Mv`]: downMv(deflections),
      ...(qrsAxisDeg !== undefined && { qrsAxisDeg }),
    },
  };
}

/** The left ventricle alone: what a blocked right bundle branch adds at the end, the last S on the left, is left out. */
function leftPart(lead: readonly Deflection[], isRightBlocked: boolean): readonly Deflection[] {
  return isRightBlocked && lead.length > 1 && (lead.at(-1)?.peakMv ?? 0) < 0 ? lead.slice(0, -1) : lead;
}

/** QRS up on the left, and down below behind a small r. */
function anteriorBlock(facts: Facts): Grounds | undefined {
  const lead = (name: Lead): readonly Deflection[] => onLead(facts, name);
  const isRightBlocked = completeRightBlock(facts) !== undefined;
  const isFound =
    isUp(leftPart(lead('I'), isRightBlocked)) &&
    isUp(lead('AVL')) &&
    !(['II', 'III', 'AVF'] as const).some((name) => isUp(lead(name))) &&
    (beginsUp(lead('II')) || beginsUp(lead('III')));
  return isFound ? fascicularGrounds(facts, 'II') : undefined;
}

/** The other way round: rS on the left, qR below. Its axis is to the right, where it is known. */
function posteriorBlock(facts: Facts): Grounds | undefined {
  const { qrsAxisDeg } = facts.measurements;
  if (qrsAxisDeg !== undefined && qrsAxisDeg <= USUAL_AXIS_DEG.to) return undefined;
  // A large right ventricle turns the axis to the right as well.
  if (completeRightBlock(facts) === undefined && rightHypertrophy(facts) !== undefined) return undefined;
  const isLeftDown = (['I', 'AVL'] as const).every((lead) => {
    const deflections = onLead(facts, lead);
    return beginsUp(deflections) && isDown(deflections);
  });
  const below = (['III', 'AVF'] as const).map((lead) => onLead(facts, lead));
  return isLeftDown && below.every(isUp) && below.some(beginsDown)
    ? fascicularGrounds(facts, 'III')
    : undefined;
}

const LAFB: Rule = {
  code: 'CON-LAFB',
  topic: 'CONDUCTION',
  needs: FASCICULAR_NEEDS,
  suppressedBy: ['CON-LBBB', 'CON-WPW'],
  find: (facts) => {
    const grounds = anteriorBlock(facts);
    return grounds && { severity: 'LOW', certainty: 'probable', grounds };
  },
};

const LPFB: Rule = {
  code: 'CON-LPFB',
  topic: 'CONDUCTION',
  needs: FASCICULAR_NEEDS,
  suppressedBy: ['CON-LBBB', 'CON-WPW'],
  find: (facts) => {
    const grounds = posteriorBlock(facts);
    return grounds && { severity: 'LOW', certainty: 'possible', grounds };
  },
};

/** The right bundle branch and one of the two fascicles of the left. */
const BIFASCICULAR: Rule = {
  code: 'CON-BIF',
  topic: 'CONDUCTION',
  needs: [...RIGHT_NEEDS, ...FASCICULAR_NEEDS],
  suppressedBy: ['CON-LBBB', 'CON-WPW'],
  find: (facts) => {
    const right = completeRightBlock(facts);
    const anterior = anteriorBlock(facts);
    const left = anterior ?? posteriorBlock(facts);
    if (right === undefined || left === undefined) return undefined;
    const certainty = anterior === undefined ? 'possible' : 'probable';
    return {
      severity: 'MODERATE',
      values: {
        likely: certainty,
        fascicle: anterior === undefined ? 'leftPosteriorFascicle' : 'leftAnteriorFascicle',
        ...(isSinus(facts) && isPrLong(facts) && { block: 'firstDegreeBlock' }),
      },
      certainty,
      grounds: {
        leads: [...new Set([...(right.grounds.leads ?? []), ...(left.leads ?? [])])],
        values: { ...right.grounds.values, ...left.values },
        limits: { ...right.grounds.limits },
      },
    };
  },
};

export const FASCICULAR_RULES: readonly Rule[] = [LAFB, LPFB, BIFASCICULAR];
