// What has changed between two long recordings of one patient: how often ectopic beats come, fibrillation, the mean rate, the longest
// pause.

import { hourTable } from '../../../../shared/long/hour-table.ts';
import type { DayReading } from './read-day.ts';

/** A day in the numbers that are compared; absent where they were not assessed. */
export interface DayNumbers {
  readonly hours: number;
  readonly ventricularShare: number;
  readonly supraventricularShare: number;
  readonly meanBpm?: number;
  /** Its part of the time that was read. */
  readonly fibrillationShare?: number;
  /** 0 where there is none. */
  readonly longestPauseMs?: number;
}

const COMPARED = ['ventricular', 'supraventricular', 'fibrillation', 'rate', 'pause'] as const;
export type Compared = (typeof COMPARED)[number];

export interface DayChange {
  readonly name: Compared;
  readonly before: number;
  readonly now: number;
}

export function numbersOf({ day, beats, unknown, fibrillation, pauses }: DayReading): DayNumbers {
  const { whole } = hourTable([0], {
    beats,
    sampleRateHz: day.sampleRateHz,
    sampleCount: day.samples,
    unknown,
    fibrillation,
    pauses,
  });
  const readSeconds = (whole.readShare * day.samples) / day.sampleRateHz;
  const share = (count: number): number => count / Math.max(1, whole.beats);
  return {
    hours: day.samples / day.sampleRateHz / 3600,
    ventricularShare: share(whole.ventricular),
    supraventricularShare: share(whole.supraventricular),
    ...(whole.meanBpm !== undefined && { meanBpm: whole.meanBpm }),
    ...(day.isFibrillationAssessed && {
      fibrillationShare: whole.fibrillationSeconds / Math.max(1, readSeconds),
    }),
    ...(day.arePausesAssessed && { longestPauseMs: whole.longestPauseMs ?? 0 }),
  };
}

/**
 * From where on a difference is told. Ventricular beats vary so much from day to day that only a fall by five sixths is beyond chance
 * (Morganroth 1978, Circulation 58:408-414); a reader wants to know of three times as many, or a third, all the same, unless they are few.
 */
const ECTOPY = { times: 3, share: 0.005 } as const;
const FIBRILLATION_SHARE = 0.01;
const RATE_BPM = 10;
const PAUSE_MS = 500;

function isMoreOrLess(now: number, before: number): boolean {
  const [low, high] = [Math.min(now, before), Math.max(now, before)];
  return high - low >= ECTOPY.share && high >= ECTOPY.times * low;
}

/** @returns what differs by more than chance, in the order of `COMPARED`; what one of both has not assessed is not compared */
export function compareDays(now: DayNumbers, before: DayNumbers): DayChange[] {
  const pairs: Readonly<Record<Compared, readonly [now: number | undefined, before: number | undefined]>> = {
    ventricular: [now.ventricularShare, before.ventricularShare],
    supraventricular: [now.supraventricularShare, before.supraventricularShare],
    fibrillation: [now.fibrillationShare, before.fibrillationShare],
    rate: [now.meanBpm, before.meanBpm],
    pause: [now.longestPauseMs, before.longestPauseMs],
  };
  const isChange: Readonly<Record<Compared, (a: number, b: number) => boolean>> = {
    ventricular: isMoreOrLess,
    supraventricular: isMoreOrLess,
    // That there is any at all is news.
    fibrillation: (a, b) => Math.abs(a - b) >= FIBRILLATION_SHARE || (a === 0) !== (b === 0),
    rate: (a, b) => Math.abs(a - b) >= RATE_BPM,
    pause: (a, b) => Math.abs(a - b) >= PAUSE_MS,
  };
  return COMPARED.flatMap((name) => {
    const [a, b] = pairs[name];
    return a !== undefined && b !== undefined && isChange[name](a, b) ? [{ name, now: a, before: b }] : [];
  });
}

/** What could not be compared, because one of both has not assessed it. */
export const notCompared = (now: DayNumbers, before: DayNumbers): Compared[] => [
  ...(now.fibrillationShare === undefined || before.fibrillationShare === undefined
    ? (['fibrillation'] as const)
    : []),
  ...(now.meanBpm === undefined || before.meanBpm === undefined ? (['rate'] as const) : []),
  ...(now.longestPauseMs === undefined || before.longestPauseMs === undefined ? (['pause'] as const) : []),
];
