// Whether electrodes seem to be exchanged, by the usual beat: limb leads that are upside down or flat (Kligfield 2007,
// Circulation 115:1306-1324; analysis reference, section 9), and chest leads that do not change from each to the next
// as the others do. A hint for a look at the cables; it never changes data.

import { WIDE_QRS_MS } from '../../../shared/clinical-limits.ts';
import { levelBefore } from '../measurements/lead-deflections.ts';
import type { MedianBeat } from '../measurements/median-beat.ts';
import type { LeadFacts } from '../signal/lead-signals.ts';
import type { Marks } from '../waves/median-marks.ts';

export type LimbExchange =
  | 'arms'
  | 'rightArmLeftLeg'
  | 'rightArmRightLeg'
  | 'leftArmRightLeg'
  | 'bothArmsBothLegs';

export interface ElectrodeOrder {
  readonly limb: LimbExchange | undefined;
  readonly chest: ChestExchange | undefined;
}

export interface ChestExchange {
  /** Numbers of the two, the lower one first. */
  readonly electrodes: readonly [one: number, other: number];
  /** With the two exchanged back, the way from V1 to V6 is so much of what it is as recorded. */
  readonly wayShare: number;
}

export const USUAL_ORDER: ElectrodeOrder = { limb: undefined, chest: undefined };

/** QRS, ST and T on one lead against the level before QRS, and its P against the line between its ends. */
interface LeadBeat {
  readonly qrs: Float64Array;
  readonly stT: Float64Array;
  readonly p: Float64Array | undefined;
}

/** What follows QRS, where T has no certain end. */
const ST_T_MS = 300;

/** @param onset of P @param end of P @returns P without the slope that it stands on */
function overItsBase(lead: Float64Array, onset: number, end: number): Float64Array {
  const [from, to] = [lead[onset] as number, lead[end] as number];
  return lead.slice(onset, end).map((value, i) => value - from - ((to - from) * i) / (end - onset));
}

interface BeatMarks {
  readonly onset: number;
  readonly end: number;
  readonly tEnd: number;
  readonly p: readonly [onset: number, end: number] | undefined;
}

function marksOf(
  beat: MedianBeat,
  { qrsOnset, qrsOffset, tEnd, pOnset, pOffset }: Marks,
): BeatMarks | undefined {
  if (qrsOnset === undefined || qrsOffset === undefined) return undefined;
  const last = (beat.leads[0]?.length ?? 0) - 1;
  const hasP = pOnset !== undefined && pOffset !== undefined && pOffset - pOnset >= 2;
  return {
    onset: Math.round(qrsOnset),
    end: Math.round(qrsOffset),
    tEnd: Math.min(last, Math.round(tEnd ?? qrsOffset + (ST_T_MS / 1000) * beat.sampleRateHz)),
    p: hasP ? [Math.round(pOnset), Math.round(pOffset)] : undefined,
  };
}

function leadBeat(lead: Float64Array, { onset, end, tEnd, p }: BeatMarks, sampleRateHz: number): LeadBeat {
  const level = levelBefore(lead, onset, sampleRateHz);
  const overLevel = (from: number, to: number): Float64Array => lead.slice(from, to).map((mv) => mv - level);
  return {
    qrs: overLevel(onset, end),
    stT: overLevel(end, tEnd),
    p: p && overItsBase(lead, ...p),
  };
}

const areaOf = (samples: Float64Array): number => samples.reduce((sum, value) => sum + value, 0);
const combined = (one: LeadBeat, other: LeadBeat, weights: readonly [number, number]): LeadBeat => {
  const add = (a: Float64Array, b: Float64Array): Float64Array =>
    a.map((value, i) => weights[0] * value + weights[1] * (b[i] as number));
  return {
    qrs: add(one.qrs, other.qrs),
    stT: add(one.stT, other.stT),
    p: one.p && other.p && add(one.p, other.p),
  };
};

