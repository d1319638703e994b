// The median beat: what the dominant beat looks like on every lead with the noise averaged out. Analysis
// reference, section 6.1.

import { filterZeroPhase, highPass } from '../../../shared/signal/butterworth.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { median, rangeOf } from '../../../shared/signal/statistics.ts';
import type { LeadReader, LeadSet, LeadSignal } from '../signal/lead-signals.ts';
import { FLAT_RANGE_MV } from '../signal/quality.ts';
import type { Section } from '../signal/sections.ts';
import { touches } from '../signal/time-base.ts';

const BEFORE_MS = 350;
const MAX_AFTER_MS = 900;
const RR_TOLERANCE = 0.15;
const BASELINE_HZ = 0.5;
const ALIGN_MS = 20;
/** More members don't make the median better, only slower. */
const MAX_MEMBERS = 200;
/** A long recording is read in so many sections, evenly spread. */
const MAX_SECTIONS = 20;

export interface MedianBeat {
  readonly sampleRateHz: number;
  /** Position of the R peak in each array. */
  readonly fiducial: number;
  readonly rrMs: number;
  readonly memberCount: number;
  /** One array a lead, millivolts, baseline removed. */
  readonly leads: readonly Float64Array[];
}

/** Dominant beats whose own R-R is near the median. */
function regularBeats(samples: readonly number[], dominant: readonly number[], rr: number): number[] {
  return dominant.filter((index) => {
    const before = index > 0 ? (samples[index] as number) - (samples[index - 1] as number) : rr;
    return Math.abs(before - rr) <= RR_TOLERANCE * rr;
  });
}

/** So many of them, spread evenly. */
function spread<T>(values: readonly T[], count: number): T[] {
  const stride = Math.max(1, values.length / count);
  return Array.from(
    { length: Math.min(values.length, count) },
    (_, k) => values[Math.floor(k * stride)] as T,
  );
}

/**
 * Moves a member by up to ±20 ms to where it fits the reference best. @param reference ± 60 ms around its
 * fiducial
 */
function align(signal: Float64Array, member: number, reference: Float64Array, reach: number): number {
  const half = (reference.length - 1) / 2;
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let shift = -reach; shift <= reach; shift++) {
    let score = 0;
    for (let k = -half; k <= half; k++)
      score += (reference[half + k] as number) * (signal[member + shift + k] ?? 0);
    if (score > bestScore) {
      bestScore = score;
      best = shift;
    }
  }
  return member + best;
}

interface MedianInput {
  readonly reader: LeadReader;
  readonly sections: readonly MeasuredSection[];
  readonly samples: readonly number[];
  /** The lead that members are aligned on. */
  readonly bestLead: number;
}

/** A section whose beats are measured. */
export interface MeasuredSection extends Section {
  /** Its dominant beats, as indices into all beats. */
  readonly dominant: readonly number[];
}

/** The sections that have dominant beats, evenly spread. */
export function measuredSections(
  sections: readonly Section[],
  samples: readonly number[],
  dominant: readonly number[],
): MeasuredSection[] {
  const places = dominant.map((index) => samples[index] as number);
  const withBeats = sections.flatMap((section) => {
    const within = dominant.slice(firstFrom(places, section.core[0]), firstFrom(places, section.core[1]));
    return within.length === 0 ? [] : [{ ...section, dominant: within }];
  });
  return spread(withBeats, MAX_SECTIONS);
}

/** A lead whose electrode is off for a while, or whose samples are missing, has no beats there: they would make its own smaller. */
function wasRead({ mv, invalid, isCalibrated }: LeadSignal, from: number, to: number): boolean {
  if (invalid.subarray(from, to).includes(1)) return false;
  const range = rangeOf(mv, from, to);
  return isCalibrated ? range >= FLAT_RANGE_MV : range > 0;
}

/** Cuts members out of windows, and keeps them until there are enough. */
class Members {
  readonly #rr: number;
  readonly #before: number;
  readonly #after: number;
  readonly #slack: number;
  readonly #half: number;
  readonly #bestLead: number;
  #reference: Float64Array | undefined;
  /** One row a lead for each member. */
  readonly rows: Float64Array[][] = [];
  /** For each member, which leads were read there. */
  readonly #isRead: boolean[][] = [];
  /** How far each member was moved from its R. */
  readonly #shifts: number[] = [];

