// Signal quality per lead and two-second block, and the grade of the whole. Limits: analysis reference,
// section 3.

import type { LeadQuality, QualityFlag } from '../../shared/analysis-result.ts';
import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import { type BlockGrid, blockGrid, blockRange } from './blocks.ts';
import type { LeadSet, LeadSignal } from './lead-signals.ts';

const FLAT_RANGE_MV = 0.02;
const LIMIT_MV = 10;
/** Of what lies below 1 Hz. */
const WANDER_RANGE_MV = 4;
const WANDER_HZ = 1;
const HF_CUTOFF_HZ = 40;
const HF_BAD_RMS_MV = 0.12;
const MAX_INVALID_SHARE = 0.1;
const GOOD_SHARE = 0.9;
const FAIR_SHARE = 0.6;

export interface QualityReport {
  readonly leads: readonly LeadQuality[];
  readonly grade: LeadQuality['grade'];
  readonly grid: BlockGrid;
  /** One array a lead, 1 = the block is not usable. */
  readonly badBlocks: readonly Uint8Array[];
}

/**
 * The 70th percentile-like RMS outside QRS: the lower 80 % of the squared values, so that QRS edges don't
 * count as noise.
 */
function highFrequencyRms(hf: Float64Array, start: number, end: number): number {
  const squares = Float64Array.from(hf.subarray(start, end), (value) => value * value).sort();
  const kept = Math.max(1, Math.floor(0.8 * squares.length));
  let sum = 0;
  for (let i = 0; i < kept; i++) sum += squares[i] as number;
  return Math.sqrt(sum / kept);
}

function rangeOf(values: Float64Array, start: number, end: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = start; i < end; i++) {
    low = Math.min(low, values[i] as number);
    high = Math.max(high, values[i] as number);
  }
  return high - low;
}

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
  if (lead.isCalibrated && rangeOf(wander, start, end) > WANDER_RANGE_MV) flags.push('baseline');
  if (lead.isCalibrated && hf !== undefined && highFrequencyRms(hf, start, end) > HF_BAD_RMS_MV)
    flags.push('noise');
  return flags;
}

function gradeOf(usableShare: number): LeadQuality['grade'] {
  if (usableShare >= GOOD_SHARE) return 'good';
  return usableShare >= FAIR_SHARE ? 'fair' : 'poor';
}

export function assessQuality(set: LeadSet): QualityReport {
  const grid = blockGrid(set.sampleCount, set.sampleRateHz);
  const badBlocks: Uint8Array[] = [];
  const leads = set.leads.map((lead): LeadQuality => {
    // Below 100 Hz nothing above 40 Hz is left to judge.
    const hf =
      set.sampleRateHz < 100
        ? undefined
        : filterZeroPhase(lead.mv, [highPass(HF_CUTOFF_HZ, set.sampleRateHz)], set.sampleRateHz);
    const wander = filterZeroPhase(lead.mv, [lowPass(WANDER_HZ, set.sampleRateHz)], set.sampleRateHz);
    const bad = new Uint8Array(grid.count);
    const flags = new Set<QualityFlag>(lead.isCalibrated ? [] : ['uncalibrated']);
    for (let block = 0; block < grid.count; block++) {
      const [start, end] = blockRange(grid, block, set.sampleCount);
      const found = judgeBlock(lead, wander, hf, start, end);
      if (found.length > 0) bad[block] = 1;
      for (const flag of found) flags.add(flag);
    }
    badBlocks.push(bad);
    const usableShare = 1 - bad.reduce((sum, value) => sum + value, 0) / grid.count;
    return {
      lead: lead.name,
      grade: gradeOf(usableShare),
      usableShare: Math.round(1000 * usableShare) / 1000,
      flags: [...flags].sort(),
    };
  });
  const goodLeads = leads.filter((lead) => lead.grade === 'good').length;
  const isAnyUsable = leads.some((lead) => lead.usableShare * set.sampleCount >= 5 * set.sampleRateHz);
  const grade = !isAnyUsable ? 'poor' : goodLeads >= 0.75 * leads.length ? 'good' : 'fair';
  return { leads, grade, grid, badBlocks };
}
