// A paper that moves, on tiles that remember every line: it must show the same whether it was drawn frame by
// frame or all at once.

import { expect, test } from 'vitest';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { DisplayRing } from '../../renderer/trace/display-ring.ts';
import type { EcgLayout } from '../../renderer/trace/ecg-layout.ts';
import { ScrollPainter, TILE_COLUMNS, tilesFor } from '../../renderer/trace/scroll-painter.ts';
import { PaintedSheet } from '../support/painted-sheet.ts';

const COLUMNS = 700;
const RATE_HZ = 500;
const PX_PER_S = 180;
const LOOK = { mark: 'warn', pace: 'accent', missing: (seconds: number) => `${seconds} s` };
const LAYOUT: EcgLayout = {
  widthPx: COLUMNS,
  heightPx: 100,
  columns: COLUMNS,
  strips: [{ left: 0, cells: [{ lead: 0, top: 0, height: 100, baselineY: 50 }] }],
  scale: { pxPerMm: 3.6, speedMmPerS: PX_PER_S / 3.6, gainMmPerMv: 10 / 3.6 },
};

function setUp(noise: readonly number[]) {
  const ring = new DisplayRing(RATE_HZ, 1, 20);
  const tiles = Array.from({ length: tilesFor(COLUMNS) }, () => ({
    surface: new PaintedSheet(TILE_COLUMNS, true),
    left: Number.NaN,
  }));
  const painter = new ScrollPainter(
    [tiles.map((tile) => ({ surface: tile.surface, moveTo: (x: number) => (tile.left = x) }))],
    LAYOUT,
    ring,
    LOOK,
  );
  let next = 0;
  return {
    painter,
    feed(count: number): void {
      for (let i = 0; i < count; i++, next++) ring.write(next, [Float32Array.of(noise[next]!)]);
    },
    end: () => next,
    /** What stands at each pixel of the window. */
    seen(): (readonly [number, number] | undefined)[] {
      return Array.from({ length: COLUMNS }, (_, x) => {
        const tile = tiles.find(({ left }) => x >= left && x < left + TILE_COLUMNS);
        return tile === undefined
          ? undefined
          : ([tile.surface.low[x - tile.left]!, tile.surface.high[x - tile.left]!] as const);
      });
    },
  };
}

test('frame by frame it shows what it shows when it is drawn at once; the newest stands at the right edge', () => {
  const random = seededRandom(8);
  const noise = Array.from({ length: 20 * RATE_HZ }, () => random() * 4 - 2);
  const steps = setUp(noise);
  const sizes = seededRandom(9);
  while (steps.end() < 14 * RATE_HZ) {
    steps.feed(Math.ceil(sizes() * 0.04 * RATE_HZ));
    steps.painter.paint(steps.end());
  }
  const once = setUp(noise);
  once.feed(steps.end());
  once.painter.paint(steps.end());
  // The first column of what is drawn at once has no neighbour to be joined to.
  expect(steps.seen().slice(2)).toEqual(once.seen().slice(2));
  expect(steps.seen().every((column) => column !== undefined && column[1] > Number.NEGATIVE_INFINITY)).toBe(
    true,
  );
});