const heightMv = ({ qrs, stT, p }: LeadBeat): number => {
  const all = [...qrs, ...stT, ...(p ?? [])];
  return Math.max(...all) - Math.min(...all);
};

/** Between electrodes of the two legs there is nearly no voltage. */
const FLAT_MV = 0.1;
const FLAT_SHARE = 0.12;

/** The limb lead that is flat beside the others lies between the legs. */
function flatLead(heights: readonly [one: number, two: number, three: number]): LimbExchange | undefined {
  const least = Math.min(...heights);
  if (least >= FLAT_MV || least >= FLAT_SHARE * Math.max(...heights)) return undefined;
  const exchanges = ['bothArmsBothLegs', 'rightArmRightLeg', 'leftArmRightLeg'] as const;
  return exchanges[heights.indexOf(least)];
}

/** Lead I, or II, against the lead over the left side. */
const OPPOSITE_QRS = -0.5;
const OPPOSITE_WITH_T = -0.3;
/** Without P there is QRS alone to go by, and a wide one may come from anywhere. */
const OPPOSITE_WITHOUT_P = -0.6;

/** From -1 to 1, whatever the scale of either. */
function likeness(one: Float64Array, other: Float64Array): number {
  let [product, power, otherPower] = [0, 1e-9, 1e-9];
  for (let i = 0; i < one.length; i++) {
    const [x, y] = [one[i] as number, other[i] as number];
    product += x * y;
    power += x * x;
    otherPower += y * y;
  }
  return product / Math.sqrt(power * otherPower);
}

const joined = ({ qrs, stT }: LeadBeat): Float64Array => Float64Array.of(...qrs, ...stT);
const isAllDown = ({ qrs, stT, p }: LeadBeat): boolean =>
  p !== undefined && areaOf(p) < 0 && areaOf(qrs) < 0 && areaOf(stT) < 0;

/**
 * P, QRS and T of lead I turn over with exchanged arms, while the left side is as ever: in dextrocardia, V6 turns over
 * as well.
 */
function areArmsExchanged(one: LeadBeat, side: LeadBeat | undefined, isWide: boolean): boolean {
  if (side === undefined) return isAllDown(one);
  if (likeness(joined(one), joined(side)) >= OPPOSITE_WITH_T) return false;
  const ofQrs = likeness(one.qrs, side.qrs);
  return one.p === undefined
    ? !isWide && ofQrs < OPPOSITE_WITHOUT_P
    : ofQrs < OPPOSITE_QRS && areaOf(one.p) < 0;
}

/** P, QRS and T of II and aVF turn over. */
const isLegOnArm = (two: LeadBeat, foot: LeadBeat, side: LeadBeat | undefined): boolean =>
  isAllDown(foot) &&
  (side === undefined
    ? isAllDown(two)
    : two.p !== undefined && areaOf(two.p) < 0 && likeness(joined(two), joined(side)) < OPPOSITE_WITH_T);

interface LimbBeats {
  readonly one: LeadBeat;
  readonly two: LeadBeat;
  /** V6 or V5. */
  readonly side: LeadBeat | undefined;
  /** Else each lead may have a scale of its own, and nothing can be computed from two of them. */
  readonly isCalibrated: boolean;
  readonly isWide: boolean;
}

function limbExchange({ one, two, side, isCalibrated, isWide }: LimbBeats): LimbExchange | undefined {
  if (isCalibrated) {
    const three = combined(two, one, [1, -1]);
    const flat = flatLead([heightMv(one), heightMv(two), heightMv(three)]);
    if (flat !== undefined) return flat;
    if (isLegOnArm(two, combined(two, three, [0.5, 0.5]), side)) return 'rightArmLeftLeg';
  }
  return areArmsExchanged(one, side, isWide) ? 'arms' : undefined;
}

