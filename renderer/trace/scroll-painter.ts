// Traces as a paper that moves: the newest sample stands at the right edge. Drawn once, on tiles that are
// then only moved, because to draw everything at every frame costs fifty times as much (screens, 5.2).

import { ColumnTracer } from './column-tracer.ts';
import type { DisplayRing } from './display-ring.ts';
import type { EcgLayout, TraceStrip } from './ecg-layout.ts';
import { type MarkLook, MarkPainter } from './mark-painter.ts';
import type { PaintSurface } from './sweep-painter.ts';

/** A piece of a strip's paper. */
export interface Tile {
  readonly surface: PaintSurface;
  /** @param x of its left edge in the window of its strip */
  moveTo(x: number): void;
}

export const TILE_COLUMNS = 256;
const TILE_SPAN = { left: 0, width: TILE_COLUMNS };
/** Tiles that fill a window of so many columns, wherever they stand. */
export const tilesFor = (columns: number): number => Math.ceil(columns / TILE_COLUMNS) + 1;

export class ScrollPainter {
  readonly #layout: EcgLayout;
  readonly #tracer: ColumnTracer;
  /** For each strip. */
  readonly #tiles: readonly (readonly Tile[])[];
  readonly #marks: readonly (readonly MarkPainter[])[];
  #drawn = Number.NaN;

  /** @param tiles `tilesFor(layout.columns)` of each strip */
  constructor(tiles: readonly (readonly Tile[])[], layout: EcgLayout, ring: DisplayRing, look: MarkLook) {
    const { pxPerMm, speedMmPerS, gainMmPerMv } = layout.scale;
    this.#layout = layout;
    this.#tiles = tiles;
    this.#tracer = new ColumnTracer(ring, speedMmPerS * pxPerMm, gainMmPerMv * pxPerMm);
    this.#marks = tiles.map((strip) =>
      strip.map(({ surface }) => new MarkPainter(surface, this.#tracer, pxPerMm, look)),
    );
  }

  get drawnEnd(): number {
    return Math.ceil((this.#drawn + 1) * this.#tracer.samplesPerColumn);
  }

  paint(head: number): boolean {
    const { columns } = this.#layout;
    const last = this.#tracer.lastColumn(head);
    const oldest = Math.max(last - columns + 1, this.#tracer.oldestColumn);
    const isAnew = Number.isNaN(this.#drawn) || last < this.#drawn || this.#drawn + 1 < oldest;
    const first = isAnew ? oldest : this.#drawn + 1;
    if (first > last || !Number.isFinite(last)) return false;
    if (isAnew) this.#clearAll();
    this.#drawn = last;
    for (let from = first; from <= last; ) {
      const tile = Math.floor(from / TILE_COLUMNS);
      const to = Math.min(last, (tile + 1) * TILE_COLUMNS - 1);
      for (let strip = 0; strip < this.#tiles.length; strip++) this.#drawOn(strip, tile, from, to);
      from = to + 1;
    }
    this.#place(last);
    return true;
  }

  /** A pacing spike. @returns whether its place is drawn already */
  markPace(sample: number): boolean {
    const column = this.#tracer.columnOf(sample);
    if (!(column <= this.#drawn)) return false;
    const tile = Math.floor(column / TILE_COLUMNS);
    if (column <= this.#drawn - this.#layout.columns) return true;
    for (let strip = 0; strip < this.#tiles.length; strip++) {
      const marks = (this.#marks[strip] as readonly MarkPainter[])[
        tile % (this.#tiles[strip] as readonly Tile[]).length
      ] as MarkPainter;
      for (const { baselineY } of (this.#layout.strips[strip] as TraceStrip).cells)
        marks.markPace(baselineY, column - tile * TILE_COLUMNS);
    }
    return true;
  }

  #clearAll(): void {
    for (const tiles of this.#tiles)
      for (const { surface } of tiles) surface.clearRect(0, 0, TILE_COLUMNS, this.#layout.heightPx);
  }

  #drawOn(strip: number, tile: number, from: number, to: number): void {
    const tiles = this.#tiles[strip] as readonly Tile[];
    const place = tile % tiles.length;
    const { surface } = tiles[place] as Tile;
    const x = from - tile * TILE_COLUMNS;
    // The tile comes from the left end to the right one, with nothing on it.
    if (x === 0) surface.clearRect(0, 0, TILE_COLUMNS, this.#layout.heightPx);
    const marks = (this.#marks[strip] as readonly MarkPainter[])[place] as MarkPainter;
    surface.beginPath();
    for (const { lead, baselineY } of (this.#layout.strips[strip] as TraceStrip).cells) {
      this.#tracer.trace(surface, lead, baselineY, from, to, x, true);
      marks.mark(lead, baselineY, from, to, x);
    }
    marks.markGap(this.#layout.heightPx, from, to, x, TILE_SPAN);
    surface.stroke();
  }

  #place(last: number): void {
    const newest = Math.floor(last / TILE_COLUMNS);
    for (const tiles of this.#tiles)
      for (let back = 0; back < tiles.length; back++) {
        const tile = newest - back;
        if (tile >= 0)
          (tiles[tile % tiles.length] as Tile).moveTo(
            this.#layout.columns - 1 - (last - tile * TILE_COLUMNS),
          );
      }
  }
}
