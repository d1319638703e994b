// What a page of the review shows where, and what calipers say.

import { expect, describe as group, test } from 'vitest';
import {
  caliperText,
  heightText,
  marchedLines,
  nextFiducial,
  qtcText,
  snapped,
} from '../../renderer/screens/review/caliper-text.ts';
import { pageLeads } from '../../renderer/screens/review/page-leads.ts';
import { timeIn } from '../../renderer/screens/review/time-in.ts';
import { rrBefore, samplesWithin } from '../../renderer/screens/review/use-beats.ts';
import { clearGain } from '../../renderer/trace/clear-gain.ts';
import {
  layoutReview,
  pageMmFor,
  pageSeconds,
  type ReviewField,
  type ReviewKind,
} from '../../renderer/trace/review-layout.ts';

const LEADS = ['I', 'II', 'III', 'aVR', 'aVL', 'aVF', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6'];
const field = (kind: ReviewKind, more: Partial<ReviewField> = {}): ReviewField => ({
  heightPx: 624,
  pxPerMm: 4,
  ratio: 1,
  speedMmPerS: 25,
  pageMm: 250,
  kind,
  leadNames: LEADS,
  onlyLead: 1,
  ...more,
});

test('three by four: columns follow each other in time, and lead II runs below all of them', () => {
  const cells = layoutReview(field('3x4'));
  expect(cells.map(({ lead }) => lead)).toEqual([0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 1]);
  expect(cells.slice(0, 4).map(({ fromSeconds }) => fromSeconds)).toEqual([0, 2.5, 5, 7.5]);
  // 2.5 s at 25 mm/s and 4 px/mm.
  for (const [i, { left }] of cells.slice(0, 4).entries()) expect(left - cells[0]!.left).toBe(250 * i);
  expect(cells.at(-1)).toMatchObject({ fromSeconds: 0, seconds: 10, isFirst: true });
});

test('few leads stand one above the other, whatever is chosen; without lead II nothing runs below', () => {
  expect(layoutReview(field('3x4', { leadNames: ['II', 'V5'] })).map(({ seconds }) => seconds)).toEqual([
    10, 10,
  ]);
  const others = LEADS.map((name) => `${name}x`);
  expect(layoutReview(field('6x2', { leadNames: others }))).toHaveLength(12);
  expect(layoutReview(field('12x1'))).toHaveLength(12);
});

test('three rhythm strips, one lead alone, half a page', () => {
  const rhythm = layoutReview(field('3x4r3')).slice(12);
  expect(rhythm.map(({ lead, seconds }) => [LEADS[lead], seconds])).toEqual([
    ['II', 10],
    ['V1', 10],
    ['V5', 10],
  ]);
  expect(layoutReview(field('single', { onlyLead: 6 }))).toMatchObject([{ lead: 6, seconds: 10 }]);
  expect(layoutReview(field('6x2', { pageMm: 125 }))[0]).toMatchObject({ seconds: 2.5 });
});

test('Cabrera: the limb leads each 30° on, aVR upside down but not where it is a rhythm strip', () => {
  const cells = layoutReview(field('cabrera'));
  const named = cells.map(({ lead, isInverted }) => `${isInverted ? '−' : ''}${LEADS[lead]}`);
  // Row by row: two columns.
  const column = (k: number): string[] => named.slice(0, 12).filter((_, i) => i % 2 === k);
  expect(column(0)).toEqual(['aVL', 'I', '−aVR', 'II', 'aVF', 'III']);
  expect(column(1)).toEqual(['V1', 'V2', 'V3', 'V4', 'V5', 'V6']);
  expect(named[12]).toBe('II');
  const two = layoutReview(field('cabrera', { leadNames: ['I', 'aVR'] }));
  expect(two.some(({ isInverted }) => isInverted)).toBe(false);
});

test('a page is as wide on paper at every speed', () => {
  expect([5, 12.5, 25, 50].map((speed) => pageSeconds(speed))).toEqual([50, 20, 10, 5]);
});

test('a wide screen shows more of a long recording, and of a short one no more than there is', () => {
  expect(pageMmFor(223, 45_000)).toBe(250);
  expect(pageMmFor(384, 45_000)).toBe(380);
  expect(pageMmFor(384, 250)).toBe(250);
  expect(pageMmFor(384, 300)).toBe(300);
});

test('calipers tell milliseconds and the rate that they make, whichever line is on the left', () => {
  expect(caliperText({ from: 100, to: 506 }, 500)).toBe('812 ms · 74 /min');
  expect(caliperText({ from: 506, to: 100 }, 500)).toBe('812 ms · 74 /min');
  expect(caliperText({ from: 9, to: 9 }, 500)).toBe('0 ms');
});

test('a height is told in millivolts of the gain, whichever line is above', () => {
  expect(heightText({ upperMm: 20, lowerMm: 24.2 }, 10, 'none')).toBe('0.42 mV');
  expect(heightText({ upperMm: 24.2, lowerMm: 20 }, 20, 'none')).toBe('0.21 mV');
});

test('a height over a lead of unknown scale is none', () => {
  expect(heightText({ upperMm: 20, lowerMm: 30 }, undefined, 'none')).toBe('none');
});

test('QT is corrected by the R-R before its own beat', () => {
  const beats = Uint32Array.from([1000, 1400, 1900]);
  // Lines from just before R at 1400 to the end of its T.
  expect(rrBefore(beats, [1380, 1580], 500)).toBe(800);
  expect(rrBefore(beats, [980, 1180], 500)).toBeUndefined();
  expect(rrBefore(beats, [1450, 1700], 500)).toBeUndefined();
  expect(rrBefore(beats, undefined, 500)).toBeUndefined();
});

test('what could be a QT is told as QTc, by Fridericia, where R-R is known', () => {
  // 400 ms at 75 /min: 400 / ∛0.8.
  expect(qtcText({ from: 0, to: 200 }, 500, 800)).toBe('431 ms');
  expect(qtcText({ from: 0, to: 200 }, 500, undefined)).toBeUndefined();
  expect(qtcText({ from: 0, to: 40 }, 500, 800)).toBeUndefined();
  expect(qtcText({ from: 0, to: 400 }, 500, 800)).toBeUndefined();
});

test('an interval marches to both ends of the page', () => {
  expect(marchedLines({ from: 250, to: 350 }, 600)).toEqual([50, 150, 450, 550]);
  expect(marchedLines({ from: 350, to: 250 }, 600)).toEqual([50, 150, 450, 550]);
  expect(marchedLines({ from: 9, to: 9 }, 600)).toEqual([]);
  // At 5 mm/s a page has 50,000 samples: a grey field helps nobody.
  expect(marchedLines({ from: 9, to: 109 }, 50_000)).toEqual([]);
  expect(marchedLines({ from: 0, to: 250 }, 50_000).length).toBeLessThanOrEqual(200);
});

test('a line that is dragged stops at the nearest fiducial within 2 mm; keys go from one to the next', () => {
  const fiducials = [100, 140, 200];
  // At 25 mm/s and 500 Hz a millimetre is 20 samples.
  expect([61, 115, 125, 165, 230, 241].map((at) => snapped(at, fiducials, 20))).toEqual([
    100, 100, 140, 140, 200, 241,
  ]);
  expect(snapped(59, fiducials, 20)).toBe(59);
  expect(snapped(59, [], 20)).toBe(59);
  expect([nextFiducial(100, fiducials, 1), nextFiducial(101, fiducials, -1)]).toEqual([140, 100]);
  expect([nextFiducial(200, fiducials, 1), nextFiducial(100, fiducials, -1)]).toEqual([200, 100]);
});

test('of samples in order, a page gets its own, from its first', () => {
  expect(samplesWithin(Uint32Array.of(5, 10, 19, 20), 10, 10)).toEqual([0, 9]);
  expect(samplesWithin(new Uint32Array(), 10, 10)).toEqual([]);
});

group('traces that are too tall', () => {
  const page = { heightPx: 624, pxPerMm: 4, ratio: 1, sampleRateHz: 500, gainMmPerMv: 10 };
  const gains = [2.5, 5, 10, 20] as const;
  /** One sample of one lead stands out. */
  const gainFor = (lead: string, mv: number, kind: ReviewKind = '12x1', isCalibrated = true) =>
    clearGain(
      {
        ...page,
        cells: layoutReview(field(kind)),
        leads: LEADS.map((name) => ({
          name,
          isCalibrated,
          mv: new Float32Array(5000)
            .fill(Number.NaN, 0, 10)
            .fill(0.1, 10)
            .fill(mv, 2600, name === lead ? 2601 : 2600),
        })),
      },
      gains,
    );

  test('get the largest gain at which they stay clear of their neighbours and of the edges', () => {
    // Rows are 50 px apart: 1.25 mV at 10 mm/mV; the first line is 30 px below the edge, the last 20 above it.
    expect([1.3, 1.4, 2.7, 9].map((mv) => gainFor('V1', mv))).toEqual([undefined, 5, 2.5, 2.5]);
    expect([0.8, 0.9].map((mv) => gainFor('I', mv))).toEqual([undefined, 5]);
    expect([-0.3, -0.5].map((mv) => gainFor('V6', mv))).toEqual([undefined, 5]);
  });

  test('by what is drawn: where a lead shows its first five seconds, the sixth does not count', () => {
    expect(gainFor('aVL', 2, 'cabrera')).toBeUndefined();
    expect(gainFor('V1', 2, 'cabrera')).toBe(5);
  });

  test('of unknown scale are drawn as high as they fit', () => {
    expect(gainFor('V1', 900, '12x1', false)).toBeUndefined();
  });
});

test('times in a recording have hours from the first one on', () => {
  expect([0, 200 * 500, 3600 * 500, 86_399 * 500].map((sample) => timeIn(sample, 500))).toEqual([
    '00:00',
    '03:20',
    '1:00:00',
    '23:59:59',
  ]);
});

const block = (startSample: number, values: Readonly<Record<string, readonly number[]>>) => ({
  sampleRateHz: 2,
  recordedSamples: 7,
  startSample,
  leads: Object.entries(values).map(([name, mv]) => ({
    name,
    isCalibrated: name !== 'Resp',
    isStandard: name !== 'Resp',
    mv: new Uint8Array(Float32Array.from(mv).buffer),
  })),
});

test('a page is cut out of the blocks that it lies in; leads stand in their order, gaps and what is behind the end stay empty', () => {
  const one = block(0, {
    Resp: [9, 9, 9, 9],
    MDC_ECG_LEAD_V1: [1, 2, 3, 4],
    MDC_ECG_LEAD_AVR: [0, Number.NaN, 0, 5],
  });
  const two = block(4, { Resp: [8, 8, 8], MDC_ECG_LEAD_V1: [5, 6, 7], MDC_ECG_LEAD_AVR: [6, 7, 8] });
  const leads = pageLeads([one, two], 1, 7)!;
  expect(leads.map(({ name, isCalibrated }) => [name, isCalibrated])).toEqual([
    ['aVR', true],
    ['V1', true],
    ['Resp', false],
  ]);
  expect(leads.map(({ mv }) => [...mv])).toEqual([
    [Number.NaN, 0, 5, 6, 7, 8, Number.NaN],
    [2, 3, 4, 5, 6, 7, Number.NaN],
    [9, 9, 9, 8, 8, 8, Number.NaN],
  ]);
  expect([...pageLeads([two], 5, 2)![1]!.mv]).toEqual([6, 7]);
  // Where the first block is still being read.
  expect([...pageLeads([two], 3, 3)![1]!.mv]).toEqual([Number.NaN, 5, 6]);
  expect(pageLeads([], 1, 7)).toBeUndefined();
});
