// What a sweep draws, on a surface that remembers every line.

import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { DisplayRing, GAP_MARK } from '../../renderer/trace/display-ring.ts';
import type { EcgLayout } from '../../renderer/trace/ecg-layout.ts';
import { SweepPainter } from '../../renderer/trace/sweep-painter.ts';
import { PaintedSheet } from '../support/painted-sheet.ts';

const WIDTH = 300;
const PX_PER_MM = 3.6;
const ERASE = 18;

const LOOK = {
  mark: 'warn',
  pace: 'accent',
  missing: (seconds: number, isMore: boolean) =>
    `${isMore ? 'more than ' : ''}${seconds.toFixed(1)} s missing`,
};
const layoutOf = (pxPerSecond: number): EcgLayout => ({
  widthPx: WIDTH,
  heightPx: 100,
  columns: WIDTH,
  strips: [{ left: 0, cells: [{ lead: 0, top: 0, height: 100, baselineY: 50 }] }],
  scale: { pxPerMm: PX_PER_MM, speedMmPerS: pxPerSecond / PX_PER_MM, gainMmPerMv: 10 / PX_PER_MM },
});

/** @param signal NaN: no value; undefined: nothing was sent */
function setUp(rateHz: number, pxPerSecond: number, signal: (sample: number) => number | undefined) {
  const ring = new DisplayRing(rateHz, 1, 10);
  const sheet = new PaintedSheet(WIDTH);
  const painter = new SweepPainter(sheet, layoutOf(pxPerSecond), ring, LOOK);
  let next = 0;
  const feed = (count: number): void => {
    for (let i = 0; i < count; i++, next++) {
      const value = signal(next);
      if (value !== undefined) ring.write(next, [Float32Array.of(value)]);
    }
  };
  return { ring, sheet, painter, feed, next: () => next };
}

describe.each([
  ['1000 Hz, 11 samples a column', 1000, 90],
  ['500 Hz, under three samples a column', 500, 180],
  ['250 Hz, more columns than samples', 250, 300],
])('%s', (_, rateHz, pxPerSecond) => {
  test('draws the same frame by frame as all at once, over many turns of the screen', () => {
    const random = seededRandom(3);
    const noise = Array.from({ length: 20 * rateHz }, () => random() * 4 - 2);
    const steps = setUp(rateHz, pxPerSecond, (sample) => noise[sample]);
    const sizes = seededRandom(4);
    while (steps.next() < 12 * rateHz) {
      steps.feed(Math.ceil(sizes() * 0.04 * rateHz));
      steps.painter.paint(steps.next());
    }
    const once = setUp(rateHz, pxPerSecond, (sample) => noise[sample]);
    once.feed(steps.next());
    once.painter.paint(steps.next());
    const lastColumn = Math.floor((steps.next() * pxPerSecond) / rateHz) - 1;
    for (let back = 0; back < WIDTH - ERASE - 2; back++) {
      const x = (lastColumn - back) % WIDTH;
      expect([x, steps.sheet.low[x], steps.sheet.high[x]]).toEqual([
        x,
        once.sheet.low[x],
        once.sheet.high[x],
      ]);
    }
    // The bar behind the head is empty.
    for (let ahead = 1; ahead <= ERASE; ahead++)
      expect(steps.sheet.high[(lastColumn + ahead) % WIDTH]).toBe(Number.NEGATIVE_INFINITY);
  });

  test('shows every spike of a single sample in full height, at its place', () => {
    const isSpike = (sample: number): boolean => sample % 97 === 13;
    const { painter, sheet, feed, next } = setUp(rateHz, pxPerSecond, (sample) => (isSpike(sample) ? 1 : 0));
    const seconds = (WIDTH - ERASE - 4) / pxPerSecond;
    for (let n = 0; n < seconds * 50; n++) {
      feed(Math.round(rateHz / 50));
      painter.paint(next());
    }
    const drawn = Math.floor((next() * pxPerSecond) / rateHz);
    for (let sample = 0; sample < next(); sample++) {
      const column = Math.floor((sample * pxPerSecond) / rateHz);
      if (isSpike(sample) && column < drawn) expect(sheet.low[column], `sample ${sample}`).toBe(40);
    }
  });

  test('draws nothing where there is no value, and goes on behind it', () => {
    const isGap = (sample: number): boolean => sample >= 0.5 * rateHz && sample < 0.7 * rateHz;
    const { painter, sheet, feed, next } = setUp(rateHz, pxPerSecond, (sample) =>
      isGap(sample) ? undefined : 0,
    );
    feed(rateHz * 0.9);
    painter.paint(next());
    expect(sheet.texts).toEqual(['0.2 s missing']);
    const column = (seconds: number): number => Math.floor(seconds * pxPerSecond);
    for (let x = column(0.5) + 2; x < column(0.7) - 2; x++)
      expect(sheet.high[x]).toBe(Number.NEGATIVE_INFINITY);
    expect([sheet.high[column(0.4)], sheet.high[column(0.8)]]).toEqual([50, 50]);
  });
});

