// Samples that a file writes as decimal numbers.

import { INVALID_SAMPLE } from '../../shared/signal/recording.ts';
import type { Deviations } from './deviations.ts';

const MAX_DECIMALS = 9;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const MAX_SAMPLE = 2147483647;

/** Decimals that a number is written with, its exponent counted in. */
function decimalsOf(word: string): number {
  const [digits = '', exponent = '0'] = word.toLowerCase().split('e');
  const point = digits.indexOf('.');
  return Math.max(0, (point < 0 ? 0 : digits.length - point - 1) - Number(exponent));
}

interface Digits {
  readonly samples: Int32Array;
  readonly stepsPerUnit: number;
}

/**
 * Numbers as whole samples. Decimals are kept exactly by counting in smaller steps, as far as the largest number leaves room for them;
 * what is no number is a missing sample.
 */
export function decimalSamples(written: readonly string[], code: string, deviations: Deviations): Digits {
  // A comma within numbers that have no point is a decimal mark.
  const hasPoint = written.some((word) => word.includes('.'));
  const words = hasPoint ? written : written.map((word) => word.replace(',', '.'));
  const values = words.map((word) =>
    NUMBER.test(word) && Math.abs(Number(word)) <= MAX_SAMPLE ? Number(word) : Number.NaN,
  );
  const wanted = words.reduce(
    (most, word, i) =>
      /[.eE]/.test(word) && !Number.isNaN(values[i]) ? Math.max(most, decimalsOf(word)) : most,
    0,
  );
  const largest = values.reduce(
    (most, value) => (Number.isNaN(value) ? most : Math.max(most, Math.abs(value))),
    1,
  );
  const decimals = Math.max(0, Math.min(wanted, MAX_DECIMALS, Math.floor(Math.log10(MAX_SAMPLE / largest))));
  if (decimals < wanted) deviations.add('digits_rounded', { sequence: code, stated: wanted, decimals });
  const missing = values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  if (missing > 0) deviations.add('digits_unreadable', { count: missing, sequence: code });
  const stepsPerUnit = 10 ** decimals;
  return {
    samples: Int32Array.from(values, (value) =>
      Number.isNaN(value) ? INVALID_SAMPLE : Math.round(value * stepsPerUnit),
    ),
    stepsPerUnit,
  };
}
