// Pictures of the families of beats: on the two leads that show them best, all beats of a family over each other as a density, their
// mean, and how like it each beat is (Holter, section 3). Gathered section after section, once all is known of the beats.

import {
  type Beat,
  FAMILY_PICTURE,
  type Families,
  NO_LIKENESS,
  NO_NEXT_LIKELY,
} from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { rangeOf } from '../../../shared/signal/statistics.ts';
import type { MedianBeat } from '../measurements/median-beat.ts';
import { type LeadReader, toCoarse } from '../signal/lead-signals.ts';
import type { Section } from '../signal/sections.ts';
import { samplesWithin } from '../signal/time-base.ts';
import { type Gatherer, type Waypoints, walk } from '../signal/walk.ts';
import {
  cutBeat,
  type DrawnBeats,
  densityOf,
  drawBeat,
  HELD_COLUMNS,
  meanUvOf,
  noBeats,
} from './beat-picture.ts';
import { HOLTER_SECONDS } from './holter.ts';

const { columns: COLUMNS, rows: ROWS } = FAMILY_PICTURE;
const MOST_LEADS = 2;
/** The usual beat leaves room for larger ones. */
const ROOM = 2.2;
const LEAST_SPAN_MV = 2.56;

export interface DrawnFamilies {
  readonly families: Map<number, DrawnBeats>;
  /** In percent, one a beat. */
  readonly likeness: Uint8Array;
}

interface PictureInput {
  readonly reader: LeadReader;
  readonly beats: readonly Beat[];
  /** One a lead: how much it says about the shape of beats. */
  readonly leadWeights: readonly number[];
  readonly usual: MedianBeat | undefined;
}

/** The leads that say most, in their order. */
function bestLeads(weights: readonly number[]): number[] {
  return [...weights.keys()]
    .sort((a, b) => (weights[b] as number) - (weights[a] as number))
    .slice(0, MOST_LEADS)
    .sort((a, b) => a - b);
}

/** Pearson's, over the stretch that is held against each other on all leads. */
function correlationOf(row: Float32Array, sums: Float64Array): number {
  let [n, sa, sb, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let start = 0; start < row.length; start += COLUMNS)
    for (let k = start + HELD_COLUMNS[0]; k < start + HELD_COLUMNS[1]; k++) {
      const [a, b] = [row[k] as number, sums[k] as number];
      n++;
      sa += a;
      sb += b;
      aa += a * a;
      bb += b * b;
      ab += a * b;
    }
  const spread = (aa - (sa * sa) / n) * (bb - (sb * sb) / n);
  return spread > 0 ? (ab - (sa * sb) / n) / Math.sqrt(spread) : 0;
}

const base64 = (bytes: Uint8Array): string => {
  let text = '';
  const piece = 0x2000;
  for (let at = 0; at < bytes.length; at += piece)
    text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(text);
};

class FamilyPictures implements Gatherer<DrawnFamilies> {
  readonly #reader: LeadReader;
  readonly #beats: readonly Beat[];
  readonly #samples: readonly number[];
  readonly #leads: readonly number[];
  readonly #cellMv: number;
  readonly state: DrawnFamilies;

  /** @param state of pictures that are gone on with */
  constructor({ reader, beats, leadWeights, usual }: PictureInput, state: DrawnFamilies | undefined) {
    this.#reader = reader;
    this.#beats = beats;
    this.#samples = beats.map(({ sample }) => sample);
    this.#leads = bestLeads(leadWeights);
    const range = this.#leads.reduce((most, lead) => {
      const mv = usual?.leads[lead];
      return mv === undefined ? most : Math.max(most, rangeOf(mv, 0, mv.length));
    }, 0);
    this.#cellMv = Math.max(LEAST_SPAN_MV, ROOM * range) / ROWS;
    this.state = state ?? {
      families: new Map(),
      likeness: new Uint8Array(beats.length).fill(NO_LIKENESS),
    };
  }

  add({ core, reach }: Section): void {
    const own = samplesWithin(this.#samples, core, reach[0]);
    if (own.length === 0) return;
    const { coarse } = this.#reader.window(...reach);
    const first = firstFrom(this.#samples, core[0]);
    const rows = own.map((sample, i) =>
      this.#beats[first + i]?.family === undefined
        ? undefined
        : cutBeat(coarse, this.#leads, toCoarse(sample, coarse)),
    );
    // All beats of a section are in the mean before they are held against it: the first of a family is not its measure.
    for (const [i, row] of rows.entries())
      if (row !== undefined) drawBeat(this.#drawnOf(first + i), row, this.#cellMv);
    for (const [i, row] of rows.entries())
      if (row !== undefined)
        this.state.likeness[first + i] = Math.round(
          100 * Math.max(0, correlationOf(row, this.#drawnOf(first + i).sums)),
        );
  }

  #drawnOf(beat: number): DrawnBeats {
    const family = this.#beats[beat]?.family as number;
    const known = this.state.families.get(family);
    if (known !== undefined) return known;
    const drawn = noBeats(this.#leads.length);
    this.state.families.set(family, drawn);
    return drawn;
  }

  /** @param nextLikely one a beat @returns undefined where no beat has a family */
  finish(nextLikely: readonly (string | undefined)[]): Families | undefined {
    const families = [...this.state.families].sort(([a], [b]) => a - b);
    if (families.length === 0) return undefined;
    return {
      leads: this.#leads.map((lead) => this.#reader.leads[lead]?.name ?? ''),
      cellMv: this.#cellMv,
      pictures: families.map(([family, drawn]) => ({
        family,
        beats: drawn.count,
        density: this.#leads.map((_, lead) => base64(densityOf(drawn, lead))),
        meanUv: this.#leads.map((_, lead) => meanUvOf(drawn, lead)),
      })),
      likeness: base64(this.state.likeness),
      nextLikely: this.#beats
        .map(({ label }, beat) => {
          const next = nextLikely[beat];
          return next === undefined || next === label ? NO_NEXT_LIKELY : next;
        })
        .join(''),
    };
  }
}

/**
 * @param nextLikely one a beat: the class that is nearly as likely as its own
 * @returns undefined for recordings of less than an hour, and where no beat has a family
 */
export function drawFamilies(
  input: PictureInput,
  sections: readonly Section[],
  nextLikely: readonly (string | undefined)[],
  waypoints: Waypoints | undefined,
): Families | undefined {
  const { sampleCount, sampleRateHz } = input.reader;
  if (sampleCount < HOLTER_SECONDS * sampleRateHz) return undefined;
  return walk<DrawnFamilies, FamilyPictures>({
    name: 'pictures',
    sections,
    waypoints,
    begin: (state) => new FamilyPictures(input, state),
  }).finish(nextLikely);
}
