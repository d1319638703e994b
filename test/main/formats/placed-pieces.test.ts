// Stretches of one recording as one time line.

import { expect, test } from 'vitest';
import { Deviations } from '../../../main/formats/deviations.ts';
import { type Piece, placePieces } from '../../../main/formats/placed-pieces.ts';
import { readFromArray } from '../../../main/formats/stored-channel.ts';
import { type Channel, INVALID_SAMPLE, readAllSamples } from '../../../shared/signal/recording.ts';

const X = INVALID_SAMPLE;
const channel = (label: string, values: readonly number[], scale = 1): Channel => {
  const samples = Int32Array.from(values);
  return {
    label,
    unit: 'uV',
    mvPerUnit: 0.001,
    scale,
    offset: 0,
    isCalibrated: true,
    rate: { samples: 2, seconds: 1 },
    sampleCount: samples.length,
    read: (start, target) => readFromArray(samples, start, target),
  };
};
const placed = (pieces: readonly Piece[]) => {
  const deviations = new Deviations();
  const { channels, ...rest } = placePieces(pieces, deviations);
  return {
    ...rest,
    samples: Object.fromEntries(channels.map((one) => [one.label, [...readAllSamples(one)]])),
    warnings: deviations.list.map(({ code }) => code),
  };
};

test('other leads in turn, one lead all the time, and a gap where there is none', () => {
  expect(
    placed([
      { startSeconds: 0, channels: [channel('I', [1, 2]), channel('II', [5, 6])] },
      { startSeconds: 1, channels: [channel('V1', [3, 4]), channel('II', [7, 8])] },
      { startSeconds: 3, channels: [channel('II', [9, 9])] },
    ]),
  ).toEqual({
    durationSeconds: 4,
    gaps: [{ startSeconds: 2, endSeconds: 3 }],
    samples: {
      I: [1, 2, X, X, X, X, X, X],
      II: [5, 6, 7, 8, X, X, 9, 9],
      V1: [X, X, 3, 4, X, X, X, X],
    },
    warnings: [],
  });
});

test('what overlaps, or has another scale, is left out and said', () => {
  const { samples, warnings } = placed([
    { startSeconds: 0, channels: [channel('I', [1, 2, 3, 4])] },
    { startSeconds: 1, channels: [channel('I', [8, 8])] },
    { startSeconds: 2, channels: [channel('I', [9, 9], 2)] },
  ]);
  expect(samples.I).toEqual([1, 2, 3, 4]);
  expect(warnings).toEqual(['series_left_out']);
});

test('two channels of one name in one stretch are two channels', () => {
  const { channels } = placePieces(
    [{ startSeconds: 0, channels: [channel('ECG', [1]), channel('ECG', [2])] }],
    new Deviations(),
  );
  expect(channels.map((one) => [...readAllSamples(one)])).toEqual([[1], [2]]);
});
