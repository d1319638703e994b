import { expect, test } from 'vitest';
import { stretchesOfWaves, type WaveWindow } from '../../../main/analysis/beats/ventricular-waves.ts';

const SECOND = 250;

/** `W` waves, `d` doubtful, `.` neither: one letter a second. */
function stretches(verdicts: string): (readonly [number, number])[] {
  const windows = [...verdicts].map(
    (letter, i): WaveWindow => ({
      startSample: i * SECOND,
      verdict: letter === 'W' ? 'waves' : letter === 'd' ? 'doubtful' : 'none',
    }),
  );
  const time = { sampleRateHz: SECOND, sampleCount: (verdicts.length + 4) * SECOND };
  return stretchesOfWaves(windows, time).map(([start, end]) => [start / SECOND, end / SECOND]);
}

test('one window with waves is an artefact; two are a stretch that reaches to the end of the second', () => {
  expect(stretches('..W....')).toEqual([]);
  expect(stretches('..WW...')).toEqual([[2, 8]]);
});

test('stretches whose windows overlap are one', () => {
  expect(stretches('WW..WW.....')).toEqual([[0, 10]]);
  expect(stretches('WW.......WW')).toEqual([
    [0, 6],
    [9, 15],
  ]);
});

test('a short stretch ends with its waves', () => {
  expect(stretches('WWWWWdddddddd')).toEqual([[0, 9]]);
});

test('after twenty seconds doubtful windows count too, across fifteen seconds without any', () => {
  const established = 'W'.repeat(16);
  expect(stretches(`${established}ddd.....`)).toEqual([[0, 23]]);
  expect(stretches(`${established}${'.'.repeat(14)}d......`)).toEqual([[0, 35]]);
  expect(stretches(`${established}${'.'.repeat(15)}d......`)).toEqual([[0, 20]]);
});

test('a stretch does not reach beyond the recording', () => {
  expect(stretches('.....WWW')).toEqual([[5, 12]]);
});
