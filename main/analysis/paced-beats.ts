// Spikes of a pacemaker, told by all beats together: at the same place before each beat, the signal bends more sharply
// than anywhere around, beat after beat. The detector of the running signal needs spikes that stand out of each beat
// alone, and finds none in the paced recordings of LUDB and PTB-XL. Analysis reference, section 4.3.

import { median, quantile } from '../../shared/signal/statistics.ts';
import type { LeadReader, LeadSet } from './lead-signals.ts';
import { measuredSections } from './median-beat.ts';
import type { Section } from './sections.ts';

const FROM_SECONDS = -0.32;
/** The bend of R itself lies behind. */
const TO_SECONDS = -0.04;
/** What stands beside a spike, on both sides. */
const BESIDE_SECONDS = { from: 0.012, to: 0.03 };
/** Samples are too far apart to show a spike below. */
const LEAST_RATE_HZ = 400;
const LEAST_BEATS = 3;
/** Of each section, from its beginning. */
const PART_SECONDS = 60;
const MOST_BEATS = 60;
/**
 * How much sharper than what stands on both sides, and how sharp beside the height of QRS. In the development half so
 * much before the beats of four of seven paced recordings, and before those of no other of 532 (`npm run test:accuracy`).
 */
const SHARPER = 4;
const LEAST_BEND = 0.03;
/**
 * How much sharper than what stands before it: a pulse that lasts for 30 ms has its own end behind it. In five paced
 * recordings of the development half it is 27 times or more; in 3 of 865 others as much as 20 times, where nothing is
 * sharp.
 */
const SHARPER_THAN_BEFORE = 20;
/** The bend before R may be one sample off, as R is. */
const JITTER_SAMPLES = 2;

/** The height of a beat on a lead, around R. */
function heightOf(mv: Float32Array, beats: readonly number[], rateHz: number): number {
  const [half, before] = [Math.round(0.06 * rateHz), Math.round(0.2 * rateHz)];
  const heights = beats.map((r) => {
    let most = 0;
    for (let k = -half; k <= half; k++)
      most = Math.max(most, Math.abs((mv[r + k] ?? 0) - (mv[r - before] ?? 0)));
    return most;
  });
  return median(heights) ?? 0;
}

/** How sharply all leads bend at each place before R, in parts of the height of QRS: medians over the beats. */
function bends({ leads, sampleRateHz }: LeadSet, beats: readonly number[]): Float64Array {
  const from = Math.round(FROM_SECONDS * sampleRateHz);
  const count = Math.round(TO_SECONDS * sampleRateHz) - from;
  const heights = leads.map(({ mv }) => heightOf(mv, beats, sampleRateHz));
  const bendAt = (i: number): number =>
    leads.reduce((sum, { mv }, lead) => {
      const bend = Math.abs((mv[i - 1] as number) - 2 * (mv[i] as number) + (mv[i + 1] as number));
      const height = heights[lead] as number;
      return height > 0 ? sum + bend / height : sum;
    }, 0) / leads.length;
  const rows = beats.map((r) =>
    Float64Array.from({ length: count + 2 * JITTER_SAMPLES }, (_, k) =>
      bendAt(r + from + k - JITTER_SAMPLES),
    ),
  );
  return Float64Array.from(
    { length: count },
    (_, k) =>
      median(
        rows.map((row) => row.subarray(k, k + 2 * JITTER_SAMPLES + 1).reduce((a, b) => Math.max(a, b))),
      ) ?? 0,
  );
}

/** @returns how long before R the spike of each beat stands, in samples; undefined where there is none */
function spikeBeforeR(set: LeadSet, samples: readonly number[]): number | undefined {
  const { sampleRateHz, sampleCount } = set;
  const reach = Math.ceil(-FROM_SECONDS * sampleRateHz) + JITTER_SAMPLES + 1;
  const beats = samples.filter((r) => r > reach && r < sampleCount - reach).slice(0, MOST_BEATS);
  if (sampleRateHz < LEAST_RATE_HZ || beats.length < LEAST_BEATS || set.leads.length === 0) return undefined;
  const profile = bends(set, beats);
  const [near, far] = [BESIDE_SECONDS.from, BESIDE_SECONDS.to].map((s) => Math.round(s * sampleRateHz)) as [
    number,
    number,
  ];
  let best: number | undefined;
  for (let k = far; k < profile.length - far; k++) {
    const before = profile.subarray(k - far, k - near + 1);
    const beside = [...before, ...profile.subarray(k + near, k + far + 1)];
    const bend = profile[k] as number;
    const isSpike =
      bend >= LEAST_BEND &&
      (bend >= SHARPER * (quantile(beside, 0.75) as number) ||
        bend >= SHARPER_THAN_BEFORE * (quantile([...before], 0.75) as number));
    if (isSpike && bend > (best === undefined ? 0 : (profile[best] as number))) best = k;
  }
  return best === undefined ? undefined : -(Math.round(FROM_SECONDS * sampleRateHz) + best);
}

/**
 * Spikes before the usual beats of most sections.
 * @param dominant indices into `samples`
 * @returns how long before R they stand, a median over the sections; undefined where there are none
 */
export function findSpikesBeforeR(
  reader: LeadReader,
  sections: readonly Section[],
  samples: readonly number[],
  dominant: readonly number[],
): number | undefined {
  const { sampleRateHz } = reader;
  const measured = measuredSections(sections, samples, dominant);
  const found = measured.flatMap(({ core: [start, end], dominant: own }) => {
    const set = reader.window(start, Math.min(end, start + Math.round(PART_SECONDS * sampleRateHz)));
    return (
      spikeBeforeR(
        set,
        own.map((beat) => (samples[beat] as number) - start),
      ) ?? []
    );
  });
  return 2 * found.length > measured.length
    ? Math.round((1000 * (median(found) as number)) / sampleRateHz)
    : undefined;
}
