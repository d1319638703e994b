// Pictures of the families of beats: on the two leads that show them best, all beats of a family over each other as a density, their
// mean, and how like it each beat is (Holter, section 3). Gathered while the signal is watched, section after section.

import {
  type Beat,
  FAMILY_PICTURE,
  type Families,
  NO_LIKENESS,
  NO_NEXT_LIKELY,
} from '../../../shared/analysis-result.ts';
import { median, rangeOf } from '../../../shared/signal/statistics.ts';
import type { MedianBeat } from '../measurements/median-beat.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';

const {
  columns: COLUMNS,
  rows: ROWS,
  columnMs: COLUMN_MS,
  rColumn: R_COLUMN,
  zeroRow: ZERO_ROW,
} = FAMILY_PICTURE;
const CELLS = COLUMNS * ROWS;
const MOST_LEADS = 2;
/** The usual beat leaves room for larger ones. */
const ROOM = 2.2;
const LEAST_SPAN_MV = 2.56;
/** Where the level is taken from: between P and QRS. */
const LEVEL_COLUMNS = [R_COLUMN - 15, R_COLUMN - 8] as const;
/** A column as dark as it gets: so large a share of the beats runs through it. */
const FULL_SHARE = 1 / 3;
const FULL = 255;
/** From here to here shapes are held against each other: −120 to 320 ms. */
const HELD = [R_COLUMN - 18, R_COLUMN + 48] as const;

/** What was drawn so far, of one family. */
interface Drawn {
  count: number;
  /** Beats that run through each cell, lead after lead. */
  readonly cells: Uint32Array;
  /** Sums of millivolts, lead after lead. */
  readonly sums: Float64Array;
}

export interface DrawnFamilies {
  readonly families: Map<number, Drawn>;
  /** In percent, one a beat. */
  readonly likeness: Uint8Array;
}

interface PictureInput {
  readonly beats: readonly Beat[];
  readonly leadNames: readonly string[];
  /** One a lead: how much it says about the shape of beats; 0 of one that is not asked. */
  readonly weights: readonly number[];
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
    for (let k = start + HELD[0]; k < start + HELD[1]; k++) {
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

export class FamilyPictures {
  readonly #beats: readonly Beat[];
  readonly #leads: readonly number[];
  readonly #names: readonly string[];
  readonly #cellMv: number;
  readonly state: DrawnFamilies;

  /** @param state of pictures that are gone on with */
  constructor({ beats, leadNames, weights, usual }: PictureInput, state?: DrawnFamilies) {
    this.#beats = beats;
    this.#leads = bestLeads(weights);
    this.#names = this.#leads.map((lead) => leadNames[lead] as string);
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

  /** @param samples coarse ones of the beats of a section, in order @param first of them among all beats */
  add(set: CoarseSet, samples: readonly number[], first: number): void {
    const rows = samples.map((sample, i) =>
      this.#beats[first + i]?.family === undefined ? undefined : this.#cut(set, sample),
    );
    // All beats of a section are in the mean before they are held against it: the first of a family is not its measure.
    for (const [i, row] of rows.entries()) if (row !== undefined) this.#draw(this.#drawnOf(first + i), row);
    for (const [i, row] of rows.entries())
      if (row !== undefined)
        this.state.likeness[first + i] = Math.round(
          100 * Math.max(0, correlationOf(row, this.#drawnOf(first + i).sums)),
        );
  }

  #drawnOf(beat: number): Drawn {
    const family = this.#beats[beat]?.family as number;
    const known = this.state.families.get(family);
    if (known !== undefined) return known;
    const length = this.#leads.length;
    const drawn = {
      count: 0,
      cells: new Uint32Array(length * CELLS),
      sums: new Float64Array(length * COLUMNS),
    };
    this.state.families.set(family, drawn);
    return drawn;
  }

  /** A value a column, lead after lead, above the level before QRS. */
  #cut({ leads, sampleRateHz }: CoarseSet, sample: number): Float32Array {
    const row = new Float32Array(this.#leads.length * COLUMNS);
    const step = (COLUMN_MS / 1000) * sampleRateHz;
    for (const [k, lead] of this.#leads.entries()) {
      const mv = leads[lead]?.mv ?? new Float32Array(1);
      for (let column = 0; column < COLUMNS; column++) {
        const at = Math.min(mv.length - 1, Math.max(0, sample + (column - R_COLUMN) * step));
        const below = Math.floor(at);
        const low = mv[below] as number;
        row[k * COLUMNS + column] =
          low + ((mv[Math.min(mv.length - 1, below + 1)] as number) - low) * (at - below);
      }
      const own = row.subarray(k * COLUMNS, (k + 1) * COLUMNS);
      const level = median([...own.subarray(...LEVEL_COLUMNS)]) ?? 0;
      for (let column = 0; column < COLUMNS; column++) own[column] = (own[column] as number) - level;
    }
    return row;
  }

  /** Each column from where the one before it ended, so that a steep wave leaves no holes. */
  #draw(drawn: Drawn, row: Float32Array): void {
    drawn.count++;
    for (let k = 0; k < row.length; k += COLUMNS) {
      let last: number | undefined;
      for (let column = 0; column < COLUMNS; column++) {
        const value = row[k + column] as number;
        drawn.sums[k + column] = (drawn.sums[k + column] as number) + value;
        const at = ZERO_ROW - Math.round(value / this.#cellMv);
        const [from, to] =
          last === undefined || last === at ? [at, at] : last < at ? [last + 1, at] : [at, last - 1];
        for (let r = Math.max(0, from); r <= Math.min(ROWS - 1, to); r++) {
          const cell = k * ROWS + r * COLUMNS + column;
          drawn.cells[cell] = (drawn.cells[cell] as number) + 1;
        }
        last = at;
      }
    }
  }

  #densityOf({ cells, count }: Drawn, lead: number): string {
    const own = cells.subarray(lead * CELLS, (lead + 1) * CELLS);
    return base64(
      Uint8Array.from(own, (beats) =>
        beats === 0 ? 0 : Math.max(1, Math.min(FULL, Math.round((FULL * beats) / (FULL_SHARE * count)))),
      ),
    );
  }

  /** @param nextLikely one a beat @returns undefined where no beat has a family */
  finish(nextLikely: readonly (string | undefined)[]): Families | undefined {
    const families = [...this.state.families].sort(([a], [b]) => a - b);
    if (families.length === 0) return undefined;
    return {
      leads: [...this.#names],
      cellMv: this.#cellMv,
      pictures: families.map(([family, drawn]) => ({
        family,
        beats: drawn.count,
        density: this.#leads.map((_, lead) => this.#densityOf(drawn, lead)),
        meanUv: this.#leads.map((_, lead) =>
          Array.from(drawn.sums.subarray(lead * COLUMNS, (lead + 1) * COLUMNS), (sum) =>
            Math.round((1000 * sum) / drawn.count),
          ),
        ),
      })),
      likeness: base64(this.state.likeness),
      nextLikely: this.#beats.map((_, beat) => nextLikely[beat] ?? NO_NEXT_LIKELY).join(''),
    };
  }
}
