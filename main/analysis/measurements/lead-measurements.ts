// What is measured on each lead of the median beat: the heights of P and T, the deflections of QRS, and the level of
// the ST segment. All of it against the level right before QRS. Analysis reference, sections 7 and 9.

import type { LeadQuality, Measurements } from '../../../shared/analysis-result.ts';
import { mean } from '../../../shared/signal/statistics.ts';
import type { LeadFacts } from '../signal/lead-signals.ts';
import { isMeasurable, type QualityReport } from '../signal/quality.ts';
import type { Marks } from '../waves/median-marks.ts';
import { derivedLimbLeads } from './derived-limb-leads.ts';
import { type Deflection, deflectionsOf, levelBefore } from './lead-deflections.ts';
import type { MedianBeat } from './median-beat.ts';

/** Heights and durations of one lead. What is below the line is negative. */
export interface LeadMeasurements {
  /** The deflections of QRS, in order. */
  readonly deflections: readonly Deflection[];
  /** Level where QRS ends on this lead, and so long behind it. */
  readonly jMv: number;
  readonly j20Mv: number;
  readonly j60Mv: number;
  readonly j80Mv: number;
  /** The highest and lowest place of T; absent where T has no end. */
  readonly tMaxMv?: number;
  readonly tMinMv?: number;
  /** The highest and lowest place of P against the level before it; absent where P was not measured. */
  readonly pMaxMv?: number;
  readonly pMinMv?: number;
  /** How long the last part of P lies below the line, 0 where it does not. */
  readonly pTerminalMs?: number;
}

/** A single sample says less than the mean around it. */
const SMOOTH_MS = 6;
/** T is looked for behind this, where ST has been. */
const T_FROM_J_MS = 60;
/** Fewer beats average out too little noise. */
const MIN_BEATS = 3;

/** One lead of the median beat, in milliseconds. */
class Trace {
  readonly #lead: Float64Array;
  readonly #samplesPerMs: number;

  constructor(lead: Float64Array, sampleRateHz: number) {
    this.#lead = lead;
    this.#samplesPerMs = sampleRateHz / 1000;
  }

