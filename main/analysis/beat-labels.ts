// First version of the beat classes: beats are grouped by shape; a group that differs from the dominant one
// and comes early is ventricular, an early beat of the dominant shape is supraventricular. Analysis
// reference, section 5 (steps 2, 3, 5 and 6 in short form; fusion and adaptation per recording are still to
// come there).

import type { Beat, BeatLabel } from '../../shared/analysis-result.ts';
import { median } from '../../shared/signal/statistics.ts';
import { type BeatShapes, cutShapes, shapeArea, shapeCorrelation, shapeWidth } from './beat-shape.ts';
import type { LeadSet } from './lead-signals.ts';

const SAME_SHAPE = 0.85;
const VENTRICULAR_CORRELATION = 0.8;
/** A beat this much narrower than the usual one does not come from the ventricles. */
const NARROW_SHARE = 0.6;
const MAX_GROUPS = 40;
const EARLY_GROUP_SHARE = 0.4;
const EARLY_VENTRICULAR = 0.9;
const EARLY_SUPRAVENTRICULAR = 0.85;
const NEIGHBOURS = 6;
/** Above this scatter of R-R (median |ΔRR| / median RR) "early" means nothing: atrial fibrillation. */
export const IRREGULAR = 0.08;

interface Group {
  template: Float32Array;
  readonly members: number[];
}

function groupByShape(shapes: BeatShapes, isWhole: readonly boolean[]): Group[] {
  const groups: Group[] = [];
  for (const [index, row] of shapes.rows.entries()) {
    if (!isWhole[index]) continue;
    let best: Group | undefined;
    let bestCorrelation = SAME_SHAPE;
    for (const group of groups) {
      const correlation = shapeCorrelation(shapes, row, group.template);
      if (correlation > bestCorrelation) {
        best = group;
        bestCorrelation = correlation;
      }
    }
    if (best === undefined && groups.length < MAX_GROUPS)
      groups.push({ template: Float32Array.from(row), members: [index] });
    else if (best === undefined) groups[0]?.members.push(index);
    else {
      best.members.push(index);
      const weight = Math.max(1 / best.members.length, 0.05);
      best.template = best.template.map((value, k) => value + weight * ((row[k] as number) - value));
    }
  }
  return groups;
}

/**
 * R-R before each beat divided by the usual one around it: the median, over twelve neighbours, of half the
 * time between a beat's two neighbours. In bigeminy, where short and long intervals take turns, the median of
 * single ones would be one of the two.
 */
export function prematurity(samples: readonly number[]): Float64Array {
  const ratios = new Float64Array(samples.length).fill(1);
  for (let i = 1; i < samples.length; i++) {
    const around: number[] = [];
    for (let k = Math.max(1, i - NEIGHBOURS); k <= Math.min(samples.length - 2, i + NEIGHBOURS); k++)
      around.push(((samples[k + 1] as number) - (samples[k - 1] as number)) / 2);
    const usual = median(around) ?? 0;
    if (usual > 0) ratios[i] = ((samples[i] as number) - (samples[i - 1] as number)) / usual;
  }
  return ratios;
}

/**
 * Scatter of successive R-R that single ectopic beats don't move: median |ΔRR| / median RR (analysis
 * reference, 8.2). Intervals that touch a ventricular beat are left out.
 */
export function irregularity(samples: readonly number[], labels: readonly BeatLabel[]): number {
  const intervals: number[] = [];
  const changes: number[] = [];
  let previous: number | undefined;
  for (let i = 1; i < samples.length; i++) {
    const isConducted = labels[i] !== 'V' && labels[i - 1] !== 'V';
    const interval = (samples[i] as number) - (samples[i - 1] as number);
    if (isConducted) intervals.push(interval);
    if (isConducted && previous !== undefined) changes.push(Math.abs(interval - previous));
    previous = isConducted ? interval : undefined;
  }
  return (median(changes) ?? 0) / (median(intervals) ?? 1);
}

/**
 * @param isIrregular where all intervals are irregular, early beats that are a little different are conducted
 * with aberration more often than not (Ashman's phenomenon): only a wholly different shape counts as
 * ventricular then.
 */
function isVentricularGroup(
  group: Group,
  dominant: Group,
  shapes: BeatShapes,
  early: Float64Array,
  isIrregular: boolean,
): boolean {
  if (group === dominant) return false;
  const correlation = shapeCorrelation(shapes, group.template, dominant.template);
  if (correlation >= VENTRICULAR_CORRELATION) return false;
  const width = shapeWidth(shapes, group.template);
  const dominantWidth = shapeWidth(shapes, dominant.template);
  if (width < NARROW_SHARE * dominantWidth) return false;
  const isWide = width > dominantWidth + 1;
  const isLarge = shapeArea(group.template) > 1.25 * shapeArea(dominant.template);
  const earlyShare =
    group.members.filter((member) => (early[member] as number) < EARLY_VENTRICULAR).length /
    group.members.length;
  const isDifferent = correlation < 0.5 || (!isIrregular && (isWide || isLarge));
  return isDifferent && earlyShare > EARLY_GROUP_SHARE;
}

export interface LabelledBeats {
  readonly beats: readonly Beat[];
  /** Indices into `beats` of those with the dominant shape. */
  readonly dominant: readonly number[];
}

/** A beat this near to an end or a gap does not show its whole shape; it has no class. */
const ROOM_SECONDS = 0.16;

function hasRoom(set: LeadSet, sample: number): boolean {
  const room = ROOM_SECONDS * set.sampleRateHz;
  if (sample < room || sample >= set.sampleCount - room) return false;
  return !set.gaps.some(([start, end]) => sample > start - room && sample < end + room);
}

/** @param isSteady one a beat: false where it has no shape to go by */
export function labelBeats(
  set: LeadSet,
  samples: readonly number[],
  isSteady: readonly boolean[],
): LabelledBeats {
  const isWhole = samples.map((sample, index) => isSteady[index] === true && hasRoom(set, sample));
  if (!isWhole.includes(true))
    return { beats: samples.map((sample) => ({ sample, label: 'Q' })), dominant: [] };
  const shapes = cutShapes(set, samples);
  const groups = groupByShape(shapes, isWhole);
  const early = prematurity(samples);
  const earlyShare = (group: Group): number =>
    group.members.filter((member) => (early[member] as number) < EARLY_VENTRICULAR).length /
    group.members.length;
  const dominant = groups.reduce((best, group) =>
    group.members.length * (1 - earlyShare(group)) > best.members.length * (1 - earlyShare(best))
      ? group
      : best,
  );
  const labels = isWhole.map((whole): BeatLabel => (whole ? 'N' : 'Q'));
  // Between beats of the usual shape alone: single ectopic beats make no rhythm irregular.
  const isUsual = new Set(dominant.members);
  const usual = samples.map((_, index): BeatLabel => (isUsual.has(index) ? 'N' : 'V'));
  const isIrregular = irregularity(samples, usual) > IRREGULAR;
  for (const group of groups) {
    if (!isVentricularGroup(group, dominant, shapes, early, isIrregular)) continue;
    for (const member of group.members) labels[member] = 'V';
  }
  if (irregularity(samples, labels) <= IRREGULAR) {
    for (const member of dominant.members) {
      const followsPause = member > 0 && labels[member - 1] === 'V';
      if ((early[member] as number) < EARLY_SUPRAVENTRICULAR && !followsPause) labels[member] = 'S';
    }
  }
  return {
    beats: samples.map((sample, index) => ({ sample, label: labels[index] as BeatLabel })),
    dominant: dominant.members.filter((member) => labels[member] === 'N'),
  };
}