/** Squared difference of two leads against what both have, part by part: 0 where they are the same, 2 where opposite. */
function differenceOf(one: LeadBeat, other: LeadBeat): number {
  const ofPart = (a: Float64Array, b: Float64Array): number => {
    let [difference, power] = [0, 1e-9];
    for (let i = 0; i < a.length; i++) {
      const [x, y] = [a[i] as number, b[i] as number];
      difference += (x - y) ** 2;
      power += x * x + y * y;
    }
    return difference / power;
  };
  return (
    ofPart(one.qrs, other.qrs) +
    ofPart(one.stT, other.stT) +
    (one.p !== undefined && other.p !== undefined ? ofPart(one.p, other.p) : 0)
  );
}

const CHEST_COUNT = 6;
/** Pairs whose cables lie side by side or one apart, and the first and the last. */
const CHEST_PAIRS = [
  [1, 2],
  [2, 3],
  [3, 4],
  [4, 5],
  [5, 6],
  [1, 3],
  [2, 4],
  [3, 5],
  [4, 6],
  [1, 6],
] as const;
/**
 * How much shorter the way from V1 to V6 must be with two exchanged. Found on the development half: said of one in 353
 * ECGs as they are, whose leads show that it is so, and of most where two are exchanged on purpose (`npm run
 * test:accuracy` prints how many); V5 and V6 are too alike to tell.
 */
export const SHORTER_WAY = 0.82;

function chestExchange(chest: readonly LeadBeat[]): ChestExchange | undefined {
  const differences = chest.map((one) => chest.map((other) => differenceOf(one, other)));
  const wayOf = (order: readonly number[]): number =>
    order.slice(1).reduce((sum, lead, i) => sum + (differences[order[i] as number]?.[lead] ?? 0), 0);
  const asIs = Array.from({ length: CHEST_COUNT }, (_, i) => i);
  const ways = CHEST_PAIRS.map(([one, other]) =>
    wayOf(asIs.map((i) => (i === one - 1 ? other - 1 : i === other - 1 ? one - 1 : i))),
  );
  const shortest = Math.min(...ways);
  const electrodes = CHEST_PAIRS[ways.indexOf(shortest)];
  const wayShare = shortest / wayOf(asIs);
  return electrodes && wayShare < SHORTER_WAY ? { electrodes, wayShare } : undefined;
}

/** @returns what seems to be exchanged; nothing where the beat or the leads do not tell */
export function electrodeOrder(
  leads: readonly LeadFacts[],
  beat: MedianBeat | undefined,
  marks: Marks,
): ElectrodeOrder {
  const at = beat && marksOf(beat, marks);
  if (beat === undefined || at === undefined) return USUAL_ORDER;
  const indexOf = (name: string): number =>
    leads.findIndex((lead) => lead.isShapeKnown && lead.name === `MDC_ECG_LEAD_${name}`);
  const beatOn = (index: number): LeadBeat | undefined =>
    index < 0 ? undefined : leadBeat(beat.leads[index] as Float64Array, at, beat.sampleRateHz);
  const [oneIndex, twoIndex] = [indexOf('I'), indexOf('II')];
  const [one, two] = [beatOn(oneIndex), beatOn(twoIndex)];
  const chest = Array.from({ length: CHEST_COUNT }, (_, i) => beatOn(indexOf(`V${i + 1}`)));
  const exchanged = chest.every((lead) => lead !== undefined) ? chestExchange(chest) : undefined;
  const [other, last] = exchanged?.electrodes ?? [];
  const limb = one &&
    two && {
      one,
      two,
      side: chest[(last === CHEST_COUNT && other !== undefined ? other : CHEST_COUNT) - 1] ?? chest[4],
      isCalibrated: [oneIndex, twoIndex].every(
        (index) => leads[index]?.isCalibrated && leads[index]?.isScaleKnown,
      ),
      isWide: at.end - at.onset >= (WIDE_QRS_MS / 1000) * beat.sampleRateHz,
    };
  return { limb: limb && limbExchange(limb), chest: exchanged };
}