  levelBefore(sample: number): number {
    return levelBefore(this.#lead, sample, 1000 * this.#samplesPerMs);
  }

  /** The mean around a place so long behind a sample. */
  at(sample: number, ms: number): number {
    const middle = Math.round(sample + ms * this.#samplesPerMs);
    const half = Math.round((SMOOTH_MS / 2) * this.#samplesPerMs);
    return mean(this.#lead.subarray(Math.max(0, middle - half), middle + half + 1)) ?? Number.NaN;
  }

  /** The highest and the lowest place of a stretch, against a level. */
  extremes(from: number, to: number, level: number): readonly [max: number, min: number] {
    let [max, min] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let i = Math.round(from); i < Math.round(to); i++) {
      const value = this.at(i, 0) - level;
      max = Math.max(max, value);
      min = Math.min(min, value);
    }
    return [max, min];
  }

  /** How long the stretch that ends in `to` lies below a level. */
  lastBelowMs(from: number, to: number, level: number): number {
    let last = Math.round(to) - 1;
    while (last > from && this.at(last, 0) >= level) last--;
    let first = last;
    while (first > from && this.at(first, 0) < level) first--;
    return (last - first) / this.#samplesPerMs;
  }
}

type Measured = Omit<LeadMeasurements, 'deflections'>;

/** None where P begins on T of the beat before: there is no line to measure it against, unless a person says so. */
function pHeights(
  trace: Trace,
  { pOnset, pOffset, tEnd, isPStated = false }: Marks,
  rrSamples: number,
): Partial<Measured> {
  if (pOnset === undefined || pOffset === undefined) return {};
  if (!isPStated && tEnd !== undefined && pOnset + rrSamples < tEnd) return {};
  const level = trace.levelBefore(pOnset);
  const [pMaxMv, pMinMv] = trace.extremes(pOnset, pOffset, level);
  return { pMaxMv, pMinMv, pTerminalMs: trace.lastBelowMs(pOnset, pOffset, level) };
}

/** @param j where QRS ends on this lead */
function measureTrace(
  trace: Trace,
  onset: number,
  j: number,
  marks: Marks,
  { sampleRateHz, rrMs }: MedianBeat,
): Measured {
  const samplesPerMs = sampleRateHz / 1000;
  const level = trace.levelBefore(onset);
  const after = (ms: number): number => trace.at(j, ms) - level;
  const tFrom = j + T_FROM_J_MS * samplesPerMs;
  const hasT = marks.tEnd !== undefined && marks.tEnd > tFrom;
  const [tMaxMv, tMinMv] = hasT ? trace.extremes(tFrom, marks.tEnd, level) : [];
  return {
    jMv: after(0),
    j20Mv: after(20),
    j60Mv: after(60),
    j80Mv: after(80),
    ...(tMaxMv !== undefined && tMinMv !== undefined && { tMaxMv, tMinMv }),
    ...pHeights(trace, marks, rrMs * samplesPerMs),
  };
}

export interface LeadMeasurementInput {
  readonly leads: readonly LeadFacts[];
  readonly beat: MedianBeat | undefined;
  readonly marks: Marks;
  /** Where QRS ends on each lead, in samples of the median beat; undefined where it is not known. */
  readonly qrsEndOf: (lead: number) => number | undefined;
  readonly quality: QualityReport;
}

/** By the names of those leads whose heights can be trusted; empty where QRS has no marks. */
export function measureLeads({
  leads,
  beat,
  marks,
  qrsEndOf,
  quality,
}: LeadMeasurementInput): Map<string, LeadMeasurements> {
  const byLead = new Map<string, LeadMeasurements>();
  const { qrsOnset, qrsOffset } = marks;
  if (beat === undefined || beat.memberCount < MIN_BEATS) return byLead;
  if (qrsOnset === undefined || qrsOffset === undefined) return byLead;
  const measure = (name: string, lead: Float64Array, j: number): void => {
    const trace = new Trace(lead, beat.sampleRateHz);
    byLead.set(name, {
      deflections: deflectionsOf(lead, Math.round(qrsOnset), Math.round(j), beat.sampleRateHz),
      ...measureTrace(trace, Math.round(qrsOnset), j, marks, beat),
    });
  };
  const isUsable = (index: number): boolean => isMeasurable(quality.leads[index] as LeadQuality);
  for (const [index, { name, isStandard, isCalibrated, isScaleKnown }] of leads.entries()) {
    if (!isStandard || !isCalibrated || !isScaleKnown || !isUsable(index)) continue;
    measure(name, beat.leads[index] as Float64Array, Math.max(qrsOffset, qrsEndOf(index) ?? qrsOffset));
  }
  for (const { name, samples } of derivedLimbLeads(leads, beat, isUsable)) measure(name, samples, qrsOffset);
  return byLead;
}

const thousandths = (mv: number): number => Math.round(1000 * mv) / 1000;

type Heights = NonNullable<Measurements['leads']>[string];

function storedHeights({ deflections, ...heights }: LeadMeasurements): Heights {
  const names = ['pMaxMv', 'pMinMv', 'tMaxMv', 'tMinMv'] as const;
  const known = names.flatMap((name) => {
    const value = heights[name];
    return value === undefined ? [] : [[name, thousandths(value)] as const];
  });
  const qrs = deflections.map(({ peakMv, peakMs, durationMs }) => ({
    peakMv: thousandths(peakMv),
    peakMs,
    durationMs,
  }));
  return { ...Object.fromEntries(known), qrs };
}

/** As a result holds them; nothing where no lead has any. */
export function storedLeadMeasurements(
  byLead: ReadonlyMap<string, LeadMeasurements>,
): Pick<Measurements, 'leads' | 'st'> {
  if (byLead.size === 0) return {};
  const st = [...byLead].map(([lead, { jMv, j60Mv, j80Mv }]) => [
    lead,
    {
      jMv: thousandths(jMv),
      j60Mv: thousandths(j60Mv),
      j80Mv: thousandths(j80Mv),
      slopeMvPerS: thousandths((j60Mv - jMv) / 0.06),
    },
  ]);
  return {
    leads: Object.fromEntries([...byLead].map(([lead, measured]) => [lead, storedHeights(measured)])),
    st: Object.fromEntries(st),
  };
}
