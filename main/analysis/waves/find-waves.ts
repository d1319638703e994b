// The waves of beats all over a recording: of each beat where it is short, of a part of them where it is long.

import type { Beat } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import type { MeasuredSection } from '../measurements/median-beat.ts';
import type { LeadReader } from '../signal/lead-signals.ts';
import type { Range } from '../signal/time-base.ts';
import { type BeatWaves, beatWaves } from './beat-waves.ts';
import type { WaveScores } from './wave-network.ts';

/** How much of each section of a long recording is measured. */
const PART_SECONDS = 30;
/** Beats at its ends may lack their waves. */
const EDGE_SECONDS = 1;

const STEP_SECONDS = 15;

/** Where a section has most usual beats: where noise or a gap is, there are fewer. */
function partOf(
  { core, dominant }: MeasuredSection,
  samples: readonly number[],
  sampleRateHz: number,
): Range {
  const [start, end] = core;
  const length = Math.min(end - start, Math.round(PART_SECONDS * sampleRateHz));
  const step = Math.round(STEP_SECONDS * sampleRateHz);
  const places = dominant.map((beat) => samples[beat] as number);
  let [best, most] = [start, -1];
  for (let from = start; from + length <= end; from += step) {
    const beats = firstFrom(places, from + length) - firstFrom(places, from);
    if (beats > most) [best, most] = [from, beats];
  }
  return [best, best + length];
}

/** A stretch of a recording, and the waves of its beats. */
export interface WavePart {
  readonly range: Range;
  readonly waves: readonly BeatWaves[];
}

/** @param beats of the recording @returns in the order of the beats; none where no beat is there */
export function findWaves(
  reader: LeadReader,
  sections: readonly MeasuredSection[],
  beats: readonly Beat[],
  network: WaveScores,
): WavePart[] {
  const samples = beats.map(({ sample }) => sample);
  const isWhole = sections.length === 1;
  const edge = isWhole ? 0 : Math.round(EDGE_SECONDS * reader.sampleRateHz);
  return sections.map((section) => {
    const [start, end] = isWhole ? section.reach : partOf(section, samples, reader.sampleRateHz);
    const [first, behind] = [firstFrom(samples, start + edge), firstFrom(samples, end - edge)];
    const own = Array.from({ length: Math.max(0, behind - first) }, (_, k) => first + k);
    const { coarse } = reader.window(start, end);
    return { range: [start, end], waves: beatWaves(network, coarse, start, beats, own) };
  });
}
