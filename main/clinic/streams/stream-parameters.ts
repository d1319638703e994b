// What the start of a stream agrees on (D72).

import type { StreamParameters } from './records.ts';

export const haveSameParameters = (a: StreamParameters, b: StreamParameters): boolean =>
  a.sampleRateHz === b.sampleRateHz &&
  a.leadCodes.join() === b.leadCodes.join() &&
  a.scale?.digitalMinimum === b.scale?.digitalMinimum &&
  a.scale?.digitalMaximum === b.scale?.digitalMaximum &&
  a.scale?.physicalMinimumMv === b.scale?.physicalMinimumMv &&
  a.scale?.physicalMaximumMv === b.scale?.physicalMaximumMv;
