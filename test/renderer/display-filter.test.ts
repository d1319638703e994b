// Filters of the live picture, by what they let through.

import { describe, expect, test } from 'vitest';
import {
  DISPLAY_FILTERS,
  type DisplayFilter,
  DisplayFilterChain,
  type DisplayFilterName,
} from '../../renderer/trace/display-filter.ts';

/** Peak that is left of a sine of 1 mV when everything has settled. */
function gain(filter: DisplayFilter, hz: number, rateHz = 1000): number {
  const chain = new DisplayFilterChain(filter, rateHz);
  let peak = 0;
  for (let i = 0; i < 20 * rateHz; i++) {
    const value = chain.next(Math.sin((2 * Math.PI * hz * i) / rateHz));
    if (i > 15 * rateHz) peak = Math.max(peak, Math.abs(value));
  }
  return peak;
}

describe.each(Object.keys(DISPLAY_FILTERS) as DisplayFilterName[])('%s', (name) => {
  const { highPassHz, lowPassHz } = DISPLAY_FILTERS[name];
  test.each([0, 50, 60] as const)('with a notch at %i Hz', (mainsHz) => {
    const filter: DisplayFilter = { name, mainsHz };
    expect(gain(filter, 10)).toBeGreaterThan(0.97);
    expect(gain(filter, 10)).toBeLessThan(1.03);
    expect(gain(filter, lowPassHz)).toBeLessThan(0.75);
    if (mainsHz === 0) expect(gain(filter, lowPassHz)).toBeGreaterThan(0.66);
    expect(gain(filter, 2.6 * lowPassHz)).toBeLessThan(0.25);
    if (mainsHz > 0) expect(gain(filter, mainsHz)).toBeLessThan(0.03);
  });

  test('the base line goes as slowly as it says: a pulse of 3 mV and 100 ms leaves what IEC 60601-2-25 looks at', () => {
    const chain = new DisplayFilterChain({ name, mainsHz: 0 }, 1000);
    let after = 0;
    for (let i = 0; i < 40_000; i++) {
      const value = chain.next(i >= 30_000 && i < 30_100 ? 3 : 0);
      if (i === 30_400) after = value;
    }
    const undershootUv = -1000 * after;
    // The filter is of first order: 3 mV × (1 − e^(−2π f 0.1 s)), and less 0.3 s later, when the other filters have
    // settled.
    const expected =
      3000 * (1 - Math.exp(-2 * Math.PI * highPassHz * 0.1)) * Math.exp(-2 * Math.PI * highPassHz * 0.3);
    expect(Math.abs(undershootUv - expected)).toBeLessThan(0.02 * expected + 1);
    expect(undershootUv < 100).toBe(highPassHz <= 0.05);
  });
});

test('what has no value comes out so, and what comes behind it starts again without a swing', () => {
  const chain = new DisplayFilterChain({ name: 'monitor', mainsHz: 50 }, 500);
  for (let i = 0; i < 500; i++) chain.next(200);
  expect(chain.next(Number.NaN)).toBeNaN();
  // Another offset of the electrode: it must not shake the picture.
  for (let i = 0; i < 200; i++) expect(Math.abs(chain.next(-150))).toBeLessThan(0.001);
});

test('what is sampled too slowly for a filter passes without it', () => {
  expect(gain({ name: 'diagnostic', mainsHz: 60 }, 30, 125)).toBeGreaterThan(0.9);
});
