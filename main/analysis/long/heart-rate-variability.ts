// Heart rate variability of long recordings, in time and frequency (Task Force of ESC and NASPE, Circulation
// 1996;93:1043-1065; analysis reference, section 13). Only of stretches whose rhythm is that of the sinus node.

import type { Holter } from '../../../shared/analysis-result.ts';
import { mean } from '../../../shared/signal/statistics.ts';
import { lombScargle } from './lomb-scargle.ts';
import type { NnIntervals } from './nn-intervals.ts';

const PART_SECONDS = 300;
/** So much of five minutes is covered by intervals between normal beats. */
const LEAST_COVER = 0.8;
/** For the whole of a day, and for its parts. */
const LEAST_HOURS_OF_SDNN = 18;
const LEAST_PARTS = 12;
const BIN_MS = 7.8125;
const BANDS = { vlf: [0.0033, 0.04], lf: [0.04, 0.15], hf: [0.15, 0.4] } as const;

interface Part {
  readonly seconds: readonly number[];
  readonly ms: readonly number[];
}

function partsOf({ atSeconds, ms }: NnIntervals): Part[] {
  const parts = new Map<number, { seconds: number[]; ms: number[] }>();
  for (let i = 0; i < ms.length; i++) {
    const key = Math.floor((atSeconds[i] as number) / PART_SECONDS);
    const part = parts.get(key) ?? { seconds: [], ms: [] };
    parts.set(key, part);
    part.seconds.push(atSeconds[i] as number);
    part.ms.push(ms[i] as number);
  }
  const covered = ({ ms: own }: Part): number => own.reduce((sum, value) => sum + value, 0) / 1000;
  return [...parts.values()].filter((part) => covered(part) >= LEAST_COVER * PART_SECONDS);
}

/** Around the mean, of a sample. */
function standardDeviation(values: readonly number[]): number {
  const middle = mean(values) ?? 0;
  return Math.sqrt(
    values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1),
  );
}

/** The differences between intervals that follow each other. */
function differences({ ms, isNext }: NnIntervals): number[] {
  const found: number[] = [];
  for (let i = 1; i < ms.length; i++)
    if (isNext[i] === 1) found.push((ms[i] as number) - (ms[i - 1] as number));
  return found;
}

/** All intervals divided by the height of their histogram. */
function triangularIndex(ms: Float64Array): number {
  const bins = new Map<number, number>();
  for (const value of ms)
    bins.set(Math.floor(value / BIN_MS), (bins.get(Math.floor(value / BIN_MS)) ?? 0) + 1);
  return ms.length / [...bins.values()].reduce((most, count) => Math.max(most, count), 1);
}

/** Power in each band, ms². */
function bandPowers({ seconds, ms }: Part): Record<keyof typeof BANDS, number> {
  const middle = mean(ms) ?? 0;
  const stepHz = 1 / PART_SECONDS;
  const powers = lombScargle(
    seconds,
    ms.map((value) => value - middle),
    stepHz,
    Math.ceil(BANDS.hf[1] / stepHz),
  );
  const within = ([from, to]: readonly [number, number]): number =>
    powers.reduce((sum, power, f) => {
      const hz = stepHz * (f + 1);
      return hz >= from && hz < to ? sum + power : sum;
    }, 0);
  return { vlf: within(BANDS.vlf), lf: within(BANDS.lf), hf: within(BANDS.hf) };
}

const round = (value: number): number => Math.round(10 * value) / 10;

/** Undefined where too little of the recording has normal beats. */
export function heartRateVariability(nn: NnIntervals): Holter['hrv'] {
  const parts = partsOf(nn);
  if (parts.length < LEAST_PARTS) return undefined;
  const steps = differences(nn);
  const middles = parts.map(({ ms }) => mean(ms) as number);
  const bands = parts.map(bandPowers);
  const meanBand = (band: keyof typeof BANDS): number => mean(bands.map((one) => one[band])) as number;
  const hours = (parts.length * PART_SECONDS) / 3600;
  const [lf, hf] = [meanBand('lf'), meanBand('hf')];
  return {
    hours: round(hours),
    ...(hours >= LEAST_HOURS_OF_SDNN && {
      sdnnMs: round(standardDeviation([...nn.ms])),
      sdannMs: round(standardDeviation(middles)),
      triangularIndex: round(triangularIndex(nn.ms)),
    }),
    sdnnIndexMs: round(mean(parts.map(({ ms }) => standardDeviation(ms))) as number),
    rmssdMs: round(Math.sqrt(mean(steps.map((step) => step * step)) ?? 0)),
    pnn50Percent: round(
      (100 * steps.filter((step) => Math.abs(step) > 50).length) / Math.max(1, steps.length),
    ),
    vlfMs2: Math.round(meanBand('vlf')),
    lfMs2: Math.round(lf),
    hfMs2: Math.round(hf),
    ...(hf > 0 && { lfToHf: round(lf / hf) }),
  };
}
