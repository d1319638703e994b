// The first look at a recording, section after section: how good the signal is, where beats may be, where the
// ventricles fibrillate or the line is still. What needs the whole is decided after (`find-beats.ts`).

import { median } from '../../../shared/signal/statistics.ts';
import { leadsForShapes } from '../signal/lead-choice.ts';
import { fromCoarse, type LeadReader, type LeadSet } from '../signal/lead-signals.ts';
import { judgeWindow, type QualityReport, QualityTally, type TalliedQuality } from '../signal/quality.ts';
import { partsOf, type Section } from '../signal/sections.ts';
import { appendRange, type Range, type TimeBase } from '../signal/time-base.ts';
import { lineLengths } from '../signal/unread-stretches.ts';
import { type Gatherer, type Waypoints, walk } from '../signal/walk.ts';
import { findStillSeconds } from './asystole.ts';
import { detectQrs, meanWeight } from './qrs-detection.ts';
import { judgeWaveWindows, stretchesOfWaves, type WaveWindow } from './ventricular-waves.ts';

export interface SignalScan {
  readonly time: TimeBase;
  readonly quality: QualityReport;
  /** Peaks of the detector's envelope at which beats were found and verified, in order. */
  readonly peaks: readonly number[];
  /** Median of the envelope, which is 1 at a typical beat. */
  readonly floor: number;
  /** The same minute by minute. */
  readonly parts: readonly SignalPart[];
  /** One a lead: how much it says, over the whole. */
  readonly leadWeights: readonly number[];
  /** Index of the lead that says most. */
  readonly bestLead: number;
  /** Indices of the leads that beats are compared on. */
  readonly shapeLeads: readonly number[];
  /** One a lead: typical range of a QRS in millivolts. Absent where there are too few beats. */
  readonly sizes: readonly number[] | undefined;
  /** Stretches that look like fibrillation of the ventricles. */
  readonly waves: readonly Range[];
  /** How long the line of all leads is in each second. */
  readonly lineLengths: readonly number[];
  /** First sample of each second in which the line is still. */
  readonly stillSeconds: readonly number[];
}

export interface SignalPart {
  /** [start, end) of the recording. */
  readonly range: Range;
  readonly floor: number;
}

/** A day has twenty million values: sorting every twentieth tells the middle as well. */
const MOST_SORTED = 1_000_000;

