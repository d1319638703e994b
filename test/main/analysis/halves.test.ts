// A family of two shapes is divided into them; one of one shape is not.

import { expect, test } from 'vitest';
import { halvesOf } from '../../../main/analysis/long/halves.ts';
import { gaussian, seededRandom } from '../../../main/signal/synthetic/random.ts';
import { FAMILY_PICTURE } from '../../../shared/analysis-result.ts';

const random = seededRandom(4);

/** One lead: a wave at R, and a second one of a height so many columns later. */
function shape(second: number, noiseMv: number): Float32Array {
  return Float32Array.from({ length: FAMILY_PICTURE.columns }, (_, column) => {
    const wave = (at: number, width: number): number => Math.exp(-(((column - at) / width) ** 2));
    return (
      wave(FAMILY_PICTURE.rColumn, 3) +
      second * wave(FAMILY_PICTURE.rColumn + 25, 6) +
      noiseMv * gaussian(random)
    );
  });
}

test('the smaller half is the rarer shape, whichever comes first', () => {
  const rows = Array.from({ length: 60 }, (_, i) => shape(i % 4 === 0 ? -0.3 : 0.3, 0.02));
  expect([...halvesOf(rows)]).toEqual(rows.map((_, i) => (i % 4 === 0 ? 1 : 0)));
});

test('the same beats have no halves', () => {
  const rows = Array.from({ length: 10 }, () => shape(0.3, 0));
  expect([...halvesOf(rows)]).toEqual(new Array(10).fill(0));
  expect([...halvesOf([])]).toEqual([]);
  expect([...halvesOf([shape(0.3, 0)])]).toEqual([0]);
});