  constructor(rr: number, sampleRateHz: number, bestLead: number) {
    this.#rr = rr;
    this.#before = Math.round((BEFORE_MS / 1000) * sampleRateHz);
    this.#after = Math.round(
      Math.min((MAX_AFTER_MS / 1000) * sampleRateHz, Math.max(0.45 * sampleRateHz, 0.7 * rr)),
    );
    this.#slack = Math.ceil((ALIGN_MS / 1000) * sampleRateHz);
    this.#half = Math.round(0.06 * sampleRateHz);
    this.#bestLead = bestLead;
  }

  #isUsable({ sampleCount, gaps }: LeadSet, sample: number): boolean {
    const [before, after] = [this.#before, this.#after];
    return (
      sample - before - this.#slack >= 0 &&
      sample + after + this.#slack < sampleCount &&
      !touches(gaps, sample - before, sample + after)
    );
  }

  /** @param samples of all beats @param dominant indices of those of this section @param atMost so many are taken */
  add(set: LeadSet, samples: readonly number[], dominant: readonly number[], atMost: number): void {
    const { sampleRateHz: fs } = set;
    const at = (index: number): number => (samples[index] as number) - set.startSample;
    const regular = regularBeats(samples, dominant, this.#rr).filter((index) =>
      this.#isUsable(set, at(index)),
    );
    const usable = regular.length >= 3 ? regular : dominant.filter((index) => this.#isUsable(set, at(index)));
    const members = spread(usable, atMost).map(at);
    if (members.length === 0) return;
    const steady = set.leads.map((lead) => filterZeroPhase(lead.mv, [highPass(BASELINE_HZ, fs)], 2 * fs));
    const best = steady[this.#bestLead] as Float64Array;
    const first = members[0] as number;
    this.#reference ??= Float64Array.from(
      { length: 2 * this.#half + 1 },
      (_, k) => best[first - this.#half + k] ?? 0,
    );
    for (const member of members) {
      const aligned = align(best, member, this.#reference, Math.round((ALIGN_MS / 1000) * fs));
      if (!this.#isUsable(set, aligned)) continue;
      const [from, to] = [aligned - this.#before, aligned + this.#after + 1];
      this.#shifts.push(aligned - member);
      this.rows.push(steady.map((signal) => signal.slice(from, to)));
      this.#isRead.push(set.leads.map((lead) => wasRead(lead, from, to)));
    }
  }

  /** The rows of a lead: those where it was read, or all where it never was. */
  of(lead: number): Float64Array[] {
    const all = this.rows.map((rows) => rows[lead] as Float64Array);
    const read = all.filter((_, member) => this.#isRead[member]?.[lead] === true);
    return read.length === 0 ? all : read;
  }

  /** Where R is in the rows; in that of the first member, its R may have been put aside. */
  get fiducial(): number {
    return this.#before - Math.round(median(this.#shifts) ?? 0);
  }
}

/** @returns undefined where no dominant beat lies wholly inside the recording. */
export function buildMedianBeat({
  reader,
  sections,
  samples,
  bestLead,
}: MedianInput): MedianBeat | undefined {
  const fs = reader.sampleRateHz;
  const rr = median(samples.slice(1).map((sample, index) => sample - (samples[index] as number)));
  if (rr === undefined) return undefined;
  const members = new Members(rr, fs, bestLead);
  for (const { reach, dominant } of sections)
    members.add(reader.window(...reach), samples, dominant, Math.ceil(MAX_MEMBERS / sections.length));
  const [first] = members.rows;
  if (first === undefined) return undefined;
  const leads = first.map((row, lead) => {
    const rows = members.of(lead);
    const column = new Float64Array(rows.length);
    return Float64Array.from(row, (_, k) => {
      for (const [member, one] of rows.entries()) column[member] = one[k] as number;
      return median(column) ?? 0;
    });
  });
  return {
    sampleRateHz: fs,
    fiducial: members.fiducial,
    rrMs: (1000 * rr) / fs,
    memberCount: members.rows.length,
    leads,
  };
}
