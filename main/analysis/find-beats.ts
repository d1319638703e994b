// From the first look to the beats: fiducials, what proves a heart, where the ventricles fibrillate, and the
// class of each beat. Beats are proven to be some, and lie outside of fibrillation.

import { findAsystole } from './asystole.ts';
import { BeatClusterer } from './beat-clusters.ts';
import { type BeatGroups, BeatShapeCutter, hasRoom, type LabelledBeats, labelBeats } from './beat-labels.ts';
import {
  type Constraints,
  constrainBeats,
  constrainRanges,
  drawnRanges,
  outsideDrawn,
} from './constraints.ts';
import { REFRACTORY_SECONDS, refineFiducials } from './fiducials.ts';
import { HeartbeatProof } from './heartbeat-proof.ts';
import { type LeadReader, type LeadSet, toCoarse } from './lead-signals.ts';
import type { Section } from './sections.ts';
import type { SignalScan } from './signal-scan.ts';
import { type Range, touches } from './time-base.ts';
import { areRegularBeats } from './ventricular-waves.ts';

/** A beat nearer to the end of the recording than this may be the break of the signal. */
const EDGE_SECONDS = 0.06;

export interface FoundBeats extends LabelledBeats {
  readonly ventricularFibrillation: readonly Range[];
  /** Short runs that look like fibrillation but for their beats. */
  readonly tachycardia: readonly Range[];
  readonly asystole: readonly Range[];
}

const isIn = (ranges: readonly Range[], sample: number): boolean => touches(ranges, sample, sample + 1);

/** Follows the sections, on the leads that beats are compared on; knows the beats so far. */
class BeatFinder {
  readonly #scan: SignalScan;
  readonly #constraints: Constraints;
  /** What looks like fibrillation and is not said to be something else. */
  readonly #waves: readonly Range[];
  readonly #cutter: BeatShapeCutter;
  readonly #proof: HeartbeatProof;
  readonly #clusterer = new BeatClusterer();
  readonly #samples: number[] = [];
  readonly #isWhole: boolean[] = [];
  readonly #isSteady: boolean[] = [];
  readonly #fibrillation: Range[] = [];
  readonly #tachycardia: Range[] = [];
  #nextPeak = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(scan: SignalScan, cutter: BeatShapeCutter, sections: number, constraints: Constraints) {
    this.#scan = scan;
    this.#constraints = constraints;
    this.#waves = outsideDrawn(scan.waves, constraints);
    this.#cutter = cutter;
    this.#proof = new HeartbeatProof(sections);
  }

  /** Fiducials of everything in the window, in its samples. */
  #refine(set: LeadSet): number[] {
    const { peaks, bestLead, shapeLeads, time } = this.#scan;
    const { startSample: shift, sampleCount } = set;
    while ((peaks[this.#nextPeak] ?? Number.POSITIVE_INFINITY) < shift) this.#nextPeak++;
    const within: number[] = [];
    for (let i = this.#nextPeak; i < peaks.length && (peaks[i] as number) < shift + sampleCount; i++)
      within.push((peaks[i] as number) - shift);
    const edge = EDGE_SECONDS * time.sampleRateHz;
    return refineFiducials(
      set.leads[shapeLeads.indexOf(bestLead)]?.mv ?? new Float32Array(0),
      within,
      time.sampleRateHz,
    ).filter(
      (sample) =>
        !isIn(set.gaps, sample) && sample + shift >= edge && sample + shift < time.sampleCount - edge,
    );
  }

  /** Tells short runs from fibrillation, in the stretches that begin in this section. */
  #judgeWaves(set: LeadSet, found: readonly number[], { core }: Section): void {
    for (const wave of this.#waves) {
      const [start, end] = [wave[0] - set.startSample, wave[1] - set.startSample];
      if (wave[0] < core[0] || wave[0] >= core[1]) continue;
      const within = found.filter((sample) => sample >= start && sample < end);
      (areRegularBeats(
        set.coarse,
        within.map((sample) => toCoarse(sample, set.coarse)),
      )
        ? this.#tachycardia
        : this.#fibrillation
      ).push(wave);
    }
  }

  add(set: LeadSet, section: Section): void {
    const { startSample: shift } = set;
    const found = this.#refine(set);
    this.#judgeWaves(set, found, section);
    const [start, end] = [section.core[0] - shift, section.core[1] - shift];
    const { sampleRateHz } = this.#scan.time;
    const own = constrainBeats(
      found
        .filter((sample) => sample >= start && sample < end)
        .map((sample) => sample + shift)
        .filter((sample) => sample - this.#last > REFRACTORY_SECONDS * sampleRateHz),
      this.#constraints,
      section.core,
      sampleRateHz,
    ).map((sample) => sample - shift);
    if (own.length > 0) this.#last = (own.at(-1) as number) + shift;
    const { coarse } = set;
    const ownCoarse = own.map((sample) => toCoarse(sample, coarse));
    const isSteady = this.#proof.add(coarse, ownCoarse);
    const drawn = drawnRanges(this.#constraints, 'VF');
    const outside = own.flatMap((sample, i) =>
      isIn(this.#fibrillation, sample + shift) || isIn(drawn, sample + shift) ? [] : [i],
    );
    const shapes = this.#cutter.cut(
      coarse,
      outside.map((i) => ownCoarse[i] as number),
    );
    for (const [index, i] of outside.entries()) {
      const sample = own[i] as number;
      const isWhole = hasRoom(set, sample);
      if (isWhole) this.#clusterer.add(shapes, this.#samples.length, shapes.rows[index] as Float32Array);
      this.#samples.push(sample + shift);
      this.#isWhole.push(isWhole);
      this.#isSteady.push(isSteady[i] === true);
    }
  }

  finish(): BeatGroups & Pick<FoundBeats, 'ventricularFibrillation' | 'tachycardia'> {
    const isStated = (this.#constraints.beats ?? []).length > 0;
    if (!isStated && !this.#proof.isHeart(this.#scan.floor))
      return {
        samples: [],
        isWhole: [],
        isSteady: [],
        clusters: [],
        ventricularFibrillation: constrainRanges(this.#scan.waves, this.#constraints, 'VF'),
        tachycardia: [],
      };
    return {
      samples: this.#samples,
      isWhole: this.#isWhole,
      isSteady: this.#isSteady,
      clusters: this.#clusterer.finish(),
      ventricularFibrillation: constrainRanges(this.#fibrillation, this.#constraints, 'VF'),
      tachycardia: this.#tachycardia,
    };
  }
}

export function findBeats(
  reader: LeadReader,
  sections: readonly Section[],
  scan: SignalScan,
  constraints: Constraints,
): FoundBeats {
  const cutter = new BeatShapeCutter(scan);
  const finder = new BeatFinder(scan, cutter, sections.length, constraints);
  const onShapes = reader.only(scan.shapeLeads);
  for (const section of sections) finder.add(onShapes.window(...section.reach), section);
  const { ventricularFibrillation, tachycardia, ...groups } = finder.finish();
  return {
    ...labelBeats({ reader: onShapes, sections, cutter, groups, tachycardia, constraints }),
    ventricularFibrillation,
    tachycardia,
    asystole: constrainRanges(
      findAsystole(scan.stillSeconds, groups.samples, scan.time.sampleRateHz),
      constraints,
      'ASYS',
    ),
  };
}
