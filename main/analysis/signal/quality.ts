// Signal quality per lead and two-second block, and the grade of the whole. Limits: analysis reference,
// section 3.

import type { LeadQuality, QualityFlag } from '../../../shared/analysis-result.ts';
import { meanOfSmallest, rangeOf } from '../../../shared/signal/statistics.ts';
import { type BlockGrid, blockGrid, blockRange } from './blocks.ts';
import { bandOf } from './lead-bands.ts';
import type { LeadFacts, LeadSet, LeadSignal } from './lead-signals.ts';
import type { TimeBase } from './time-base.ts';

/** A lead that moves less has no signal. */
export const FLAT_RANGE_MV = 0.02;
const LIMIT_MV = 10;
/** The most that the line may wander below 1 Hz. */
const WANDER_RANGE_MV = 4;
const WANDER_HZ = 1;
/** What is above is no part of a beat but its noise. */
export const HF_CUTOFF_HZ = 40;
const HF_BAD_RMS_MV = 0.12;
const MAX_INVALID_SHARE = 0.1;
const GOOD_SHARE = 0.9;
const FAIR_SHARE = 0.6;

/** What is wrong in each block of a window; one list of blocks a lead. */
export interface WindowQuality {
  readonly grid: BlockGrid;
  readonly flags: readonly (readonly (readonly QualityFlag[])[])[];
}

/** Whether heights and areas may be measured on a lead. */
export const isMeasurable = ({ grade, flags }: LeadQuality): boolean =>
  grade !== 'poor' && !flags.includes('flat');

export interface QualityReport {
  readonly leads: readonly LeadQuality[];
  readonly grade: LeadQuality['grade'];
}

/** The lowest of the squared values; the rest are edges of QRS, which are not noise. */
const NOISE_SHARE = 0.8;

/** Whether the RMS outside QRS is above the limit. It cannot be where that share of the values is below it. */
function isNoisy(hf: Float64Array): boolean {
  let below = 0;
  for (let i = 0; i < hf.length; i++) if (Math.abs(hf[i] as number) <= HF_BAD_RMS_MV) below++;
  if (below >= NOISE_SHARE * hf.length) return false;
  return (
    meanOfSmallest(
      hf.map((value) => value * value),
      NOISE_SHARE,
    ) >
    HF_BAD_RMS_MV ** 2
  );
}

/** @param wander and @param hf of the block alone, at the coarse rate */
function judgeBlock(
  lead: LeadSignal,
  wander: Float64Array,
  hf: Float64Array | undefined,
  start: number,
  end: number,
): QualityFlag[] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let invalid = 0;
  let saturated = 0;
  for (let i = start; i < end; i++) {
    const value = lead.mv[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
    invalid += lead.invalid[i] as number;
    saturated += lead.saturated[i] as number;
  }
  const flags: QualityFlag[] = [];
  if (invalid > MAX_INVALID_SHARE * (end - start)) flags.push('gap');
  else if (lead.isCalibrated ? max - min < FLAT_RANGE_MV : max === min) flags.push('flat');
  if (
    saturated > 0 ||
    (lead.isCalibrated && Math.max(Math.abs(min), Math.abs(max)) > LIMIT_MV && max - min > LIMIT_MV)
  )
    flags.push('saturated');
  if (lead.isCalibrated && rangeOf(wander, 0, wander.length) > WANDER_RANGE_MV) flags.push('baseline');
  if (lead.isCalibrated && hf !== undefined && isNoisy(hf)) flags.push('noise');
  return flags;
}

function gradeOf(usableShare: number): LeadQuality['grade'] {
  if (usableShare >= GOOD_SHARE) return 'good';
  return usableShare >= FAIR_SHARE ? 'fair' : 'poor';
}

/** Judges every block of a window. */
export function judgeWindow(set: LeadSet): WindowQuality {
  const { sampleCount, coarse } = set;
  const { sampleRateHz: rateHz, step } = coarse;
  const grid = blockGrid(sampleCount, set.sampleRateHz);
  const flags = set.leads.map((lead, index) => {
    // Below 100 Hz nothing above 40 Hz is left to judge.
    const mv = coarse.leads[index]?.mv ?? lead.mv;
    const hf = rateHz < 100 ? undefined : bandOf(mv, { lowHz: HF_CUTOFF_HZ }, rateHz);
    const wander = bandOf(mv, { highHz: WANDER_HZ }, rateHz);
    return Array.from({ length: grid.count }, (_, block) => {
      const [start, end] = blockRange(grid, block, sampleCount);
      const [from, to] = [Math.floor(start / step), Math.floor(end / step)];
      return judgeBlock(lead, wander.subarray(from, to), hf?.subarray(from, to), start, end);
    });
  });
  return { grid, flags };
}

/** One a lead: what was found on it, and in how many blocks. */
export interface TalliedQuality {
  readonly flags: readonly Set<QualityFlag>[];
  readonly bad: Uint32Array;
  blocks: number;
}

/** Sums up the blocks of a recording, section after section. */
export class QualityTally {
  readonly #leads: readonly LeadFacts[];
  readonly state: TalliedQuality;

  /** @param state of a tally that is gone on with */
  constructor(leads: readonly LeadFacts[], state?: TalliedQuality) {
    this.#leads = leads;
    this.state = state ?? {
      flags: leads.map(({ isCalibrated }) => new Set(isCalibrated ? [] : ['uncalibrated'])),
      bad: new Uint32Array(leads.length),
      blocks: 0,
    };
  }

  /** @param from first block that counts @param to the one behind the last */
  add({ flags }: WindowQuality, from: number, to: number): void {
    const { bad, flags: all } = this.state;
    for (const [lead, blocks] of flags.entries())
      for (const found of blocks.slice(from, to)) {
        if (found.length > 0) bad[lead] = (bad[lead] as number) + 1;
        for (const flag of found) all[lead]?.add(flag);
      }
    this.state.blocks += to - from;
  }

  report({ sampleCount, sampleRateHz }: Pick<TimeBase, 'sampleCount' | 'sampleRateHz'>): QualityReport {
    const { bad, flags, blocks } = this.state;
    const shareOf = (lead: number): number => 1 - (bad[lead] as number) / Math.max(1, blocks);
    const leads = this.#leads.map(({ name }, lead): LeadQuality => {
      const usableShare = shareOf(lead);
      return {
        lead: name,
        grade: gradeOf(usableShare),
        usableShare: Math.round(1000 * usableShare) / 1000,
        flags: [...(flags[lead] ?? [])].sort(),
      };
    });
    const goodLeads = leads.filter((lead) => lead.grade === 'good').length;
    const isAnyUsable = leads.some((_, lead) => shareOf(lead) * sampleCount >= 5 * sampleRateHz);
    const grade = !isAnyUsable ? 'poor' : goodLeads >= 0.75 * leads.length ? 'good' : 'fair';
    return { leads, grade };
  }
}
