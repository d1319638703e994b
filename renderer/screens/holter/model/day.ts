// A recording of an hour or more as the page holds it: what was found in it, as typed arrays.

import {
  type Episode,
  FAMILY_PICTURE,
  type Holter,
  type RhythmSegment,
} from '../../../../shared/analysis-result.ts';
import type { CallOutput } from '../../../../shared/bridge/contract.ts';
import type { LabelledBeats, SampleRange } from '../../../../shared/long/hour-table.ts';
import { unknownOf } from '../../../../shared/long/known-time.ts';

/** How a family looks: on each lead a density and a mean. */
export interface Picture {
  readonly beats: number;
  /** One a lead: `FAMILY_PICTURE.rows` rows of `FAMILY_PICTURE.columns`. */
  readonly density: readonly Uint8Array[];
  /** One a lead, a value a column. */
  readonly meanUv: readonly Int32Array[];
}

export interface Day {
  readonly taskId: number;
  readonly carried: number;
  readonly sampleRateHz: number;
  readonly samples: number;
  readonly leads: readonly string[];
  /** Leads whose scale is not known. */
  readonly uncalibrated: ReadonlySet<string>;
  readonly beats: LabelledBeats;
  /** The family of each beat; -1 where it has none. */
  readonly familyOf: Int32Array;
  /** A letter a beat. */
  readonly nextLikely: string;
  /** In percent; 255 where it has no family. */
  readonly likeness: Uint8Array;
  readonly pictures: ReadonlyMap<number, Picture>;
  readonly pictureLeads: readonly string[];
  readonly cellMv: number;
  readonly rhythms: readonly RhythmSegment[];
  readonly episodes: readonly Episode[];
  /** Where samples are missing, or noise hides the beats; in order, none over another. */
  readonly unknown: readonly SampleRange[];
  readonly holter: Holter | undefined;
  readonly isPaced: boolean | undefined;
  /** Where it was not, none found says nothing. */
  readonly isFibrillationAssessed: boolean;
  readonly arePausesAssessed: boolean;
  readonly isEctopyAssessed: boolean;
}

const copied = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

export function dayOf(taskId: number, stored: CallOutput<'day.get'>): Day {
  const samples = new Uint32Array(copied(stored.beatSamples));
  return {
    taskId,
    carried: stored.carried,
    sampleRateHz: stored.sampleRateHz,
    samples: stored.samples,
    leads: stored.leads,
    uncalibrated: new Set(stored.uncalibrated),
    beats: { samples, labels: new TextEncoder().encode(stored.beatLabels) },
    // The greatest unsigned number is -1.
    familyOf: new Int32Array(copied(stored.beatFamilies)),
    nextLikely: stored.nextLikely,
    likeness: Uint8Array.from(stored.likeness),
    pictures: new Map(
      stored.pictures.map(({ family, beats, density, meanUv }) => [
        family,
        {
          beats,
          density: density.map((bytes) => Uint8Array.from(bytes)),
          meanUv: meanUv.map((bytes) => new Int32Array(copied(bytes))),
        },
      ]),
    ),
    // Versions that drew no pictures say nothing of the leads that show beats best.
    pictureLeads: stored.pictureLeads.length > 0 ? stored.pictureLeads : stored.leads.slice(0, 2),
    cellMv: stored.cellMv,
    rhythms: stored.rhythms,
    episodes: stored.episodes,
    unknown: unknownOf(stored.gaps, stored.unread, stored.sampleRateHz),
    holter: stored.holter,
    isPaced: stored.isPaced,
    isFibrillationAssessed: stored.isFibrillationAssessed,
    arePausesAssessed: stored.arePausesAssessed,
    isEctopyAssessed: stored.isEctopyAssessed,
  };
}

const CELLS = FAMILY_PICTURE.columns * FAMILY_PICTURE.rows;

/** Several families as one, each by the number of its beats. */
export function joinPictures(pictures: readonly Picture[]): Picture | undefined {
  const [first] = pictures;
  if (first === undefined || pictures.length === 1) return first;
  const beats = pictures.reduce((sum, picture) => sum + picture.beats, 0);
  return {
    beats,
    density: first.density.map((_, lead) => {
      const cells = new Uint8Array(CELLS);
      for (let cell = 0; cell < CELLS; cell++) {
        let sum = 0;
        for (const picture of pictures) sum += picture.beats * (picture.density[lead]?.[cell] ?? 0);
        cells[cell] = Math.ceil(sum / beats);
      }
      return cells;
    }),
    meanUv: first.meanUv.map((own, lead) =>
      own.map((_, column) => {
        let sum = 0;
        for (const picture of pictures) sum += picture.beats * (picture.meanUv[lead]?.[column] ?? 0);
        return Math.round(sum / beats);
      }),
    ),
  };
}

/** The stretch over which families are held against each other, in columns: −120 to 320 ms. */
const HELD = [FAMILY_PICTURE.rColumn - 18, FAMILY_PICTURE.rColumn + 48] as const;
const MOST_SHIFT = 5;
const SIZES = { least: 0.7, most: 1.4 } as const;

/** How alike two families are: Pearson's correlation over both leads at the best shift; 0 where their sizes differ too much. */
export function alikeOf(one: Picture, other: Picture): number {
  let best = 0;
  for (let shift = -MOST_SHIFT; shift <= MOST_SHIFT; shift++) {
    let [n, sa, sb, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
    for (const [lead, uv] of one.meanUv.entries())
      for (let k = HELD[0]; k < HELD[1]; k++) {
        const [a, b] = [uv[k] as number, other.meanUv[lead]?.[k + shift] ?? 0];
        n++;
        sa += a;
        sb += b;
        aa += a * a;
        bb += b * b;
        ab += a * b;
      }
    const [va, vb] = [aa - (sa * sa) / n, bb - (sb * sb) / n];
    if (va <= 0 || vb <= 0) continue;
    const size = Math.sqrt(va / vb);
    if (size < SIZES.least || size > SIZES.most) continue;
    best = Math.max(best, (ab - (sa * sb) / n) / Math.sqrt(va * vb));
  }
  return best;
}
