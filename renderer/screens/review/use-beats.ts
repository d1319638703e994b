// The chosen beat, and what can be done with beats.

import { useState } from 'react';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import type { ReviewLead } from '../../trace/draw-review.ts';
import type { BeatActions, ShownBeat } from './beat-row.tsx';
import type { Correcting } from './use-reading.ts';
import type { Marks } from './use-recording.ts';

/** The beats of a page; a day has a hundred thousand of them. */
export function beatsOf({ beatSamples, beatLabels }: Marks, start: number, sampleCount: number): ShownBeat[] {
  const beats: ShownBeat[] = [];
  for (let i = firstFrom(beatSamples, start); i < beatSamples.length; i++) {
    const sample = beatSamples[i] as number;
    if (sample >= start + sampleCount) break;
    beats.push({ sample, label: beatLabels[i] ?? '' });
  }
  return beats;
}

/** The samples, given in order, that lie on a page, counted from its first. */
export const samplesWithin = (samples: Uint32Array, start: number, sampleCount: number): number[] =>
  Array.from(
    samples.subarray(firstFrom(samples, start), firstFrom(samples, start + sampleCount)),
    (sample) => sample - start,
  );

/** R follows so soon on the onset of QRS, even where QRS is wide. */
const R_SECONDS = 0.2;

/**
 * R-R in milliseconds before the first beat between two places: of which QT is corrected.
 * @param between in the recording @returns undefined where no beat lies between, or none before it
 */
export function rrBefore(
  beatSamples: Uint32Array,
  between: readonly [start: number, end: number] | undefined,
  sampleRateHz: number,
): number | undefined {
  if (between === undefined) return undefined;
  const place = firstFrom(beatSamples, between[0]);
  const [beat, before] = [beatSamples[place], beatSamples[place - 1]];
  if (beat === undefined || before === undefined) return undefined;
  if (beat > Math.min(between[1], between[0] + R_SECONDS * sampleRateHz)) return undefined;
  return (1000 * (beat - before)) / sampleRateHz;
}

const SNAP_SECONDS = 0.06;
const STRONG_LEAD = 'II';

/**
 * Where the signal is largest near a place that a person chose: R, not what a hand hit.
 * @param at a sample of the page
 */
export function snapToPeak(leads: readonly ReviewLead[], at: number, sampleRateHz: number): number {
  const mv = (leads.find(({ name }) => name === STRONG_LEAD) ?? leads[0])?.mv;
  if (mv === undefined) return at;
  const reach = Math.round(SNAP_SECONDS * sampleRateHz);
  const [from, to] = [Math.max(0, at - reach), Math.min(mv.length - 1, at + reach)];
  const level = ((mv[from] as number) + (mv[to] as number)) / 2;
  let [best, highest] = [at, -1];
  for (let i = from; i <= to; i++) {
    const height = Math.abs((mv[i] as number) - level);
    if (height > highest) [best, highest] = [i, height];
  }
  return best;
}

export interface Beats extends BeatActions {
  readonly chosen: number | undefined;
  onAdd(sample: number): void;
}

/** @param onGo shows a beat that is not on the page */
export function useBeats(
  { correct }: Correcting,
  { areFamilies }: Pick<Marks, 'areFamilies'>,
  onGo: (sample: number) => void,
): Beats {
  const [chosen, setChosen] = useState<number>();
  return {
    chosen,
    onChoose(sample) {
      setChosen(sample);
      onGo(sample);
    },
    onLabel: (sample, label) => correct({ kind: 'beat', sample, label }),
    onLabelShape: (sample, label) => correct({ kind: areFamilies ? 'family' : 'shape', sample, label }),
    onRemove(sample) {
      setChosen(undefined);
      correct({ kind: 'beatRemoved', sample });
    },
    onAdd(sample) {
      correct({ kind: 'beatAdded', sample, label: 'N' });
      setChosen(sample);
    },
  };
}