test('a frame costs one line and what is new, nothing else', () => {
  const { painter, sheet, feed, next } = setUp(1000, 90, (sample) => Math.sin(sample / 20));
  feed(3000);
  painter.paint(next());
  sheet.strokes = 0;
  sheet.cleared = 0;
  sheet.points = [];
  feed(17);
  painter.paint(next());
  expect(sheet.strokes).toBe(1);
  expect(sheet.cleared).toBeLessThanOrEqual(2 + ERASE);
  expect(sheet.points.length).toBeLessThanOrEqual(8);
  painter.paint(next());
  expect(sheet.strokes).toBe(1);
});

test('the sweep waits where nothing has come, and takes up a device that restarted', () => {
  const { painter, sheet, ring, feed } = setUp(1000, 90, () => 1);
  feed(1000);
  painter.paint(5000);
  const drawn = sheet.points.length;
  painter.paint(6000);
  expect(sheet.points.length).toBe(drawn);
  ring.write(100, [new Float32Array(500).fill(-1)]);
  painter.paint(600);
  expect(sheet.high[Math.floor(0.3 * 90)]).toBe(60);
});

test('samples that were missed are a gap, and no old ones show through it', () => {
  const ring = new DisplayRing(100, 1, 1);
  ring.write(1000, [new Float32Array(100)]);
  ring.write(1150, [new Float32Array(10)]);
  expect([ring.begin, ring.end, ring.oldest]).toEqual([1000, 1160, 1160 - ring.capacity]);
  const isGap = Array.from(
    { length: 60 },
    (_, i) => ((ring.marks[(1100 + i) & ring.mask] as number) & GAP_MARK) !== 0,
  );
  expect(isGap).toEqual(Array.from({ length: 60 }, (_, i) => i < 50));
  ring.write(1_000_000, [new Float32Array(5)]);
  expect(ring.marks.filter((mark) => (mark & GAP_MARK) !== 0)).toHaveLength(ring.capacity - 5);
});

test('how long a gap was is the same in every strip, however often the screen turned meanwhile, and stands within the strip', () => {
  const ring = new DisplayRing(1000, 1, 20);
  const sheet = new PaintedSheet(2 * WIDTH + 10);
  const layout = layoutOf(90);
  const strips = [0, WIDTH + 10].map((left) => ({ ...layout.strips[0]!, left }));
  const painter = new SweepPainter(sheet, { ...layout, widthPx: 2 * WIDTH + 10, strips }, ring, LOOK);
  // Gaps within a turn, over the right edge, and over more than a whole turn, which begin and end in the
  // middle of a column.
  let end = 0;
  for (const gapMs of [734, 2001, 4567]) {
    sheet.texts = [];
    sheet.textPlaces = [];
    ring.write(end, [new Float32Array(1003)]);
    painter.paint(ring.end);
    // Frames go on while nothing comes.
    painter.paint(ring.end + 300);
    ring.write(ring.end + gapMs, [new Float32Array(40)]);
    end = ring.end;
    painter.paint(end);
    expect(sheet.texts).toEqual(Array(2).fill(`${(gapMs / 1000).toFixed(1)} s missing`));
    for (const [strip, { left }] of strips.entries()) {
      const x = sheet.textPlaces[strip]!;
      expect([x >= left, x + sheet.measureText(sheet.texts[0]!).width <= left + WIDTH]).toEqual([true, true]);
    }
  }
});

test('a gap that began before what is known is said to be longer than that', () => {
  const ring = new DisplayRing(1000, 1, 2);
  const sheet = new PaintedSheet(WIDTH);
  const said: unknown[] = [];
  const missing = (...of: unknown[]): string => `${said.push(of)}`;
  const painter = new SweepPainter(sheet, layoutOf(300), ring, { ...LOOK, missing });
  ring.write(0, [new Float32Array(100)]);
  painter.paint(100);
  ring.write(60_000, [new Float32Array(100)]);
  painter.paint(60_100);
  expect(said).toEqual([[(ring.capacity - 100) / 1000, true]]);
});

test('a pacing spike stands where it was, once it is drawn, and never as signal', () => {
  const { painter, sheet, feed, next } = setUp(1000, 90, () => 0);
  feed(1000);
  painter.paint(next());
  expect(painter.markPace(1200)).toBe(false);
  sheet.marks = [];
  expect(painter.markPace(500)).toBe(true);
  expect(sheet.marks).toEqual([[45, 50 + 2 * PX_PER_MM]]);
  feed(4000);
  painter.paint(next());
  sheet.marks = [];
  // The sweep has passed there again.
  expect([painter.markPace(500), sheet.marks]).toEqual([true, []]);
});