/** One value a lead: the median over the sections that have one, and it is not 0. */
function middleOfEach(ofSections: readonly (readonly (number | undefined)[])[]): number[] | undefined {
  return ofSections[0]?.map((_, lead) => {
    const known = ofSections.map((values) => values[lead] ?? 0).filter((value) => value > 0);
    return median(known) ?? 0;
  });
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** What the sections so far showed. */
interface Scanned {
  readonly quality: TalliedQuality;
  readonly peaks: number[];
  readonly floors: Float32Array[];
  readonly parts: SignalPart[];
  readonly weightSums: Float64Array;
  readonly sizes: (readonly (number | undefined)[])[];
  readonly waves: WaveWindow[];
  readonly stillSeconds: number[];
  readonly lineLengths: number[];
  readonly gaps: [number, number][];
  blocks: number;
}

/** What sections add up to. */
class Scan implements Gatherer<Scanned> {
  readonly #reader: LeadReader;
  readonly #sections: number;
  readonly #quality: QualityTally;
  readonly #stride: number;
  readonly state: Scanned;

  constructor(reader: LeadReader, sections: number, state?: Scanned) {
    this.#reader = reader;
    this.#sections = sections;
    this.#quality = new QualityTally(reader.leads, state?.quality);
    this.#stride = Math.max(1, Math.ceil(reader.sampleCount / MOST_SORTED));
    this.state = state ?? {
      quality: this.#quality.state,
      peaks: [],
      floors: [],
      parts: [],
      weightSums: new Float64Array(reader.leads.length),
      sizes: [],
      waves: [],
      stillSeconds: [],
      lineLengths: [],
      gaps: [],
      blocks: 0,
    };
  }

  add(section: Section): void {
    const { core, reach } = section;
    const set = this.#reader.window(...reach);
    const { state } = this;
    const shift = set.startSample;
    const [start, end] = [core[0] - shift, core[1] - shift];
    const isInside = (sample: number): boolean => sample >= start && sample < end;
    const within = (ranges: readonly Range[], into: [number, number][]): void => {
      for (const [from, to] of ranges)
        if (from < end && to > start)
          appendRange(into, [Math.max(from, start) + shift, Math.min(to, end) + shift]);
    };
    const quality = judgeWindow(set);
    const { blockSamples, count } = quality.grid;
    const [firstBlock, endBlock] = [
      Math.round(start / blockSamples),
      end === set.sampleCount ? count : Math.round(end / blockSamples),
    ];
    this.#quality.add(quality, firstBlock, endBlock);
    const { coarse } = set;
    const { beats, fused, blockWeights, sizes } = detectQrs(coarse, quality, this.#sections);
    const peaks = beats.map(({ sample }) => fromCoarse(sample, coarse));
    state.peaks.push(...peaks.filter(isInside).map((sample) => sample + shift));
    for (const range of partsOf(section, this.#reader.sampleRateHz)) this.#addFloor(range, fused, set);
    for (const [lead, weights] of blockWeights.entries())
      state.weightSums[lead] =
        (state.weightSums[lead] as number) +
        meanWeight(weights.subarray(firstBlock, endBlock)) * (endBlock - firstBlock);
    state.blocks += endBlock - firstBlock;
    if (sizes !== undefined) state.sizes.push(sizes);
    for (const { startSample, verdict } of judgeWaveWindows(set))
      if (isInside(startSample)) state.waves.push({ startSample: startSample + shift, verdict });
    within(set.gaps, state.gaps);
    state.lineLengths.push(...lineLengths(set, core));
    state.stillSeconds.push(
      ...findStillSeconds(set)
        .filter(isInside)
        .map((sample) => sample + shift),
    );
  }

  #addFloor(range: Range, fused: Float32Array, { startSample, coarse: { step } }: LeadSet): void {
    const at = (sample: number): number => Math.floor((sample - startSample) / step);
    const [from, to] = [at(range[0]), at(range[1])];
    const floors = new Float32Array(Math.ceil((to - from) / this.#stride));
    for (let k = 0; k < floors.length; k++) floors[k] = fused[from + k * this.#stride] as number;
    this.state.floors.push(floors);
    this.state.parts.push({ range, floor: median(floors) ?? 0 });
  }

  finish(): SignalScan {
    const { sampleRateHz, sampleCount } = this.#reader;
    const { state } = this;
    const leadWeights = Array.from(state.weightSums, (sum) => sum / Math.max(1, state.blocks));
    const quality = this.#quality.report({ sampleRateHz, sampleCount });
    return {
      time: { sampleRateHz, sampleCount, gaps: state.gaps },
      quality,
      peaks: quality.grade === 'poor' ? [] : state.peaks,
      floor: median(joined(state.floors)) ?? 0,
      parts: state.parts,
      leadWeights,
      bestLead: leadWeights.reduce(
        (best, weight, lead) => (weight > (leadWeights[best] ?? -1) ? lead : best),
        0,
      ),
      shapeLeads: leadsForShapes(leadWeights, this.#sections),
      sizes: middleOfEach(state.sizes),
      waves: stretchesOfWaves(state.waves, { sampleRateHz, sampleCount }),
      lineLengths: state.lineLengths,
      stillSeconds: state.stillSeconds,
    };
  }
}

/** @param onSection hears of each one that is done */
export function scanSignal(
  reader: LeadReader,
  sections: readonly Section[],
  onSection: (section: Section) => void = () => undefined,
  waypoints?: Waypoints,
): SignalScan {
  return walk<Scanned, Scan>({
    name: 'scan',
    sections,
    waypoints,
    onSection,
    begin: (state) => new Scan(reader, sections.length, state),
  }).finish();
}
